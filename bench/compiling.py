# SPDX-License-Identifier: MIT
"""What the plugin does to compilations of the bench's sources: their time (SQLite's amalgamation, CPU time, in turn), and the loops that GCC
vectorizes without it and not with it, by its own record (-fopt-info-vec-optimized, -O3, where it vectorizes freely)."""
import collections
import concurrent.futures
import os
import re
import resource
import statistics
import subprocess

ROUNDS = 3


def ways_of(ours):
    argument = "-fplugin-arg-profplug-"
    return {"plain": ["gcc"], "default": list(ours), "lines=all": [*ours, f"{argument}lines=all"]}


def compile_seconds(compiler, workload, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*compiler, *workload.flags, "-O2", "-g", "-c", workload.sources[0], "-o", f"{folder}/timed.o"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def vectorized(compiler, workload, source, folder):
    """Place of each loop that was vectorized: how many copies of it."""
    record = f"{folder}/{workload.name}-{os.path.basename(source)}-{len(compiler)}.vec"
    open(record, "w").close()            # GCC makes it for its first loop
    subprocess.run([*compiler, *workload.flags, "-O3", "-g", "-w", f"-fopt-info-vec-optimized={record}", "-c", source, "-o", record + ".o"], check=True)
    places = collections.Counter()
    for line in open(record, errors="replace"):
        found = re.match(r"(.*):(\d+):\d+: optimized:\s+loop vectorized", line)
        if found:
            places[f"{os.path.basename(found[1])}:{found[2]}"] += 1
    return places


def loops_of(ours, workload, folder):
    ways = ways_of(ours)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {(name, source): pool.submit(vectorized, compiler, workload, source, folder) for name, compiler in ways.items() for source in workload.sources}
        places = {name: sum((job.result() for (of, _), job in jobs.items() if of == name), collections.Counter()) for name in ways}
    plain = places["plain"]
    return {"plain": len(plain), **{name: {"lost": sorted(p for p in plain if not got[p]), "copies_lost": sum((plain - got).values()), "gained": sorted(p for p in got if not plain[p])}
                                    for name, got in places.items() if name != "plain"}}


def measure(bench, workloads):
    folder = f"{bench.folder}/compiling"
    os.makedirs(folder, exist_ok=True)
    result = {"loops": {w.name: loops_of(bench.ours, w, folder) for w in workloads}}
    for workload in workloads:
        if workload.name == "sqlite":
            ways = ways_of(bench.ours)
            seconds = {name: [] for name in ways}
            for _ in range(ROUNDS):
                for name, compiler in ways.items():
                    seconds[name].append(compile_seconds(compiler, workload, folder))
            result["sqlite_seconds"] = seconds
            result["sqlite_ratio"] = {name: statistics.median(a / b for a, b in zip(of, seconds["plain"])) for name, of in seconds.items()}
    return result
