// SPDX-License-Identifier: MIT
// flamelayout.mjs: the tree behind the flame graph and the list, and where boxes are, against sums over the stacks
// themselves, which know no tree. Run by node, without a browser.
import assert from "node:assert/strict";
import { calleesFirst, callersFirst, differenceMatters, functionsMatching, itemOf, treeMatched, treeOpen, treeTotal, weighingOf } from "../../report/web/picture/calltree.js";
import { boxBeside, boxesOfCalleesFirst, boxesOfCallersFirst } from "../../report/web/picture/flamelayout.js";
import { openAtFirst, rowsOf } from "../../report/web/picture/callrows.js";
import { ticksOf } from "../../report/web/picture/ticks.js";

let seed = 12345;
const random = (below) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0, Math.floor(seed / 2 ** 32 * below));
const NAMES = ["main", "parse", "eval", "draw", "read", "hash", "sort"];

// Stacks as lists of functions, outermost first, with a cost now and before.
function stacksMake(count) {
    return Array.from({ length: count }, () => ({ chain: Array.from({ length: 1 + random(9) }, (_, i) => (i ? 2 + random(NAMES.length - 1) : 1)), cpu: random(1000), base_cpu: random(1000) }));
}

// The sheet "calls" of such stacks, as report/sheet/callsheet.c writes it.
function sheetMake(stacks) {
    const root = { f: 0, cpu: 0, base_cpu: 0, child: new Map() };
    for (const s of stacks) {
        let at = root;
        for (const f of s.chain) {
            if (!at.child.has(f))
                at.child.set(f, { f, cpu: 0, base_cpu: 0, child: new Map() });
            at = at.child.get(f);
        }
        at.cpu += s.cpu;
        at.base_cpu += s.base_cpu;
    }
    const rows = [];
    let before = -1;
    const walk = (node, depth) => {
        rows.push([depth ? before + 1 - depth : 0, node.f, node.cpu, node.base_cpu]);
        before = depth;
        for (const child of node.child.values())
            walk(child, depth + 1);
    };
    walk(root, 0);
    const column = (k) => Float64Array.from(rows, (row) => row[k]);
    return { count: rows.length, pops: column(0), function: column(1), cpu: column(2), base_cpu: column(3) };
}

const stacks = stacksMake(400), functions = { count: NAMES.length + 1 }, tree = treeOpen(sheetMake(stacks), functions);
const sum = (list, of) => list.reduce((all, x) => all + of(x), 0), whole = sum(stacks, (s) => s.cpu);
const begins = (chain, path) => path.every((f, i) => chain[i] === f);
const ends = (chain, path) => path.every((f, i) => chain[chain.length - 1 - i] === f);
const pathOf = (node) => (node ? [...pathOf(tree.parent[node]), tree.function[node]] : []);

// Totals of every node: all stacks that begin with its path.
const total = treeTotal(tree, "cpu");
assert.equal(total[0], whole);
for (let i = 0; i < tree.count; i++) {
    const path = pathOf(i);
    assert.equal(total[i], sum(stacks.filter((s) => begins(s.chain, path)), (s) => s.cpu));
    assert.equal(tree.depth[i], path.length);
}

// Boxes: a node's are as wide as its share, within its caller's, side by side; nothing narrow; zoomed in as well.
const weighing = weighingOf(tree, "cpu", false);
for (const top of [0, 1, 5, 17]) {
    for (const least of [0.5, 25]) {
        const layout = boxesOfCallersFirst(tree, weighing, itemOf(tree, weighing, top), 1000, least), at = new Map(layout.boxes.map((b) => [b.node, b]));
        for (const b of layout.boxes) {
            assert.ok(b.w >= least - 1e-9);
            assert.ok(b.above === (b.node < top && tree.end[b.node] > top));
            if (!b.above)
                assert.ok(Math.abs(b.w - 1000 * total[b.node] / total[top]) < 1e-6);
            const up = at.get(tree.parent[b.node]);
            if (b.node > top)
                assert.ok(b.x >= up.x - 1e-6 && b.x + b.w <= up.x + up.w + 1e-6 && b.depth === up.depth + 1);
        }
        for (let depth = 0; depth <= layout.deepest; depth++)
            layout.boxes.filter((b) => b.depth === depth).sort((a, b) => a.x - b.x)
                .forEach((b, i, list) => assert.ok(!i || b.x >= list[i - 1].x + list[i - 1].w - 1e-6));
        let drawn = 0;
        for (let i = top + 1; i < tree.end[top]; i++)
            drawn += 1000 * total[i] / total[top] >= least;
        assert.equal(layout.boxes.filter((b) => b.node > top).length, drawn);
    }
}
const all = boxesOfCallersFirst(tree, weighing, itemOf(tree, weighing, 0), 1000), first = all.boxes[0];
assert.equal(boxBeside(all, first, "down").node, callersFirst(tree, weighing).children({ node: 0 })[0].node);
assert.equal(boxBeside(all, boxBeside(all, first, "down"), "up"), first);
assert.equal(boxBeside(all, first, "left"), first);

