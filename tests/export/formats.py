#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""formats.py BUILD: each export is decoded here, by its format's own rules, and holds the totals and rows of the JSON report. Names that mean something to
a format (semicolons, markup, quotes, bytes that are no UTF-8, ten thousand letters) stay text."""

import csv
import filecmp
import io
import json
import os
import re
import resource
import shutil
import subprocess
import xml.etree.ElementTree

import made
from made import program
from wire import fields, numbers

expect = program.expect


def near(a, b, slack=1e-6):
    return abs(a - b) <= max(3, slack * abs(b))


def pprof(data, totals):
    rows = list(fields(data))
    strings = [value.decode("utf-8") for number, value in rows if number == 6]
    expect(strings[0] == "", "the first string is empty")
    types = [strings[dict(fields(value))[1]] for number, value in rows if number == 1]
    locations = {dict(fields(value))[1]: dict(fields(dict(fields(value))[4])) for number, value in rows if number == 4}
    functions = {dict(fields(value))[1]: strings[dict(fields(value))[2]] for number, value in rows if number == 5}
    sums, stages = dict.fromkeys(types, 0), set()
    for number, value in rows:
        if number == 2:
            sample = dict(fields(value))
            expect(all(location in locations for location in numbers(sample[1])), "a sample's locations are there")
            for name, cost in zip(types, numbers(sample[2]), strict=True):
                sums[name] += cost
            if 3 in sample:
                stages.add(strings[dict(fields(sample[3]))[2]])
    expect(all(line[1] in functions for line in locations.values()), "a location's function is there")
    expect(all(near(sums[name], totals[name], 1e-4) for name in totals), "pprof's totals", sums, totals)
    expect(stages == {"load <script>alert(1)</script>; \"x\" | `y`", 'not UTF-8: \\xff\\xfe; "x"'}, "stages are labels", stages)
    expect(any(len(name) > 10000 for name in strings) and any("wo<r>k;\\xff" in name for name in strings), "long and odd names", [s for s in strings if "work.cc" in s])


def callgrind(text, totals, seen):
    events = re.search(r"^events: (.*)$", text, re.M)[1].split()
    said = [int(word) for word in re.search(r"^totals: (.*)$", text, re.M)[1].split()]
    own, inclusive, calls, skip, function, names = [0] * len(events), {}, {}, None, None, {}
    for line in text.splitlines():
        found = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line)
        if found:
            names.setdefault(found[2], found[3])
            if found[1] == "fn":
                function = names[found[2]]
            else:
                callee = names[found[2]]
        elif line.startswith("calls="):
            skip = int(line[6:].split()[0])
            expect(skip > 0, "callgrind_annotate takes what 0 calls cost for the caller's own", line)
            calls[function, callee] = calls.get((function, callee), 0) + skip
        elif re.match(r"\d", line):
            costs = [int(word) for word in line.split()[1:]]
            expect(len(costs) == len(events), "as many costs as events", line)
            if skip is None:
                own = [a + b for a, b in zip(own, costs)]
                inclusive[function] = inclusive.get(function, 0) + costs[0]
            elif function != callee:
                inclusive[function] = inclusive.get(function, 0) + costs[0]
            skip = None
    expect(own == said, "its totals are the sum of its lines", own, said)
    of = dict(zip(events, said))
    expect(near(of["CPU"], totals["cpu"]) and near(of["Wait"], totals["wait"]) and of["Samples"] == totals["samples"], "callgrind's totals", of, totals)
    expect(of["Hits"] == sum(row.get("hits", 0) for row in seen["lines"]), "hits", of["Hits"])
    row = next(row for row in seen["functions"] if row["name"] == "filled" and row.get("cpu_total_ns"))
    expect(near(inclusive["filled"], row["cpu_total_ns"], 0.01), "with what it calls", inclusive["filled"], row["cpu_total_ns"])
    loads = next(row["calls"] for row in seen["functions"] if row["name"] in ("load", "load(int)"))
    known = sum(count for (_, callee), count in calls.items() if callee.startswith("load"))
    expect(known == loads, "calls are the call tree's", known, loads)


def folded(text, total):
    rows = [line.rsplit(" ", 1) for line in text.splitlines()]
    expect(all(len(row) == 2 and row[1].isdigit() and row[0] for row in rows), "a chain and a number")
    expect(near(sum(int(row[1]) for row in rows), total), "folded's total", sum(int(row[1]) for row in rows), total)
    expect(any("main;grind<int>" in row[0] or "main;int grind<int>(" in row[0] for row in rows), "who called", [row[0][:80] for row in rows][:9])


def flamegraph(text, total):
    root = xml.etree.ElementTree.fromstring(text)
    groups = [one for one in root.iter() if one.get("class") == "b"]
    boxes = [(float(one.get("data-x")), float(one.get("data-w")), int(one.get("data-d"))) for one in groups]
    expect(boxes and boxes[0][:2] == (0, 1), "the first box is all", boxes[:1])
    for x, w, d in boxes:
        expect(d == 0 or any(bd == d - 1 and bx <= x + 1e-7 and x + w <= bx + bw + 1e-7 for bx, bw, bd in boxes), "a box lies above its caller", x, w, d)
    expect("<script>alert" not in text.replace("<script><![CDATA[", ""), "names are text")
    expect(total > 0 and "http" not in re.sub(r'xmlns="[^"]*"', "", text), "it asks nobody")


def speedscope(data, totals):
    seen = json.loads(data)
    for profile in seen["profiles"]:
        expect(len(profile["samples"]) == len(profile["weights"]), "a weight for each", profile["name"])
        expect(near(sum(profile["weights"]), profile["endValue"]), "weights and their sum", profile["name"])
        expect(all(0 <= frame < len(seen["shared"]["frames"]) for chain in profile["samples"] for frame in chain), "frames are there", profile["name"])
    kept = [(frame["name"], frame.get("file"), frame.get("line")) for frame in seen["shared"]["frames"]]
    expect(len(kept) == len(set(kept)) and [name for name, _, line in kept if line].count("filled") == 1, "a function is one frame, as speedscope adds up by frames",
           sorted(map(str, kept))[:40])
    ends = {profile["name"]: profile["endValue"] for profile in seen["profiles"]}
    expect(near(ends["CPU time, user and kernel"], totals["cpu"]) and near(ends["time that calls waited"], totals["wait"])
           and near(ends["bytes allocated"], totals["alloc_bytes"]), "speedscope's totals", ends, totals)


def dhat(data, totals):
    seen = json.loads(data)
    expect(sum(row["tb"] for row in seen["pps"]) == totals["alloc_bytes"] and sum(row["tbk"] for row in seen["pps"]) == totals["alloc_blocks"], "dhat's totals", totals)
    expect(all(0 < frame < len(seen["ftbl"]) for row in seen["pps"] for frame in row["fs"]), "frames are there")


def lcov(text, seen):
    got, file = {}, None
    for line in text.splitlines():
        if line.startswith("SF:"):
            file = line[3:]
        elif line.startswith("DA:"):
            number, hits = line[3:].split(",")
            got[file, int(number)] = int(hits)
    wanted = {}
    for row in seen["lines"]:
        if row.get("hits") and row["line"]:
            wanted[row["line"], os.path.basename(row["file"])] = wanted.get((row["line"], os.path.basename(row["file"])), 0) + row["hits"]
    ours = {}
    for (file, number), hits in got.items():
        if hits:
            ours[number, os.path.basename(file)] = ours.get((number, os.path.basename(file)), 0) + hits
    expect(ours == wanted and len(ours) > 20, "hits of lines", set(ours.items()) ^ set(wanted.items()))


def tables(run, seen):
    for table, key in (("lines", "lines"), ("functions", "functions"), ("stages", "stages"), ("threads", "threads")):
        rows = list(csv.DictReader(io.StringIO(run.export("csv", "--table", table).decode("utf-8"), newline="")))
        expect(rows and None not in rows[0] and None not in rows[0].values(), f"csv {table}: whole rows", rows[:1])
        if table == "lines":
            expect(near(sum(int(row["self_ns"]) for row in rows), sum(row["self_ns"] for row in seen[key]), 1e-4), "csv: time of lines")
        if table == "threads":
            expect(len(rows) == len(seen[key]) == 9, "csv: threads", len(rows))
        if table == "stages":
            loads = [row for row in rows if "<script>" in row["key"]]
            expect(len(rows) == 2 and len(loads) == 1 and loads[0]["calls"] == "32", "csv: stages", rows)


def prometheus(text, seen):
    typed, rows = set(), 0
    for line in text.splitlines():
        if line.startswith("#"):
            kind = re.fullmatch(r"# (HELP|TYPE) (profplug_\w+) .+", line)
            expect(kind, "a comment of the format", line)
            typed.add(kind[2])
            continue
        found = re.fullmatch(r'(profplug_\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)+)\} [-+.e\d]+', line)
        rows += 1
        expect(found and re.sub("_(sum|count)$", "", found[1]) in typed, "a sample of a known metric", line)
    expect(rows > 10 and "profplug_stage_calls_total" in typed, "run and stages", rows)
    cpu = float(re.search(r"^profplug_run_cpu_seconds\{.*\} (.*)$", text, re.M)[1])
    expect(abs(cpu * 1e9 - seen["runs"][0]["cpu_ns"]) < 2, "CPU time of the run", cpu)


def markdown(text):
    expect("<script>" not in text and "### Hottest lines" in text and "### Stages" in text, "markdown", text)
    expect(len(text) < 10000 and max(map(len, text.splitlines())) < 500, "markdown: a long name is cut, as comments are refused above 65,000 bytes", len(text))
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        expect(len({len(re.findall(r"(?<!\\)\|", row)) for row in block.splitlines()}) == 1, "a table's rows have its columns", block)


def tree(run, seen):
    """The terminal's call tree, from main down and from the hottest functions up."""
    for words, pattern in ((["--tree", "--top", "0"], r"^ *(?:.* > )?grind<int> +[\d.]+ [um]s +[\d.]+% +([\d.]+) (us|ms)"), (["--section", "callers", "--top", "0"], r"^grind<int> < main +([\d.]+) (us|ms)")):
        text = program.must([run.tool, "report", *words, run.data], env={"COLUMNS": "120"})
        found = re.search(pattern, text, re.M)
        row = next(row for row in seen["functions"] if "grind<int>" in row["name"])
        expect(found and near(float(found[1]) * {"us": 1e3, "ms": 1e6}[found[2]], row["self_ns"], 0.01), f"{words}: grind<int>", row["self_ns"], text)
        expect(all(len(line) <= 120 for line in text.splitlines()), f"{words}: it fits", text)
        expect(("only pass on" in text) == bool(re.search(r"[<>] \(\d+\) [<>]", text)), f"{words}: explains what stands in it, and nothing else", text)
        expect(len(program.must([run.tool, "report", words[0], *words[1:-2], run.data]).splitlines()) <= 46, f"{words}: a screen")


