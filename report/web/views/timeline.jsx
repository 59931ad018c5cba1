// SPDX-License-Identifier: MIT
// timeline.jsx: when stages, iterations and waits of each thread were, and over the same time counters, memory and what
// stages handled.
import "../style/pictures.css";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { colourOf, useKey, useSheets, useTheme, useWidth } from "../shell/hooks.js";
import { READING, Table } from "../shell/table.jsx";
import { count, counted, place, time } from "../shell/format.js";
import { Facts, Lines } from "../picture/chart.jsx";
import { columnsOf, numbersOf, rowsOf } from "../picture/columns.jsx";
import { heapOverTime } from "../picture/heap.js";
import { KINDS, LANE, boxesBetween, lanesOf, moved, threadName, zoomed } from "../picture/timelayout.js";
import { timeDraw } from "../picture/timedraw.js";

// What is said of a span.
function spanText(s, i) {
    const { spans, stages } = s, kind = KINDS[spans.kind[i]], stage = spans.stage[i] >= 0 ? stages.text("name", spans.stage[i]) : "";
    const name = kind === "wait" ? `${spans.text("operation", i)}${spans.line[i] ? ` at ${place(spans.text("file", i), spans.line[i])}` : ""}`
        : kind === "iteration" ? `${stage} [${count(spans.index[i])}]` : stage;
    return { name, kind, words: `${time(spans.wall_ns[i])} from ${time(spans.start_ns[i])}${spans.open[i] ? ", not ended" : ""}` };
}

function Canvas({ s, range, setRange, whole }) {
    const [box, width] = useWidth(), canvas = useRef(), theme = useTheme(), [hover, setHover] = useState(null), [top, setTop] = useState(0), drag = useRef(null);
    const lanes = useMemo(() => lanesOf(s.spans, s.threads), [s]);
    const boxes = useMemo(() => boxesBetween(lanes, s.spans, range[0], range[1], Math.max(1, width)), [lanes, range, width]);
    const height = Math.min(lanes.lanes * LANE + 4, Math.max(160, Math.round(innerHeight * 0.55)));
    useLayoutEffect(() => {
        const c = canvas.current, ratio = devicePixelRatio || 1;
        if (!width)
            return;
        c.width = Math.round(width * ratio);
        c.height = Math.round(height * ratio);
        const context = c.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const colours = Object.fromEntries(["ground", "raised", "line", "text", "quiet", "user", "soft", "wait", "focus"].map((name) => [name, colourOf(`--${name}`)]));
        timeDraw(context, { lanes, boxes, range, width, height, top, hover, colours, threads: s.threads, textOf: (i) => spanText(s, i) });
    }, [boxes, lanes, top, height, hover, theme]);
    const at = (e) => e.clientX - canvas.current.getBoundingClientRect().left, wide = range[1] - range[0];
    const under = (e) => {
        const x = at(e), lane = Math.floor((e.clientY - canvas.current.getBoundingClientRect().top + top) / LANE);
        return boxes.findLast((b) => b.lane === lane && x >= b.x && x < b.x + b.w) ?? null;
    };
    const pressed = (e) => {
        const middle = (range[0] + range[1]) / 2;
        const next = { ArrowLeft: () => moved(range, whole, -wide / 5), ArrowRight: () => moved(range, whole, wide / 5), "+": () => zoomed(range, whole, 0.5, middle),
                       "=": () => zoomed(range, whole, 0.5, middle), "-": () => zoomed(range, whole, 2, middle), Escape: () => whole, 0: () => whole }[e.key];
        if (!next || e.ctrlKey || e.metaKey || e.altKey)
            return;
        setRange(next());
        e.preventDefault();
    };
    const told = hover && spanText(s, hover.span);
    return <>
        <div class="time-frame" ref={box} tabindex="0" role="group" aria-label="Spans by thread. Plus and minus zoom, arrows move, Escape shows all. The table below has the longest." style={{ height: `${height}px` }}
             onKeyDown={pressed} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
            <div class="flame-room" style={{ height: `${lanes.lanes * LANE + 4}px` }}>
                <canvas ref={canvas} role="img" aria-label={`${count(boxes.length)} spans of ${count(s.threads.count)} threads`} style={{ height: `${height}px` }}
                        onMouseMove={(e) => { if (drag.current) setRange(moved(drag.current.range, whole, (drag.current.x - at(e)) * wide / width)); else setHover(under(e)); }}
                        onMouseDown={(e) => { drag.current = { x: at(e), range }; }} onMouseUp={() => { drag.current = null; }} onMouseLeave={() => { drag.current = null; setHover(null); }}
                        onDblClick={(e) => setRange(zoomed(range, whole, 0.25, range[0] + at(e) * wide / width))}
                        onWheel={(e) => { if (e.ctrlKey || e.metaKey) { e.preventDefault(); setRange(zoomed(range, whole, e.deltaY > 0 ? 1.4 : 0.7, range[0] + at(e) * wide / width)); } }} />
            </div>
        </div>
        <p class="flame-told">{told ? <><b>{told.name}</b> {told.kind}, {told.words}{hover.more ? `, and ${count(hover.more - 1)} more here` : ""}</> : `${time(range[0])} to ${time(range[1])}`}</p>
    </>;
}