// The same from callees to callers: a path's total is that of all stacks that end in it.
const up = calleesFirst(tree, weighing), checked = (item, path, depth) => {
    const list = up.children(item);
    list.forEach((child, i) => assert.ok(!i || list[i - 1].total >= child.total));
    for (const child of list) {
        const way = [...path, child.function];
        assert.equal(child.total, sum(stacks.filter((s) => ends(s.chain, way)), (s) => s.cpu));
        if (depth < 4)
            checked(child, way, depth + 1);
    }
};
checked(up.root, [], 0);
assert.equal(sum(up.children(up.root), (c) => c.total), whole);
const inverted = boxesOfCalleesFirst(up, up.root, 1000);
assert.ok(inverted.boxes.length > 20 && inverted.boxes.every((b) => b.w >= 0.5));
assert.ok(Math.abs(sum(inverted.boxes.filter((b) => b.depth === 1), (b) => b.w) - 1000) < 1 + 0.5 * NAMES.length);

// A search: each stack that has the function once, however often it is in it.
const nameOf = (f) => ["program", ...NAMES][f], matches = functionsMatching(functions, nameOf, " EVA");
assert.deepEqual([...matches.keys()].filter((f) => matches[f]), [3]);
assert.equal(treeMatched(tree, total, matches).sum, sum(stacks.filter((s) => s.chain.includes(3)), (s) => s.cpu));
assert.equal(treeMatched(tree, total, functionsMatching(functions, nameOf, "nowhere")).nodes, 0);

// Against another run: widths are means, so that what was removed has its place, and children still fit.
const both = weighingOf(tree, "cpu", true), two = callersFirst(tree, both), item = two.children(two.root)[0];
assert.equal(both.total[0], (whole + sum(stacks, (s) => s.base_cpu)) / 2);
assert.equal(item.before, sum(stacks, (s) => s.base_cpu));
assert.equal(item.now, whole);
const upBoth = calleesFirst(tree, both), leaf = upBoth.children(upBoth.root)[0];
assert.equal(leaf.before, sum(stacks.filter((s) => ends(s.chain, [leaf.function])), (s) => s.base_cpu));
assert.equal(leaf.now, sum(stacks.filter((s) => ends(s.chain, [leaf.function])), (s) => s.cpu));
assert.ok(!differenceMatters(105, 95, 1) && differenceMatters(200, 100, 1) && differenceMatters(105, 95, 0) && !differenceMatters(1000, 1001, 0));

// The list: what most of the cost goes through is open; limits cut, and say how many are left.
const list = rowsOf(two, openAtFirst(two), new Map());
assert.ok(list.every((row, i) => row.more || row.item.leaf || !row.open || (list[i + 1].up === row.key && list[i + 1].level === row.level + 1)));
const wide = { root: { key: "r", total: 200 }, children: (it) => (it.key === "r" ? Array.from({ length: 200 }, (_, i) => ({ key: `c${i}`, total: 1, leaf: true })) : []) };
assert.equal(rowsOf(wide, new Set(["r"]), new Map()).at(-1).more, 140);
assert.equal(rowsOf(wide, new Set(["r"]), new Map([["r", 300]])).length, 200);

// Axes.
assert.deepEqual(ticksOf(100, "count"), [0, 50, 100]);
assert.deepEqual(ticksOf(3, "count"), [0, 1, 2, 3]);
assert.deepEqual(ticksOf(3 * 2 ** 20, "bytes"), [0, 2 ** 20, 2 ** 21, 3 * 2 ** 20]);
console.log(`${tree.count} nodes`);
