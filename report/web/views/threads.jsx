// SPDX-License-Identifier: MIT
// threads.jsx: how long each thread lived, and how much of that it computed, waited, or stood ready without a CPU.
import "../style/pictures.css";
import { useMemo } from "preact/hooks";
import { useSheets } from "../shell/hooks.js";
import { READING, Table } from "../shell/table.jsx";
import { count, share, time } from "../shell/format.js";
import { Facts } from "../picture/chart.jsx";
import { columnsOf, numbersOf, opener, rowsOf, sumOf } from "../picture/columns.jsx";
import { LIFE, lifeOf } from "../picture/life.js";

function Life({ thread, span }) {
    const life = lifeOf(thread), from = Math.min(99, 100 * thread.start_ns / span);
    return <span class="life" role="img" aria-label={`lived ${time(thread.wall_ns)} from ${time(thread.start_ns)}: ${LIFE.filter((p) => life[p.id] > 0).map((p) => `${p.title} ${time(life[p.id])}`).join(", ")}`}>
        <span class="life-span" style={{ left: `${from}%`, width: `${Math.max(1, Math.min(100 - from, 100 * thread.wall_ns / span))}%` }}>
            {LIFE.map((p) => life[p.id] > 0 && <i key={p.id} class={`fill ${p.colour}`} title={`${p.title} ${time(life[p.id])}`} style={{ width: `${100 * life[p.id] / (thread.wall_ns || 1)}%` }} />)}
        </span>
    </span>;
}

export function Threads() {
    const s = useSheets("run", "threads", "threadgroups");
    const threads = useMemo(() => s && rowsOf(s.threads, "name", "file", "function"), [s]), groups = useMemo(() => s && rowsOf(s.threadgroups, "file", "function"), [s]);
    if (!s)
        return READING;
    if (!threads.length)
        return <p class="nothing">No thread left a record.</p>;
    const wall = s.run.wall_ns[0], span = threads.reduce((most, t) => Math.max(most, t.start_ns + t.wall_ns), wall) || 1;
    const cpu = sumOf(threads, "cpu_ns"), delayed = sumOf(threads, "delay_ns"), of = columnsOf(threads), by = columnsOf(groups);
    return <>
        <Facts items={[{ name: "threads", value: count(s.run.thread_count[0] || threads.length) },
            { name: "CPU time", value: time(cpu), note: wall ? `${(cpu / wall).toFixed(2)} CPUs busy in the mean` : "" },
            { name: "waiting in calls", value: time(sumOf(threads, "wait_ns")) },
            delayed && { name: "ready, without a CPU", value: time(delayed) }]} />
        <p class="legend">{LIFE.map((p) => <span key={p.id} class={`key ${p.colour}`}>{p.title} </span>)}</p>
        <Table name="Threads" rows={numbersOf(threads)} sort="cpu_ns" onOpen={opener(threads)} columns={[
            of.text("name", "thread", { value: (i) => threads[i].name || "(no name)" }),
            { id: "life", title: `the run, ${time(span)}`, hint: "sorts by start", value: (i) => -threads[i].start_ns, show: (i) => <Life thread={threads[i]} span={span} /> },
            of.time("cpu_ns", "CPU"), of.share("share", "of its life", { of: (t) => (t.wall_ns ? Math.min(1, t.cpu_ns / t.wall_ns) : NaN) }), of.time("wait_ns", "waiting"),
            ...(delayed ? [of.time("delay_ns", "no CPU", { hint: "ready to run, while others ran" })] : []),
            of.time("wall_ns", "lived"), of.count("samples", "samples"), of.line("started at"), { ...of.count("id", "id"), show: (i) => String(threads[i].id) }]} />
        {groups.length > 0 && <><h3>Threads that one line started</h3><Table name="Threads by the line that started them" rows={numbersOf(groups)} sort="cpu_ns" search={false} most={8} onOpen={opener(groups)} columns={[
            by.line("started at"), by.text("function", "function"), by.count("threads", "threads"), by.count("most_at_once", "at once"), by.time("cpu_ns", "CPU"),
            by.time("max_cpu_ns", "busiest"), by.share("even", "busiest of the mean", { of: (g) => (g.cpu_ns ? g.max_cpu_ns * g.threads / g.cpu_ns : NaN) }),
            by.time("wait_ns", "waiting"), by.time("union_ns", "any alive")]} /></>}
        <p class="legend">What one thread ran: <code>profplug report --thread NAME --format html</code>.</p>
    </>;
}
