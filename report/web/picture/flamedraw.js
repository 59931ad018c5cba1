// SPDX-License-Identifier: MIT
// flamedraw.js: paints the boxes of flamelayout.js on a canvas, of which only the visible part exists. It must not know
// the tree.
import { ROW } from "./flamelayout.js";

// Hue by what the function is, shade by its name: text on each has a contrast of 4.5 or more.
export function paletteOf(dark, forced) {
    if (forced)
        return {
            forced,
            text: "CanvasText",
            paper: "Canvas",
            edge: "CanvasText",
            match: "Highlight",
            matchText: "HighlightText",
            focus: "Highlight",
        };
    return {
        dark,
        text: dark ? "#f4f1ec" : "#1d1a16",
        paper: dark ? "#16181c" : "#ffffff",
        match: dark ? "#8a3fc0" : "#d9a6ff",
        focus: dark ? "#ffffff" : "#000000",
        faint: dark ? "#9aa0a8" : "#6b6660",
        edge: dark ? "#16181c" : "#ffffff",
    };
}

const HUES = { program: [18, 30], library: [205, 30], kernel: [150, 20], wait: [268, 24], none: [0, 0] };

function hashOf(name) {
    let hash = 2166136261;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
    return hash >>> 0;
}

export function fillOf(palette, kind, name) {
    if (palette.forced) return palette.paper;
    const hash = hashOf(name),
        [hue, span] = HUES[kind] || HUES.none;
    const step = (hash >>> 8) % 10;
    if (kind === "none") return palette.dark ? `hsl(220 6% ${26 + step / 2}%)` : `hsl(220 8% ${82 + step / 2}%)`;
    return palette.dark
        ? `hsl(${hue + (hash % span)} ${42 + step}% ${27 + step / 2}%)`
        : `hsl(${hue + (hash % span)} ${70 + step}% ${74 + step}%)`;
}

// `change` from -1 (all of it is gone) to 1 (all of it is new); null: not significant.
export function changeFill(palette, change) {
    if (palette.forced) return palette.paper;
    if (change === null) return palette.dark ? "#3a3d43" : "#e4e2df";
    const much = Math.min(1, Math.abs(change));
    if (palette.dark)
        return change > 0 ? `hsl(8 ${40 + 30 * much}% ${24 + 12 * much}%)` : `hsl(212 ${40 + 30 * much}% ${24 + 12 * much}%)`;
    return change > 0 ? `hsl(8 ${60 + 30 * much}% ${90 - 22 * much}%)` : `hsl(212 ${60 + 30 * much}% ${90 - 20 * much}%)`;
}

// options: { palette, nameOf, kindOf, matches, changeOf, focus, hover, top, height, letter }
export function flameDraw(context, layout, o) {
    const { palette } = o;
    context.textBaseline = "middle";
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, o.width, o.height);
    for (const box of layout.boxes) {
        const y = box.depth * ROW - o.top;
        if (y + ROW < 0 || y > o.height) continue;
        const name = o.nameOf(box),
            matched = o.matches && o.matches[box.function];
        const gap = box.w > 3 ? 1 : 0,
            w = box.w - gap,
            h = ROW - 1;
        context.globalAlpha = box.above ? 0.55 : o.matches && !matched ? 0.5 : 1;
        context.fillStyle = matched
            ? palette.match
            : o.changeOf
              ? changeFill(palette, o.changeOf(box))
              : fillOf(palette, o.kindOf(box), name);
        context.fillRect(box.x, y, Math.max(w, 0.5), h);
        if (palette.forced && w > 2) {
            context.strokeStyle = palette.edge;
            context.lineWidth = 1;
            context.strokeRect(box.x + 0.5, y + 0.5, w - 1, h - 1);
        }
        const letters = Math.floor((w - 6) / o.letter);
        context.globalAlpha = 1;
        if (letters >= 2) {
            context.fillStyle = matched && palette.matchText ? palette.matchText : palette.text;
            context.fillText(
                name.length <= letters ? name : letters < 4 ? name.slice(0, letters) : name.slice(0, letters - 1) + "…",
                box.x + 4,
                y + ROW / 2,
            );
        }
    }
    for (const [box, width] of [
        [o.hover, 1],
        [o.focus, 2],
    ])
        if (box) {
            context.strokeStyle = palette.focus;
            context.lineWidth = width;
            context.strokeRect(
                box.x + width / 2,
                box.depth * ROW - o.top + width / 2,
                Math.max(1, box.w - width - 1),
                ROW - 1 - width,
            );
        }
}
