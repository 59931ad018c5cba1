// SPDX-License-Identifier: MIT
// flame.jsx: the flame graph with its controls, and beside it the same calls as a list.
import "../style/pictures.css";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKey, useSheets, useTheme, useWidth } from "../shell/hooks.js";
import { count, counted, fileName, share } from "../shell/format.js";
import { READING } from "../shell/table.jsx";
import { CallList } from "../picture/calllist.jsx";
import { callsOpen, costsOf, grainOf, kindOf, unitShow } from "../picture/calls.js";
import { calleesFirst, callersFirst, differenceMatters, functionsMatching, itemOf, treeMatched, weighingOf } from "../picture/calltree.js";
import { ROW, boxAt, boxBeside, boxesOfCalleesFirst, boxesOfCallersFirst } from "../picture/flamelayout.js";
import { flameDraw, paletteOf } from "../picture/flamedraw.js";

const FONT = '12px ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

const KINDS = [["program", "the program"], ["library", "libraries"], ["kernelcode", "the kernel"], ["waits", "waits"]];

const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function Flame({ route }) {
    const s = useSheets("calls", "callfunctions", "callsfolded");
    const tree = useMemo(() => s && callsOpen(s), [s]), costs = useMemo(() => tree && costsOf(tree), [tree]);
    if (!s)
        return READING;
    if (!costs.length)
        return <p class="nothing">The run has neither samples nor waits nor allocations with the calls that led to them.</p>;
    return <FlameOf tree={tree} costs={costs} folded={s.callsfolded} route={route} />;
}

function FlameOf({ tree, costs, folded, route }) {
    const [costName, setCost] = useState(route.query.get("cost")), [inverted, setInverted] = useState(route.query.has("inverted"));
    const base = folded.text("base", 0), [difference, setDifference] = useState(!!base), [words, setWords] = useState("");
    const cost = costs.find((c) => c.name === costName) ?? costs[0];
    const weighing = useMemo(() => weighingOf(tree, cost.name, difference), [tree, cost, difference]);
    const view = useMemo(() => (inverted ? calleesFirst : callersFirst)(tree, weighing), [tree, weighing, inverted]);
    const [zoom, setZoom] = useState(null), item = zoom?.view === view ? zoom.item : view.root;
    const matches = useMemo(() => (words.trim() ? functionsMatching(tree.functions, tree.wholeOf, words) : null), [tree, words]);
    const field = useRef(), whole = weighing.total[0], grain = grainOf(tree, cost.name);
    useKey("/", () => field.current.focus());
    useKey("i", () => setInverted(!inverted));
    useKey("m", () => setCost(costs[(costs.indexOf(cost) + 1) % costs.length].name));
    const zoomTo = (to) => setZoom({ view, item: to });
    return <>
        <div class="tools">
            <label>Cost <select value={cost.name} onChange={(e) => setCost(e.target.value)}>
                {costs.map((c) => <option value={c.name} key={c.name}>{c.title}</option>)}</select></label>
            <button type="button" aria-pressed={inverted} title="callees first, then who called them (i)" onClick={() => setInverted(!inverted)}>Inverted</button>
            {base && <button type="button" aria-pressed={difference} onClick={() => setDifference(!difference)}>Difference</button>}
            <label>Search <input ref={field} type="search" value={words} onInput={(e) => setWords(e.target.value)} /></label>
            <button type="button" disabled={item === view.root} onClick={() => zoomTo(view.root)}>Show all</button>
            <Found {...{ tree, weighing, matches, whole }} show={unitShow(cost.unit)} />
        </div>
        <div class="flame-both">
            <FlameCanvas {...{ tree, view, weighing, item, zoomTo, inverted, matches, cost, grain, whole }} />
            <CallList {...{ tree, view, weighing, matches, grain, whole }} show={unitShow(cost.unit)} onChoose={zoomTo} chosen={item.key} />
        </div>
        {weighing.before && <p class="legend"><span class="key more-now">more than in {fileName(base)}</span> <span class="key less-now">less</span>{" "}
            <span class="key as-before">as before, within {grain ? "three standard deviations of the samples, or " : ""}1%</span>. As wide as the mean of both runs.</p>}
        {!weighing.before && <p class="legend">{KINDS.map(([kind, title]) => <span key={kind} class={`key ${kind}`}>{title}</span>)}</p>}
        {folded.nodes[0] > 0 && <p class="legend">{counted(folded.nodes[0], "node")}, each below {+(folded.share_ppb[0] / 1e7).toPrecision(2)}% of every cost, folded into (other).</p>}
    </>;
}

function Found({ tree, weighing, matches, whole, show }) {
    const found = useMemo(() => matches && treeMatched(tree, weighing.total, matches), [tree, weighing, matches]);
    return <span class="amount" role="status">{!found ? `${show(whole)} in all`
        : !found.nodes ? "no function has this in its name"
        : `${share(found.sum / whole)} of ${show(whole)}, in ${counted(found.nodes, "place")}`}</span>;
}

