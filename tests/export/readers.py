#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readers.py BUILD CACHE [PROGRAM...]: exports of a C++ program with eight threads, of SQLite, Lua and the example pipeline are read by the tools that they
are for, as far as this machine has them, and say there what the JSON report says. Tools and programs that are missing are named; with no tool the test is
skipped."""

import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from xml.etree import ElementTree

import made
import traces
from made import program
from npm import packages

expect = program.expect
SKIPPED = 77
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(ns|us|ms|s|min|mins)", text).groups()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "mins": 60}[unit]


def pprof(run, path, totals):
    def go(*words):
        return program.must(["go", "tool", "pprof", *words, path], env={"HOME": run.scratch}, cwd=run.scratch)
    top = go("-top", "-nodecount=1000", "-nodefraction=0")
    all_of = re.search(r"Total samples = (\S+)|of (\S+) total", top)
    expect(abs(seconds(all_of[1] or all_of[2]) * 1e9 / totals["cpu"] - 1) < 0.01, "pprof's total", top[:600], totals["cpu"])
    hot, text = run.hottest()
    word = re.match(r"\w+", hot)[0]                    # pprof takes expressions
    expect(hot in top, "pprof's functions", hot, top[:2000])
    samples = go("-raw").split("Locations")[0]
    names = [word.split("/")[0] for word in samples.split("Samples:\n")[1].split("\n")[0].replace("[dflt]", "").split()]
    rows = [list(map(int, row.split())) for row in re.findall(r"^ *((?:\d+ +)*\d+): ", samples, re.M)]
    sums = dict(zip(names, map(sum, zip(*rows, strict=True)), strict=True))
    expect(all(near(sums[name], totals[name]) for name in totals), "pprof's totals of each cost", sums, totals)
    expect(text in go("-list", word), "pprof shows the source", word, text)
    tags = go("-tags")
    expect(all(traces.prose(row["name"]) in tags for row in run.report["stages"] if row["cpu_ns"] > 0.05 * totals["cpu"]), "stages as tags", tags)
    if totals["wait"]:
        expect("waits: " in go("-sample_index=wait", "-tree"), "another cost")
    web(run, path, word, text)


def fetched(address):
    for _ in range(60):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.read().decode("utf-8")
        except urllib.error.URLError:                  # it says its address before it listens
            time.sleep(1)
    return ""


def web(run, path, word, text):
    """pprof's pages, from its own server."""
    server = subprocess.Popen(["go", "tool", "pprof", "-no_browser", "-http=127.0.0.1:", path], env=program.environment(HOME=run.scratch), cwd=run.scratch,
                              stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        line = server.stderr.readline()
        address = re.search(r"http://\S+", line) or re.search(r"http://\S+", server.stderr.readline())
        expect(address, "pprof serves", line)
        for page, said in (("ui/flamegraph", word), ("ui/top", word), (f"ui/source?f={word}", text), (f"ui/peek?f={word}", word)):
            expect(said in html.unescape(fetched(f"{address[0].rstrip('/')}/{page}")), f"pprof's page {page}", said)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def annotate(run, path, totals):
    def said(inclusive):
        done = program.call(["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=100", path], cwd=run.scratch)
        expect(done.returncode == 0 and not done.err, "callgrind_annotate has no complaint", done.err[-500:])
        found = re.search(r"^(.*) +PROGRAM TOTALS", done.out, re.M)
        sums = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+)(?: \([ \d.]+%\))?(?= |$)", found[1])]
        events = re.search(r"^Events recorded: +(.*)", done.out, re.M)[1].split()
        of = dict(zip(events, sums, strict=True))
        wanted = {"CPU": totals["cpu"], "Kernel": totals["kernel"], "Wait": totals["wait"], "Samples": totals["samples"], "Hits": sum(row.get("hits", 0) for row in run.report["lines"])}
        expect(all(abs(of[name] - wanted[name]) < 1000 for name in wanted), "callgrind_annotate's totals", of, wanted)
        rows = re.findall(r"^ *([\d,]+) \([ \d.]+%\)[^=\n]* \S*\.cc?:main$", done.out, re.M)
        return int(rows[0].replace(",", "")) if rows else 0
    own, inclusive = said("no"), said("yes")
    expect(inclusive > 0.2 * totals["cpu"], "main, with what it calls", inclusive)
    expect(own < 0.1 * inclusive, "main alone", own, inclusive)


