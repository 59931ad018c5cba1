// SPDX-License-Identifier: MIT
// data.js: the page's data: sheets of columns, each a deflated block that is inflated when somebody asks for it. See
// docs/page.md for the format. A sheet has `count` rows; sheet.COLUMN is an array by row, of which absent numbers are
// NaN; sheet.text("COLUMN", row) is a text. An index of another sheet is its row.

class Reader {
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    number() {
        let value = 0, scale = 1;
        for (;;) {
            const byte = this.bytes[this.at++];
            value += (byte & 127) * scale;
            if (byte < 128)
                return value;
            scale *= 128;
        }
    }
    string() {
        const length = this.number(), text = new TextDecoder().decode(this.bytes.subarray(this.at, this.at + length));
        this.at += length;
        return text;
    }
}

async function inflate(element) {
    const base64 = element.textContent;
    const packed = Uint8Array.fromBase64 ? Uint8Array.fromBase64(base64) : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

const unzigzag = (n) => (n % 2 ? -(n + 1) / 2 : n / 2);

// Kinds: u and s to 32 bits, w wider, o and c with 0 for absent (c in hundredths), z and d with a sign, d as steps.
function columnRead(reader, kind, count) {
    const values = "usd".includes(kind) ? new Uint32Array(count) : new Float64Array(count);
    if ("usw".includes(kind))
        for (let i = 0; i < count; i++)
            values[i] = reader.number();
    else if (kind === "d")
        for (let i = 0, before = 0; i < count; i++)
            values[i] = before += unzigzag(reader.number());
    else if (kind === "z")
        for (let i = 0; i < count; i++)
            values[i] = unzigzag(reader.number());
    else
        for (let i = 0, unit = kind === "c" ? 100 : 1; i < count; i++) {
            const n = reader.number();
            values[i] = n ? (n - 1) / unit : NaN;
        }
    return values;
}

let texts = [];
export const textOf = (number) => texts[number];

async function textsRead() {
    const reader = new Reader(await inflate(document.querySelector("script[data-sheet=texts]")));
    const length = Array.from({ length: reader.number() }, () => reader.number()), decoder = new TextDecoder();
    texts = length.map((n) => decoder.decode(reader.bytes.subarray(reader.at, reader.at += n)));
}

async function sheetRead(name) {
    const element = document.querySelector(`script[data-sheet="${name}"]`);
    const sheet = { count: 0, text: (column, row) => texts[sheet[column][row]] };
    await textsReady;
    if (!element)
        return sheet;
    const reader = new Reader(await inflate(element));
    sheet.count = reader.number();
    for (let columns = reader.number(); columns > 0; columns--) {
        const column = reader.string(), kind = String.fromCharCode(reader.bytes[reader.at++]), end = reader.number() + reader.at;
        sheet[column] = columnRead(reader, kind, sheet.count);
        reader.at = end;
    }
    return sheet;
}

const textsReady = textsRead(), sheets = new Map(), sources = new Map();

export function sheetLoad(name) {
    if (!sheets.has(name))
        sheets.set(name, sheetRead(name));
    return sheets.get(name);
}

// The lines of a source that the page has: a Map by number. `row` is that of the sheet "sources".
async function sourceRead(row) {
    const element = document.querySelector(`script[data-source="${row}"]`), lines = new Map();
    if (!element)
        return lines;
    const reader = new Reader(await inflate(element)), ranges = [];
    for (let n = reader.number(); n > 0; n--)
        ranges.push([reader.number(), reader.number()]);
    const text = new TextDecoder().decode(reader.bytes.subarray(reader.at)).split("\n");
    let at = 0;
    for (const [first, count] of ranges)
        for (let i = 0; i < count; i++)
            lines.set(first + i, text[at++]);
    return lines;
}

export function sourceLoad(row) {
    if (!sources.has(row))
        sources.set(row, sourceRead(row));
    return sources.get(row);
}
