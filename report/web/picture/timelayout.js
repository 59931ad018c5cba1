// SPDX-License-Identifier: MIT
// timelayout.js: spans of time as lanes, one group a thread, and the boxes that a stretch of time shows. It must not
// know the screen.

export const LANE = 18;
export const KINDS = ["stage", "iteration", "wait"];

// A name that several threads have does not tell which is meant: its number does.
export function threadName(threads, t) {
    const name = threads.text("name", t), { name: names, id } = threads;
    return name && names.indexOf(names[t]) === names.lastIndexOf(names[t]) ? name : `${name || "thread"} ${id[t]}`;
}

// spans: columns thread, kind, start_ns, wall_ns, sorted by thread, start, longest first. A span lies one lane below
// the one that encloses it; waits of a thread share a lane at its top.
export function lanesOf(spans, threads) {
    const groups = [],
        byThread = new Map();
    for (let t = 0; t < threads.count; t++) {
        const group = { thread: t, spans: [], level: [], waits: [], lanes: 0, top: 0 };
        byThread.set(t, group);
        groups.push(group);
    }
    const open = [];
    let last = -1;
    for (let i = 0; i < spans.count; i++) {
        const group = byThread.get(spans.thread[i]);
        if (!group) continue;
        if (spans.kind[i] === 2) {
            group.waits.push(i);
            continue;
        }
        if (spans.thread[i] !== last) open.length = 0;
        last = spans.thread[i];
        const end = spans.start_ns[i] + spans.wall_ns[i];
        while (open.length && open[open.length - 1] <= spans.start_ns[i]) open.pop();
        group.spans.push(i);
        group.level.push(open.length);
        open.push(end);
        group.lanes = Math.max(group.lanes, open.length);
    }
    let top = 0;
    for (const group of groups) {
        // one lane says that the thread lives, and what it waits for
        group.top = top;
        top += 1 + group.lanes;
    }
    return { groups, lanes: top };
}

// Of [from, to) on `width`: narrow neighbours of one lane become one box, so the work follows the screen.
export function boxesBetween(lanes, spans, from, to, width, least = 1) {
    const scale = width / (to - from),
        boxes = [];
    for (const group of lanes.groups) {
        const until = [];
        const put = (i, lane, wait) => {
            const start = spans.start_ns[i],
                end = start + spans.wall_ns[i];
            if (end < from || start > to) return;
            const x = Math.max(0, (start - from) * scale),
                right = Math.min(width, (end - from) * scale);
            const before = until[lane];
            if (right - x < least && before && x < before.x + before.w + least && before.w < 3 * least) {
                before.w = Math.max(before.w, right - before.x);
                before.more = (before.more || 1) + 1;
                return;
            }
            until[lane] = { span: i, thread: group.thread, lane, x, w: Math.max(least, right - x), wait };
            boxes.push(until[lane]);
        };
        for (const i of group.waits) put(i, group.top, true);
        group.spans.forEach((i, k) => put(i, group.top + 1 + group.level[k], false));
    }
    return boxes;
}

// The stretch after zooming by a factor around a point, within the run.
export function zoomed(range, whole, factor, around) {
    const wide = Math.min(whole[1] - whole[0], Math.max(1000, (range[1] - range[0]) * factor));
    let from = around - ((around - range[0]) * wide) / (range[1] - range[0]);
    from = Math.min(Math.max(whole[0], from), whole[1] - wide);
    return [from, from + wide];
}

export const moved = (range, whole, by) => {
    const wide = range[1] - range[0],
        from = Math.min(Math.max(whole[0], range[0] + by), whole[1] - wide);
    return [from, from + wide];
};
