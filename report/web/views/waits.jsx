// SPDX-License-Identifier: MIT
// waits.jsx: what the program read, wrote and waited for: by line, file and endpoint, and locks with who held them.
import "../style/pictures.css";
import { useMemo, useState } from "preact/hooks";
import { useSheets } from "../shell/hooks.js";
import { READING, Table } from "../shell/table.jsx";
import { count, counted, fileName, share, time } from "../shell/format.js";
import { Facts, Histogram, Parts } from "../picture/chart.jsx";
import { columnsOf, numbersOf, opener, rowsOf, sumOf } from "../picture/columns.jsx";

// Bounds of the runtime's classes: 64 times powers of eight, bytes or 16 ns.
const BYTES = ["64 B", "512 B", "4 Ki", "32 Ki", "256 Ki", "2 Mi", "16 Mi", "more"];
const TIMES = ["1 us", "8 us", "66 us", ".5 ms", "4 ms", "34 ms", ".27 s", "more"];
const sizesOf = (row) => BYTES.map((_, k) => row[`size${k}`]);

// Sums by a text of the row, the largest first; beyond six, the rest together.
export function summed(rows, key, value) {
    const sums = new Map();
    for (const row of rows)
        sums.set(row[key], (sums.get(row[key]) ?? 0) + row[value]);
    const list = [...sums].map(([name, sum]) => ({ name, value: sum })).filter((p) => p.value > 0).sort((a, b) => b.value - a.value);
    return list.length <= 6 ? list : [...list.slice(0, 5), { name: "others", value: sumOf(list.slice(5), "value") }];
}

function WaitsByLine({ rows }) {
    const whole = sumOf(rows, "wait_ns") || 1, of = columnsOf(rows);
    return <><h3>Waits by line</h3><Table name="Waits by line" rows={numbersOf(rows)} sort="wait_ns" onOpen={opener(rows)} most={10} columns={[
        of.line(), of.text("operation", "in"), of.time("wait_ns", "waiting", { bar: (r) => r.wait_ns, heat: "wait" }), of.text("function", "function"),
        of.share("share", "of waits", { of: (r) => r.wait_ns / whole }), of.error("wait_error", "error"),
        of.count("unfinished", "not returned", { hint: "calls that had not returned at the end", show: (i) => (rows[i].unfinished ? count(rows[i].unfinished) + (rows[i].idle ? ", idle" : "") : "-") })]} /></>;
}

function Locks({ rows }) {
    const of = columnsOf(rows);
    return <><h3>Locks, and who held them</h3><Table name="Locks" rows={numbersOf(rows)} sort="wait_ns" onOpen={opener(rows)} most={10} columns={[
        of.line("waited at"), of.time("wait_ns", "waiting", { bar: (r) => r.wait_ns, heat: "wait" }), of.count("waits", "waits"), of.time("max_ns", "longest"),
        { ...of.line("held since", "holder_file", "holder_line", "none"), id: "holder" }, of.text("holder_function", "by"),
        of.time("held_io_ns", "holder waited", { hint: "the part in which the holder waited itself" }), of.text("held_io_kind", "in")]} /></>;
}

function Operations({ rows }) {
    const of = columnsOf(rows);
    return <><h3>Operations</h3><Table name="Operations" rows={numbersOf(rows)} sort="wall_ns" onOpen={opener(rows)} most={14} columns={[
        of.line(), of.text("operation", "what"), of.text("on", "on", { show: (i) => <span title={rows[i].on}>{fileName(rows[i].on)}</span> }),
        of.time("wall_ns", "time", { bar: (r) => (r.is_call ? r.wall_ns : 0), heat: "wait" }), of.count("calls", "calls"), of.size("bytes", "bytes"),
        of.error("wall_error", "error", { hint: "one standard error, where only some calls were timed" }), of.time("wait_ns", "waiting"), of.time("max_ns", "slowest"),
        of.count("errors", "failed"), of.text("in", "stage"),
        { id: "sizes", title: "sizes", hint: "of bytes or times, small to large", value: (i) => rows[i].calls,
          show: (i) => <Histogram counts={sizesOf(rows[i])} labels={rows[i].has_bytes ? BYTES : TIMES} /> }]} /></>;
}

