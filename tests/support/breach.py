#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""breach.py BUILD: each invariant of invariant.py is broken in a good report, and found; and what the other scripts rely on says what it must."""

import copy
import json
import subprocess
import sys

import invariant
import report
from program import call, environment, expect, line_of, main

HERE = sys.path[0]
# Rows that the fixed data file has none of, or not with these fields.
MORE = {"snapshots": {"number": 1, "at_ns": 1}, "mappings": {}, "copies": {}, "pools": {}, "fills": {}, "operations": {"calls": 9, "sizes": [], "operation": "read"},
        "threads": {"id": 999}, "locks": {}, "thread_groups": {}, "files": {}, "endpoints": {}, "waits": {}, "allocations": {}, "call_tree": {"id": 999, "function_id": 1, "exact": False}}


def with_row(good, kind, **fields):
    """A copy of the report with one more row of the kind, which is returned, too."""
    document = copy.deepcopy(good)
    rows = document.setdefault(kind, [])
    row = copy.deepcopy(MORE[kind]) if kind in MORE else {**copy.deepcopy(rows[-1]), "id": 999, "key": "a key of its own", "counters": {}}
    row.pop("parent", None)
    row.update({"samples": 0, **fields})
    if kind == "loops":                  # it stands in stages, too: the fields here are its own
        rows[-1].update(fields)
    else:
        rows.append(row)
    return document, row


def found(what, document, *words):
    text = "\n".join(invariant.breaches(document))
    expect(all(word in text for word in words), f"{what} is found", words, text)


def orders(good):
    """Each pair of neighbours of each row of the tables, the wrong way round."""
    rows = [(kind, order) for kind, orders in invariant.ASCEND.items() for order in orders]
    rows += [("stages", "wall_self_ns wall_total_ns"), ("loops", "iteration_wall_self_ns iteration_wall_total_ns")]
    rows += [("allocations", order) for order in invariant.ALONE]
    for kind, order in rows:
        names = order.split()
        for less, more in zip(names, names[1:]):
            if kind == "runs":
                document = copy.deepcopy(good)
                document["runs"][0].update({less: 1000, more: 10})
            else:
                document, _ = with_row(good, kind, **{name: 1 << 60 if name == less else 10 for name in (less, more) if name[:3] != "RUN"})
            document["runs"][0]["root_pid"] -= order in invariant.ALONE
            found(f"{kind}: {less} above {more}", document, f"{kind}[", f"{less} 1", f"exceeds {more}")
    document = copy.deepcopy(good)
    document["runs"][0]["losses"]["healed_frames"] = 1
    document["stages"][0]["wall_self_ns"] = document["stages"][0]["wall_total_ns"] + 1
    expect(not [text for text in invariant.breaches(document) if "wall_self_ns" in text], "where frames were lost, self may exceed total")
    document, _ = with_row(good, "stages", wall_min_ns=2, wall_max_ns=1)
    for kind in ("exit", "killed"):
        document["runs"][0]["exit_kind"] = kind
        expect(bool(invariant.breaches(document)) == (kind == "exit") and not invariant.breaches(document, settled=False), f"what is half booked: {kind}")