def genhtml(run, path, _):
    # ours is the source's path with odd bytes made visible: genhtml looks for a file of that name
    done = program.call(["genhtml", "--ignore-errors", "source", "-o", f"{run.scratch}/html", path], cwd=run.scratch)
    expect(done.returncode == 0 and os.path.exists(f"{run.scratch}/html/index.html"), "genhtml", done.out[-500:], done.err[-500:])
    rate = re.search(r"lines\.+: [\d.]+% \((\d+) of (\d+)", done.out)
    hits = {}
    for row in run.report["lines"]:
        if "hits" in row and row["line"]:
            hits[row["file"], row["line"]] = hits.get((row["file"], row["line"]), 0) + row["hits"]
    expect(rate and (int(rate[1]), int(rate[2])) == (sum(map(bool, hits.values())), len(hits)), "genhtml's lines", done.out[-500:], len(hits))


def promtool(run, path, _):
    with open(path, "rb") as file:
        done = program.call(["promtool", "check", "metrics"], stdin=file.read())
    expect(done.returncode == 0 and not done.err.strip(), "promtool", done.out, done.err)


def picture(run, path, totals):
    done = program.call(["flamegraph.pl", path])
    expect(done.returncode == 0 and not done.err, "flamegraph.pl has no complaint", done.err[-500:])
    ElementTree.fromstring(done.stdout)
    whole = re.search(r"<title>all \(([\d,]+) samples, 100%\)", done.out)
    expect(whole and abs(int(whole[1].replace(",", "")) - totals["cpu"]) < 1000, "flamegraph.pl's total", whole, totals["cpu"])
    expect(html.escape(run.hottest()[0], quote=False) in done.out, "flamegraph.pl's functions", run.hottest())


def protoc(run, path, _):
    with open(path, "rb") as file:
        done = program.call(["protoc", "--decode_raw"], stdin=file.read())
    expect(done.returncode == 0 and done.out.count("\n6: ") > 3, "protoc", done.err[-500:])
    traces.protoc(run)


READERS = (("go", "pprof", pprof), ("callgrind_annotate", "callgrind", annotate), ("genhtml", "lcov", genhtml), ("promtool", "prometheus", promtool),
           ("protoc", "pprof", protoc), ("flamegraph.pl", "folded", picture))


def pages(folder, reader, *paths):
    """What a page says of each file; None if it does not start."""
    shutil.copy(f"{made.HERE}/pages.mjs", folder)
    done = subprocess.run(["timeout", "280", "node", "pages.mjs", CHROMIUM, reader, *paths], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, f"{reader} opens {paths}", done.stderr[-800:])
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    for path, one in zip(paths, seen):
        expect(not one["complaints"], f"{reader} does not complain of {path}", one["complaints"][:3])
    return seen


def near(a, b):
    return abs(a - b) <= max(1000, 1e-6 * b)


def speedscope(run, folder, totals, paths):
    ours, trace = pages(folder, "speedscope", paths["speedscope"], paths["chrome"])
    sums = {profile["name"]: profile["total"] for profile in ours["profiles"]}
    wanted = {"CPU time, user and kernel": totals["cpu"], "the part of CPU time in the kernel": totals["kernel"], "time that calls waited": totals["wait"], "samples taken": totals["samples"],
              "bytes allocated": totals["alloc_bytes"], "blocks allocated": totals["alloc_blocks"], "bytes that lived at the end": totals["live_bytes"]}
    expect(all(near(sums.get(name, 0), wanted[name]) for name in wanted), "speedscope's totals", sums, wanted)
    expect(run.name != "work" or any(len(name) > 10000 for name in ours["frames"]), "speedscope: a name of ten thousand letters")
    for cost, total in (("CPU time", totals["cpu"]), ("time that calls waited", totals["wait"])):
        found = [profile["total"] * 1e3 for profile in trace["profiles"] if cost in profile["name"]]
        expect((len(found) == 1 and near(found[0], total)) or not (found or total), f"speedscope: {cost} of the trace", found, total)


