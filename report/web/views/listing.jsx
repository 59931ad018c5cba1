// SPDX-License-Identifier: MIT
// listing.jsx: the lines of a file with what they cost, what is said of them, and, for the line that is open, who calls it and what it calls.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { placeLink, useMedia } from "../shell/hooks.js";
import { count, counted, error, grouped, place, share, size, time } from "../shell/format.js";
import { neighboursOf } from "./linecosts.js";

const CHUNK = 80, ROW = 21;

function Neighbours({ title, list, none }) {
    const most = 8, whole = Math.max(...list.map((one) => one.cpu + one.wait), 1);
    return (
        <section><h4>{title}</h4>
            {list.length ? <ul>{list.slice(0, most).map((one) => (
                <li key={one.name + one.line}>
                    <span class="share"><span style={{ width: `${100 * (one.cpu + one.wait) / whole}%` }} /></span>
                    {one.file ? <a href={placeLink(one.file, one.line)}>{one.name}</a> : <span>{one.name}</span>}{" "}
                    <small>{one.file && place(one.file, one.line)} {one.cpu ? time(one.cpu) : ""}{one.wait ? ` waits ${time(one.wait)}` : ""}</small>
                </li>))}{list.length > most && <li><small>and {list.length - most} more</small></li>}</ul> : <p class="legend">{none}</p>}
        </section>
    );
}