def refusals(run):
    for words, said in ((["--format", "pprof", "--metric", "time"], "--metric"), (["--format", "callgrnd"], "did you mean callgrind"), ([], "no format"),
                        (["--format", "csv", "--table", "x"], "--table"), (["--format", "folded", "/nowhere/x.profplug"], "/nowhere/x.profplug"),
                        (["--format", "folded", "--stage", "loud", run.data], "loud"), (["--format", "folded", "-o", "/dev/full", run.data], "/dev/full")):
        done = program.call([run.tool, "export", *words], cwd=run.scratch)
        expect(done.returncode == 2 and said in done.err and done.err.count("\n") == 1, f"{words}: one line and 2", done.returncode, done.err)
    # A disk that is full: also where the last bytes of a long file found room, or were none, after others had been lost.
    for form in made.FORMATS:
        quiet = subprocess.run([run.tool, "export", "--format", form, run.data], capture_output=True).stderr.count(b"\n")
        done = program.call([run.tool, "export", "--format", form, "-o", "/dev/full", run.data], cwd=run.scratch)
        expect(done.returncode == 2 and "/dev/full: No space" in done.err and done.err.count("\n") == quiet + 1, f"{form} to a full disk: one line and 2", done.returncode, done.err)
        with open("/dev/full", "w") as full:
            done = subprocess.run([run.tool, "export", "--format", form, run.data], stdout=full, stderr=subprocess.PIPE, text=True)
        expect(done.returncode == 2 and "standard output: No space" in done.stderr, f"{form} to a full standard output: one line and 2", done.returncode, done.stderr)


