// SPDX-License-Identifier: MIT
// table.jsx: a table that sorts by its heads, filters, and is read by keyboard. It draws the rows in sight only.
//
//   <Table name="Functions" rows={[row, ...]} sort="self" onOpen={(row) => ...} columns={[
//       { id: "name", title: "function", text: true, value: (row) => "main" },              text: left, and searched
//       { id: "self", title: "self", value: (row) => 12, show: (row) => "12 ns", bar: (row) => 0.5, hint: "..." }]} />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKey } from "./hooks.js";
import { counted, grouped } from "./format.js";

export const READING = <p class="nothing">Reading ...</p>; // until a view's sheets are there
const ROW = 28, BEYOND = 10;

// By numbers the largest first; NaN is last. By texts from A to Z.
function sorted(rows, column, up) {
    if (!column)
        return rows;
    const key = new Map(rows.map((row) => [row, column.value(row)]));
    const order = column.text ? (a, b) => (key.get(a) < key.get(b) ? -1 : key.get(a) > key.get(b) ? 1 : 0)
        : (a, b) => (Number.isNaN(key.get(b)) - Number.isNaN(key.get(a))) * (up ? 1 : -1) || key.get(b) - key.get(a) || 0;
    return rows.slice().sort(up ? (a, b) => -order(a, b) || a - b : (a, b) => order(a, b) || a - b);
}

function filtered(rows, columns, words) {
    const want = words.toLowerCase().split(/\s+/).filter(Boolean), texts = columns.filter((c) => c.text);
    if (!want.length)
        return rows;
    return rows.filter((row) => {
        const all = texts.map((c) => c.value(row)).join("\n").toLowerCase().replace(/:0+(?=\d)/g, ":"); // a place is padded so that it sorts
        return want.every((word) => all.includes(word));
    });
}

function Cell({ column, row, most }) {
    const shown = column.show ? column.show(row) : column.value(row), bar = column.bar?.(row) / most;
    return (
        <td class={column.text ? "text" : "figure"} title={column.text && typeof shown === "string" ? shown : undefined}>
            {bar > 0 && <span class={`cellbar ${column.heat ?? ""}`} style={{ width: `${100 * bar}%` }} />}
            <span class="value">{shown}</span>
        </td>
    );
}

export function Table({ name, rows, columns, sort, onOpen, empty = "Nothing to show.", most = 22, search = true }) {
    const [by, setBy] = useState({ id: sort, up: false }), [words, setWords] = useState(""), [active, setActive] = useState(0);
    const [top, setTop] = useState(0), scroller = useRef(), body = useRef(), field = useRef(), wanted = useRef(-1);
    const column = columns.find((c) => c.id === by.id);
    const found = useMemo(() => filtered(rows, columns, words), [rows, columns, words]);
    const widest = useMemo(() => columns.map((c) => c.bar && rows.reduce((most, row) => Math.max(most, c.bar(row) || 0), 0)), [rows, columns]); // bars are shares of the largest
    const list = useMemo(() => sorted(found, column, by.up), [found, by.id, by.up]);
    const first = Math.max(0, Math.floor(top / ROW) - BEYOND), last = Math.min(list.length, first + most + 2 * BEYOND);
    const at = Math.min(active, Math.max(0, list.length - 1));
    useKey(search ? "/" : "", () => field.current?.focus());
    useEffect(() => { // of a key pressed before this ran, the row is not drawn yet
        if (wanted.current !== at)
            return;
        body.current?.querySelector("tr[tabindex='0']")?.focus({ preventScroll: true });
        wanted.current = -1;
    });
    const go = (to) => {
        const next = Math.max(0, Math.min(list.length - 1, to)), box = scroller.current, above = next * ROW;
        if (above < box.scrollTop)
            box.scrollTop = above;
        else if (above + 3 * ROW > box.scrollTop + box.clientHeight)
            box.scrollTop = above + 3 * ROW - box.clientHeight;
        setTop(box.scrollTop);
        setActive(next);
        if (next !== at) // else nothing is drawn again, and a letter in the filter would be what moves the focus
            wanted.current = next;
    };
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: most - 2, PageUp: 2 - most, Home: -list.length, End: list.length };
    const pressed = (event) => {
        if (event.key in steps && event.target.closest("tbody")) {
            event.preventDefault();
            go(at + steps[event.key]);
        } else if (event.key === "Enter" && onOpen && event.target.tagName === "TR") {
            onOpen(list[at]);
        }
    };
    if (!rows.length)
        return <p class="nothing">{empty}</p>;
    return (
        <div class="tablebox">
            {search && <div class="tools">
                <label>Filter <input ref={field} type="search" value={words} onFocus={() => { wanted.current = -1; }} onInput={(e) => { setWords(e.target.value); setActive(0); scroller.current.scrollTop = 0; setTop(0); }} /></label>
                <span class="amount" role="status">{list.length === rows.length ? "" : `${grouped(list.length)} of `}{counted(rows.length, "row")}</span>
            </div>}
            <div class="scroller" ref={scroller} onScroll={(e) => setTop(e.currentTarget.scrollTop)} style={{ maxHeight: `${(most + 1) * ROW + 14}px` }} tabindex="-1">
                <table aria-label={name} aria-rowcount={list.length + 1} onKeyDown={pressed}>
                    <thead><tr aria-rowindex="1">
                        {columns.map((c) => (
                            <th key={c.id} scope="col" class={c.text ? "text" : "figure"} aria-sort={c.id === by.id ? (by.up === !!c.text ? "descending" : "ascending") : undefined}>
                                <button type="button" title={c.hint} onClick={() => setBy({ id: c.id, up: c.id === by.id && !by.up })}><span class="title">{c.title}</span><span class="mark" aria-hidden="true">{c.id === by.id ? (by.up === !!c.text ? "\u25be" : "\u25b4") : ""}</span></button>
                            </th>))}
                    </tr></thead>
                    <tbody ref={body}>
                        {first > 0 && <tr class="gap" aria-hidden="true" style={{ height: `${first * ROW}px` }}><td colspan={columns.length} /></tr>}
                        {list.slice(first, last).map((row, i) => (
                            <tr key={row} aria-rowindex={first + i + 2} tabindex={first + i === at ? 0 : -1} class={onOpen ? "opens" : ""}
                                onFocus={() => setActive(first + i)} onClick={(e) => onOpen && !e.target.closest("a,button") && onOpen(row)}>
                                {columns.map((c, k) => <Cell key={c.id} column={c} row={row} most={widest[k]} />)}
                            </tr>))}
                        {last < list.length && <tr class="gap" aria-hidden="true" style={{ height: `${(list.length - last) * ROW}px` }}><td colspan={columns.length} /></tr>}
                    </tbody>
                </table>
                {!list.length && <p class="nothing">No row has “{words}”.</p>}
            </div>
        </div>
    );
}
