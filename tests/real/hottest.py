#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hottest.py BUILD PROGRAM CACHE [RUNS [SECONDS [NAME...]]]: how certain is the hottest line of ten programs: Lua,
zstd, SQLite, cJSON, a tree, and five mixes of PROGRAM (hottest.c), which say what their lines took. Each runs for some
seconds of CPU time with every sample taken, by perf events and by CPU timers. NAME: of lua, "mix 0" and so on, only
these.

By events, a line with 8 % of the time or more has a printed error of at most 8 % after 2 s of user time, and more after
less, by the square root. By both, the lines of the mixes are off as much as their errors say, by Pearson. What a line
of the other programs takes differs from run to run by 3 to 14 % of it, as others leave caches and memory. So `perf
record` tells of the same run, and the line with the most user time differs from that as much as both errors say. What
could not be held against perf is said, and the test is then skipped if nothing else is wrong. What the default budget
leaves of that is printed: it depends on what a sample costs on this machine. Programs that cannot be had here are left
out, and said."""
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../../bench", HERE]
import perfrecord  # noqa: E402
from refused import PERF_EVENT_OPEN  # noqa: E402
from report import read  # noqa: E402
from workloads import Workload  # noqa: E402

build, program, cache = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
runs, seconds = (float(v) for v in (sys.argv[4:6] + ["4", "2"][len(sys.argv[4:6]):]))
chosen = sys.argv[6:]
SKIPPED = 77
SIGMAS, PERCENT = 5.4, 8
# Behind the second exec of REFUSING perf loses libraries in every third run: then half of its samples are at no line or
# at a caller's. Usual are 5 to 15 %.
LOST = 0.25
LINES_LEAST = 0.95                       # of the user time of a mix: the rest of the program and the runtime take 1.6 %
EVERY, DEFAULT = "budget=100,calltree=off", "budget=2"
# perf itself must be allowed to open its event, so the program refuses it to itself.
REFUSING = [sys.executable, "-c",
            f"import os, sys; sys.path.insert(0, {HERE + '/../support'!r}); "
            f"from refused import refuse; refuse(({PERF_EVENT_OPEN},)); os.execv(sys.argv[1], sys.argv[1:])"]
WAYS = {"events": [], "timers": REFUSING}


def profiled(argv, folder, options, way="events", perf=False):
    """The report of a run, what it said, and what perf found in it by file and line."""
    data, recorded = f"{folder}/run.profplug", f"{folder}/perf.data"
    if os.path.exists(data):
        os.remove(data)
    work = f"{folder}/work"
    subprocess.run(["rm", "-rf", work], check=True)
    os.makedirs(work)
    command = [*WAYS[way], *argv]
    if perf:
        command = perfrecord.command(recorded, command)
    said = subprocess.run(command, cwd=work, env={**os.environ, "PROFPLUG": f"output={data},{options}"}, check=True,
                          capture_output=True, text=True).stdout
    document = read(build, "--top", "0", "--min-percent", "0", data)
    found = perfrecord.lines(argv[0], [perfrecord.addresses(recorded, argv[0])])[0] if perf else None
    return document, said, found


def hottest(document, what="self_ns"):
    return max((row for row in document["lines"] if row.get(what)), key=lambda row: row[what])


def time_of(document, file, line, what="self_ns"):
    """CPU time of a line in all functions that have it, and its error."""
    rows = [row for row in document["lines"] if row.get("self_ns")]
    rows = [row for row in rows if (row.get("file"), row.get("line")) == (file, line)]
    error = math.hypot(*(row["self_ns"] * row["error_percent"] / 100 for row in rows))
    return sum(row[what] for row in rows), error


def from_clocks(document, file, said):
    """Squares of what the shares of a mix's lines are off, by Pearson, and degrees of freedom. What the runtime and the
    rest of the program took is in neither share. A line with too few samples has too small an error, so the variance is
    that of as many as it should have."""
    truth = {int(line): float(ns) for line, ns in map(str.split, said.splitlines())}
    found = {line: time_of(document, file, line) for line in truth}
    whole, squares = sum(ns for ns, _ in found.values()), 0
    if whole < LINES_LEAST * document["runs"][0]["user_ns"] or not all(ns for ns, _ in found.values()):
        wrong.append(f"{os.path.basename(file)}: its lines have {whole / 1e6:.0f} ms, or one has nothing: {found}")
        return 0, 0
    for line, ns in truth.items():
        part, (got, error) = ns / sum(truth.values()), found[line]
        squares += (got / whole - part) ** 2 / ((error / whole) ** 2 * part / (got / whole)) * (1 - part)
    return squares, len(truth) - 1


def from_perf(document, top, perf):
    """How far the line's share of the user time on lines is from perf's, and the variance of that."""
    mine = sum(row.get("user_ns", 0) for row in document["lines"])
    user, error = time_of(document, top["file"], top["line"], "user_ns")
    all_of_perf = sum(count for line, count in perf.items() if line)
    part = perf[os.path.basename(top["file"]), top["line"]] / all_of_perf
    return user / mine - part, (error / mine) ** 2 + part * (1 - part) / all_of_perf, part


def beside_perf(name, argv, folder, way):
    """What from_perf says of another run, since what perf takes makes errors wider; or why it says nothing."""
    try:
        document, _, by_perf = profiled(argv, folder, EVERY, way, True)
    except subprocess.CalledProcessError as failed:
        return f"{' '.join(failed.cmd[:2])} failed: {(failed.stderr.strip().splitlines() or [failed.returncode])[-1]}"
    placed = by_perf.total() - by_perf[None]
    if not placed or by_perf[None] >= LOST * by_perf.total():
        return f"perf has {placed} of {by_perf.total()} samples at lines"
    return from_perf(document, by_user.setdefault(name, hottest(document, "user_ns")), by_perf)


def foreign(name, folder):
    """The program with probes and its arguments for that many seconds, or None."""
    tried = f"import sys; sys.path[:0] = [{HERE + '/../../bench'!r}]; from workloads import Workload; "
    tried = [sys.executable, "-c", f"{tried}Workload({name!r}, {cache!r})"]
    done = subprocess.run(tried, capture_output=True, text=True)
    if done.returncode:
        print(f"left out: {name}: {(done.stdout + done.stderr).strip()[-200:]}")
        return None
    work = Workload(name, cache)
    compiler, libraries = ["gcc", f"-fplugin={build}/profplug.so"], [f"-L{build}", "-l:libprofplug.a", "-pthread"]
    built = work.build(f"{build}/real/{name}-hottest", compiler, ["-O2", "-g"], libraries)
    size = 1.0
    while True:
        document, *_ = profiled([built, *work.arguments(f"{folder}/argument", size)], folder, "samples=off")
        took = document["runs"][0]["cpu_ns"] / 1e9
        if took > seconds / 5:
            return [built, *work.arguments(f"{folder}/argument", size * seconds / took)]
        size *= 3


def judge(name, argv, folder, way, refused):
    """Squares and degrees of freedom of a program."""
    squares, degrees, widths, off, top = 0.0, 0, [], [], None
    for _ in range(int(runs)):
        document, said, _ = profiled(argv, folder, EVERY, way)
        top = top or hottest(document)
        run, (ns, error) = document["runs"][0], time_of(document, top["file"], top["line"])
        allowed = PERCENT * math.sqrt(max(1, 2e9 / run["user_ns"]))
        share = ns / run["user_ns"]
        widths.append(100 * error / ns if ns else 100)
        if way == "events" and share >= PERCENT / 100 and widths[-1] > allowed:
            wrong.append(f"{name}: line {top['line']} has {100 * share:.1f} % +- {widths[-1]:.1f} %, "
                         f"allowed {allowed:.1f} %")
        if name.startswith("mix"):
            one, free = from_clocks(document, top["file"], said)
            squares, degrees = squares + one, degrees + free
    tries, lacks = 0, [refused] if refused else []
    while not refused and not name.startswith("mix") and (tries < runs or len(off) < 2 and tries < 2 * runs):
        tries += 1
        seen = beside_perf(name, argv, folder, way)
        (lacks if isinstance(seen, str) else off).append(seen)
    if len(off) > 1 and min(part for _, _, part in off) == 0:
        lacks.append(f"perf has no sample at line {by_user[name]['line']}")
        off = []
    if lacks and not refused:
        print(f"{name}, {way}: {tries - len(off)} of {tries} runs were not held against perf: {lacks[-1]}", flush=True)
    # The two may name lines of inlined code otherwise, always so: the mean of what they differ is no error of a run.
    if len(off) > 1:
        mean = sum(d / v for d, v, _ in off) / sum(1 / v for _, v, _ in off)
        squares, degrees = sum((d - mean) ** 2 / v for d, v, _ in off), len(off) - 1
    elif not name.startswith("mix"):
        missing.append(f"{name}, {way}: {lacks[-1] if lacks else 'one run is too few'}")
    said = f"chi-square {squares / degrees:.2f} over {degrees}" if degrees else "not compared with perf"
    print(f"{name}, {way}: {top.get('function', '?')}:{top['line']} {100 * share:.1f} %, "
          f"printed +-{sum(widths) / len(widths):.1f} %, {said}", flush=True)
    if way == "events":
        document, *_ = profiled(argv, folder, DEFAULT)
        run, (ns, error) = document["runs"][0], time_of(document, top["file"], top["line"])
        print(f"    at {DEFAULT} {run['events_sampled'] / run['cpu_ns'] * 1e9:.0f} samples a second, "
              f"+-{100 * error / ns if ns else 0:.1f} %", flush=True)
    return squares, degrees


wrong, missing, by_user = [], [], {}
why = perfrecord.refused()
with tempfile.TemporaryDirectory(prefix="profplug-hottest-") as folder:
    os.makedirs(f"{folder}/argument")
    names = [name for name in ("lua", "zstd", "sqlite", "cjson", "tree") if name in chosen or not chosen]
    programs = {name: foreign(name, folder) for name in names}
    programs |= {f"mix {mix}": [program, str(mix), str(seconds * 1000)] for mix in range(5)
                 if f"mix {mix}" in chosen or not chosen}
    for way in WAYS:
        got = [judge(name, argv, folder, way, why) for name, argv in programs.items() if argv]
        squares, degrees = (sum(one[i] for one in got) for i in (0, 1))
        if not degrees:
            missing.append(f"{way}: nothing was compared")
            continue
        spread = 2 / (9 * degrees)
        low, high = ((1 - spread + side * SIGMAS * math.sqrt(spread)) ** 3 for side in (-1, 1))
        print(f"{way}: chi-square over {degrees} degrees of freedom {squares / degrees:.2f}, "
              f"allowed {low:.2f} to {high:.2f}", flush=True)
        if not low <= squares / degrees <= high:
            wrong.append(f"{way}: chi-square")
print("\n".join(wrong + [f"skipped: not held against perf: {one}" for one in missing]))
sys.exit(1 if wrong else SKIPPED if missing else 0)
