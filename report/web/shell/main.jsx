// SPDX-License-Identifier: MIT
// main.jsx: the shell: tabs, keys, theme, the address, and the view that it names. The summary is plain HTML and is
// there before this runs.
import "../style/page.css";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { keyRun, routeOf } from "./hooks.js";
import { views } from "../views/views.js";

const KEYS = [["/", "search or filter"], ["j k", "next and previous hot line"], ["n p", "next and previous finding"], ["i", "invert the flame graph"],
    ["m", "next metric"], ["d", "light, dark, or as the system has it"], ["?", "this list"], ["arrows", "move in a table or a graph; Enter opens"]];
const THEMES = ["", "light", "dark"];

function themeNext() {
    const root = document.documentElement, next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "") + 1) % THEMES.length];
    if (next)
        root.dataset.theme = next;
    else
        delete root.dataset.theme;
    try { localStorage.setItem("profplug-theme", next); } catch { /* a file may have no storage */ }
    dispatchEvent(new Event("theme"));
}

// To the next finding: in the summary its text, else its line in the source.
function findingGo(step) {
    const list = [...document.querySelectorAll("#findings .finding")];
    if (!list.length)
        return;
    const now = list.findIndex((one) => one.dataset.now), at = (now + step + list.length + (now < 0 && step < 0 ? 1 : 0)) % list.length;
    delete list[now]?.dataset.now;
    list[at].dataset.now = "yes";
    const place = list[at].querySelector("a.place");
    if (routeOf(location.hash).view === "source" && place) {
        location.hash = place.getAttribute("href");
        return;
    }
    location.hash = "#summary";
    requestAnimationFrame(() => { list[at].tabIndex = -1; list[at].focus(); list[at].scrollIntoView({ block: "center" }); });
}

function Help({ dialog }) {
    return (
        <dialog ref={dialog} aria-labelledby="keys-title" onClick={(e) => e.target === dialog.current && dialog.current.close()}>
            <h2 id="keys-title">Keys</h2>
            <dl class="keys">{KEYS.map(([key, what]) => <div key={key}><dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
            <form method="dialog"><button>Close</button></form>
        </dialog>
    );
}

function Shell({ route }) {
    const dialog = useRef();
    useEffect(() => {
        const pressed = (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog[open]"))
                return;
            const own = { d: themeNext, "?": () => dialog.current.showModal(), n: () => findingGo(1), p: () => findingGo(-1) }[event.key];
            if (keyRun(event.key) || (own && (own(), true)))
                event.preventDefault();
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
    return (
        <>
            <nav aria-label="Views">
                {views.map((v) => <a key={v.id} href={`#${v.id}`} aria-current={v.id === route.view ? "page" : undefined}>{v.title}</a>)}
                <span class="buttons">
                    <button type="button" title="light, dark, or as the system has it (d)" onClick={themeNext}>Theme</button>
                    <button type="button" title="keys (?)" onClick={() => dialog.current.showModal()}>Keys</button>
                </span>
            </nav>
            <Help dialog={dialog} />
        </>
    );
}

function App() {
    const [route, set] = useState(routeOf(location.hash));
    useEffect(() => {
        const changed = () => set(routeOf(location.hash));
        addEventListener("hashchange", changed);
        return () => removeEventListener("hashchange", changed);
    }, []);
    const view = views.find((v) => v.id === route.view) ?? views[0], plain = document.getElementById("plain");
    useEffect(() => {
        plain.hidden = !!view.component;
        render(<Shell route={{ ...route, view: view.id }} />, document.getElementById("shell"));
        document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });
    }, [route]);
    return view.component ? <main class="view" aria-label={view.title}><h2 class="unseen">{view.title}</h2><view.component route={route} key={view.id} /></main> : null;
}

try { document.documentElement.dataset.theme = localStorage.getItem("profplug-theme") || ""; } catch { /* none is kept */ }
document.body.classList.add("scripted");
render(<App />, document.getElementById("app"));