def whole_or_nothing(run):
    """-o where the file finds no room: one line, and nothing is left, or the file that was there. Else the name's link, mode and place stay."""
    folder = f"{run.scratch}/outputs"
    os.mkdir(folder)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
    for words in (["export", "--format", "folded", run.data], ["report", "--format", "html", run.data], ["report", "--all", run.data], ["annotate", "-i", run.data, "--whole"], ["diff", run.data, run.data],
                  ["check", "--slo", f"{[row['name'] for row in run.report['stages'] if row['name'].startswith('load')][0]} p50<1s", "--format", "junit", run.data], ["check", "--baseline", run.data, "--", run.data], ["symbolize", run.program], ["doctor"]):
        for old in (None, "old"):
            if old:
                program.write(f"{folder}/out", old)
            done = program.call([run.tool, words[0], "-o", f"{folder}/out", *words[1:]], cwd=run.scratch, preexec_fn=limit, stdin=b"1000\n" * 100)
            kept = {name: open(f"{folder}/{name}").read() for name in os.listdir(folder)}
            expect(done.returncode == 2 and f"{folder}/out: File too large; expected" in done.err, f"{words}: no room", done.returncode, done.err)
            expect(kept == ({"out": old} if old else {}), f"{words}: whole or nothing", kept)
        os.remove(f"{folder}/out")
    program.write(f"{folder}/real", "old", 0o640)
    os.symlink("real", f"{folder}/link")
    os.symlink("new", f"{folder}/dangling")
    for name in ("link", "dangling"):
        done = program.call([run.tool, "export", "--format", "folded", "-o", f"{folder}/{name}", run.data])
        expect(done.returncode == 0 and not done.err and os.path.islink(f"{folder}/{name}") and "main" in open(f"{folder}/{name}").read(), f"{name}: its file is written", done.err)
    expect(os.stat(f"{folder}/real").st_mode & 0o777 == 0o640, "a file's mode stays", os.stat(f"{folder}/real").st_mode)
    piped = program.call(["sh", "-c", '"$0" export --format folded -o /dev/stdout "$1" | cat', run.tool, run.data])
    expect(piped.out == open(f"{folder}/real").read(), "a pipe is written to", piped.out[:200], piped.err)
    expect(sorted(os.listdir(folder)) == ["dangling", "link", "new", "real"], "no other file is left", os.listdir(folder))
    shutil.copy(run.data, f"{folder}/run.profplug")
    for words in (["report", "--format", "html"], ["export", "--format", "folded"], ["annotate", "--whole", "-i"]):
        done = program.call([run.tool, words[0], "-o", f"{folder}/run.profplug", *words[1:], f"{folder}/run.profplug"])
        message = f"profplug: {folder}/run.profplug: a profplug data file; expected another name to write to\n"
        expect(done.returncode == 2 and done.err == message,
               f"{words}: a run is not written over", done.returncode, done.err)
        expect(filecmp.cmp(run.data, f"{folder}/run.profplug", shallow=False), f"{words}: the run stays")


