#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py BUILD CASE [ARGS...]: compiles the test program of a case with the plugin, runs it, and holds its data files against what the
program says of itself (tests/run/programs/expect.h)."""
import math, os, re, signal, subprocess, sys, tempfile, pathlib
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.abspath(__file__)) + "/../support"]
from datafile import DataFile, KINDS, EXITS, GIVEN, METRICS
from program import environment
from report import read

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


def build(build_dir, out, sources, extra=(), functions="all", library=True, level="-O2"):
    command = ["gcc", level, "-g", "-pthread", f"-fplugin={build_dir}/profplug.so", f"-fplugin-arg-profplug-functions={functions}", f"-I{ROOT}/include",
               f"-I{PROGRAMS}", *[str(PROGRAMS / s) for s in sources], "-o", str(out), *extra]
    if library == "shared":
        command += [f"-L{build_dir}/shared", f"-Wl,-rpath,{build_dir}/shared", "-lprofplug"]
    elif library:
        command += [f"-L{build_dir}", "-lprofplug"]
    subprocess.run(command, check=True)


def run(program, args=(), cwd=None, env=None, **more):
    return subprocess.run([str(program), *args], cwd=cwd, env=environment(**env or {}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, **more)


def files(folder):
    return {d.header["pid"]: d for d in (DataFile(p) for p in sorted(pathlib.Path(folder).glob("*.profplug")))}


def check_line(d, words, by_pid):
    what, args = words[0], words[1:]
    n = int(args[-1]) if args and args[-1].lstrip("-").isdigit() else None
    if what == "calls": return d.calls().get(args[0], 0), n
    if what == "calls_none": return d.calls().get(args[0], 0), 0
    if what == "stage": return d.stage_totals(args[0], args[1])["calls"], n
    if what == "told_or_lost":                           # a function's calls and entries of stages; what is missing was refused, and is counted
        told = d.calls().get(args[0], 0) + sum(d.stage_totals(name)["calls"] for name in args[1:-1])
        return n if told <= n <= told + d.losses["EARLY"] else told, n
    if what == "stage_timed": return d.stage_totals(args[0])["timed_calls"], n
    if what == "stage_timed_kind": return d.stage_totals(args[0], args[1])["timed_calls"], n
    if what == "stage_timed_most": return (t := d.stage_totals(args[0], args[1])["timed_calls"]), t if 0 < t <= n else f"1..{n}"
    if what == "stage_wall_least": return (t := d.stage_totals(args[0])["wall_ns"]), t if t >= n else f">= {n}"
    if what == "stage_wall_most": return (t := d.stage_totals(args[0])["wall_ns"]), t if t <= n else f"<= {n}"
    if what == "stage_max_most": return (t := max(s["max_ns"] for _, s in d.stages() if d.name(s["key"]) == args[0])), t if t <= n else f"<= {n}"
    if what == "stage_parent":
        by = {(t, s["number"]): s for t, s in d.stages()}
        return sum(s["calls"] for t, s in d.stages() if d.name(s["key"]) == args[0] and s["parent"] and d.name(by[t, s["parent"]]["key"]) == args[1]), n
    if what == "trips":
        s = [s for _, s in d.stages() if d.name(s["key"]) == args[0] and KINDS[s["kind"]] == "loop"]
        return (min(x["trips_min"] for x in s), max(x["trips_max"] for x in s)), (int(args[1]), int(args[2]))
    if what == "slowest":
        s = [s for _, s in d.stages() if d.name(s["key"]) == args[0] and KINDS[s["kind"]] == "iteration"][0]
        return max([x["wall_ns"] for x in s["slowest"] if x["index"] == int(args[1])] or [0]) >= n, True
    if what == "path":
        if not d.exact and sum(c for p, c in d.paths().items() if p[-1] == args[-2]) <= d.calls()[args[-2]]:
            return n, n                                  # an estimate, and of no more calls than there were
        return d.paths().get(tuple(args[:-1])) or d.paths().get(("main", *args[:-1]), 0), n
    if what == "threads": return len(d.threads()), n
    if what == "thread_name": return sum(t["name"] == args[0] for t in d.threads()), n
    if what == "blocks_most": return (b := len(d.of("THREAD"))), b if b <= n else f"<= {n}"
    if what == "alive": return 1, 1
    if what == "sites_most": return (b := d.header["key_count"]), b if b <= n else f"<= {n}"
    if what == "nodes_most": return (b := max(sum(1 for t, _ in d.nodes() if t == i) for i in {t for t, _ in d.nodes()})), b if b <= n else f"<= {n}"
    if what in ("function_least", "function_most"):
        total = sum(x["function_ns"] for _, x in d.nodes() if d.name(x["key"]) == args[0])
        return (total >= n) if what.endswith("least") else (total <= n), True
    if what == "lossless": return {k: v for k, v in d.losses.items() if v}, {}
    if what == "losses": return d.losses[args[0]], n
    if what == "exit": return d.exit, (args[0], int(args[1]))
    if what == "open": return args[0] in [d.name(s["key"]) for t, f in d.frames() for tt, s in d.stages() if tt == t and s["number"] == f["stage"]], True
    if what == "closed": return len(d.frames()), 0
    if what == "stages_idle": return [d.name(s["key"]) for _, s in d.stages() if s["active"]], []
    if what == "children": return len([1 for pid, path in d.children if os.path.exists(path) and DataFile(path).header["pid"] == pid]), n
    if what == "files": return len(by_pid), n
    if what == "root": return d.header["root_pid"] in by_pid and d.header["root_pid"] != d.header["pid"] and by_pid[d.header["root_pid"]].header["root_pid"] == d.header["root_pid"], True
    if what == "wall_below_parent": return d.header["start_ns"] > by_pid[d.header["parent_pid"]].header["start_ns"], True
    if what == "heap_calls": return d.header["heap_calls"], n
    if what == "moves_most": return (m := d.header["moves"]), m if m <= n else f"<= {n}"
    if what == "tally": return d.tallies().get(args[0]), (int(args[1]), int(args[2]))
    if what == "tally_long": return [t for name, t in d.tallies().items() if len(name) == int(args[0])], [(int(args[1]), int(args[2]))]
    if what == "tally_names": return len(d.numbers), n
    raise SystemExit(f"check.py: unknown expectation {words}")


def hold(result, folder, least=1):
    by_pid, bad, checked = files(folder), [], 0
    for line in result.stdout.splitlines():
        words = line.split()
        if len(words) < 2 or not words[0].isdigit():
            continue
        d = by_pid.get(int(words[0]))
        if d is None:
            bad.append(f"{line}: no data file of that process")
            continue
        got, wanted = check_line(d, words[1:], by_pid)
        checked += 1
        if got != wanted:
            bad.append(f"{line}: the file says {got}, expected {wanted}")
    for b in bad:
        print(b)
    assert not bad and checked >= least, f"{checked} expectations held, {len(bad)} not; standard error: {result.stderr}"
    return by_pid


def simple(build_dir, folder, name, returncode=0, functions="all", env=None, least=3, args=(), extra=(), quiet=True):
    program = folder / name
    if not program.exists():
        build(build_dir, program, [f"{name}.c"], extra=extra, functions=functions)
    result = run(program, args, cwd=folder, env=env)
    assert result.returncode == returncode, f"{name}: returned {result.returncode}, expected {returncode}: {result.stderr}"
    if quiet:
        assert not result.stderr, result.stderr
    return hold(result, folder, least)


EXACT = {"PROFPLUG": "timing=exact"}             # paths are exact


def case_threads(b, f): simple(b, f, "threads")
def case_threads_exact(b, f): simple(b, f, "threads", env=EXACT)
def case_crew(b, f): simple(b, f, "crew")
def case_crew_auto(b, f): simple(b, f, "crew", functions="auto")


def case_aligned(b, f):
    for args in ([], ["deeper"]):                        # on a stack that lies by eight bytes aside in one of the two
        for old in f.glob("*.profplug"):
            old.unlink()
        simple(b, f, "aligned", args=args, extra=["-static"], least=1)


def case_pool(b, f):
    """A library's threads, made when it is asked to, and when it is loaded, before the runtime is there."""
    for name, early in {"late": [], "early": ["-DEARLY"]}.items():
        (f / name).mkdir()
        subprocess.run(["gcc", "-O2", "-fPIC", "-shared", *early, str(PROGRAMS / "pool.c"), "-o", str(f / name / "libpool.so")], check=True)
        build(b, f / name / "pooled", ["pooled.c"], extra=[f"-L{f / name}", f"-Wl,-rpath,{f / name}", "-lpool"], functions="auto")
        result = run(f / name / "pooled", cwd=f / name)
        assert result.returncode == 0 and not result.stderr, (name, result)
        hold(result, f / name, 3)


