// SPDX-License-Identifier: MIT
// minimap.jsx: the file in one strip: where the time is, where findings are, and which part is in sight. For the mouse; j and k do the same by keyboard.
import { useEffect, useRef } from "preact/hooks";
import { colourOf, useTheme } from "../shell/hooks.js";

// Lines of a short file are not drawn taller than they are in the listing.
const stepOf = (tall, numbers) => Math.min(21, tall / Math.max(numbers.length, 1));

export function Minimap({ lines, costs, line, onPick }) {
    const ref = useRef(), theme = useTheme();
    useEffect(() => {
        const canvas = ref.current, scale = devicePixelRatio || 1, wide = canvas.clientWidth, tall = canvas.clientHeight, numbers = [...lines.keys()];
        canvas.width = wide * scale;
        canvas.height = tall * scale;
        const draw = canvas.getContext("2d"), [user, wait, high, now] = ["--user", "--wait", "--high", "--focus"].map(colourOf);
        draw.scale(scale, scale);
        const most = Math.max(1, ...numbers.map((n) => (costs.get(n) ? costs.get(n).self + costs.get(n).wait : 0))), step = stepOf(tall, numbers);
        numbers.forEach((number, i) => {
            const c = costs.get(number);
            if (c && c.self + c.wait > 0) {
                const all = Math.max(2, (wide - 5) * Math.sqrt((c.self + c.wait) / most)), part = all * c.self / (c.self + c.wait);
                draw.fillStyle = user;
                draw.fillRect(0, i * step, part, Math.max(1.5, step));
                draw.fillStyle = wait;
                draw.fillRect(part, i * step, all - part, Math.max(1.5, step));
            }
            if (c?.findings.length) {
                draw.fillStyle = high;
                draw.fillRect(wide - 4, i * step, 4, Math.max(4, step));
            }
            if (number === line) {
                draw.fillStyle = now;
                draw.fillRect(0, i * step - 1, wide, 2);
            }
        });
    }, [lines, costs, line, theme]);
    const pick = (event) => {
        const numbers = [...lines.keys()], box = ref.current.getBoundingClientRect();
        onPick(numbers[Math.max(0, Math.min(numbers.length - 1, Math.floor((event.clientY - box.top) / stepOf(box.height, numbers))))]);
    };
    return <canvas ref={ref} class="minimap" aria-hidden="true" title="where the time is" onClick={pick} />;
}
