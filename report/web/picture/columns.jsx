// SPDX-License-Identifier: MIT
// columns.jsx: rows of sheets as objects, and the columns that views of them share. See shell/table.jsx.
import { placeLink } from "../shell/hooks.js";
import { count, dashed, error, place, share, size, time } from "../shell/format.js";

// Rows as objects; `texts` are the columns that have texts. A sheet without rows has no columns.
export function rowsOf(sheet, ...texts) {
    const names = Object.keys(sheet).filter((name) => ArrayBuffer.isView(sheet[name]));
    return Array.from({ length: sheet.count }, (_, i) =>
        Object.fromEntries(names.map((name) => [name, texts.includes(name) ? sheet.text(name, i) : sheet[name][i]])),
    );
}
export const sumOf = (rows, name) => rows.reduce((sum, row) => sum + (row[name] || 0), 0);

// Columns over a list of such rows. Tables know rows by number.
export function columnsOf(rows) {
    const amount =
        (shown) =>
        (id, title, more = {}) => {
            const of = more.of ?? ((row) => row[id]);
            const value = (i) => of(rows[i]) ?? NaN;
            return {
                id,
                title,
                value,
                show: (i) => dashed(shown(value(i)), value(i)),
                ...more,
                bar: more.bar && ((i) => more.bar(rows[i])),
            };
        };
    return {
        time: amount(time),
        size: amount(size),
        count: amount(count),
        share: amount(share),
        error: amount(error),
        text: (id, title, more = {}) => ({ id, title, text: true, value: (i) => String(rows[i][id] ?? ""), ...more }),
        line: (title = "line", file = "file", line = "line", other = "module") => ({
            id: file,
            title,
            text: true,
            value: (i) => (rows[i][file] ? `${rows[i][file]}:${String(rows[i][line]).padStart(6, "0")}` : (rows[i][other] ?? "")),
            show: (i) =>
                rows[i][file] ? (
                    <a class="place" href={placeLink(rows[i][file], rows[i][line])}>
                        {place(rows[i][file], rows[i][line])}
                    </a>
                ) : rows[i].attributed === 0 ? (
                    "(lines not kept)"
                ) : rows[i][other] ? (
                    `(in ${rows[i][other]})`
                ) : (
                    ""
                ),
        }),
    };
}
// Columns over a sheet: `array` has a number for each of its rows.
export const costColumn = (id, title, array, show, more) => ({ id, title, value: (i) => array[i], show: (i) => dashed(show(array[i]), array[i]), ...more });
export const placeColumn = (title, sheet) => ({
    id: "place", title, text: true,
    value: (i) => `${sheet.text("file", i)}:${String(sheet.line[i]).padStart(6, "0")}`,
    show: (i) => (sheet.line[i] ? <a class="place" href={placeLink(sheet.text("file", i), sheet.line[i])}>{place(sheet.text("file", i), sheet.line[i])}</a> : ""),
});
export const numbersOf = (rows) => rows.map((_, i) => i);
// Opens a row's line in the source.
export const opener = (rows) => (i) => {
    if (rows[i].file) location.hash = placeLink(rows[i].file, rows[i].line);
};