def case_before(b, f):
    """What a process switched before it became the program is none of the profiler's account: it would be 2 us each, at the least."""
    turns = 40000
    subprocess.run(["gcc", "-O2", str(PROGRAMS / "before.c"), "-o", str(f / "before")], check=True)
    build(b, f / "small", ["small.c"])
    result = run(f / "before", [str(turns), str(f / "small")], cwd=f)
    (d,) = files(f).values()
    assert result.returncode == 0 and d.header["self_ns"] < turns * 1000, (result.returncode, d.header["self_ns"])


def case_leaks(b, f):
    """AddressSanitizer's search for leaks finds none in a program that has none: blocks of the dynamic linker's are its own."""
    for way, (plugin, env) in {"plain": (False, None), "probes": (True, {}), "blocks": (True, {"PROFPLUG": "blocks=on"})}.items():
        subprocess.run(["gcc", "-O1", "-g", "-pthread", "-fsanitize=address", f"-I{ROOT}/include", str(PROGRAMS / "crew.c"), "-o", str(f / way),
                        *([f"-fplugin={b}/profplug.so", f"-L{b}", "-lprofplug"] if plugin else [])], check=True)
        result = run(f / way, cwd=f, env=env)
        if not plugin and result.returncode:
            print("the search for leaks does not work here:", result.stderr[:200])
            sys.exit(77)
        assert result.returncode == 0 and not result.stderr, (way, result.returncode, result.stderr)
    assert len(list(f.glob("*.profplug"))) == 2


