// SPDX-License-Identifier: MIT
// calls.js: the sheet "calls" as a tree with names, and what its costs are called. See calltree.js.
import { count, size, time } from "../shell/format.js";
import { treeOpen, treeTotal } from "./calltree.js";

export const COSTS = [
    ["cpu", "CPU time", "ns"],
    ["kernel", "CPU time in the kernel", "ns"],
    ["wait", "waits", "ns"],
    ["samples", "samples", "count"],
    ["alloc_bytes", "bytes allocated", "bytes"],
    ["alloc_blocks", "blocks allocated", "count"],
    ["live_bytes", "bytes not freed", "bytes"],
    ["live_blocks", "blocks not freed", "count"],
].map(([name, title, unit]) => ({ name, title, unit }));
export const unitShow = (unit) => ({ ns: time, bytes: size, count })[unit];

const opened = new WeakMap();
// Read once for all views.
export function callsOpen({ calls, callfunctions }) {
    if (!opened.has(calls)) {
        const tree = treeOpen(calls, callfunctions);
        tree.nameOf = (f) => callfunctions.text("label", f);
        tree.wholeOf = (f) => callfunctions.text("name", f);
        tree.fileOf = (f) => callfunctions.text("file", f);
        tree.lineOf = (f) => callfunctions.line[f];
        opened.set(calls, tree);
    }
    return opened.get(calls);
}

// Those of which the run, or the one it is compared with, has something.
export const costsOf = (tree) => COSTS.filter((c) => tree.columns[c.name] || tree.columns[`base_${c.name}`]);

export const kindOf = (tree) => (f) => {
    const name = tree.nameOf(f);
    return tree.functions.own[f] || !f
        ? "program"
        : name.startsWith("[waits")
          ? "wait"
          : name.startsWith("[kernel")
            ? "kernel"
            : name.startsWith("[") || name.startsWith("(")
              ? "none"
              : "library";
};

// What one sample stands for; 0: the cost is counted.
export function grainOf(tree, cost) {
    const samples = treeTotal(tree, "samples")[0];
    return cost === "samples" ? 1 : (cost === "cpu" || cost === "kernel") && samples ? treeTotal(tree, "cpu")[0] / samples : 0;
}
