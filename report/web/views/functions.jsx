// SPDX-License-Identifier: MIT
// functions.jsx: the functions that ran.
import { useMemo } from "preact/hooks";
import { READING, Table } from "../shell/table.jsx";
import { placeLink, useSheets } from "../shell/hooks.js";
import { count, error, share, size, time } from "../shell/format.js";
import { costColumn, placeColumn } from "../picture/columns.jsx";

export function Functions() {
    const s = useSheets("run", "functions");
    const [rows, columns] = useMemo(() => {
        if (!s)
            return [[], []];
        const f = s.functions, run = s.run, cpu = run.whole_cpu_ns[0] || 1;
        const list = [...Array(f.count).keys()].filter((i) => !f.step[i] && (f.calls[i] > 0 || f.samples[i] || f.total_ns[i] || f.wait_ns[i] || f.wait_total_ns[i] || f.alloc_blocks[i]));
        return [list, [
            { id: "name", title: "function", text: true, value: (i) => f.text("label", i) },
            placeColumn("place", f),
            costColumn("self", "self", f.self_ns, time, { hint: "CPU time of its own", bar: (i) => f.self_ns[i], heat: "user" }),
            costColumn("share", "of CPU", f.self_ns, (ns) => share(ns / cpu)),
            costColumn("error", "error", f.self_error_percent, error, { hint: "one standard error of self" }),
            costColumn("kernel", "kernel", f.system_ns, time),
            costColumn("total", "with callees", f.total_ns, time, { hint: "CPU time with all it calls", bar: (i) => f.total_ns[i], heat: "soft" }),
            costColumn("wait", "waits", f.wait_total_ns, time, { hint: "with callees" }),
            { id: "calls", title: "calls", value: (i) => f.calls[i], show: (i) => (f.calls[i] >= 0 ? count(f.calls[i]) + (f.inlined[i] ? "+" : "") : f.inlined[i] ? "inlined" : "-") },
            ...(run.has_blocks[0] ? [costColumn("alloc", run.text("alloc", 0), f.alloc_bytes, size)] : []),
            costColumn("samples", "samples", f.samples, count),
        ]];
    }, [s]);
    if (!s)
        return READING;
    return <>
        <Table name="Functions" rows={rows} columns={columns} sort="self" onOpen={(i) => s.functions.line[i] && (location.hash = placeLink(s.functions.text("file", i), s.functions.line[i]))} />
        <p class="legend">Calls with + are without inlined copies. Times are CPU times; waits are of the threads' time.</p>
    </>;
}
