// SPDX-License-Identifier: MIT
// hooks.js: what views need of the shell: sheets, keys, the address, colours for a canvas.
import { useEffect, useRef, useState } from "preact/hooks";
import { sheetLoad } from "./data.js";

// The sheets by name, or null until all are there: const s = useSheets("lines", "functions"); s.lines.count
export function useSheets(...names) {
    const [sheets, set] = useState(null), key = names.join();
    useEffect(() => {
        let current = true;
        Promise.all(names.map(sheetLoad)).then((all) => current && set(Object.fromEntries(names.map((name, i) => [name, all[i]]))));
        return () => { current = false; };
    }, [key]);
    return sheets;
}

const keys = new Map();
// Calls `run` when the key is pressed outside of fields, as long as the component is there. The innermost one wins.
export function useKey(key, run) {
    const latest = useRef();
    latest.current = run;
    useEffect(() => {
        const entry = () => latest.current();
        keys.set(key, [...(keys.get(key) ?? []), entry]);
        return () => keys.set(key, keys.get(key).filter((one) => one !== entry));
    }, [key]);
}
export function keyRun(key) {
    const list = keys.get(key) ?? [];
    list.at(-1)?.();
    return list.length > 0;
}

// "#lines?sort=hits" is { view: "lines", query: URLSearchParams }, "#/a/b.c:12" { view: "source", file, line }.
export function routeOf(hash) {
    let text = hash.replace(/^#/, "");
    try { text = decodeURIComponent(text); } catch { /* it stays as it is */ }
    const place = /^(.+):(\d+)$/.exec(text);
    if (place)
        return { view: "source", file: place[1], line: +place[2], query: new URLSearchParams() };
    const [view, query] = text.split("?", 2);
    return { view: view || "summary", query: new URLSearchParams(query) };
}
export const placeLink = (file, line) => `#${encodeURI(file)}:${line}`;

// A colour of the style sheet as a canvas takes it: colourOf("--user"). It changes with the theme. Forced colours would
// make each the colour of text.
export function colourOf(name) {
    const probe = document.getElementById("app");
    probe.style.cssText = `forced-color-adjust:none;color:var(${name})`;
    const colour = getComputedStyle(probe).color;
    probe.style.cssText = "";
    return colour;
}

// A number that changes with the theme, to draw again.
export function useTheme() {
    const [changes, set] = useState(0);
    useEffect(() => {
        const changed = () => set((n) => n + 1), media = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("(forced-colors: active)")];
        media.forEach((one) => one.addEventListener("change", changed));
        addEventListener("theme", changed);
        return () => { media.forEach((one) => one.removeEventListener("change", changed)); removeEventListener("theme", changed); };
    }, []);
    return changes;
}

// [ref, width]: the width of an element in CSS pixels, as it is now.
export function useWidth() {
    const ref = useRef(), [width, set] = useState(0);
    useEffect(() => {
        const observer = new ResizeObserver(([entry]) => set(Math.floor(entry.contentRect.width)));
        observer.observe(ref.current);
        return () => observer.disconnect();
    }, []);
    return [ref, width];
}

// Whether a media query holds now.
export function useMedia(query) {
    const [holds, set] = useState(() => matchMedia(query).matches);
    useEffect(() => {
        const media = matchMedia(query), changed = () => set(media.matches);
        media.addEventListener("change", changed);
        return () => media.removeEventListener("change", changed);
    }, [query]);
    return holds;
}