def uncounted(run):
    """A run without counts of lines and blocks: what there is, and what to do for more."""
    data = f"{run.scratch}/plain.profplug"
    program.must([run.program], env={"PROFPLUG": f"hits=off,blocks=off,output={data}"}, cwd=run.scratch)
    done = program.call([run.tool, "export", "--format", "lcov", data])
    calls = sum(int(found) for found in re.findall(r"^FNDA:(\d+),main$", done.out, re.M))
    expect(done.returncode == 0 and calls == 1 and "DA:" not in done.out.replace("FNDA:", ""), "lcov: functions alone", done.out[:400])
    expect(done.err.count("\n") == 1 and "lines=all" in done.err, "lcov: how to count lines", done.err)
    done = program.call([run.tool, "export", "--format", "dhat", data])
    expect(done.returncode == 0 and json.loads(done.out)["pps"] == [] and "blocks=exact" in done.err, "dhat: how to record blocks", done.err)
    made_nothing = f"{run.scratch}/nothing"
    done = program.call([run.tool, "export", "--format", "folded", "--metric", "alloc_bytes", "-o", made_nothing, data])
    expect(done.returncode == 2 and not done.out and done.err.count("\n") == 1 and "the run has no alloc_bytes" in done.err and not os.path.exists(made_nothing),
           "a metric that the run lacks: one line, and no file", done.err)


SMALL = """#include <stdlib.h>
void *volatile kept;
int main(void) { for (int i = 0; i < 100000; i++) { kept = malloc(100); if (i % 4) free(kept); } return 0; }
"""


