// SPDX-License-Identifier: MIT
// lines.jsx: all lines with costs or hits, in one table.
import { useMemo } from "preact/hooks";
import { READING, Table } from "../shell/table.jsx";
import { placeLink, useSheets } from "../shell/hooks.js";
import { count, dashed, error, share, size, time } from "../shell/format.js";
import { costColumn, placeColumn } from "../picture/columns.jsx";

export function Lines() {
    const s = useSheets("run", "functions", "lines");
    const [rows, columns] = useMemo(() => {
        if (!s)
            return [[], []];
        const l = s.lines, run = s.run, cpu = run.whole_cpu_ns[0] || 1;
        const list = [...Array(l.count).keys()].filter((i) => l.hits[i] > 0 || l.total_ns[i] || l.wait_ns[i] || l.wait_total_ns[i] || l.alloc_blocks[i]);
        return [list, [
            placeColumn("line", l),
            { id: "function", title: "function", text: true, value: (i) => s.functions.text("label", l.function[i]) },
            costColumn("self", "CPU", l.self_ns, time, { bar: (i) => l.self_ns[i], heat: "user" }),
            costColumn("share", "of CPU", l.self_ns, (ns) => share(ns / cpu)),
            { ...costColumn("error", "error", l.error_percent, error, { hint: "one standard error" }), show: (i) => dashed(error(l.error_percent[i]), l.self_ns[i] && l.error_percent[i]) },
            costColumn("kernel", "kernel", l.system_ns, time),
            costColumn("wait", "wait", l.wait_ns, time, { bar: (i) => l.wait_ns[i], heat: "wait" }),
            { id: "hits", title: "hits", value: (i) => l.hits[i], show: (i) => count(l.hits[i]) },
            { id: "each", title: "per hit", value: (i) => (l.hits[i] > 0 && l.self_ns[i] ? l.self_ns[i] / l.hits[i] : NaN), show: (i) => (l.hits[i] > 0 && l.self_ns[i] ? time(l.self_ns[i] / l.hits[i]) : "-") },
            costColumn("library", "in libraries", l.library_ns, time),
            ...(run.has_blocks[0] ? [costColumn("alloc", run.text("alloc", 0), l.alloc_bytes, size)] : []),
            costColumn("samples", "samples", l.samples, count),
        ]];
    }, [s]);
    if (!s)
        return READING;
    return <Table name="Lines" rows={rows} columns={columns} sort="self" onOpen={(i) => { location.hash = placeLink(s.lines.text("file", i), s.lines.line[i]); }} />;
}
