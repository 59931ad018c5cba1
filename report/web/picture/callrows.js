// SPDX-License-Identifier: MIT
// callrows.js: the rows of a list of calls that opens. It must not know the screen.

export const PAGE = 60; // items of one parent at a time

// The way of most of the cost stays open, as far as one item has most of its parent's.
export function openAtFirst(view) {
    const open = new Set([view.root.key]);
    let item = view.root;
    for (let depth = 0; depth < 40; depth++) {
        const [first] = view.children(item);
        if (!first || first.total < 0.5 * item.total) break;
        if (!first.leaf) open.add(first.key);
        item = first;
    }
    return open;
}

// Rows that are to be seen, in order. limits: by key, how many children are shown.
export function rowsOf(view, open, limits) {
    const rows = [];
    const walk = (item, level) => {
        const children = view.children(item),
            shown = Math.min(children.length, limits.get(item.key) || PAGE);
        for (let i = 0; i < shown; i++) {
            const child = children[i];
            rows.push({
                key: child.key,
                item: child,
                level,
                place: i + 1,
                of: children.length,
                up: item.key,
                open: open.has(child.key),
            });
            if (open.has(child.key) && !child.leaf && level < 400) walk(child, level + 1);
        }
        if (shown < children.length)
            rows.push({ key: item.key + "+", more: children.length - shown, item, level, up: item.key, shown });
    };
    walk(view.root, 1);
    return rows;
}