def dhat(run, folder, totals, paths):
    page = next((path for path in ("/usr/libexec/valgrind/dh_view.html", "/usr/lib/valgrind/dh_view.html") if os.path.exists(path)), None)
    if not page:
        print("not here: dh_view.html of valgrind, for dhat")
        return
    said = pages(folder, page, paths["dhat"])[0]["text"]
    found = re.search(r"Total: +([\d,]+) bytes .* in ([\d,]+) blocks", said)
    expect([int(number.replace(",", "")) for number in found.groups()] == [totals["alloc_bytes"], totals["alloc_blocks"]], "dh_view's totals", found[0])
    print("read by dh_view.html: dhat")


def firefox(run, folder, totals, paths):
    """Mozilla's profiler-cli has the profiler's own reader; a daemon keeps the profile."""
    env = {"PROFILER_CLI_SESSION_DIR": f"{run.scratch}/firefox", "PROFILER_CLI_NO_SYMBOLICATE": "1"}
    os.mkdir(env["PROFILER_CLI_SESSION_DIR"])
    tool = ["node", f"{folder}/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"]
    program.call([*tool, "load", paths["firefox"]], env=env)
    for _ in range(60):                                # it waits half a second for its daemon, which needs more on a busy machine
        if program.call([*tool, "status"], env=env).returncode == 0:
            break
        time.sleep(1)
    try:
        threads = json.loads(program.must([*tool, "thread", "list", "--json"], env=env))["threads"]
        rows = {}
        for thread in threads[:len(threads) - len(run.report["threads"])]:
            samples = json.loads(program.must([*tool, "thread", "samples", "--json", "--thread", thread["threadHandle"]], env=env))
            rows[thread["name"]] = samples["categoryBreakdown"]["totalSamples"]
        for cost, title, unit in (("cpu", "CPU time", 1e6), ("kernel", "the part of CPU time", 1e6), ("wait", "time that calls waited", 1e6), ("samples", "samples taken", 1),
                                  ("alloc_bytes", "bytes allocated", 1), ("alloc_blocks", "blocks allocated", 1), ("live_bytes", "bytes that lived", 1)):
            found = sum(value for name, value in rows.items() if name.startswith(title))
            expect(near(found * unit, totals[cost]), f"Firefox's {cost}", rows, totals[cost])
    finally:
        program.call([*tool, "stop", "--all"], env=env)


def runs(build, scratch, cache, wanted):
    """One after the other, each in a folder of its own."""
    options = "blocks=on,timeline=on"
    makers = {"work": lambda folder: made.Made(build, folder, odd="", options=options), "pipeline": lambda folder: made.pipeline(build, folder, options),
              "sqlite": lambda folder: made.foreign(build, folder, cache, "sqlite", options), "lua": lambda folder: made.foreign(build, folder, cache, "lua", options)}
    for name in wanted or makers:
        folder = f"{scratch}/of-{name}"                # pprof cuts the name of its folder, and what is before it, off the paths of sources
        os.mkdir(folder)
        run = makers[name](folder)
        if run:
            yield run


def test(build, scratch):
    there = [row for row in READERS if shutil.which(row[0])]
    for tool, form, _ in READERS:
        if not shutil.which(tool):
            print(f"not here: {tool}, for {form}")
    folder = f"{build}/tests/export/npm"
    missing = packages(made.HERE, folder) or ("" if os.access(CHROMIUM, os.X_OK) else f"{CHROMIUM} is missing: apt-get install chromium")
    if missing:
        print(f"not here: speedscope, dh_view.html and profiler-cli, for speedscope, chrome, dhat and firefox: {missing}")
    if not there and missing:
        sys.exit(SKIPPED)
    for run in runs(build, scratch, *sys.argv[2:3] or [f"{build}/.cache"], sys.argv[3:]):
        totals, paths = run.totals(), {}
        print(f"{run.name}: {json.dumps(totals)}")
        for form in made.FORMATS:
            paths[form] = f"{run.scratch}/export.{form}"
            with open(paths[form], "wb") as file:
                file.write(run.export(form))
        for tool, form, read in there:
            read(run, paths[form], totals)
            print(f"read by {tool}: {form}", flush=True)
        if not missing:
            for read in (speedscope, dhat, firefox):
                read(run, folder, totals, paths)
            print("read by speedscope: speedscope, chrome; by profiler-cli: firefox", flush=True)


program.main(test)