def estimated(run):
    """Blocks are sampled by default: the totals are the report's, and files that hold them say that they are estimates. With blocks=exact none does."""
    program.write(f"{run.scratch}/small.c", SMALL)
    program.must([f"{run.build}/profplug-gcc", "-O1", "-g", f"{run.scratch}/small.c", "-o", f"{run.scratch}/small"])
    for options, is_estimate in (("", True), ("blocks=exact,", False)):
        data = f"{run.scratch}/small-{is_estimate}.profplug"
        program.must([f"{run.scratch}/small"], env={"PROFPLUG": f"{options}output={data}"}, cwd=run.scratch)
        seen = json.loads(program.must([run.tool, "report", "--format", "json", data]))["allocations"]
        made_by = {form: program.call([run.tool, "export", "--format", form, *more, data]).stdout
                   for form, more in (("dhat", []), ("pprof", []), ("csv", ["--table", "lines"]))}
        text = program.must([run.tool, "report", "--tree", data])
        expect("CALL TREE" in text and "only pass on" not in text, "the tree explains nothing that is not in it", text)
        dhat = json.loads(made_by["dhat"])
        blocks, size = sum(row["alloc_blocks"] for row in seen), sum(row["alloc_bytes"] for row in seen)
        expect(sum(row["tbk"] for row in dhat["pps"]) == blocks and sum(row["tb"] for row in dhat["pps"]) == size, "dhat: the report's totals", blocks, size)
        expect(("estimated from sampled" in dhat["cmd"]) == is_estimate, f"dhat {options}: says what its numbers are", dhat["cmd"])
        expect((b"estimated from sampled" in made_by["pprof"]) == is_estimate, f"pprof {options}: says what its numbers are")
        row, = (row for row in csv.DictReader(io.StringIO(made_by["csv"].decode())) if int(row["alloc_blocks"] or 0) > 1000)
        expect((int(row["alloc_bytes_error"]) > 0) == is_estimate and (int(row["alloc_blocks_error"]) > 0) == is_estimate, f"csv {options}: has errors", row)
        if is_estimate:
            expect(abs(int(row["alloc_bytes"]) - 10000000) < 6 * int(row["alloc_bytes_error"]), "csv: within six errors of what was asked for", row)


def test(build, scratch):
    run = made.Made(build, scratch)
    totals, seen = run.totals(), run.report
    pprof(run.export("pprof"), totals)
    callgrind(run.export("callgrind").decode("utf-8"), totals, seen)
    for cost in ("cpu", "wait", "alloc_bytes"):
        rows = run.export("folded", "--metric", cost).decode("utf-8")
        if cost == "cpu":
            folded(rows, totals[cost])
        else:
            expect(near(sum(int(line.rsplit(" ", 1)[1]) for line in rows.splitlines()), totals[cost]), f"folded's {cost}")
        flamegraph(run.export("flamegraph", "--metric", cost).decode("utf-8"), totals[cost])
    speedscope(run.export("speedscope"), totals)
    dhat(run.export("dhat"), totals)
    lcov(run.export("lcov").decode("utf-8"), seen)
    tables(run, seen)
    prometheus(run.export("prometheus").decode("utf-8"), seen)
    markdown(run.export("markdown").decode("utf-8"))
    part = run.export("folded", "--stage", seen["stages"][0]["key"]).decode("utf-8")
    expect(0 < sum(int(line.rsplit(" ", 1)[1]) for line in part.splitlines()) < totals["cpu"] and "grind<int>" not in part, "one stage alone", part[:300])
    for words in (("--stage", seen["stages"][0]["key"]), ("--thread", str(seen["threads"][-1]["id"]))):
        done = program.call([run.tool, "export", "--format", "dhat", *words, run.data])
        expect(done.returncode == 0 and json.loads(done.out)["pps"] == [] and done.err.count("\n") == 1 and words[0] in done.err, f"dhat {words[0]}: blocks are of the whole run", done.err)
        done = program.call([run.tool, "export", "--format", "folded", "--metric", "alloc_bytes", *words, run.data])
        expect(done.returncode == 2 and not done.out and done.err.count("\n") == 1 and f"that {words[0][2:]} has no alloc_bytes" in done.err and "it has cpu" in done.err,
               f"folded {words[0]}: no bytes of the whole run", done.out[:200], done.err)
    told = program.must([run.tool, "help", "export"])
    with open(f"{made.HERE}/../../report/exchange/tools.def") as file:
        rows = re.findall(r"^EXPORT_TOOL\((\w+)\)", file.read(), re.M)
    expect(rows == made.FORMATS and all(re.search(rf"^  {name} ", told, re.M) for name in rows), "help names each format", rows)
    tree(run, seen)
    uncounted(run)
    estimated(run)
    refusals(run)
    whole_or_nothing(run)


program.main(test)
