// SPDX-License-Identifier: MIT
// memory.jsx: what asked for memory, what lived at the peak and at the end, the calls that led to what was not freed,
// sizes, and growth from entry to entry.
import "../style/pictures.css";
import { useMemo, useState } from "preact/hooks";
import { useSheets } from "../shell/hooks.js";
import { READING, Table } from "../shell/table.jsx";
import { counted, share, size } from "../shell/format.js";
import { CallList } from "../picture/calllist.jsx";
import { callsOpen } from "../picture/calls.js";
import { calleesFirst, callersFirst, weighingOf } from "../picture/calltree.js";
import { Facts, Histogram, Lines } from "../picture/chart.jsx";
import { columnsOf, numbersOf, opener, rowsOf, sumOf } from "../picture/columns.jsx";
import { heapOverTime, sizeClasses } from "../picture/heap.js";

const KINDS = { heap: "Heap", mapping: "Mappings", pool: "Pools", copy: "Copies", fill: "Fills" };

function Allocations({ rows, hasPeak }) {
    const kinds = Object.keys(KINDS).filter((k) => rows.some((r) => r.kind === k)), [kind, setKind] = useState(kinds[0]);
    const shown = useMemo(() => rows.filter((r) => r.kind === kind), [rows, kind]);
    const whole = sumOf(shown, "alloc_bytes") || 1, of = columnsOf(shown), blocks = kind === "heap" || kind === "mapping";
    const columns = [of.line(), of.text("function", "function"),
        of.size("alloc_bytes", "bytes", { bar: (r) => r.alloc_bytes, heat: "memory" }),
        of.share("share", "share", { of: (r) => r.alloc_bytes / whole }),
        of.count("alloc_blocks", kind === "heap" ? "blocks" : "calls"), of.size("each", "each", { of: (r) => (r.alloc_blocks ? r.alloc_bytes / r.alloc_blocks : NaN) }),
        ...(blocks ? [of.size("live_bytes", "not freed", { hint: "at the end" })] : []),
        ...(kind === "heap" ? [of.count("live_blocks", "blocks not freed"), ...(hasPeak ? [of.size("peak_bytes", "at the peak", { hint: "within 2 %" })] : []),
            of.share("temporary", "temporary", { hint: "freed before the next", of: (r) => (r.alloc_blocks ? r.temporary_blocks / r.alloc_blocks : NaN) }),
            of.size("alloc_bytes_error", "bytes \u00b1"), of.size("live_bytes_error", "not freed \u00b1")] : []),
        of.text("library", "through")];
    return <>
        <h3>By line</h3>
        {kinds.length > 1 && <div class="tools" role="group" aria-label="What is listed">{kinds.map((k) =>
            <button type="button" key={k} aria-pressed={k === kind} onClick={() => setKind(k)}>{KINDS[k]}</button>)}</div>}
        <Table key={kind} name={`${KINDS[kind]} by line`} rows={numbersOf(shown)} columns={columns} sort="alloc_bytes" onOpen={opener(shown)} most={14} />
    </>;
}

// The calls to what was not freed, from the place that allocated up, or from main down.
function Leaks({ tree }) {
    const [up, setUp] = useState(true), weighing = useMemo(() => weighingOf(tree, "live_bytes", false), [tree]);
    const view = useMemo(() => (up ? calleesFirst : callersFirst)(tree, weighing), [tree, weighing, up]);
    return <section aria-labelledby="leaks">
        <h3 id="leaks">Not freed at the end, by the calls that led to it</h3>
        <div class="tools"><button type="button" aria-pressed={up} onClick={() => setUp(!up)}>From the allocation up</button>
            <span class="amount">{size(weighing.total[0])} in all</span></div>
        <CallList {...{ tree, view, weighing }} whole={weighing.total[0]} show={size} label="Calls that led to memory which was not freed" />
    </section>;
}

function Growths({ rows, stages }) {
    const of = columnsOf(rows);
    return <>
        <h3>Growth from entry to entry</h3>
        <Table name="Growth" rows={numbersOf(rows)} sort="bytes" search={false} most={8} columns={[
            { id: "stage", title: "stage", text: true, value: (i) => stages.text("key", rows[i].stage) },
            of.size("bytes", "from first to last"), of.count("entries", "entries"), of.size("each", "an entry", { of: (r) => r.millibytes_per_entry / 1000 }),
            of.size("error", "error", { hint: "one standard error of an entry's growth", of: (r) => r.millibytes_error / 1000 }),
            of.count("rises", "rises", { show: (i) => `${rows[i].rises} of ${rows[i].steps}` }),
            of.share("confidence", "not chance", { of: (r) => r.confidence_percent / 100 }),
            of.text("end", "to the end", { value: (i) => (rows[i].to_the_end ? "yes" : "no") })]} />
        <p class="legend">The live heap after groups of entries, of the thread that entered the stage most; by least squares.</p>
    </>;
}

export function Memory() {
    const s = useSheets("run", "allocations", "arena", "growths", "stages", "snapshots", "spans", "calls", "callfunctions");
    const rows = useMemo(() => s && rowsOf(s.allocations, "kind", "file", "function", "module", "library"), [s]);
    const over = useMemo(() => s && heapOverTime(s), [s]), tree = useMemo(() => s && callsOpen(s), [s]);
    if (!s)
        return READING;
    const run = s.run, heap = rows.filter((r) => r.kind === "heap"), arena = rowsOf(s.arena, "note")[0], growths = rowsOf(s.growths);
    const classes = sizeClasses(heap), blocks = sumOf(heap, "alloc_blocks");
    return <>
        <Facts items={[
            heap.length && { name: "allocated", value: size(sumOf(heap, "alloc_bytes")), note: `in ${counted(blocks, "block")}` },
            heap.length && run.has_peak[0] && { name: "heap at its peak", value: size(sumOf(heap, "peak_bytes")), note: "within 2 %" },
            heap.length && { name: "not freed", value: size(sumOf(heap, "live_bytes")), note: counted(sumOf(heap, "live_blocks"), "block") },
            heap.length && { name: "temporary blocks", value: share(sumOf(heap, "temporary_blocks") / (blocks || 1)), note: "freed before the next" },
            run.peak_rss_bytes[0] && { name: "resident, at most", value: size(run.peak_rss_bytes[0]) },
            arena?.bytes >= 0 && { name: "free in the allocator", value: size(arena.free_bytes), note: `of ${size(arena.bytes)} at the end` }]} />
        {arena?.note && <p class="legend">{arena.note}</p>}
        {over.live.length + over.resident.length > 2 && <Lines title="Memory over time" unit="bytes" span={[0, run.wall_ns[0]]}
            series={[{ name: "live heap", points: over.live, colour: "memory" }, { name: "resident", points: over.resident, colour: "quiet", dashed: true }]} />}
        {rows.length ? <Allocations rows={rows} hasPeak={run.has_peak[0]} />
            : <p class="nothing">Allocating lines were not recorded.</p>}
        {tree.columns.live_bytes && <Leaks tree={tree} />}
        {heap.length > 0 && <><h3>Sizes</h3>
            <Histogram large counts={classes.blocks} labels={classes.names} label="Blocks by size" />
            <p class="legend">By the mean size that their line asks for: up to so many bytes.</p></>}
        {growths.length > 0 && <Growths rows={growths} stages={s.stages} />}
    </>;
}