def sums(good):
    for order in invariant.SUM:
        fields = dict(zip(order.split(), (100, 60, 41)))
        document, _ = with_row(good, "snapshots", **fields)
        found(order, document, "snapshots[", f"{order.split()[0]} 100 is not the sum")
    for kind, fields in invariant.TOTALS.items():
        for field in fields.split():
            function, line = good["functions"][0], good["lines"][0]
            where = {"function_id": function["id"], "function": function["name"], "file": line["file"], "line": line["line"]}
            document, _ = with_row(good, kind, **{**dict.fromkeys(fields.split(), 0), **where, field: 77})
            found(f"{kind} {field} beyond its function's and line's", document, f"functions ({function['id']},): {field}", f"lines ('{line['file']}', {line['line']}): {field}")
    for kind, error in (("functions", "self_error_percent"), ("lines", "error_percent")):
        document, _ = with_row(good, kind, **{error: 101})
        found(f"{kind}: an error above 100 %", document, f"{kind}[", f"{error} 101, few_samples None")
    for kind in ("modules", "threads", "functions", "lines", "call_tree"):
        document, _ = with_row(good, kind, samples=1 << 40)
        found(f"samples of {kind}", document, f"{kind}: more samples")
    function, line = good["functions"][0], good["lines"][0]
    where = {"file": line["file"], "line": line["line"], "function_id": function["id"], "operation": "read"}
    for known, told in ((7000, 5000), (5000, 7000), (7000, 7000)):
        document, _ = with_row(good, "operations", **where, wait_ns=known)
        document, _ = with_row(document, "waits", **where, wait_ns=told, unfinished_ns=0)
        document, _ = with_row(document, "operations", **{**where, "function_id": good["functions"][1]["id"]}, wait_ns=900)
        said = [text for text in invariant.breaches(document) if text.startswith("waits: ")]
        expect(len(said) == (known != told) and all(f"has {told} ns, operations {known}" in text for text in said), "waits of a line that are not its operations'", said)
    for field in ("kernel_placed_ns", "kernel_profiler_ns"):
        document = copy.deepcopy(good)
        document["coverage"][field] += document["coverage"]["kernel_ns"] + 2
        found(f"{field} beyond the kernel's", document, "coverage: kernel_placed_ns", "exceed kernel_ns")
    document = copy.deepcopy(good)
    document["runs"][0]["events_sampled"] += 1
    found("another number of samples", document, "events_sampled")
    document = copy.deepcopy(good)
    called = next(row for row in document["call_tree"] if row.get("calls"))
    called["calls"] += 1 << 40
    found("a path's calls beyond the function's", document, "functions[", "calls, ", "in call_tree")
    for field in ("self_ns", "cpu_total_ns"):
        document = copy.deepcopy(good)
        called = next(row for row in document["call_tree"] if "parent_id" in row)
        called.update({"cpu_total_ns": 1 << 50, field: 1 << 50})
        found(f"a callee above its caller by {field}", document, "call_tree ", "is below its parts'")


def references(good):
    for field, (to, name) in invariant.REFERENCE.items():
        kind = {"parent": "stages", "parent_id": "call_tree", "module_id": "functions", "thread_id": "stages"}.get(field, "waits")
        value = [{"thread_id": 888, "wall_ns": 1}] if field == "thread_id" else 888
        document, _ = with_row(good, kind, **{"slowest" if field == "thread_id" else field: value})
        if to != "functions":            # of these some have no row
            found(f"{field} of nothing", document, f"{kind}[", f"{field} 888 is the id of no row of {to}")
        if name:
            document, _ = with_row(good, kind, **{field: good[to][0]["id"], name: "another"})
            found(f"{field} with another's name", document, f"{kind}[", f"{field} {good[to][0]['id']} is {good[to][0]['name']}, not another")
    for kind in ("stages", "call_tree"):
        document = copy.deepcopy(good)
        document[kind].reverse()
        found(f"a parent after its child in {kind}", document, f"{kind}[", "stands before parent")
    for kind, fields in invariant.UNIQUE.items():
        for field in fields.split():
            document, row = with_row(good, kind, number=5)
            document[kind].append(copy.deepcopy(row))
            found(f"{kind}: one {field} twice", document, f"{kind}: {field} ", "stands in several rows")
    document = copy.deepcopy(good)
    document["bottlenecks"][0]["name"] = "another"
    found("a finding's subject of another name", document, "bottlenecks[0] name='another'", "subject_id")
    document = copy.deepcopy(good)
    document["loops"][0]["calls"] += 1
    found("a loop that is not its stage", document, "loops: ", "is not the row of stages")
    document = copy.deepcopy(good)
    document["snapshots"] = [{"number": 2, "at_ns": 5}, {"number": 1, "at_ns": 4}]
    found("snapshots out of order", document, "snapshots: number", "snapshots: at_ns")