function Targets({ rows, title, socket }) {
    const of = columnsOf(rows), sides = ["response", "served"].filter((side) => rows.some((r) => r[`${side}_p50_ns`] >= 0));
    return <><h3>{title}</h3><Table name={title} rows={numbersOf(rows)} sort="wall_ns" most={10} columns={[
        of.text("name", socket ? "endpoint" : "path"), of.text("kind", "kind"), of.count("calls", "calls"), of.time("wall_ns", "time"), of.time("wait_ns", "waiting"),
        ...sides.flatMap((side) => ["p50", "p95", "p99"].map((p) => of.time(`${side}_${p}_ns`, `${side === "served" ? "served" : "answer"} ${p}`)))]} /></>;
}

function Sizes({ rows }) {
    const kinds = summed(rows, "operation", "calls"), names = [...new Set(rows.map((r) => r.operation))], [chosen, choose] = useState(kinds[0]?.name ?? names[0]);
    const of = rows.filter((r) => r.operation === chosen), bytes = of[0]?.has_bytes;
    return <><h3>How large, how long</h3>
        <div class="tools"><label>Operation <select value={chosen} onChange={(e) => choose(e.target.value)}>{names.map((k) => <option key={k} value={k}>{k}</option>)}</select></label></div>
        <Histogram large counts={BYTES.map((_, k) => sumOf(of, `size${k}`))} labels={bytes ? BYTES : TIMES} label={`Calls of ${chosen}`} />
        <p class="legend">Calls that did not fail, by {bytes ? "the bytes that each moved" : "the time that each took"}: up to so much.</p></>;
}

export function Waits() {
    const s = useSheets("run", "operations", "targets", "waits", "locks", "stages");
    const all = useMemo(() => {
        if (!s)
            return null;
        const targets = rowsOf(s.targets, "name", "kind"), operations = rowsOf(s.operations, "operation", "wait", "file", "function", "module");
        for (const o of operations)
            Object.assign(o, { on: targets[o.target]?.name ?? "", in: o.stage >= 0 ? s.stages.text("name", o.stage) : "" });
        return { operations, targets: targets.filter((t) => t.calls), waits: rowsOf(s.waits, "operation", "file", "function"),
                 locks: rowsOf(s.locks, "file", "function", "holder_file", "holder_function", "held_io_kind") };
    }, [s]);
    if (!all)
        return READING;
    if (!all.operations.length && !all.waits.length)
        return <p class="nothing">{s.run.has_operations[0] ? "The program made no call that moves bytes or waits." : "Calls that move bytes or wait were not recorded."}</p>;
    const calls = all.operations.filter((o) => o.is_call), wall = sumOf(calls, "wall_ns") || 1, waiting = summed(calls, "wait", "wait_ns");
    const files = all.targets.filter((t) => t.kind !== "socket"), endpoints = all.targets.filter((t) => t.kind === "socket");
    return <>
        <Facts items={[{ name: "in such calls", value: time(sumOf(calls, "wall_ns")), note: "all threads" },
            { name: "of it waiting", value: time(sumOf(calls, "wait_ns")), note: share(sumOf(calls, "wait_ns") / wall) },
            { name: "calls", value: count(sumOf(calls, "calls")), note: `${count(sumOf(calls, "errors"))} failed` },
            all.locks.length && { name: "waiting for locks", value: time(sumOf(all.locks, "wait_ns")), note: counted(sumOf(all.locks, "waits"), "wait") }]} />
        {waiting.length > 0 && <><h3>What was waited for</h3><Parts label="Waiting" unit="ns" parts={waiting} /></>}
        {all.waits.length > 0 && <WaitsByLine rows={all.waits} />}
        {all.locks.length > 0 && <Locks rows={all.locks} />}
        {all.operations.length > 0 && <Operations rows={all.operations} />}
        {files.length > 0 && <Targets rows={files} title="Files, pipes and others" />}
        {endpoints.length > 0 && <Targets rows={endpoints} title="Endpoints" socket />}
        {all.operations.length > 0 && <Sizes rows={all.operations} />}
    </>;
}
