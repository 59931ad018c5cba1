// SPDX-License-Identifier: MIT
// calltree.js: the run's calls as one tree in typed arrays, nodes in preorder. Totals of a cost, the same tree from
// callees to callers one level at a time, and searches. It must not know the screen.

// frames: column `pops` tells how many levels up from the node before its parent stands; `function` is an index into
// `functions`. All other columns are self costs.
export function treeOpen(frames, functions) {
    const count = frames.count,
        pops = frames.pops;
    const parent = new Int32Array(count),
        depth = new Uint16Array(count),
        end = new Int32Array(count);
    const open = [0];
    let deepest = 0;
    for (let i = 1; i < count; i++) {
        const level = depth[i - 1] + 1 - pops[i];
        parent[i] = open[level - 1];
        depth[i] = level;
        open[level] = i;
        if (level > deepest) deepest = level;
    }
    for (let i = count - 1; i >= 0; i--) {
        if (end[i] <= i) end[i] = i + 1;
        if (i && end[parent[i]] < end[i]) end[parent[i]] = end[i];
    }
    return { count, parent, depth, end, deepest, function: frames.function, columns: frames, functions, totals: new Map() };
}

// Self cost of each node. Empty if the run has nothing of it.
export const treeSelf = (tree, cost) => Float64Array.from(tree.columns[cost] ?? new Float64Array(tree.count));

// In it and in all below. Kept: a second call costs nothing.
export function treeTotal(tree, cost) {
    let total = tree.totals.get(cost);
    if (!total) {
        total = treeSelf(tree, cost);
        for (let i = tree.count - 1; i > 0; i--) total[tree.parent[i]] += total[i];
        if (tree.totals.size > 3) tree.totals.clear(); // of a million nodes each is 8 MB
        tree.totals.set(cost, total);
    }
    return total;
}

// A weighing says how wide nodes are and what is shown of them. Against another run a node is as wide as the mean of
// both, so that what was removed has a place and children fit into their callers.
export function weighingOf(tree, cost, difference) {
    const now = treeTotal(tree, cost);
    if (!difference) return { cost, self: treeSelf(tree, cost), total: now, now, before: null };
    const before = treeTotal(tree, "base_" + cost),
        selfNow = treeSelf(tree, cost);
    const selfBefore = treeSelf(tree, "base_" + cost);
    const mean = (a, b) => a.map((x, i) => (x + b[i]) / 2);
    return { cost, self: mean(selfNow, selfBefore), total: mean(now, before), now, before, selfNow, selfBefore };
}

// ---- from callers to callees ----

// What views show of a node.
export const itemOf = (tree, { total, self, now, before }, node) => ({
    key: "d" + node,
    node,
    function: tree.function[node],
    total: total[node],
    self: self[node],
    now: now[node],
    before: before ? before[node] : 0,
    leaf: tree.end[node] === node + 1,
});

export function callersFirst(tree, weighing) {
    const { total } = weighing;
    const item = (node) => itemOf(tree, weighing, node);
    return {
        root: item(0),
        parent: (it) => (it.node ? item(tree.parent[it.node]) : null),
        children(it) {
            const list = [];
            for (let i = it.node + 1; i < tree.end[it.node]; i = tree.end[i]) if (total[i] > 0) list.push(item(i));
            return list.sort((a, b) => b.total - a.total);
        },
    };
}

// ---- from callees to callers, one level at a time: the whole would be larger than the tree ----

// An item has the nodes that stand at its place, and what came from them.
export function calleesFirst(tree, weighing) {
    const { self } = weighing,
        before = weighing.before;
    function grouped(nodes, weight, weightBefore, up, key, above) {
        const groups = new Map();
        for (let k = 0; k < nodes.length; k++) {
            const node = up ? tree.parent[nodes[k]] : nodes[k];
            if (!node) continue;
            const f = tree.function[node];
            let group = groups.get(f);
            if (!group) groups.set(f, (group = { nodes: [], weight: [], weightBefore: [], total: 0, before: 0 }));
            const last = group.nodes.length - 1;
            group.total += weight[k];
            if (before) group.before += weightBefore[k];
            if (last >= 0 && group.nodes[last] === node) {
                // sisters have one caller
                group.weight[last] += weight[k];
                if (before) group.weightBefore[last] += weightBefore[k];
                continue;
            }
            group.nodes.push(node);
            group.weight.push(weight[k]);
            if (before) group.weightBefore.push(weightBefore[k]);
        }
        const list = [];
        for (const [f, group] of groups)
            list.push({
                key: key + "/" + f,
                function: f,
                total: group.total,
                self: above ? 0 : group.total,
                above,
                now: before ? 2 * group.total - group.before : group.total,
                before: group.before,
                nodes: group.nodes,
                weight: group.weight,
                weightBefore: group.weightBefore,
                leaf: group.nodes.every((n) => !tree.parent[n]),
            });
        return list.sort((a, b) => b.total - a.total);
    }
    const root = {
        key: "u",
        function: tree.function[0],
        total: weighing.total[0],
        self: self[0],
        leaf: !tree.count,
        now: weighing.now[0],
        before: before ? before[0] : 0,
        above: null,
    };
    const known = new Map();
    return {
        root,
        parent: (it) => it.above || (it === root ? null : root),
        children(it) {
            let list = known.get(it.key);
            if (list) return list;
            if (it === root) {
                const nodes = [],
                    weight = [],
                    weightBefore = [];
                for (let i = 1; i < tree.count; i++)
                    if (self[i] > 0) {
                        nodes.push(i);
                        weight.push(self[i]);
                        if (before) weightBefore.push(weighing.selfBefore[i]);
                    }
                list = grouped(nodes, weight, weightBefore, false, "u", null);
            } else list = grouped(it.nodes, it.weight, it.weightBefore, true, it.key, it);
            known.set(it.key, list);
            return list;
        },
    };
}

// ---- search ----

// By function: 1 where its name contains the words.
export function functionsMatching(functions, nameOf, text) {
    const found = new Uint8Array(functions.count),
        wanted = text.trim().toLowerCase();
    if (wanted) for (let f = 0; f < found.length; f++) found[f] = nameOf(f).toLowerCase().includes(wanted) ? 1 : 0;
    return found;
}

// What went through functions that match, each stack once; and how many nodes.
export function treeMatched(tree, total, matches) {
    let sum = 0,
        nodes = 0;
    for (let i = 1; i < tree.count;) {
        if (matches[tree.function[i]] && total[i] > 0) {
            sum += total[i];
            nodes++;
            i = tree.end[i];
        } else i++;
    }
    return { sum, nodes };
}

// ---- differences ----

// Whether now and before differ by more than chance: three standard deviations of the samples, `grain` being the cost
// that one sample stands for (0: counted exactly), and at least one percent of the larger.
export function differenceMatters(now, before, grain) {
    const change = Math.abs(now - before);
    if (change < 0.01 * Math.max(now, before) || !change) return false;
    return change > 3 * Math.sqrt((now + before) * grain);
}
