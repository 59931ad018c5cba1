// SPDX-License-Identifier: MIT
// calls.js: the sheet "calls" as a tree with names, and what its costs are called. See calltree.js.
import { count, size, time } from "../shell/format.js";
import { treeOpen, treeTotal } from "./calltree.js";

export const COSTS = [
    { name: "cpu", title: "CPU time", unit: "ns" },
    { name: "kernel", title: "CPU time in the kernel", unit: "ns" },
    { name: "wait", title: "waits", unit: "ns" },
    { name: "samples", title: "samples", unit: "count" },
    { name: "alloc_bytes", title: "bytes allocated", unit: "bytes" },
    { name: "alloc_blocks", title: "blocks allocated", unit: "count" },
    { name: "live_bytes", title: "bytes not freed", unit: "bytes" },
    { name: "live_blocks", title: "blocks not freed", unit: "count" },
];
export const unitShow = (unit) => ({ ns: time, bytes: size, count })[unit];

const opened = new WeakMap();
// Read once for all views.
export function callsOpen({ calls, callfunctions }) {
    if (!opened.has(calls)) {
        const tree = treeOpen(calls, callfunctions);
        tree.nameOf = (f) => callfunctions.text("name", f);
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
