// SPDX-License-Identifier: MIT
// loops.jsx: stages and loops with their times, and what the compiler said of innermost loops.
import { useMemo } from "preact/hooks";
import { READING, Table } from "../shell/table.jsx";
import { placeLink, useSheets } from "../shell/hooks.js";
import { count, dashed, place, share, time } from "../shell/format.js";

const link = (file, line) => (line ? <a class="place" href={placeLink(file, line)}>{place(file, line)}</a> : "");
const every = (sheet, keep = () => true) => [...Array(sheet.count).keys()].filter(keep);
const open = (sheet) => (i) => { if (sheet.line[i]) location.hash = placeLink(sheet.text("file", i), sheet.line[i]); };

const spread = (t) => [["mean_ns", "mean"], ["p50_ns", "p50"], ["p95_ns", "p95"], ["p99_ns", "p99"], ["max_ns", "max"]]
    .map(([column, title]) => ({ id: title, title, value: (i) => t[column][i], show: (i) => time(t[column][i]) }));

function stageColumns(s) {
    const t = s.stages, threads = s.run.threads_ns[0] || 1;
    return [
        { id: "name", title: "stage", text: true, value: (i) => t.text("key", i) },
        { id: "wall", title: "total", hint: "wall time of all entries", value: (i) => t.wall_ns[i], show: (i) => time(t.wall_ns[i]), bar: (i) => t.wall_ns[i] },
        { id: "share", title: "share", hint: "of the time that all threads were there", value: (i) => t.wall_ns[i], show: (i) => share(t.wall_ns[i] / threads) },
        { id: "self", title: "self", hint: "without stages inside", value: (i) => t.wall_self_ns[i], show: (i) => time(t.wall_self_ns[i]) },
        { id: "cpu", title: "CPU", value: (i) => t.cpu_ns[i], show: (i) => time(t.cpu_ns[i]) },
        { id: "calls", title: "calls", value: (i) => t.calls[i], show: (i) => count(t.calls[i]) },
        ...spread(t),
        { id: "kind", title: "kind", text: true, value: (i) => (t.text("kind", i) === "stage" ? t.text("category", i) : t.text("kind", i)) },
        { id: "place", title: "place", text: true, value: (i) => t.text("file", i) + t.line[i], show: (i) => link(t.text("file", i), t.line[i]) },
    ];
}

function loopColumns(s) {
    const t = s.loops, of = (i) => t.stage[i];
    return [
        { id: "name", title: "loop", text: true, value: (i) => s.stages.text("key", of(i)) },
        { id: "place", title: "place", text: true, value: (i) => s.stages.text("file", of(i)) + s.stages.line[of(i)], show: (i) => link(s.stages.text("file", of(i)), s.stages.line[of(i)]) },
        { id: "calls", title: "iterations", value: (i) => t.calls[i], show: (i) => count(t.calls[i]) },
        { id: "runs", title: "runs", hint: "how often the loop was entered", value: (i) => t.runs[i], show: (i) => count(t.runs[i]) },
        { id: "trips", title: "a run", hint: "iterations of a run: least, mean, most", value: (i) => t.calls[i] / t.runs[i],
          show: (i) => (!t.runs[i] ? "-" : t.trips_min[i] === t.trips_max[i] ? count(t.trips_min[i]) : `${count(t.trips_min[i])} to ${count(t.trips_max[i])}`) },
        { id: "wall", title: "total", value: (i) => t.wall_ns[i], show: (i) => time(t.wall_ns[i]) },
        ...spread(t),
    ];
}

function remarkColumns(s) {
    const r = s.remarks, cpu = s.run.whole_cpu_ns[0] || 1, counted = every(r, (i) => r.steps[i] >= 0).length > 0;
    return [
        { id: "place", title: "line", text: true, value: (i) => `${r.text("file", i)}:${String(r.line[i]).padStart(6, "0")}`, show: (i) => link(r.text("file", i), r.line[i]) },
        { id: "function", title: "function", text: true, value: (i) => (r.function[i] >= 0 ? s.functions.text("label", r.function[i]) : "") },
        { id: "self", title: "CPU", hint: "of the lines of its loop", value: (i) => r.self_ns[i], show: (i) => dashed(time(r.self_ns[i]), r.self_ns[i]), bar: (i) => r.self_ns[i] },
        { id: "share", title: "of CPU", value: (i) => r.self_ns[i], show: (i) => dashed(share(r.self_ns[i] / cpu), r.self_ns[i]) },
        ...(counted ? [{ id: "steps", title: "steps", value: (i) => r.steps[i], show: (i) => dashed(count(r.steps[i]), r.steps[i]) }] : []),
        { id: "sentence", title: "what GCC said", text: true, value: (i) => r.text("sentence", i) },
    ];
}

export function Loops() {
    const s = useSheets("run", "functions", "stages", "loops", "remarks");
    const tables = useMemo(() => (s ? {
        stages: [every(s.stages, (i) => s.stages.shown[i]), stageColumns(s)], loops: [every(s.loops, (i) => s.loops.calls[i] && s.stages.shown[s.loops.stage[i]]), loopColumns(s)],
        remarks: [every(s.remarks, (i) => (s.remarks.text("kind", i) === "loop" ? s.remarks.steps[i] >= 0 : s.remarks.self_ns[i] > 0)), remarkColumns(s)],
    } : null), [s]);
    if (!s)
        return READING;
    return <>
        <h3>Stages, loops and scopes</h3>
        <Table name="Stages, loops and scopes" rows={tables.stages[0]} columns={tables.stages[1]} sort="wall" most={14} onOpen={open(s.stages)}
            empty="The program has no stage, loop or scope. PROFPLUG_STAGE, PROFPLUG_LOOP and PROFPLUG_SCOPE name them." />
        {tables.loops[0].length > 0 && <><h3>Iterations</h3><Table name="Iterations" rows={tables.loops[0]} columns={tables.loops[1]} sort="wall" most={10} search={false} onOpen={(i) => open(s.stages)(s.loops.stage[i])} /></>}
        <h3>What the compiler knew of innermost loops</h3>
        <Table name="Remarks of the compiler" rows={tables.remarks[0]} columns={tables.remarks[1]} sort="self" most={16} search={!tables.stages[0].length} onOpen={open(s.remarks)}
            empty="No remark is about a line with CPU time." />
        <p class="legend">A remark is no measurement: CPU is that of the lines of its loop. Several remarks may be about one loop.</p>
    </>;
}
