// SPDX-License-Identifier: MIT
// calllist.jsx: calls as a list that opens, for those who read with the keyboard or a screen reader: the same items as
// in the flame graph, with the same numbers. It must not know how items are found.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PAGE, openAtFirst, rowsOf } from "./callrows.js";
import { differenceMatters } from "./calltree.js";
import { share as shareShow } from "../shell/format.js";

export function CallList({ tree, view, weighing, show, whole, matches, grain = 0, onChoose, chosen, label }) {
    const [open, setOpen] = useState(() => openAtFirst(view)),
        [limits, setLimits] = useState(new Map());
    const [at, setAt] = useState(null);
    const list = useRef();
    useEffect(() => {
        setOpen(openAtFirst(view));
        setLimits(new Map());
        setAt(null);
    }, [view]);
    const rows = useMemo(() => rowsOf(view, open, limits), [view, open, limits]);
    const current = Math.max(
        0,
        rows.findIndex((r) => r.key === at),
    );
    const go = (index) => {
        const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
        if (!row) return;
        setAt(row.key);
        const element = list.current.querySelector(`[data-at="${rows.indexOf(row)}"]`);
        if (element) element.focus();
    };
    const toggle = (row, to) => {
        if (row.more) return setLimits(new Map(limits).set(row.item.key, row.shown + 4 * PAGE));
        const next = new Set(open);
        if (to) next.add(row.key);
        else next.delete(row.key);
        setOpen(next);
    };
    const onKey = (e) => {
        const row = rows[current];
        if (!row || e.altKey || e.ctrlKey || e.metaKey) return;
        if (e.key === "ArrowDown") go(current + 1);
        else if (e.key === "ArrowUp") go(current - 1);
        else if (e.key === "Home") go(0);
        else if (e.key === "End") go(rows.length - 1);
        else if (e.key === "ArrowRight") {
            if (row.more || (!row.open && !row.item.leaf)) toggle(row, true);
            else if (row.open) go(current + 1);
        } else if (e.key === "ArrowLeft") {
            if (row.open && !row.more) toggle(row, false);
            else go(rows.findIndex((r) => r.key === row.up));
        } else if (e.key === "*") {
            const next = new Set(open);
            for (const r of rows) if (r.up === row.up && !r.more && !r.item.leaf) next.add(r.key);
            setOpen(next);
        } else if (e.key === "Enter" || e.key === " ") {
            if (row.more) toggle(row, true);
            else if (onChoose) onChoose(row.item);
            else toggle(row, !row.open);
        } else return;
        e.preventDefault();
        e.stopPropagation();
    };
    return (
        <div class="call-list" role="tree" aria-label={label || "Calls as a list"} ref={list} onKeyDown={onKey}>
            {rows.map((row, i) => (
                <Row
                    key={row.key}
                    {...{ row, i, tree, weighing, show, whole, matches, grain, onChoose }}
                    active={i === current}
                    chosen={row.key === chosen}
                    toggle={toggle}
                    onFocus={() => setAt(row.key)}
                />
            ))}
        </div>
    );
}

function Row({ row, i, tree, weighing, show, whole, matches, grain, active, chosen, toggle, onFocus, onChoose }) {
    const indent = { paddingLeft: `min(${6 + Math.min(row.level - 1, 24) * 12}px, 40%)` };
    if (row.more)
        return (
            <div
                role="treeitem"
                aria-level={row.level}
                data-at={i}
                tabIndex={active ? 0 : -1}
                class="call more"
                style={indent}
                onClick={() => toggle(row, true)}
                onFocus={onFocus}
            >
                {row.more} more …
            </div>
        );
    const { item } = row,
        share = whole > 0 ? item.total / whole : 0;
    const name = tree.nameOf(item.function),
        file = tree.fileOf(item.function);
    const changed = weighing.before && differenceMatters(item.now, item.before, grain);
    const change = weighing.before && item.now - item.before;
    return (
        <div
            role="treeitem"
            aria-level={row.level}
            aria-posinset={row.place}
            aria-setsize={row.of}
            data-at={i}
            aria-expanded={item.leaf ? undefined : row.open}
            aria-selected={chosen}
            tabIndex={active ? 0 : -1}
            class={"call" + (matches && matches[item.function] ? " match" : "") + (chosen ? " chosen" : "")}
            style={indent}
            onFocus={onFocus}
            title={tree.wholeOf(item.function) + (file && `\n${file}:${tree.lineOf(item.function)}`)}
            onClick={(e) => {
                onFocus();
                e.currentTarget.focus();
                toggle(row, !row.open);
            }}
            onDblClick={() => onChoose && onChoose(item)}
        >
            <span class="call-mark" aria-hidden="true">
                {item.leaf ? "" : row.open ? "▾" : "▸"}
            </span>
            <span class="call-name">{name}</span>
            {weighing.before ? (
                <span class={"call-change" + (!changed ? "" : change > 0 ? " more-now" : " less-now")}>
                    {change > 0 ? "+" : change < 0 ? "−" : ""}
                    {show(Math.abs(change))}
                    {changed ? "" : " (chance)"}
                </span>
            ) : (
                <span class="call-self">{item.self > 0 ? show(item.self) : ""}</span>
            )}
            <span class="call-total">{show(weighing.before ? item.now : item.total)}</span>
            <span class="call-share">
                <i style={{ width: Math.min(100, 100 * share) + "%" }} aria-hidden="true" />
                {shareShow(share)}
            </span>
        </div>
    );
}