// What is said of an item below the graph.
function Told({ tree, weighing, item, whole, show, canvas }) {
    const file = tree.fileOf(item.function), parts = [];
    if (weighing.before)
        parts.push(`${show(item.now)}, before ${show(item.before)}`);
    else
        parts.push(`${show(item.total)}, ${share(whole > 0 ? item.total / whole : 0)} of all`, ...(item.self > 0 && item.self < item.total ? [`${show(item.self)} of its own`] : []));
    if (file)
        parts.push(`${fileName(file)}:${tree.lineOf(item.function)}`);
    return <p class="flame-told" aria-live={canvas ? "polite" : "off"}><b>{tree.nameOf(item.function)}</b> {parts.join(" \u00b7 ")}</p>;
}

function FlameCanvas({ tree, view, weighing, item, zoomTo, inverted, matches, cost, grain, whole }) {
    const [box, width] = useWidth(), canvas = useRef(), theme = useTheme();
    const [focusKey, setFocusKey] = useState(null), [hover, setHover] = useState(null), [top, setTop] = useState(0), [inside, setInside] = useState(false);
    const layout = useMemo(() => (inverted ? boxesOfCalleesFirst(view, item, Math.max(width, 1)) : boxesOfCallersFirst(tree, weighing, item, Math.max(width, 1))),
                           [tree, view, weighing, item, width, inverted]);
    const focus = layout.boxes.find((b) => b.key === focusKey) ?? layout.boxes.find((b) => b.key === item.key);
    const height = Math.min((layout.deepest + 1) * ROW, Math.max(240, Math.round(innerHeight * 0.62)));
    const itemAt = (b) => b.item ?? itemOf(tree, weighing, b.node), kind = kindOf(tree);
    useEffect(() => { if (box.current) box.current.scrollTop = Math.max(0, (layout.boxes.find((b) => b.key === item.key)?.depth ?? 0) * ROW - 2 * ROW); }, [item]);
    useLayoutEffect(() => {
        const c = canvas.current, ratio = devicePixelRatio || 1;
        if (!width)
            return;
        c.width = Math.round(width * ratio);
        c.height = Math.round(height * ratio);
        const context = c.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = FONT;
        flameDraw(context, layout, {
            palette: paletteOf(isDark(), matchMedia("(forced-colors: active)").matches), nameOf: (b) => tree.nameOf(b.function), kindOf: (b) => kind(b.function),
            matches, top, width, height, focus: inside && focus, hover, letter: context.measureText("0").width,
            changeOf: weighing.before && ((b) => { const it = itemAt(b); return differenceMatters(it.now, it.before, grain) ? (it.now - it.before) / Math.max(it.now, it.before) : null; }),
        });
    }, [layout, matches, top, height, focus, inside, hover, theme]);
    const under = (e) => {
        const area = canvas.current.getBoundingClientRect();
        return boxAt(layout, e.clientX - area.left, Math.floor((e.clientY - area.top + top) / ROW));
    };
    const pressed = (e) => {
        const way = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[e.key];
        if (e.ctrlKey || e.metaKey || e.altKey)
            return;
        if (way) {
            const next = boxBeside(layout, focus, way), y = next.depth * ROW, at = box.current;
            setFocusKey(next.key);
            if (y < at.scrollTop)
                at.scrollTop = y;
            else if (y + ROW > at.scrollTop + height)
                at.scrollTop = y + ROW - height;
        } else if (e.key === "Enter") {
            setFocusKey(focus.key);
            zoomTo(itemAt(focus));
        } else if (e.key === "Escape" || e.key === "0")
            zoomTo(view.root);
        else if (e.key === "Backspace")
            zoomTo(view.parent(item) ?? view.root);
        else
            return;
        e.preventDefault();
    };
    const told = hover ?? focus;
    return <div>
        <div class="flame-frame" ref={box} tabindex="0" role="group" aria-label={`Flame graph of ${cost.title}. Arrows move, Enter zooms, Escape shows all. The list has the same calls.`}
             style={{ height: `${height}px` }} onKeyDown={pressed} onScroll={(e) => setTop(e.currentTarget.scrollTop)} onFocus={() => setInside(true)} onBlur={() => setInside(false)}>
            <div class="flame-room" style={{ height: `${(layout.deepest + 1) * ROW}px` }}>
                <canvas ref={canvas} role="img" aria-label={`${count(layout.boxes.length)} calls`} style={{ height: `${height}px` }}
                        onClick={(e) => { const b = under(e); if (b) { setFocusKey(b.key); zoomTo(itemAt(b)); } }}
                        onMouseMove={(e) => setHover(under(e))} onMouseLeave={() => setHover(null)} />
            </div>
        </div>
        {told && <Told {...{ tree, weighing, whole }} item={itemAt(told)} show={unitShow(cost.unit)} canvas={inside} />}
        {layout.narrow > 0 && <p class="legend">{count(layout.narrow)} narrower than half a pixel: zoom in to see what is called there.</p>}
    </div>;
}
