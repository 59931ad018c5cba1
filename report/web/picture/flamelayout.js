// SPDX-License-Identifier: MIT
// flamelayout.js: where a flame graph's boxes are, callers above what they call, and the way among them by keyboard. It
// must not know the screen: widths are numbers, and no box is narrower than `least` of them.

export const ROW = 20;

// Of nodes in preorder: work follows the boxes that are wide enough, not the tree. Zoomed into `item`; what is above
// it keeps the whole width.
export function boxesOfCallersFirst(tree, weighing, item, width, least = 0.5) {
    const { total } = weighing,
        top = item.node,
        boxes = [];
    const above = [];
    for (let i = top; i; i = tree.parent[i]) above.push(tree.parent[i]);
    const push = (node, x, w) =>
        boxes.push({
            key: "d" + node,
            node,
            function: tree.function[node],
            x,
            w,
            depth: tree.depth[node],
            above: node !== top && top > node && tree.end[node] > top,
        });
    for (const node of above.reverse()) push(node, 0, width);
    if (!(total[top] > 0)) return { boxes, narrow: 0, deepest: 0 };
    push(top, 0, width);
    const scale = width / total[top],
        at = new Float64Array(tree.deepest + 2);
    let narrow = 0,
        deepest = tree.depth[top];
    for (let i = top + 1; i < tree.end[top];) {
        const depth = tree.depth[i],
            w = total[i] * scale,
            x = at[depth];
        at[depth] = x + w;
        if (w < least) {
            narrow += w > 0;
            i = tree.end[i];
            continue;
        }
        at[depth + 1] = x;
        if (depth > deepest) deepest = depth;
        push(i, x, w);
        i++;
    }
    return { boxes, narrow, deepest };
}

// Of a view one level at a time: the widest boxes are opened first, until `work` is spent.
export function boxesOfCalleesFirst(view, item, width, least = 0.5, work = 400000) {
    const boxes = [],
        line = [];
    for (let it = item; it; it = view.parent(it)) line.push(it);
    line.reverse();
    line.forEach((it, depth) =>
        boxes.push({ key: it.key, item: it, function: it.function, x: 0, w: width, depth, above: it !== item }),
    );
    let narrow = 0,
        deepest = line.length - 1,
        waiting = [boxes[boxes.length - 1]];
    if (!(item.total > 0)) return { boxes, narrow, deepest };
    const scale = width / item.total;
    while (waiting.length && work > 0) {
        // a level a turn: deeper boxes are narrower
        const next = [];
        for (const box of waiting) {
            work -= box.item.nodes ? box.item.nodes.length : 1000;
            let x = box.x;
            for (const child of view.children(box.item)) {
                const w = child.total * scale;
                if (w >= least) {
                    const made = {
                        key: child.key,
                        item: child,
                        function: child.function,
                        x,
                        w,
                        depth: box.depth + 1,
                        above: false,
                    };
                    boxes.push(made);
                    if (made.depth > deepest) deepest = made.depth;
                    if (!child.leaf && w >= 2) next.push(made);
                } else narrow += w > 0;
                x += w;
            }
            if (work <= 0) break;
        }
        waiting = next;
    }
    return { boxes, narrow, deepest };
}

export function boxAt(layout, x, depth) {
    return layout.boxes.find((b) => b.depth === depth && x >= b.x && x < b.x + b.w) || null;
}

// The next box in a direction; the same if there is none. Down takes the widest of the boxes below.
export function boxBeside(layout, box, direction) {
    const middle = box.x + box.w / 2;
    let best = null;
    for (const b of layout.boxes) {
        if (direction === "up" && b.depth === box.depth - 1 && b.x <= middle && b.x + b.w >= middle) best = b;
        if (
            direction === "down" &&
            b.depth === box.depth + 1 &&
            b.x >= box.x - 1e-6 &&
            b.x < box.x + box.w &&
            (!best || b.w > best.w)
        )
            best = b;
        if (b.depth !== box.depth || b === box) continue;
        if (direction === "left" && b.x < box.x && (!best || b.x > best.x)) best = b;
        if (direction === "right" && b.x > box.x && (!best || b.x < best.x)) best = b;
    }
    return best || box;
}
