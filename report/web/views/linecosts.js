// SPDX-License-Identifier: MIT
// linecosts.js: what the lines of a file cost, and who calls them and what they call, from the sheets. It draws nothing.

// Sheets that it needs, for useSheets.
export const NEEDED = ["run", "sources", "functions", "lines", "inners", "callees", "remarks", "advice", "frames", "stacks"];

// Rows of the sheet "sources", those with most CPU time and waits first: [{ row, file, cost }].
export function filesOf(s) {
    const cost = new Map(), l = s.lines;
    for (let i = 0; i < l.count; i++)
        cost.set(l.file[i], (cost.get(l.file[i]) ?? 0) + l.self_ns[i] + l.wait_ns[i]);
    return Array.from({ length: s.sources.count }, (_, row) => ({ row, file: s.sources.text("file", row), cost: cost.get(s.sources.file[row]) ?? 0 }))
        .sort((a, b) => b.cost - a.cost || (a.file < b.file ? -1 : 1));
}

// The file that an address means: its whole path, or the last parts of it.
export const fileFind = (files, said) => files.find((f) => f.file === said) ?? files.find((f) => f.file.endsWith(`/${said.replace(/^\.?\//, "")}`));

const empty = (about) => ({ about, self: 0, kernel: 0, library: 0, wait: 0, hits: NaN, samples: 0, total: 0, square: 0, alloc: 0, blocks: 0, live: 0, read: 0, written: 0, rows: [],
    inner: [], callees: [], remarks: [], findings: [], functions: [] });

function costAdd(to, sheet, i) {
    to.self += sheet.self_ns[i];
    to.samples += sheet.samples[i];
    to.alloc += sheet.alloc_bytes[i];
    to.blocks += sheet.alloc_blocks[i];
    to.live += sheet.live_bytes[i];
}

// { number: costs } of a file; the costs of a place in a header are those that stand at its callers' lines.
export function costsOf(s, file) {
    const found = new Map(), l = s.lines, at = (line) => found.get(line) ?? (found.set(line, empty(s.run.text("about", 0))), found.get(line)), byRow = new Map();
    const number = l.count ? l.file.findIndex((n, i) => n !== undefined && l.text("file", i) === file) : -1, id = number < 0 ? -1 : l.file[number];
    for (let i = 0; i < l.count; i++) {
        if (l.file[i] !== id)
            continue;
        const c = at(l.line[i]);
        byRow.set(i, c);
        c.rows.push(i);
        costAdd(c, l, i);
        c.kernel += l.system_ns[i];
        c.library += l.library_ns[i];
        c.wait += l.wait_ns[i];
        c.total += l.total_ns[i];
        c.square += (l.self_ns[i] * (l.error_percent[i] || 0) / 100) ** 2;
        c.read += l.read_bytes[i];
        c.written += l.write_bytes[i];
        if (!Number.isNaN(l.hits[i]))
            c.hits = (Number.isNaN(c.hits) ? 0 : c.hits) + l.hits[i];
    }
    for (let i = 0, n = s.inners; i < n.count; i++) {
        byRow.get(n.line[i])?.inner.push(i);
        if (byRow.has(n.inner_line[i]))
            costAdd(byRow.get(n.inner_line[i]), n, i);
    }
    for (let i = 0; i < s.callees.count; i++)
        byRow.get(s.callees.line[i])?.callees.push(i);
    for (let i = 0, r = s.remarks; i < r.count; i++)
        if (r.text("file", i) === file && r.self_ns[i] > 0 && r.text("kind", i) !== "loop")
            at(r.line[i]).remarks.push(i);
    for (let i = 0, a = s.advice; i < a.count; i++)
        if (a.text("file", i) === file && a.line[i] && !a.accepted[i])
            at(a.line[i]).findings.push(i);
    for (let i = 0, f = s.functions; i < f.count; i++)
        if (!f.step[i] && f.line[i] && f.text("file", i) === file && (f.self_ns[i] || f.total_ns[i] || f.calls[i] > 0))
            at(f.line[i]).functions.push(i);
    return found;
}