def numbers(good):
    for value, words in ((-1, "negative"), (float("nan"), "not a finite"), (float("inf"), "not a finite"), ((1 << 64) - 5, "a difference below 0")):
        for kind, field in (("functions", "calls"), ("stages", "wall_total_ns"), ("lines", "self_ns"), ("threads", "cpu_ns")):
            document = copy.deepcopy(good)
            document[kind][0][field] = value
            found(f"{kind} {field} {value}", document, f"{kind}[0].{field} is {value}: {words}")
    for field in [*(f"{share}_percent" for share in invariant.SHARES), "fragmentation_percent"]:
        document = copy.deepcopy(good)
        document["coverage"][field] = 100.1
        found(f"{field} above 100", document, f"coverage.{field} is 100.1: a share")
    for tally in ({"count": 2, "sum": 9, "min": 1, "max": 4}, {"count": 2, "sum": 1, "min": 1, "max": 4}, {"count": 1, "sum": 4, "min": 4, "max": 3}, {"count": 0, "sum": 0, "min": 0, "max": 0}):
        document = copy.deepcopy(good)
        document["stages"][0]["counters"] = {"items": tally}
        found(f"a counter {tally}", document, "stages[0]", "counter items contradicts itself")
    document, _ = with_row(good, "operations", sizes=[5, 5], calls=9)
    found("more sizes than calls", document, "operations[", "sizes add up to 10")


def helpers(build, scratch):
    expect(line_of("a\nb /* here */\n", "/* here */") == 2, "a line by its marker")
    for text in ("a\n", "/* x */\n/* x */\n"):
        try:
            expect(not line_of(text, "/* x */"), "a marker that is not there once")
        except AssertionError as error:
            expect("expected one" in str(error), "says so", error)
    rows = [{"file": "/a/x.c", "line": 3}, {"file": "/a/x.h", "line": 3}, {"line": 3}, {"file": "/a/x.c", "line": 4}]
    expect(report.at(rows, "x.c", 3) == rows[:1], "rows of a line, by file and line")
    expect("PROFPLUG" not in environment(PROFPLUG=None) and environment(PROFPLUG="off", HOME=None).keys() >= {"PROFPLUG"} and "HOME" not in environment(HOME=None), "the environment")
    script = f"import sys; sys.path.insert(0, {HERE!r}); import report; print(report.checked(sys.stdin.read(), 'this')['schema'])"
    text = call([f"{build}/profplug", "report", "--format", "json", f"{scratch}/run.profplug"]).out
    document = json.loads(text)
    for root, status, said in ((document["runs"][0]["root_pid"] + 1, 0, "profplug-report/2\n"), (document["runs"][0]["root_pid"], 1, "")):
        document["runs"][0]["root_pid"] = root
        done = subprocess.run([sys.executable, "-c", script], input=json.dumps(document), capture_output=True, text=True, check=False)
        expect((done.returncode, done.stdout) == (status, said), "what is read is checked", done)
    expect(done.stderr.startswith("-c: report this: allocations["), "a breach names test, report and row", done.stderr)


def test(build, scratch):
    expect(call([f"{build}/golden_make", f"{scratch}/run.profplug"]).returncode == 0, "the fixed data file")
    good = json.loads(call([f"{build}/profplug", "report", "--format", "json", f"{scratch}/run.profplug"]).out)
    good["runs"][0]["root_pid"] += 1     # its blocks are those of a forked child
    first = good["functions"][0]         # the program is not there, and so no line: one is made up
    good["lines"].append({"file": "/a/b.c", "line": 9, "function": first["name"], "function_id": first["id"], "samples": 0, "self_ns": 0, "total_ns": 0})
    expect(not invariant.breaches(good), "a good report", invariant.breaches(good))
    orders(good)
    sums(good)
    references(good)
    numbers(good)
    helpers(build, scratch)


main(test)