function Spans({ s, whole }) {
    const [range, setRange] = useState(whole), middle = (range[0] + range[1]) / 2;
    const longest = useMemo(() => numbersOf(Array.from({ length: s.spans.count })).sort((a, b) => s.spans.wall_ns[b] - s.spans.wall_ns[a]).slice(0, 2000), [s]);
    useKey("+", () => setRange(zoomed(range, whole, 0.5, middle)));
    useKey("-", () => setRange(zoomed(range, whole, 2, middle)));
    const f = s.timefacts, gone = f.let_go[0];
    return <>
        <div class="tools" role="group" aria-label="Time shown">
            {[["Zoom in", () => zoomed(range, whole, 0.5, middle)], ["Zoom out", () => zoomed(range, whole, 2, middle)], ["Earlier", () => moved(range, whole, (range[0] - range[1]) / 2)],
                ["Later", () => moved(range, whole, (range[1] - range[0]) / 2)]].map(([name, to]) => <button type="button" key={name} onClick={() => setRange(to())}>{name}</button>)}
            <button type="button" disabled={range === whole} onClick={() => setRange(whole)}>Whole run</button>
            <span class="legend"><span class="key">stage </span><span class="key soft">iteration </span><span class="key wait">wait</span></span>
        </div>
        <Canvas {...{ s, range, setRange, whole }} />
        {gone > 0 && <p class="legend">{counted(gone, "span")} let go: each thread keeps the first, the slowest and the last.</p>}
        <h3>Spans</h3>
        <Table name="Spans" rows={longest} sort="wall" most={10} onOpen={(i) => setRange(zoomed(whole, whole, Math.min(1, 4 * s.spans.wall_ns[i] / (whole[1] - whole[0])), s.spans.start_ns[i] + s.spans.wall_ns[i] / 2))} columns={[
            { id: "name", title: "span", text: true, value: (i) => spanText(s, i).name },
            { id: "wall", title: "time", value: (i) => s.spans.wall_ns[i], show: (i) => time(s.spans.wall_ns[i]) },
            { id: "start", title: "from", value: (i) => s.spans.start_ns[i], show: (i) => time(s.spans.start_ns[i]) },
            { id: "kind", title: "kind", text: true, value: (i) => KINDS[s.spans.kind[i]] },
            { id: "thread", title: "thread", text: true, value: (i) => (s.spans.thread[i] >= 0 ? threadName(s.threads, s.spans.thread[i]) : "") }]} />
        <p class="legend">Enter on a row shows its time above.{longest.length < s.spans.count ? ` The ${count(longest.length)} longest of ${count(s.spans.count)}.` : ""}</p>
    </>;
}

// By stage and unit, what was handled in each window of time, as a rate.
function throughputs(s) {
    const by = new Map();
    for (let i = 0; i < s.windows.count; i++) {
        const stage = s.windows.stage[i];
        if (!by.has(stage))
            by.set(stage, { name: s.stages.text("key", stage), unit: s.windows.text("unit", i), points: [], sum: 0 });
        const one = by.get(stage), width = s.windows.width_ns[i];
        one.points.push([s.windows.start_ns[i], s.windows.handled[i] * 1e9 / width]);
        one.last = [s.windows.start_ns[i] + width, 0];
        one.sum += s.windows.handled[i];
    }
    return [...by.values()].filter((t) => t.points.length > 1).map((t) => ({ ...t, points: [...t.points, t.last] }));
}

// Counts and gauges over time, by name.
function readingsOf(s) {
    const by = new Map();
    for (let i = 0; i < s.readings.count; i++) {
        const name = s.readings.text("name", i);
        if (!by.has(name))
            by.set(name, []);
        by.get(name).push([s.readings.at_ns[i], s.readings.value[i]]);
    }
    return [...by].map(([name, points]) => ({ name, points }));
}

