// SPDX-License-Identifier: MIT
// source.jsx: the source with what its lines cost. The address names the file and the line.
import "../style/source.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { placeLink, useKey, useSheets } from "../shell/hooks.js";
import { sourceLoad } from "../shell/data.js";
import { counted, fileName, time } from "../shell/format.js";
import { READING } from "../shell/table.jsx";
import { NEEDED, costsOf, fileFind, filesOf, hotOf, hottestOf } from "./linecosts.js";
import { Listing } from "./listing.jsx";
import { Minimap } from "./minimap.jsx";

// Lines above it that are drawn meanwhile may take more room than was left for them: it looks again, unless somebody
// has scrolled since. While something is pressed nothing moves: a tab would leave the pointer, and its click be lost.
function lineShow(line, chosen, again, left = scrollY) {
    if (scrollY !== left)
        return;
    const row = document.querySelector(`.source tr[data-line="${line}"]`), box = row?.getBoundingClientRect();
    if (box && (box.top < 150 || box.bottom > innerHeight - 60) && !document.querySelector(":active"))
        row.scrollIntoView({ block: "center" });
    if (chosen)
        row?.focus({ preventScroll: true });
    if (again)
        setTimeout(lineShow, 90, line, chosen, again - 1, scrollY);
}

export function Source({ route }) {
    const s = useSheets(...NEEDED), [lines, setLines] = useState(null), [words, setWords] = useState(""), field = useRef();
    const files = useMemo(() => (s ? filesOf(s) : []), [s]);
    const chosen = useMemo(() => (route.file ? fileFind(files, route.file) : files[0]), [files, route.file]);
    const costs = useMemo(() => (s && chosen ? costsOf(s, chosen.file) : new Map()), [s, chosen]);
    const hot = useMemo(() => (s && chosen ? hotOf(s, costs) : []), [s, costs]);
    const hottest = useMemo(() => hottestOf(costs), [costs]), line = route.line ?? 0, go = (to) => { location.hash = placeLink(chosen.file, to); };
    useEffect(() => {
        let current = true;
        setLines(null);
        if (chosen)
            sourceLoad(chosen.row).then((read) => current && setLines(read));
        return () => { current = false; };
    }, [chosen]);
    useEffect(() => {
        if (lines?.size && (line || hottest))
            requestAnimationFrame(() => lineShow(line || hottest, line, 4));
    }, [lines, line]);
    const found = useMemo(() => (words.length > 1 && lines ? new Set([...lines].filter(([, text]) => text.toLowerCase().includes(words.toLowerCase())).map(([n]) => n)) : null), [words, lines]);
    const step = (list, by) => {
        if (!list.length)
            return;
        const next = by > 0 ? list.find((n) => n > line) ?? list[0] : list.findLast((n) => n < line) ?? list.at(-1);
        go(next);
    };
    useKey("j", () => step(hot, 1));
    useKey("k", () => step(hot, -1));
    useKey("/", () => field.current?.focus());
    if (!s)
        return READING;
    if (!files.length)
        return <p class="nothing">No line is known: perhaps it was compiled without -g.</p>;
    const numbers = lines ? [...lines.keys()] : [];
    const pressed = (event) => {
        const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key], at = numbers.indexOf(line);
        if (!by || at < 0 || !event.target.closest("tr[data-line]"))
            return;
        event.preventDefault();
        go(numbers[Math.max(0, Math.min(numbers.length - 1, at + by))]);
    };
    const functions = chosen ? [...costs].flatMap(([n, c]) => c.functions.map((i) => [n, i])).sort((a, b) => s.functions.total_ns[b[1]] - s.functions.total_ns[a[1]]).slice(0, 200) : [];
    return <>
        <div class="tools">
            <label>File <select value={chosen?.file ?? ""} onChange={(e) => { location.hash = placeLink(e.target.value, 0); }}>
                {!chosen && <option value="">{route.file}</option>}
                {files.map((f) => <option key={f.row} value={f.file}>{fileName(f.file)}{f.cost ? ` (${time(f.cost)})` : ""}</option>)}
            </select></label>
            {functions.length > 0 && <label>Function <select value="" onChange={(e) => go(+e.target.value)}><option value="">go to ...</option>
                {functions.map(([n, i]) => <option key={i} value={n}>{s.functions.text("label", i)}{s.functions.total_ns[i] ? ` (${time(s.functions.total_ns[i])})` : ""}</option>)}</select></label>}
            <label>Find <input ref={field} type="search" value={words} onInput={(e) => setWords(e.target.value)} onKeyDown={(e) => e.key === "Enter" && found && step([...found], e.shiftKey ? -1 : 1)} /></label>
            <span class="amount" role="status">{found ? `${counted(found.size, "line")}; Enter goes to the next` : `${counted(hot.length, "hot line")}: j and k`}</span>
        </div>
        {chosen ? <p class="path"><code>{chosen.file}</code>{s.sources.newer[chosen.row] ? <strong> changed after the run: its lines may differ</strong> : ""}</p>
            : <p class="nothing">The page has no line of {route.file}.</p>}
        {lines && !lines.size && chosen && <p class="nothing">The file could not be read when this page was made. The view Lines has its costs.</p>}
        {lines?.size > 0 && <div class="sourcebox" onKeyDown={pressed}>
            <div class="sourcescroll"><Listing s={s} file={chosen.file} lines={lines} costs={costs} line={line} hottest={hottest} found={found} onPick={go} /></div>
            <Minimap lines={lines} costs={costs} line={line} onPick={go} />
        </div>}
    </>;
}
