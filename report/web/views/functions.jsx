// SPDX-License-Identifier: MIT
// functions.jsx: the functions that ran.
import { useMemo } from "preact/hooks";
import { Table } from "../shell/table.jsx";
import { placeLink, useSheets } from "../shell/hooks.js";
import { count, dashed, error, place, share, size, time } from "../shell/format.js";

export function Functions() {
    const s = useSheets("run", "functions");
    const [rows, columns] = useMemo(() => {
        if (!s)
            return [[], []];
        const f = s.functions, run = s.run, cpu = run.whole_cpu_ns[0] || 1;
        const list = Array.from({ length: f.count }, (_, i) => i).filter((i) => !f.step[i] && (f.calls[i] > 0 || f.samples[i] || f.total_ns[i] || f.wait_ns[i] || f.wait_total_ns[i] || f.alloc_blocks[i]));
        return [list, [
            { id: "name", title: "function", text: true, value: (i) => f.text("label", i) },
            { id: "file", title: "place", text: true, value: (i) => f.text("file", i) + f.line[i],
              show: (i) => (f.line[i] ? <a class="place" href={placeLink(f.text("file", i), f.line[i])}>{place(f.text("file", i), f.line[i])}</a> : "") },
            { id: "self", title: "self", hint: "CPU time of its own", value: (i) => f.self_ns[i], show: (i) => dashed(time(f.self_ns[i]), f.self_ns[i]), bar: (i) => f.self_ns[i] / cpu, heat: "user" },
            { id: "share", title: "of CPU", value: (i) => f.self_ns[i] / cpu, show: (i) => dashed(share(f.self_ns[i] / cpu), f.self_ns[i]) },
            { id: "error", title: "error", hint: "one standard error of self", value: (i) => f.self_error_percent[i], show: (i) => error(f.self_error_percent[i]) },
            { id: "kernel", title: "kernel", value: (i) => f.system_ns[i], show: (i) => dashed(time(f.system_ns[i]), f.system_ns[i]) },
            { id: "total", title: "with callees", hint: "CPU time with all it calls", value: (i) => f.total_ns[i], show: (i) => dashed(time(f.total_ns[i]), f.total_ns[i]), bar: (i) => f.total_ns[i] / cpu, heat: "soft" },
            { id: "wait", title: "waits", hint: "with callees", value: (i) => f.wait_total_ns[i], show: (i) => dashed(time(f.wait_total_ns[i]), f.wait_total_ns[i]) },
            { id: "calls", title: "calls", value: (i) => f.calls[i], show: (i) => (f.calls[i] >= 0 ? count(f.calls[i]) + (f.inlined[i] ? "+" : "") : f.inlined[i] ? "inlined" : "-") },
            ...(run.has_blocks[0] ? [{ id: "alloc", title: "allocated", value: (i) => f.alloc_bytes[i], show: (i) => dashed(size(f.alloc_bytes[i]), f.alloc_bytes[i]) }] : []),
            { id: "samples", title: "samples", value: (i) => f.samples[i], show: (i) => dashed(count(f.samples[i]), f.samples[i]) },
        ]];
    }, [s]);
    if (!s)
        return <p class="nothing">Reading ...</p>;
    return <>
        <Table name="Functions" rows={rows} columns={columns} sort="self" onOpen={(i) => s.functions.line[i] && (location.hash = placeLink(s.functions.text("file", i), s.functions.line[i]))} />
        <p class="legend">Calls with + are without inlined copies. Times are CPU times; waits are of the threads' time.</p>
    </>;
}