function Details({ s, costs: c }) {
    const near = useMemo(() => neighboursOf(s, c.rows), [c]), cpu = s.run.whole_cpu_ns[0], known = (x) => x > 0;
    const facts = [
        ["CPU time", c.self && `${time(c.self)}${c.square ? ` ${error(100 * Math.sqrt(c.square) / c.self)}` : ""}, ${share(c.self / cpu)} of all`], ["of it kernel", c.kernel && time(c.kernel)],
        ["of it in libraries", c.library && time(c.library)], ["with inlined code", c.total > c.self && time(c.total)], ["samples", c.samples && grouped(c.samples)],
        ["waits", c.wait && `${time(c.wait)}, ${share(c.wait / s.run.threads_ns[0])} of the threads' time`], ["hits", c.hits >= 0 && grouped(c.hits)],
        ["per hit", known(c.hits) && c.self && time(c.self / c.hits)], ["allocated", c.blocks && `${c.about}${size(c.alloc)} in ${counted(c.blocks, "block")}`],
        ["live at the end", c.live && c.about + size(c.live)], ["read", c.read && size(c.read)], ["written", c.written && size(c.written)],
    ].filter(([, value]) => value);
    const inner = c.inner.map((i) => ({ name: s.functions.text("label", s.lines.function[s.inners.inner_line[i]]), file: s.lines.text("file", s.inners.inner_line[i]),
        line: s.lines.line[s.inners.inner_line[i]], cpu: s.inners.self_ns[i], wait: 0 }));
    const libraries = c.callees.map((i) => ({ name: s.callees.text("name", i), file: "", line: 0, cpu: s.callees.self_ns[i], wait: 0 }));
    const called = [...near.callees, ...libraries.filter((one) => !near.callees.some((other) => other.name === one.name))];
    return (
        <div class="details">
            <section><h4>This line</h4>{facts.length ? <dl>{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl> : <p class="legend">No cost was seen.</p>}</section>
            <Neighbours title="Called from" list={near.callers} none="No chain of calls leads here." />
            <Neighbours title="Calls" list={called} none="It calls nothing that costs." />
            {inner.length > 0 && <Neighbours title="Inlined here" list={inner} />}
        </div>
    );
}

// The columns of figures; one that is empty in the whole file is left out. `narrow`: also where there is little room.
const COLUMNS = [
    { id: "hits", narrow: true, value: (c) => (c.hits >= 0 ? 1 : 0), show: (c) => (c.hits >= 0 ? count(c.hits) : "") },
    { id: "CPU", narrow: true, value: (c) => c.self, show: (c) => (c.self ? time(c.self) : ""), bar: "user" },
    { id: "kernel", value: (c) => c.kernel, show: (c) => (c.kernel ? time(c.kernel) : "") },
    { id: "wait", narrow: true, value: (c) => c.wait, show: (c) => (c.wait ? time(c.wait) : ""), bar: "wait" },
    { id: "per hit", value: (c) => (c.self && c.hits > 0 ? 1 : 0), show: (c) => (c.self && c.hits > 0 ? time(c.self / c.hits) : "") },
    { id: "bytes", value: (c) => c.alloc, show: (c) => (c.alloc ? c.about + size(c.alloc) : "") },
    { id: "error", value: (c) => c.self, show: (c) => (c.self ? error(100 * Math.sqrt(c.square) / c.self) : ""), said: " said" },
];
const columnsOf = (costs, narrow) => COLUMNS.filter((column) => (!narrow || column.narrow) && [...costs.values()].some((c) => column.value(c) > 0));

const Note = ({ kind, wide, children }) => <tr class={`note ${kind}`}><td colspan={wide}>{children}</td></tr>;

function Said({ s, c, wide }) {
    return <>
        {c.findings.map((i) => <Note wide={wide} key={`f${i}`} kind="finding"><strong>finding</strong> {s.advice.text("title", i)}: {s.advice.text("action", i)}</Note>)}
        {c.remarks.map((i) => <Note wide={wide} key={`r${i}`} kind="remark"><strong>gcc</strong> {s.remarks.text("sentence", i)}</Note>)}
        {c.inner.slice().sort((a, b) => s.inners.self_ns[b] - s.inners.self_ns[a]).slice(0, 3).filter((i) => s.inners.self_ns[i] > 0).map((i) => {
            const at = s.inners.inner_line[i], file = s.lines.text("file", at), line = s.lines.line[at];
            return <Note wide={wide} key={`i${i}`} kind="inner"><strong>inlined</strong> <a href={placeLink(file, line)} tabindex="-1">{place(file, line)}</a> {s.functions.text("label", s.lines.function[at])} {time(s.inners.self_ns[i])}</Note>;
        })}
    </>;
}

function Line({ s, number, text, c, columns, most, file, now, found, onPick }) {
    const cpu = s.run.whole_cpu_ns[0] || 1, threads = s.run.threads_ns[0] || 1, part = c ? Math.max(c.self / cpu, c.wait / threads) : 0;
    const wide = columns.length + 2, warm = part >= 0.2 ? "hot3" : part >= 0.05 ? "hot2" : part >= 0.01 ? "hot1" : "";
    return <>
        {c?.functions.map((i) => <Note wide={wide} key={`h${i}`} kind="function"><strong>{s.functions.text("label", i)}</strong> {s.functions.calls[i] >= 0 ? counted(s.functions.calls[i], "call") : "inlined"}
            {s.functions.self_ns[i] ? `, ${time(s.functions.self_ns[i])} of its own` : ""}{s.functions.total_ns[i] > s.functions.self_ns[i] ? `, ${time(s.functions.total_ns[i])} with callees` : ""}</Note>)}
        <tr class={`${warm} ${now ? "now" : ""} ${found ? "found" : ""}`} data-line={number} tabindex={now ? 0 : -1} onClick={(e) => !e.target.closest("a") && onPick(number)}>
            <th scope="row"><a href={placeLink(file, number)} tabindex="-1">{number}</a></th>
            {columns.map((column) => (
                <td key={column.id} class={`cost${column.said ?? ""}`} data-cost={column.bar}>
                    {c && column.bar && column.value(c) > 0 && <span class={`cellbar ${column.bar}`} style={{ width: `${100 * column.value(c) / most}%` }} />}{c ? column.show(c) : ""}
                </td>))}
            <td class="words"><code>{text}</code></td>
        </tr>
        {c && <Said s={s} c={c} wide={wide} />}
        {now && c && <tr class="open"><td colspan={wide}><Details s={s} costs={c} /></td></tr>}
    </>;
}

// Lines that are near what is in sight are drawn; the others leave their room.
function Chunk({ numbers, draw, keep, wide }) {
    const [near, set] = useState(keep), ref = useRef(), height = useRef(numbers.length * ROW);
    useEffect(() => {
        const observer = new IntersectionObserver(([entry]) => {
            if (!entry.isIntersecting && ref.current?.offsetHeight)
                height.current = ref.current.offsetHeight;
            set(entry.isIntersecting);
        }, { rootMargin: "1200px 0px" });
        observer.observe(ref.current);
        return () => observer.disconnect();
    }, [numbers]);
    return <tbody ref={ref}>{near || keep ? numbers.map(draw) : <tr style={{ height: `${height.current}px` }}><td colspan={wide} /></tr>}</tbody>;
}

export function Listing({ s, file, lines, costs, line, hottest, found, onPick }) {
    const seen = line || hottest;
    const most = useMemo(() => Math.max(1, ...[...costs.values()].map((c) => Math.max(c.self, c.wait))), [costs]);
    const narrow = useMedia("(max-width: 900px)"), columns = useMemo(() => columnsOf(costs, narrow), [costs, narrow]), wide = columns.length + 2;
    const chunks = useMemo(() => {
        const list = [[]];
        let before = 0;
        for (const number of lines.keys()) {
            if (list.at(-1).length >= CHUNK || (number !== before + 1 && list.at(-1).length))
                list.push([]);
            list.at(-1).push(number);
            before = number;
        }
        return list.filter((one) => one.length);
    }, [lines]);
    return (
        <table class="source" aria-label={`Source of ${file}`}>
            <thead><tr><th scope="col">line</th>{columns.map((c) => <th key={c.id} scope="col" class={`cost${c.said ?? ""}`}>{c.id}</th>)}<th scope="col" class="words">code</th></tr></thead>
            {chunks.map((numbers, i) => <>
                {(i ? numbers[0] !== chunks[i - 1].at(-1) + 1 : numbers[0] > 1) && <tbody key={`g${numbers[0]}`} class="left"><tr><td colspan={wide}>{counted(numbers[0] - 1 - (i ? chunks[i - 1].at(-1) : 0), "line")} left out</td></tr></tbody>}
                <Chunk wide={wide} key={numbers[0]} numbers={numbers} keep={numbers[0] <= seen && seen <= numbers.at(-1)} draw={(number) => (
                    <Line key={number} s={s} number={number} text={lines.get(number)} c={costs.get(number)} columns={columns} most={most} file={file} now={number === line} found={found?.has(number)} onPick={onPick} />)} />
            </>)}
        </table>
    );
}
