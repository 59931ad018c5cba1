// SPDX-License-Identifier: MIT
// heap.js: sizes of blocks, and the heap over time. It must not know the screen.
const CLASSES = [[16, "16"], [32, "32"], [64, "64"], [128, "128"], [256, "256"], [512, "512"], [1024, "1 Ki"], [4096, "4 Ki"],
    [16384, "16 Ki"], [65536, "64 Ki"], [1048576, "1 Mi"], [Infinity, "more"]];

// Blocks by the mean size of those that their line asked for.
export function sizeClasses(rows) {
    const blocks = CLASSES.map(() => 0);
    for (const row of rows)
        if (row.alloc_blocks)
            blocks[CLASSES.findIndex(([most]) => row.alloc_bytes / row.alloc_blocks <= most)] += row.alloc_blocks;
    return { blocks, names: CLASSES.map(([, name]) => name) };
}

// What snapshots saw, and the ends of stages where the run has a timeline. Points are [ns, bytes] by time.
// A heap that was empty whenever somebody looked is not drawn.
export function heapOverTime({ snapshots, spans }) {
    const live = [], resident = [];
    const put = (list, at, bytes) => { if (bytes >= 0) list.push([at, bytes]); };
    for (let i = 0; i < snapshots.count; i++) {
        put(live, snapshots.at_ns[i], snapshots.live_bytes[i]);
        put(resident, snapshots.at_ns[i], snapshots.rss_bytes[i]);
    }
    for (let i = 0; i < spans.count; i++)
        put(live, spans.start_ns[i] + spans.wall_ns[i], spans.live_bytes[i]);
    return { live: live.some((point) => point[1]) ? live.sort((a, b) => a[0] - b[0]) : [], resident };
}
