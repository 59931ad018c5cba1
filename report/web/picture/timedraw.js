// SPDX-License-Identifier: MIT
// timedraw.js: paints the lanes of timelayout.js. It must not know where spans come from.
import { LANE, threadName } from "./timelayout.js";

export function timeDraw(context, { lanes, boxes, range, width, height, top, hover, colours, threads, textOf }) {
    const scale = width / (range[1] - range[0]);
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = "middle";
    for (const group of lanes.groups) { // the life of a thread, and its name
        const y = group.top * LANE - top, from = Math.max(0, (threads.start_ns[group.thread] - range[0]) * scale);
        const end = Math.min(width, (threads.start_ns[group.thread] + threads.wall_ns[group.thread] - range[0]) * scale);
        context.fillStyle = colours.line;
        context.fillRect(0, y, width, 1);
        if (end > from) {
            context.fillStyle = colours.raised;
            context.fillRect(from, y + 2, end - from, LANE - 4);
            context.fillStyle = colours.quiet;
            context.fillRect(from, y + LANE - 3, end - from, 1);
        }
    }
    context.font = "11px ui-monospace, 'DejaVu Sans Mono', monospace";
    const letter = context.measureText("0").width;
    for (const box of boxes) {
        const y = box.lane * LANE - top, told = !box.wait && textOf(box.span);
        if (y + LANE < 0 || y > height)
            continue;
        context.fillStyle = box.wait ? colours.wait : colours.soft;
        context.fillRect(box.x, y + (box.wait ? 5 : 1), Math.max(1, box.w - (box.w > 3 ? 1 : 0)), LANE - (box.wait ? 10 : 2));
        if (told.kind === "stage") {
            context.fillStyle = colours.user;
            context.fillRect(box.x, y + LANE - 4, Math.max(1, box.w - 1), 3);
        }
        if (told && box.w > 4 * letter) {
            context.fillStyle = colours.text;
            const room = Math.floor((box.w - 6) / letter);
            context.fillText(told.name.length <= room ? told.name : `${told.name.slice(0, Math.max(1, room - 1))}\u2026`, box.x + 3, y + LANE / 2 - 1);
        }
    }
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    for (const group of lanes.groups) {
        const y = group.top * LANE - top, name = threadName(threads, group.thread);
        const wide = context.measureText(name).width + 8;
        context.fillStyle = colours.ground;
        context.fillRect(0, y + 2, wide, LANE - 4);
        context.fillStyle = colours.text;
        context.fillText(name, 4, y + LANE / 2);
    }
    if (hover) {
        context.strokeStyle = colours.focus;
        context.lineWidth = 2;
        context.strokeRect(hover.x, hover.lane * LANE - top + 1, Math.max(2, hover.w), LANE - 2);
    }
}