// The lines to go to with j and k, in the order of the file: 1 % of the CPU time or of the threads' time, or a finding.
export function hotOf(s, costs) {
    const cpu = s.run.whole_cpu_ns[0], threads = s.run.threads_ns[0], list = [...costs];
    const hot = list.filter(([, c]) => c.findings.length || c.self >= 0.01 * cpu && c.self || c.wait >= 0.01 * threads && c.wait);
    return (hot.length ? hot : list.filter(([, c]) => c.self || c.wait)).map(([line]) => line).sort((a, b) => a - b);
}

// Where the file is opened: most CPU time and waits, else the first finding; 0: nothing of that.
export function hottestOf(costs) {
    let best = 0, most = 0;
    for (const [line, c] of costs)
        if (c.self + c.wait > most || (!best && c.findings.length))
            [best, most] = [line, c.self + c.wait];
    return best;
}

let totals; // by frame, made once: its own costs and those of all below it
function totalsOf(s) {
    if (totals)
        return totals;
    const { frames, stacks } = s, children = Array.from({ length: frames.count }, () => null);
    totals = { cpu: new Float64Array(frames.count), wait: new Float64Array(frames.count), byLine: new Map(), children };
    for (let i = 0; i < stacks.count; i++) {
        totals.cpu[stacks.frame[i]] += stacks.cpu_ns[i];
        totals.wait[stacks.frame[i]] += stacks.wait_ns[i];
    }
    for (let i = frames.count - 1; i > 0; i--) {
        const parent = frames.parent[i], line = frames.line[i];
        totals.cpu[parent] += totals.cpu[i];
        totals.wait[parent] += totals.wait[i];
        (children[parent] ??= []).push(i);
        if (!Number.isNaN(line))
            totals.byLine.get(line)?.push(i) ?? totals.byLine.set(line, [i]);
    }
    return totals;
}

// Most frames are of the function of their line; NaN: none is known.
const functionOf = ({ frames, lines }, i) => (frames.function[i] >= 0 ? frames.function[i] : frames.line[i] >= 0 ? lines.function[frames.line[i]] : NaN);
const frameLabel = (s, i) => (i === 0 ? "(start)" : s.frames.text("name", i) || (functionOf(s, i) < s.functions.count ? s.functions.text("label", functionOf(s, i)) : "(unknown)"));

// Who leads to a line and what it calls: lists of { name, file, line, cpu, wait }, the largest first. A recursion counts once.
export function neighboursOf(s, rows) {
    const all = totalsOf(s), frames = rows.flatMap((row) => all.byLine.get(row) ?? []), here = new Set(frames), callers = new Map(), callees = new Map();
    const add = (map, frame, from) => {
        const line = from === "caller" && frame ? s.frames.line[frame] : NaN, name = frameLabel(s, frame), key = `${name}\n${line}`;
        const one = map.get(key) ?? { name, cpu: 0, wait: 0, file: "", line: 0 };
        if (!Number.isNaN(line))
            [one.file, one.line] = [s.lines.text("file", line), s.lines.line[line]];
        else if (from === "callee" && functionOf(s, frame) < s.functions.count && !s.frames.text("name", frame))
            [one.file, one.line] = [s.functions.text("file", functionOf(s, frame)), s.functions.line[functionOf(s, frame)]];
        map.set(key, one);
        return one;
    };
    for (const frame of frames) {
        let outer = s.frames.parent[frame];
        while (outer && !here.has(outer))
            outer = s.frames.parent[outer];
        if (outer)
            continue;
        const one = add(callers, s.frames.parent[frame], "caller");
        one.cpu += all.cpu[frame];
        one.wait += all.wait[frame];
        for (const child of all.children[frame] ?? []) {
            const called = add(callees, child, "callee");
            called.cpu += all.cpu[child];
            called.wait += all.wait[child];
        }
    }
    const order = (map) => [...map.values()].filter((one) => one.cpu || one.wait).sort((a, b) => b.cpu + b.wait - a.cpu - a.wait);
    return { callers: order(callers), callees: order(callees) };
}