def case_late(b, f): simple(b, f, "late", returncode=7)
def case_family(b, f): simple(b, f, "family")
def case_deep(b, f): simple(b, f, "deep")
def case_deep_exact(b, f): simple(b, f, "deep", env=EXACT)
def case_jump(b, f): simple(b, f, "jump")
def case_regions(b, f): simple(b, f, "regions")
def case_loops(b, f): simple(b, f, "loops")
def case_names(b, f): simple(b, f, "names", least=6)
def case_brood(b, f): simple(b, f, "brood", functions="auto", least=61)


def case_alike(b, f):
    subprocess.run(["gcc", "-O2", "-fPIC", "-shared", "-fno-builtin", "-DALLOCATOR", str(PROGRAMS / "alike.c"), "-o", str(f / "libalike.so")], check=True)
    simple(b, f, "alike", extra=[f"-L{f}", f"-Wl,-rpath,{f}", "-lalike"])


def case_hoisted(b, f):
    for way, extra in {"plain": [], "lto": ["-flto"], "lines": ["-fplugin-arg-profplug-lines=all"]}.items():
        (f / way).mkdir()
        simple(b, f / way, "hoisted", functions="auto", least=8, extra=extra)


def case_storm(b, f): simple(b, f, "storm", least=30)
def case_stray(b, f): simple(b, f, "stray", functions="stages", least=7)


