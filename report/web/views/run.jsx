// SPDX-License-Identifier: MIT
// run.jsx: the run, what profiling cost and lost, where CPU time could be placed, and the binaries.
import "../style/run.css";
import { useMemo } from "preact/hooks";
import { READING, Table } from "../shell/table.jsx";
import { useSheets } from "../shell/hooks.js";
import { count, dashed } from "../shell/format.js";

function groupsOf(facts) {
    const groups = new Map();
    for (let i = 0; i < facts.count; i++) {
        const group = facts.text("group", i);
        groups.set(group, [...(groups.get(group) ?? []), i]);
    }
    return [...groups];
}

const number = (text) => (/^\d+$/.test(text) ? count(+text) : text);

export function Run() {
    const s = useSheets("facts", "modules");
    const [rows, columns] = useMemo(() => {
        const m = s?.modules;
        return s ? [[...Array(m.count).keys()], [
            { id: "path", title: "binary", text: true, value: (i) => m.text("path", i) },
            { id: "samples", title: "samples", value: (i) => m.samples[i], show: (i) => dashed(count(m.samples[i]), m.samples[i]) },
            { id: "state", title: "state", text: true, value: (i) => m.text("state", i) },
            { id: "complaint", title: "why names or lines are missing", text: true, value: (i) => m.text("complaint", i) },
            { id: "id", title: "build-id", text: true, value: (i) => m.text("build_id", i) },
        ]] : [[], []];
    }, [s]);
    if (!s)
        return READING;
    return <>
        <div class="groups">{groupsOf(s.facts).map(([group, list]) => (
            <section key={group}><h3>{group}</h3><dl>{list.map((i) => (
                <div key={i}><dt>{group === "Notes" && /^\d+$/.test(s.facts.text("name", i)) ? "note" : s.facts.text("name", i).replaceAll("_", " ")}</dt><dd>{number(s.facts.text("value", i))}
                    {s.facts.percent[i] >= 0 && <span class="part"><span class="track"><span style={{ width: `${s.facts.percent[i]}%` }} /></span>{s.facts.percent[i].toFixed(1)}%</span>}</dd></div>))}</dl></section>))}</div>
        <h3>Binaries</h3>
        <Table name="Binaries" rows={rows} columns={columns} sort="samples" most={12} />
    </>;
}
