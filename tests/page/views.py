#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""views.py BUILD: the tables behind the flame graph, timeline, memory, waits and threads have the rows and sums of the JSON report, the call
tree those of the folded stacks; against another run it has both, and a limit on nodes loses nothing."""

import json
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must
from sheets import Page, sheets_of

HERE = os.path.dirname(os.path.abspath(__file__))
COSTS = ("cpu", "kernel", "wait", "samples", "alloc_bytes", "alloc_blocks", "live_bytes", "live_blocks")


def total(values):
    return sum(v for v in values if not math.isnan(v))


def paths_of(sheets, cost):
    """{functions from the outermost on: self cost}, of the sheet "calls"."""
    calls, functions, open_nodes, found = sheets["calls"], sheets["callfunctions"], [], {}
    for i in range(calls["count"]):
        depth = len(open_nodes) - calls["pops"][i] if i else 0
        expect(depth >= 1 or i == 0, "each node has a parent before it", i, depth) if depth < 1 and i else None
        del open_nodes[depth:]
        open_nodes.append(functions["name"][calls["function"][i]])
        if calls.get(cost, [0] * calls["count"])[i]:
            found[tuple(open_nodes[1:])] = calls[cost][i]
    return found


def folded(build, data, cost):
    found = {}
    done = call([f"{build}/profplug", "export", "--format", "folded", "--metric", cost, data])
    expect(done.returncode == 0 or (done.returncode == 2 and f"has no {cost}" in done.err), f"{cost}: folded stacks, or a line that there are none", done.err)
    for line in done.out.splitlines():
        names, value = line.rsplit(" ", 1)
        path = tuple(names.split(";"))
        found[path] = found.get(path, 0) + int(value)
    return found


def calls_check(build, data, sheets, report):
    for cost in COSTS:
        mine, want = paths_of(sheets, cost), folded(build, data, cost)
        expect(set(want) - {p for p in want if want[p] <= 1} <= set(mine), f"{cost}: each stack is in the tree", list(set(want) - set(mine))[:3])
        off = [p for p in mine if abs(mine[p] - want.get(p, 0)) > 2]
        expect(not off, f"{cost}: stacks cost what they do in the folded format", [(p, mine[p], want.get(p)) for p in off[:3]])
    calls = sheets["calls"]
    expect(abs(sum(calls["cpu"]) - report["coverage"]["cpu_ns"]) <= 1, "the tree has the CPU time of the run", sum(calls["cpu"]), report["coverage"]["cpu_ns"])
    expect(sum(calls["alloc_bytes"]) == sum(r["alloc_bytes"] for r in report["allocations"]), "and its bytes")
    expect(abs(sum(calls["wait"]) - sum(r["wait_ns"] for r in report["waits"])) <= len(report["waits"]), "and its waits")


def rows_check(sheets, report):
    def compare(sheet, rows, fields, choose=lambda i: True):
        have = [i for i in range(sheets[sheet]["count"]) if choose(i)]
        expect(len(have) == len(rows), f"{sheet}: each row is there", len(have), len(rows))
        for column, field in fields.items():
            mine, want = total(sheets[sheet][column][i] for i in have), sum(r.get(field, 0) for r in rows)
            expect(abs(mine - want) <= (len(rows) if field.startswith("wait") else 0), f"{sheet}.{column} adds up as in JSON", mine, want)
    a = sheets["allocations"]
    blocks = {c: c for c in ("alloc_blocks", "alloc_bytes", "free_blocks", "free_bytes", "live_blocks", "live_bytes", "temporary_blocks", "peak_bytes")}
    compare("allocations", report["allocations"], blocks, lambda i: a["kind"][i] == "heap")
    compare("allocations", report.get("mappings", []), {"alloc_bytes": "map_bytes"}, lambda i: a["kind"][i] == "mapping")
    compare("operations", report["operations"], {c: c for c in ("calls", "errors", "bytes", "wall_ns", "wait_ns", "max_ns")} | {"unfinished": "unfinished_calls"})
    sizes = [sum(r["sizes"][k] for r in report["operations"]) for k in range(8)]
    expect([sum(sheets["operations"][f"size{k}"]) for k in range(8)] == sizes, "histograms of operations", sizes)
    compare("targets", report["files"] + report["endpoints"], {"wall_ns": "wall_ns", "wait_ns": "wait_ns"})
    compare("waits", report["waits"], {"wait_ns": "wait_ns"})
    compare("locks", report["locks"], {"waits": "waits", "wait_ns": "wait_ns", "max_ns": "max_ns", "held_io_ns": "held_io_ns"})
    compare("threads", report["threads"], {c: c for c in ("id", "wall_ns", "cpu_ns", "wait_ns", "samples")} | {"start_ns": "start_offset_ns", "delay_ns": "run_delay_ns"})
    threads = sheets["threads"]
    expect([threads["name"][i].endswith(" (main)") for i in range(threads["count"])] == [r["id"] == report["runs"][0]["pid"] for r in report["threads"]],
           "the main thread is marked, and no other", threads["name"])
    compare("threadgroups", report["thread_groups"], {"threads": "threads", "cpu_ns": "cpu_ns", "union_ns": "union_ns"})
    compare("snapshots", report["snapshots"], {"at_ns": "at_ns", "rss_bytes": "rss_bytes", "live_bytes": "live_bytes"})
    counted = [r for s in [report["runs"][0], *report["stages"]] for r in s.get("counters", {}).values()]
    compare("numbers", counted, {"times": "count", "sum": "sum", "max": "max"})
    handled = sum(sum(s["throughput_windows"]["counts"]) for s in report["stages"] if "throughput_windows" in s)
    expect(sum(sheets["windows"]["handled"]) == handled > 0, "what stages handled, by windows", handled)
    expect(len({sheets["stages"]["key"][s] for s in sheets["slowest"]["stage"]}) >= 3, "the slowest entries of each stage")


def timeline_check(sheets, timeline):
    """Spans, values, and what was let go, are those of JSON."""
    spans, want = sheets["spans"], timeline["spans"]
    kinds = ("stage", "iteration", "wait")
    mine = [(kinds[spans["kind"][i]], spans["start_ns"][i], spans["wall_ns"][i]) for i in range(spans["count"])]
    expect(mine == [(s["kind"], s["start_offset_ns"], s["wall_ns"]) for s in want] and want, "each span is there, in order", len(mine), len(want))
    expect({s["kind"] for s in want} == set(kinds), "spans of each kind")
    expect([sheets["stages"]["name"][int(n)] if n == n else None for n in spans["stage"]] == [s.get("stage") for s in want], "their stages")
    expect([n if n == n else None for n in spans["live_bytes"]] == [s.get("live_bytes") for s in want], "the heap at their ends")
    expect([n for n, k in zip(spans["index"], spans["kind"]) if k < 2] == [s["index"] for s in want if "index" in s], "their numbers")
    expect([(o, n) for o, n, k in zip(spans["operation"], spans["line"], spans["kind"]) if k == 2] ==
           [(s["operation"], s.get("line", 0)) for s in want if s["kind"] == "wait"], "what waits were in, and where")
    readings = sheets["readings"]
    expect(list(zip(readings["name"], readings["at_ns"], readings["value"])) == [(v["name"], v["offset_ns"], v["value"]) for v in timeline["values"]] and timeline["values"],
           "values over time")
    expect(sheets["timefacts"]["recorded"] == [1] and sheets["timefacts"]["let_go"] == [timeline["let_go"]["activations"] + timeline["let_go"]["waits"]], "what was let go")


def page_of(build, data, *more):
    return sheets_of(Page(must([f"{build}/profplug", "report", "--format", "html", *more, data])))


def test(build, scratch):
    program, runs = f"{scratch}/workshop", [f"{scratch}/before.profplug", f"{scratch}/after.profplug"]
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", program, f"{HERE}/workshop.c", "-lpthread"])
    for data, more in zip(runs, ([], ["more"])):
        done = call([f"{build}/profplug", "run", "--blocks=on", f"--output={data}", program, "3", "60", *more], cwd=scratch)
        expect(done.returncode == 0, "the program runs", done.err)
    report = json.loads(must([f"{build}/profplug", "report", "--format", "json", runs[0]]))
    sheets = page_of(build, runs[0])
    expect(sheets["timefacts"]["recorded"] == [0] and sheets["spans"]["count"] == 0, "without timeline=on it says so")
    timed = f"{scratch}/timed.profplug"
    must([f"{build}/profplug", "run", "--quiet", "--timeline=on", f"--output={timed}", program, "3", "60"], cwd=scratch)
    timeline_check(page_of(build, timed), json.loads(must([f"{build}/profplug", "report", "--format", "json", timed]))["timeline"])
    calls_check(build, runs[0], sheets, report)
    rows_check(sheets, report)
    both, after = page_of(build, runs[1], "--against", runs[0]), page_of(build, runs[1])
    for cost in COSTS:
        expect(paths_of(both, cost) == paths_of(after, cost), f"{cost}: the other run changes nothing of this one")
        expect(paths_of(both, f"base_{cost}") == paths_of(sheets, cost), f"{cost}: what was removed is kept")
    expect(any("varnish" in p and "main" in p for p in paths_of(both, "base_cpu")), "a removed path is there")
    missing = call([f"{build}/profplug", "report", "--format", "html", "--against", f"{scratch}/none", runs[1]])
    expect(missing.returncode == 2 and "none" in missing.err, "another run that is not there is said", missing.err)
    odd = call([f"{build}/profplug", "report", "--against", runs[0], runs[1]])
    expect(odd.returncode == 2 and "--against" in odd.err and "html" in odd.err, "--against is for the page", odd.err)


main(test)