def turns(b, f, ways, args, rounds=1, program="budget"):
    """Runs in turn, since the machine's speed wanders; of each way the least CPU time by the program's clock, and of
    each run what it printed, its data file, its report and that as JSON."""
    least, every = {}, {way: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            for old in f.glob("*.profplug"):
                old.unlink()
            result = run(f / program, args, cwd=f, env={"PROFPLUG": way})
            assert result.returncode == 0 and not result.stderr, result
            took = int(result.stdout.split()[1])
            least[way] = min(took, least.get(way, took))
            if way != "off":
                d = hold(result, f, 2).popitem()[1]
                report = [str(b / "profplug"), "report", "--all", str(next(f.glob("*.profplug")))]
                every[way].append((result.stdout, d, subprocess.run(report, capture_output=True, text=True, check=True).stdout, read(b, report[-1])))
    return least, every


COST_ROUNDS = 21                                 # what is measured of costs is for ./dev check: no bound says how often a busy machine is wrong


SAID = "to stay in budget:"
# The runtime books at least 1 us for a sample, whatever the processor. Of 0.5 % three quarters at most are for samples:
# 3,750 in a second, of 20,000.
NARROW_SAMPLES, WIDE_SAMPLES = "sample-hz=20000,budget=0.5", "sample-hz=5000,budget=100"
NARROW_STAGES, WIDE_STAGES = "samples=off,budget=2", "samples=off,budget=100"


def case_budget(b, f):
    """What 20,000 samples a second cost beyond a budget is given up, and said; what they stand for is not."""
    build(b, f / "budget", ["budget.c"])
    # At 100 samples may take three quarters of the time. At 5,000 a second that is 150 us each, and one is taken to cost 111 at most (rt/sample/rate.c: 30 for
    # the handler, 20 for arming, 61 for raising). So none is given up, however slow the machine. At 20,000 a second it would be 37.5.
    least, every = turns(b, f, ("off", NARROW_SAMPLES, "off", WIDE_SAMPLES, "off"), ["samples"])
    for way in (NARROW_SAMPLES, WIDE_SAMPLES):
        ((out, d, text, whole),) = every[way]
        took = int(out.split()[1])
        given, since = d.header["given_up"][GIVEN.index("SAMPLES")], d.header["given_up_ns"][GIVEN.index("SAMPLES")]
        assert (SAID in " ".join(text.split())) == (way == NARROW_SAMPLES) == ("samples" in whole["runs"][0]["given_up"]), text
        if way == NARROW_SAMPLES:
            assert 0 < since < d.header["end_ns"] - d.header["start_ns"] and whole["runs"][0]["given_up"]["samples"] == {"count": given, "from_ns": since}
            signals = d.header["events_sampled"] - given
            assert given > signals, "most were to be given up"
            assert signals == whole["runs"][0]["events_sampled"] and given == whole["runs"][0]["events_skipped"], (signals, given, whole["runs"][0])
        else:
            assert not given and not since
        if d.header["sample_source"] != 1:
            continue
        # 5.2 sigma: one in ten million on each side, of each way.
        seen, rows = d.header["events_sampled"] * d.header["sample_period_ns"], list(d.samples())
        # Where few came of those that were due, their own number would say too little: then what each stands for, and how many were due.
        squares = sum(s["count"] + s["excess"] for s in rows)
        each = squares / sum(s["count"] for s in rows) * d.header["sample_period_ns"] if rows else took
        sigma = (each * max(seen, took)) ** 0.5
        assert 0.95 * least["off"] - 5.2 * sigma < seen < took + 5.2 * sigma, \
            f"samples stand for {seen / 1e6:.1f} +- {sigma / 1e6:.1f} ms of {least['off'] / 1e6:.1f} (off) " \
            f"to {took / 1e6:.1f} (with the kernel's part of sampling)"
    # Short stages: their entries and times are kept, what is read of the kernel at each is not.
    least, every = turns(b, f, (NARROW_STAGES, WIDE_STAGES), ["stages", "300000"])
    read = {}
    for way in (NARROW_STAGES, WIDE_STAGES):
        ((_, d, text, whole),) = every[way]
        stages = [s for _, s in d.stages() if s["key"]]
        read[way] = sum(s["sampled_calls"] for s in stages)
        assert d.stage_totals("short", "stage")["timed_calls"] == 300000
        given = d.header["given_up"][GIVEN.index("METRICS")]
        assert given == sum(s["calls"] for s in stages) - read[way] > 0, f"{given} given up, {read[way]} read"
        assert SAID in " ".join(text.split()) and whole["runs"][0]["given_up"]["stage_metrics"]["count"] == given
    assert read[WIDE_STAGES] > 3 * read[NARROW_STAGES], f"{read}: a larger budget buys nothing"


def case_budget_cost(b, f):
    """What is given up is spared."""
    build(b, f / "budget", ["budget.c"])
    for args, narrow, wide, part in ((["samples"], NARROW_SAMPLES, WIDE_SAMPLES, 0.5), (["stages", "300000"], NARROW_STAGES, WIDE_STAGES, 1)):
        least, _ = turns(b, f, ("off", narrow, wide), args, COST_ROUNDS)
        cost = {way: least[way] / least["off"] - 1 for way in (narrow, wide)}
        print("cost of the budgets:", {way: f"{100 * c:.1f} %" for way, c in cost.items()})
        assert cost[narrow] < part * cost[wide], f"{cost}: what is given up saves nothing"


# An event costs at least 0.1 us at each switch, on any processor, and turns of a few us leave it no room in 0.5 %.
NARROW_TURNS, WIDE_TURNS, UNSAMPLED = "budget=0.5", "budget=100", "samples=off,"
SWITCHING = "threads that switch hundreds of times a second"


def chance(hits, of, part):
    """Of as many draws with the chance `part` to be as far off as `hits`, on this side."""
    ways = [math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(of + 1)]
    row = [math.exp(ways[k] + k * math.log(part) + (of - k) * math.log1p(-part)) for k in range(of + 1)]
    return min(sum(row[:hits + 1]), sum(row[hits:]))


def case_turns(b, f):
    """Threads that take turns 20,000 times are not sampled by an event, which costs more at each switch than the turn:
    unless the budget has room for it. What samples there are divide two functions as the program's clock does: by
    chance once in ten million times otherwise, in each of two ways."""
    build(b, f / "turns", ["turns.c"])
    # Where a switch takes about as long as a turn, no budget has room for it: so there is more work at each turn.
    every = {way: turns(b, f, (way,), args, 5, "turns")[1][way] for way, args in ((NARROW_TURNS, ["20000"]), (WIDE_TURNS, ["4000", "20"]))}
    if every[WIDE_TURNS][0][1].header["sample_source"] != 1:
        return
    for way, runs in every.items():
        hits, share = {"often": 0, "seldom": 0}, 0
        for out, d, text, whole in runs:
            assert (SWITCHING in d.header["sample_note"]) == (f"samples: {SWITCHING}" in " ".join(text.split())) == (way == NARROW_TURNS), text
            # At each switch the kernel goes through an event that stands still, too.
            assert (int(out.split("events ")[1].split()[0]) == 0) == (way == NARROW_TURNS), (way, out)
            # A signal at the kernel's tick stands for several samples; of a function without samples there may be no
            # row.
            rows = list(d.samples())
            each = sum(s["count"] + s["excess"] for s in rows) / max(1, sum(s["count"] for s in rows))
            for r in whole["functions"]:
                if r["name"] in hits:
                    hits[r["name"]] += r["samples"] / each if each else 0
            often, seldom = map(int, out.split("calls ")[1].split()[:2])
            share += seldom / (often + seldom) / len(runs)
        signals = {name: round(n) for name, n in hits.items()}
        print(f"{way}: {signals} signals, {share:.3f} of them in seldom by the program's clock")
        assert sum(signals.values()) and chance(signals["seldom"], sum(signals.values()), share) > 1e-7, (way, signals, share)


def case_turns_cost(b, f):
    """What an event costs threads that take turns is spared, and where the budget has room for it the account has
    it."""
    build(b, f / "turns", ["turns.c"])
    ways = (UNSAMPLED + NARROW_TURNS, NARROW_TURNS, UNSAMPLED + WIDE_TURNS, WIDE_TURNS)
    least, every = turns(b, f, ways, ["20000"], COST_ROUNDS, "turns")
    cost = {way: least[way] - least[UNSAMPLED + way] for way in (NARROW_TURNS, WIDE_TURNS)}
    # A report that does not know it says so.
    said = min((whole["runs"][0].get("overhead_most_percent", math.inf) for _, _, _, whole in every[WIDE_TURNS]))
    print("samples cost:", {way: f"{c / 1e6:.1f} of {least[way] / 1e6:.1f} ms" for way, c in cost.items()}, f"said {said:.1f} %")
    if every[WIDE_TURNS][0][1].header["sample_source"] != 1:
        return
    assert cost[NARROW_TURNS] < cost[WIDE_TURNS] / 2, "sampled as if they took no turns"
    assert said / 100 > 0.4 * cost[WIDE_TURNS] / least[UNSAMPLED + WIDE_TURNS], "the account does not have what switches cost"


def case_idle(b, f):
    """Where nothing is recorded threads count nevertheless, each at a place of its own, by the kernel's word: at one place for all, a loader of two threads took 1.8 times
    the CPU time."""
    build(b, f / "idle", ["idle.c"])
    build(b, f / "default", ["idle.c"], extra=["-fplugin-arg-profplug-default=off"])
    for program, env in (("idle", {"PROFPLUG": "off"}), ("idle", {"PROFPLUG": "level=off"}), ("default", {}), ("idle", {})):
        result = run(f / program, cwd=f, env=env)
        assert result.returncode == 0 and not result.stderr, (program, env, result)
        assert result.stdout == "threads 61, apart 61\n", (program, env, result.stdout)
    assert len(files(f)) == 1, "the last alone is recorded"


def case_recursion(b, f):
    for at, flags in enumerate((["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-Os"], ["-O2", "-flto", "-fno-fat-lto-objects"])):
        folder = f / str(at)
        folder.mkdir()
        simple(b, folder, "recursion", least=5, extra=flags, args=["x"])


def case_escape(b, f):
    DataFile.jumps = 3000
    simple(b, f, "escape", functions="stages", least=9)



def case_static(b, f): simple(b, f, "threads", extra=["-static"])
def case_basic(b, f): simple(b, f, "small", env={"PROFPLUG": "level=basic"}, args=["basic"])


def case_cxx(b, f):
    build(b, f / "cxx", ["cxx.cc"], extra=["-x", "none", "-lstdc++"])
    for env in ({}, EXACT):
        result = run(f / "cxx", cwd=f, env=env)
        assert result.returncode == 0 and not result.stderr, result
        hold(result, f, 10)


def libraries(b, f, how, extra=()):
    out = []
    for n in (1, 2, 3):
        out.append(f / f"library{n}.so")
        build(b, out[-1], ["library.c"], extra=["-shared", "-fPIC", f"-DNUMBER={n}", *extra], library=how)
    return [str(p) for p in out]


def case_libraries(b, f):
    """Libraries with a copy of the runtime each; then all with the shared one."""
    bare = ["-fplugin-arg-profplug-lines=none", "-fplugin-arg-profplug-loops=annotated"]  # how many keys the sites take is looked at
    for how in (True, "shared"):
        for old in f.glob("*.profplug"):
            old.unlink()
        build(b, f / "libraries", ["libraries.c"], library=how, extra=bare)
        result = run(f / "libraries", libraries(b, f, how, bare), cwd=f)
        assert result.returncode == 0 and not result.stderr, result
        hold(result, f, 8)


def case_shared(b, f):
    """The shared runtime: in the executable, and brought by a library that is closed again."""
    for name, code in (("late", 7), ("family", 0), ("jump", 0), ("deep", 0)):
        for old in f.glob("*.profplug"):
            old.unlink()
        build(b, f / name, [f"{name}.c"], library="shared")
        simple(b, f, name, returncode=code)
    subprocess.run(["gcc", "-O2", "-g", "-pthread", f"-I{ROOT}/include", f"-I{PROGRAMS}", str(PROGRAMS / "host.c"), "-o", str(f / "host")], check=True)
    for old in f.glob("*.profplug"):
        old.unlink()
    result = run(f / "host", libraries(b, f, "shared"), cwd=f)
    assert result.returncode == 0 and not result.stderr, result
    hold(result, f, 8)


def case_levels(b, f):
    """No optimization, and AddressSanitizer and gprof beside."""
    for extra in (["-O0"], ["-O3"], ["-Os"], ["-flto"], ["-fsanitize=address"], ["-pg"], ["-fno-plt", "-no-pie"]):
        for name, code in (("threads", 0), ("late", 7), ("family", 0), ("jump", 0), ("loops", 0)):
            if (extra, name) in ((["-fsanitize=address"], "jump"),):
                continue                     # its own shadow stacks and this jumping do not go together, also without us
            for old in f.glob("*.profplug"):
                old.unlink()
            build(b, f / name, [f"{name}.c"], extra=extra)
            # LeakSanitizer in the forked child of a threaded program now and then never returns, also without us (plain: 7 of 301 runs hung, instrumented:
            # 7 of 184; with detect_leaks=0 none of 985), and it speaks of the parent's threads.
            simple(b, f, name, returncode=code, env={"ASAN_OPTIONS": "detect_leaks=0"} if "-fsanitize=address" in extra else None)
        print(*extra, "held")


def case_copies(b, f):
    """Three libraries with a copy of the runtime each, in a program that has none, and in one that has."""
    for instrumented in (False, True):
        for old in f.glob("*.profplug"):
            old.unlink()
        if instrumented:
            build(b, f / "host", ["host.c", "small_part.c"])
        else:
            subprocess.run(["gcc", "-O2", "-g", "-pthread", f"-I{ROOT}/include", f"-I{PROGRAMS}", str(PROGRAMS / "host.c"), "-o", str(f / "host")], check=True)
        result = run(f / "host", libraries(b, f, True), cwd=f)
        assert result.returncode == 0 and not result.stderr, result
        hold(result, f, 8)


def case_own(b, f):
    """What copies of the runtime do in a library, elected or not, is the profiler's: by construction the library's functions do next to nothing, and nothing
    outside. A program with a copy, one without that can close the library (the runtime that it carries is elected), one that is linked with it, and all with the shared runtime."""
    plain = ["gcc", "-O2", "-g", f"-I{ROOT}/include", f"-I{PROGRAMS}", str(PROGRAMS / "busy.c")]
    names = subprocess.run(["nm", "--defined-only", str(b / "libprofplug.a")], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    code = {w[2] for w in (line.split() for line in names) if len(w) == 3 and w[1] in "tTwW"}
    for how in (True, "shared"):
        build(b, f / "libbusy.so", ["busy_library.c"], extra=["-shared", "-fPIC", "-fplugin-arg-profplug-lines=none"], library=how)
        build(b, f / "own", ["busy.c"], library=how)
        subprocess.run([*plain, "-o", str(f / "host")], check=True)
        subprocess.run([*plain, "-DLINKED", f"-L{f}", f"-Wl,-rpath,{f}", "-lbusy", "-o", str(f / "linked")], check=True)
        for name in ("own", "host", "linked"):
            for old in f.glob("*.profplug"):
                old.unlink()
            result = run(f / name, [str(f / "libbusy.so")], cwd=f, env=EXACT)
            assert result.returncode == 0 and not result.stderr, result
            (path,) = f.glob("*.profplug")
            said = read(b, path)
            # The C library's own functions of such a name (syscall) are another's: the runtime calls them when it
            # starts and ends.
            images = {m["id"] for m in said["modules"] if "profplug" in m["path"]}
            ours = {r["name"]: r["samples"] for r in said["functions"] if r["samples"] and r["name"] in code and r.get("module_id") in images}
            c = said["coverage"]
            print(name, how, {k: v for k, v in c.items() if k.startswith("samples")}, ours)
            assert not ours, f"{name}: the runtime among the program's functions"
            # In libraries: what the start and the end take, a few milliseconds of the half second.
            assert c["samples_profiler"] > c["samples"] / 4 and c["samples_library"] < c["samples_profiler"] / 10, c


def case_traffic(b, f):
    """What short entries of a stage read is known to the byte where all that the kernel accounts for came through calls that are looked at; else within what did not.
    The kernel's account is read at some of the entries alone: the stage's CPU time says so."""
    build(b, f / "traffic", ["traffic.c"])
    for unseen in (0, 5000):
        for old in f.glob("*.profplug"):
            old.unlink()
        result = run(f / "traffic", [str(unseen)] if unseen else [], cwd=f)
        assert result.returncode == 0 and not result.stderr, result
        truth = int(result.stdout.split()[1])
        (path,) = f.glob("*.profplug")
        said = read(b, path)
        stage = {s["name"]: s for s in said["stages"]}["short"]
        print({k: v for k, v in stage.items() if k.startswith(("read", "cpu_ns"))}, truth, said["runs"][0]["unhooked_read_bytes"])
        assert said["runs"][0]["unhooked_read_bytes"] == unseen
        if unseen == 0:
            assert "cpu_error_percent" in stage, "each entry was looked at: nothing is shown"
        if unseen:
            assert truth <= stage["read_bytes"] <= truth + unseen and 0 < stage["read_bytes_error_percent"] <= 100 * unseen / truth
        else:
            assert stage["read_bytes"] == truth and "read_bytes_error_percent" not in stage


def case_opening(b, f):
    """A program that forks while its threads open libraries, the first of which starts the runtime."""
    subprocess.run(["gcc", "-O2", "-g", "-pthread", str(PROGRAMS / "opening.c"), "-o", str(f / "opening")], check=True)
    made = libraries(b, f, True)
    for _ in range(12):
        result = run(f / "opening", made, cwd=f)
        assert result.returncode == 0 and "profplug" not in result.stderr.replace(str(f), ""), result
    assert len(files(f)) >= 12, "the parents are recorded"


def case_options(b, f):
    build(b, f / "small", ["small.c"])
    def once(returncode=0, **env):
        for old in f.glob("*.profplug"):
            old.unlink()
        result = run(f / "small", cwd=f, env=env)
        assert result.returncode == returncode, result
        return result, sorted(p.name for p in f.glob("*.profplug"))
    def clean(text, **more):
        result, names = once(PROFPLUG=text, **more)
        assert not result.stderr, result.stderr
        return (DataFile(f / names[0]) if names else None), names
    d, names = clean("")
    assert names == [f"profplug-small-{d.header['pid']}.profplug"] and d.options["level"] == "detailed" and d.options["sample-hz"] == "1000", d.options
    categories = {p["name"]: p["category"] for p in d.places.values()}
    wanted = {"load_files": 0, "prep": 2, "data": 1, "io_read": 6, "preprocess": 5, "ioread": 0}
    assert categories == wanted, categories
    assert len(d.data) < 1000000, len(d.data)
    assert clean("off")[1] == [] and clean("level=off")[1] == []
    assert clean("on")[0].options["level"] == "detailed"
    d, _ = clean("memory=off,level=comprehensive,timing=exact,sample-hz=77,label=a:1,label=b:x y,budget=0.5,max-file=3M")
    o = d.options
    assert (o["level"], o["memory"], o["io"], o["timing"], o["sample-hz"], o["budget"], o["max-file"]) == ("comprehensive", "off", "on", "exact", "77", "0.5", "3145728"), o
    assert d.labels == ["a:1", "b:x y"] and d.header["budget_permille"] == 5
    d, names = clean("output=%e-%q{WHO}-%%-%h.x,level=basic", WHO="me")
    assert not names
    files_ = list(f.glob("small-me-%-*.x"))
    assert len(files_) == 1 and DataFile(files_[0]).header["level"] == 1
    clean("output=same.profplug")
    run(f / "small", cwd=f, env={"PROFPLUG": "output=same.profplug"})
    assert sorted(p.name for p in f.glob("same*")) == ["same.1.profplug", "same.profplug"]
    for bad, words in {"levle=off": ["levle", "level", "sample-hz", "memory"], "level=loud": ["level=loud", "off|basic|detailed|comprehensive"],
                       "sample-hz=0": ["sample-hz=0", "1 to 20000"], "memory=maybe": ["memory=maybe", "off|on"], "gpu=on": ["gpu"], "nonsense": ["nonsense", "key=value"],
                       "label=x": ["KEY:VALUE"], "max-file=1Q": ["max-file", "100k", "1GiB"], "max-file=3": ["max-file=3", "64k or more"], "budget=101": ["budget"]}.items():
        result, names = once(PROFPLUG=bad)
        assert len(result.stderr.splitlines()) == 1 and result.stderr.startswith("profplug: ") and all(w in result.stderr for w in words), (bad, result.stderr)
        assert len(names) == 1, bad
    (f / "c.json").write_text('{ "level": "basic", "label": ["k:v", "l:w"],\n  "sample-hz": 50, "samples": true }')
    d, _ = clean("sample-hz=60", PROFPLUG_CONFIG="c.json")
    assert d.options["level"] == "basic" and d.options["samples"] == "on" and d.options["sample-hz"] == "60" and d.labels == ["k:v", "l:w"], d.options
    for text, words in {'{ "level" "basic" }': ["c.json:1", "colon"], '{\n"level": "basic",\n"x": [1, }': ["c.json:3"], "[]": ["object"], '{"a": nul}': ["c.json:1"]}.items():
        (f / "c.json").write_text(text)
        result, names = once(PROFPLUG_CONFIG="c.json")
        assert len(result.stderr.splitlines()) == 1 and all(w in result.stderr for w in words) and names, (text, result.stderr)
    result, names = once(PROFPLUG_CONFIG="absent.json")
    assert len(result.stderr.splitlines()) == 1 and "absent.json" in result.stderr and names
    os.mkfifo(f / "pipe")
    for many in (dict(PROFPLUG="a,b=c," * 900), dict(PROFPLUG=",".join(f"label=a{i}:b" for i in range(300))), dict(PROFPLUG_CONFIG="many.json")):
        (f / "many.json").write_text("{" + ",".join(f'"k{i}": 1' for i in range(2000)) + "}")
        result, names = once(**many)
        lines = result.stderr.splitlines()
        assert len(lines) == 4 and all(x.startswith("profplug: ") for x in lines) and lines[-1].endswith("more options were not understood") and names, (many, result.stderr[:2000])
    result, names = once(PROFPLUG="\x1b[2J\nx\x7f=1")
    assert result.stderr.startswith("profplug: PROFPLUG: \\x1b[2J\\x0ax\\x7f: unknown") and len(result.stderr.splitlines()) == 1, result.stderr
    result, names = once(PROFPLUG_CONFIG="pipe")
    assert len(result.stderr.splitlines()) <= 1 and names, result.stderr
    build(b, f / "quiet", ["small.c"], extra=["-fplugin-arg-profplug-default=off"])
    for old in f.glob("*.profplug"):
        old.unlink()
    assert run(f / "quiet", cwd=f).returncode == 0 and not list(f.glob("*.profplug"))
    assert run(f / "quiet", cwd=f, env={"PROFPLUG": "on"}).returncode == 0 and len(list(f.glob("*.profplug"))) == 1


def case_places(b, f):
    """Where no file can be: one line, and the program as it is without us."""
    build(b, f / "small", ["small.c"])
    for where in ("/proc/nothing/x", str(f / "absent" / "x"), "/dev/full/x", "/", "/dev/null", "/dev/stdout"):
        result = run(f / "small", cwd=f, env={"PROFPLUG": f"output={where}"})
        assert result.returncode == 0 and len(result.stderr.splitlines()) == 1 and where in result.stderr and "nothing is recorded" in result.stderr, result
    assert not list(pathlib.Path("/dev").glob("*.1")), "a name beside a device was taken"
    result = run("sh", ["-c", 'ulimit -f 0; exec "$0"', f / "small"], cwd=f)
    assert result.returncode == 0 and "File too large" in result.stderr, result
    result = run(f / "small", cwd=f, env={"PROFPLUG": "output=y/" + "x" * 5000})
    assert result.returncode == 0 and len(result.stderr.splitlines()) == 1, result
    (f / "gone").mkdir()
    result = run("sh", ["-c", f"cd {f}/gone && rmdir ../gone && exec ../small"], cwd=f)
    assert result.returncode == 0 and len(result.stderr.splitlines()) == 1, result
    (f / "link.profplug").symlink_to(f / "target")
    result = run(f / "small", cwd=f, env={"PROFPLUG": "output=link.profplug"})
    assert not (f / "target").exists() and (f / "link.1.profplug").exists(), "a symbolic link was followed"


def case_modes(b, f):
    """Nobody but the owner may write to a data file, also of a program whose umask forbids nothing."""
    build(b, f / "small", ["small.c"])
    for mask, mode in ((0, 0o644), (0o002, 0o644), (0o027, 0o640), (0o077, 0o600)):
        folder = f / f"{mask:o}"
        folder.mkdir()
        assert run(f / "small", cwd=folder, umask=mask).returncode == 0
        got = [path.stat().st_mode & 0o7777 for path in folder.glob("*.profplug")]
        assert got == [mode], f"umask {mask:o}: {[oct(m) for m in got]}, expected {mode:o}"


def case_closed(b, f):
    """Standard streams and all other descriptors closed: ours are not 0, 1 or 2, and growing still finds the file."""
    build(b, f / "closed", ["closed.c"])
    result = run("sh", ["-c", "exec ./closed <&- 2>&-"], cwd=f)
    assert result.returncode == 0, result
    hold(result, f, 3)


def case_disk(b, f):
    build(b, f / "many", ["many.c"])
    def check(folder, prefix=(), **env):
        result = run(*([prefix[0], [*prefix[1:], str(f / "many")]] if prefix else [f / "many", []]), cwd=folder, env=env)
        assert result.returncode == 0 and "alive" in result.stdout, result
        return [DataFile(p) for p in folder.glob("*.profplug")], result
    (d,), _ = check(f, PROFPLUG="max-file=1M")
    assert d.losses["DISK"] and len(d.data) <= 1 << 20 and d.stages(), d.losses
    (f / "limit").mkdir()
    (d,), _ = check(f / "limit", prefix=["sh", "-c", 'ulimit -f 1024; exec "$0"'])
    assert d.losses["DISK"] and len(d.data) <= 1 << 20 and d.stages(), d.losses
    small = f / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "none", str(small)], capture_output=True).returncode:
        print("no right to mount a small file system: the full disk was not tried")
        raise SystemExit(77)
    try:
        (d,), result = check(small)
        assert d.losses["DISK"] and d.stages() and d.exit == ("EXIT", 0) and not result.stderr, d.losses
        for old in small.glob("*.profplug"):
            old.unlink()
        (small / "fill").write_bytes(bytes((1 << 20) - 4096))
        found, result = check(small)
        assert not found and len(result.stderr.splitlines()) == 1, result
        result = run(b / "profplug", ["run", str(f / "many")], cwd=small)
        assert result.returncode == 0 and re.search(rf"no data file: the disk of {small} has 4.00 KiB free; expected 128 KiB or more$", result.stderr, re.M), result
        assert len(result.stderr.splitlines()) == 1, result
    finally:
        subprocess.run(["umount", str(small)])


def case_endings(b, f):
    for how, code in dict(kill=-9, abort=-6, fault=-11, _exit=5, _Exit=6, quick=8, exit=9, exec=0, noexec=4).items():
        for old in f.glob("*.profplug"):
            old.unlink()
        simple(b, f, "endings", returncode=code, args=[how])
        print(how, "held")


if __name__ == "__main__":
    build_dir, case = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="profplug-run-") as t:
        globals()["case_" + case](build_dir, pathlib.Path(t))