function Slowest({ s, span }) {
    const rows = useMemo(() => rowsOf(s.slowest), [s]), of = columnsOf(rows);
    return <><h3>Slowest entries and iterations</h3>
        <Table name="Slowest entries" rows={numbersOf(rows)} sort="wall_ns" most={10} columns={[
            { id: "stage", title: "stage", text: true, value: (i) => s.stages.text("key", rows[i].stage) + (rows[i].iteration ? " (iteration)" : "") },
            { ...of.count("index", "number"), show: (i) => count(rows[i].index) }, of.time("wall_ns", "time"),
            { id: "start_ns", title: "began at", value: (i) => rows[i].start_ns, show: (i) => <span class="life" role="img" aria-label={time(rows[i].start_ns)}>
                <i class="tick-at" style={{ left: `${Math.min(99, 100 * rows[i].start_ns / span)}%` }} />{time(rows[i].start_ns)}</span> },
            { ...of.count("thread_id", "thread"), show: (i) => (rows[i].thread_id ? String(rows[i].thread_id) : "-") }]} /></>;
}

export function Timeline() {
    const s = useSheets("run", "stages", "threads", "spans", "readings", "timefacts", "snapshots", "windows", "numbers", "slowest");
    const memory = useMemo(() => s && heapOverTime(s), [s]), rates = useMemo(() => s && throughputs(s), [s]), readings = useMemo(() => s && readingsOf(s), [s]);
    if (!s)
        return READING;
    const whole = [0, Math.max(s.run.wall_ns[0], 1)], snapshots = rowsOf(s.snapshots, "label"), numbers = rowsOf(s.numbers, "name"), of = columnsOf(numbers);
    const marks = snapshots.slice(1, -1).map((p) => ({ at: p.at_ns, name: p.label }));
    return <>
        <Facts items={[{ name: "the run", value: time(s.run.wall_ns[0]) }, { name: "threads", value: count(s.threads.count) },
            s.spans.count && { name: "spans", value: count(s.spans.count), note: s.timefacts.let_go[0] ? `${count(s.timefacts.let_go[0])} let go` : "all that were" }]} />
        {s.spans.count ? <Spans s={s} whole={whole} />
            : s.timefacts.recorded[0] ? <p class="nothing">The run had no stage, iteration or wait to record. PROFPLUG_STAGE, PROFPLUG_LOOP and PROFPLUG_SCOPE name them.</p>
            : <p class="nothing">When each stage, iteration and wait was, is recorded by <code>PROFPLUG=timeline=on</code>. This is what the run has without it.</p>}
        {readings.length > 0 && <div class="multiples">{readings.map((r) => <Lines key={r.name} title={r.name} unit="count" span={whole} height={120} marks={marks} series={[{ name: "value", points: r.points, colour: "user", steps: true }]} />)}</div>}
        {rates.length > 0 && <><h3>What stages handled</h3><div class="multiples">{rates.map((t) =>
            <Lines key={t.name} title={t.name} unit="count" span={whole} height={120} marks={marks} series={[{ name: `${t.unit} a second`, points: t.points, colour: "user", steps: true }]} />)}</div></>}
        {memory.live.length + memory.resident.length > 2 && <Lines title="Memory" unit="bytes" span={whole} marks={marks}
            series={[{ name: "live heap", points: memory.live, colour: "memory" }, { name: "resident", points: memory.resident, colour: "quiet", dashed: true }]} />}
        {snapshots.length > 2 && <Snapshots rows={snapshots} />}
        {numbers.length > 0 && <><h3>Counts and gauges</h3><Table name="Counts and gauges" rows={numbersOf(numbers)} sort="times" most={10} columns={[of.text("name", "name"),
            { id: "kind", title: "kind", text: true, value: (i) => (numbers[i].gauge ? "gauge" : "count") },
            { id: "stage", title: "stage", text: true, value: (i) => (numbers[i].stage >= 0 ? s.stages.text("key", numbers[i].stage) : "(outside)") },
            of.count("times", "times"), ...["sum", "min", "max"].map((id) => ({ id, title: id, value: (i) => numbers[i][id], show: (i) => (id === "sum" && numbers[i].gauge ? "-" : numbers[i][id].toLocaleString("en-GB").replace(/,/g, "\u2009")) }))]} /></>}
        {s.slowest.count > 0 && <Slowest s={s} span={whole[1]} />}
    </>;
}

function Snapshots({ rows }) {
    const of = columnsOf(rows);
    return <><h3>Snapshots</h3><Table name="Snapshots" rows={numbersOf(rows)} sort="at" search={false} most={10} columns={[of.text("label", "snapshot"),
        { id: "at", title: "at", value: (i) => -rows[i].at_ns, show: (i) => time(rows[i].at_ns) }, of.size("live_bytes", "live heap"), of.size("rss_bytes", "resident"), of.time("cpu_ns", "CPU")]} /></>;
}
