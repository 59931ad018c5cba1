// SPDX-License-Identifier: MIT
// chart.jsx: small charts as SVG: lines over time, stacked bars, histograms. Each says its numbers in words too. It
// must not know what is drawn.
import { useState } from "preact/hooks";
import { useWidth } from "../shell/hooks.js";
import { count, size, time } from "../shell/format.js";
import { ticksOf } from "./ticks.js";

const SHOW = { ns: time, bytes: size, count };
const COLOURS = ["wait", "user", "kernel", "memory", "high", "quiet"];
const mostOf = (series) => series.points.reduce((most, p) => Math.max(most, p[1]), 0);

// series: [{ name, points: [[ns, value], ...], colour, dashed, steps }], over `span` of the run.
export function Lines({ title, series, unit, span, height = 150, marks = [] }) {
    const [ref, width] = useWidth(), [at, setAt] = useState(null), show = SHOW[unit];
    const used = series.filter((s) => s.points.length), ticks = ticksOf(Math.max(0, ...used.map(mostOf)), unit);
    const least = Math.min(0, ...used.map((s) => s.points.reduce((low, p) => Math.min(low, p[1]), 0))), upper = ticks.at(-1) || 1;
    const left = 64, top = 8, w = Math.max(80, width - left - 12), h = height - top - 22;
    const x = (t) => left + (t - span[0]) / (span[1] - span[0] || 1) * w, y = (v) => top + (upper - v) / (upper - least || 1) * h;
    const path = (s) => s.points.map(([t, v], i) => `${i ? (s.steps ? `H${x(t).toFixed(1)}V` : `L${x(t).toFixed(1)} `) : `M${x(t).toFixed(1)} `}${y(v).toFixed(1)}`).join("");
    const nearest = (s) => (s.steps ? s.points.findLast((p) => p[0] <= at) ?? s.points[0] : s.points.reduce((best, p) => (Math.abs(p[0] - at) < Math.abs(best[0] - at) ? p : best)));
    const spread = ticksOf(span[1] - span[0], "ns", width < 500 ? 3 : 6).filter((t) => t <= span[1] - span[0]);
    const words = used.map((s) => `${s.name}: first ${show(s.points[0][1])}, last ${show(s.points.at(-1)[1])}, at most ${show(mostOf(s))}`).join("; ");
    return (
        <figure class="chart">
            <figcaption>{title} <span class="legend">
                {used.map((s) => <span key={s.name} class={`key ${s.colour}`}>{s.name}{at === null ? "" : ` ${show(nearest(s)[1])}`}</span>)}
                {at !== null && `at ${time(at)}`}</span></figcaption>
            <div ref={ref}>
                <svg width={width} height={height} role="img" aria-label={`${title}. ${words}`} onMouseLeave={() => setAt(null)}
                     onMouseMove={(e) => setAt(Math.min(span[1], Math.max(span[0], span[0] + (e.clientX - e.currentTarget.getBoundingClientRect().left - left) / w * (span[1] - span[0]))))}>
                    {ticks.map((t) => <g key={`y${t}`}><path class="grid" d={`M${left} ${y(t)}H${left + w}`} /><text class="tick" x={left - 6} y={y(t) + 4} text-anchor="end">{show(t)}</text></g>)}
                    {spread.map((t) => <text key={`x${t}`} class="tick" x={x(span[0] + t)} y={height - 6} text-anchor={x(span[0] + t) > width - 40 ? "end" : "middle"}>{time(span[0] + t)}</text>)}
                    {marks.map((m, i) => <path key={`m${i}`} class="mark" d={`M${x(m.at)} ${top}V${top + h}`}><title>{m.name}</title></path>)}
                    {used.map((s) => <path key={s.name} class={`line ${s.colour}${s.dashed ? " dashed" : ""}`} d={path(s)} />)}
                    {used.map((s) => !s.steps && s.points.length < 40 && s.points.map((p, k) => <circle key={s.name + k} class={`dot ${s.colour}`} cx={x(p[0])} cy={y(p[1])} r="2.5" />))}
                    {at !== null && <path class="cursor" d={`M${x(at)} ${top}V${top + h}`} />}
                </svg>
            </div>
        </figure>
    );
}

// One bar of parts: [{ name, value }].
export function Parts({ parts, unit, label }) {
    const all = parts.reduce((sum, p) => sum + p.value, 0) || 1, show = SHOW[unit];
    return <>
        <div class="parts-bar" role="img" aria-label={`${label}: ${parts.map((p) => `${p.name} ${show(p.value)}`).join(", ")}`}>
            {parts.map((p, i) => <i key={p.name} class={`fill ${COLOURS[i]}`} style={{ width: `${100 * p.value / all}%` }} title={`${p.name} ${show(p.value)}`} />)}
        </div>
        <ul class="parts-legend">{parts.map((p, i) => <li key={p.name}><i class={`fill ${COLOURS[i]}`} aria-hidden="true" />{p.name} <b>{show(p.value)}</b></li>)}</ul>
    </>;
}

// Columns of counts; without `large` they fit into a table's cell.
export function Histogram({ counts, labels, label, large }) {
    const most = Math.max(...counts, 1), w = large ? 58 : 9, h = large ? 110 : 20, room = large ? 18 : 0;
    const words = counts.map((c, i) => (c ? `${labels[i]} ${count(c)}` : "")).filter(Boolean).join(", ");
    return (
        <svg class={large ? "histogram large" : "histogram"} viewBox={`0 0 ${counts.length * w} ${h + room}`} width={counts.length * w} height={h + room} role="img" aria-label={`${label ? `${label}: ` : ""}${words || "none"}`}>
            {counts.map((c, i) => {
                const tall = c ? Math.max(1.5, c / most * (h - room)) : 0;
                return <g key={i}>
                    <rect x={i * w + 1} y={h - tall} width={w - (large ? 6 : 2)} height={tall}><title>{`${labels[i]} ${count(c)}`}</title></rect>
                    {large && <text class="tick" x={i * w + w / 2 - 2} y={h + 14} text-anchor="middle">{labels[i]}</text>}
                    {large && c > 0 && <text class="tick" x={i * w + w / 2 - 2} y={h - tall - 4} text-anchor="middle">{count(c)}</text>}
                </g>;
            })}
        </svg>
    );
}

// Numbers that stand for the whole view.
export const Facts = ({ items }) => <dl class="facts">{items.filter(Boolean).map((i) =>
    <div key={i.name}><dt>{i.name}</dt><dd>{i.value}{i.note && <small> {i.note}</small>}</dd></div>)}</dl>;
