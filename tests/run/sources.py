#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sources.py BUILD CASE: samples, modules, heap and I/O of whole programs, against what the program, the kernel and readelf say."""
import os, re, resource, shutil, subprocess, sys, tempfile, pathlib
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from datafile import DataFile, METRICS

BUILD, CASE = pathlib.Path(sys.argv[1]), sys.argv[2]
ROOT = HERE.parents[1]
MEASURED = {"everything": ["everything"], "static": ["everything"], "preloaded": ["everything"], "address": ["everything"],
            "signals": ["signals"], "loading": ["loading", "./libbusy.so"], "closing": ["closing"], "unqueued": ["everything"], "few_files": ["everything"], "valgrind": ["everything"]}
LIMITS = {"unqueued": (resource.RLIMIT_SIGPENDING, 0), "few_files": (resource.RLIMIT_NOFILE, 40)}


def fail(text):
    sys.exit(f"{CASE}: {text}")


def compile_program(folder, extra=()):
    subprocess.run(["gcc", "-O2", "-g", "-pthread", f"-fplugin={BUILD}/profplug.so", f"-I{ROOT}/include", str(HERE / "sources/work.c"), "-o",
                    f"{folder}/work", *extra, f"{BUILD}/libprofplug.a", "-ldl"], check=True)


def build_id(path):
    text = subprocess.run(["readelf", "-n", path], capture_output=True, text=True).stdout
    m = re.search(r"Build ID: ([0-9a-f]+)", text)
    return m[1] if m else ""


def check_modules(d, maps, program):
    ids = [m["id"] for m in d.modules]
    if len(ids) != len(set(ids)):
        fail("a module stands twice in the file")
    spans = {}
    for line in maps:
        m = re.match(r"([0-9a-f]+)-([0-9a-f]+) (....) \S+ \S+ \S+\s+(\S.*)", line)
        if m and (m[4].startswith("/") or m[4] == "[vdso]"):
            low, high = spans.get(m[4], (1 << 64, 0))
            spans[m[4]] = (min(low, int(m[1], 16)), max(high, int(m[2], 16)))
    spans = {p: s for p, s in spans.items() if ".so" in p or p == "[vdso]" or p == program}
    spans = {p: s for p, s in spans.items() if not p.endswith("/libbusy.so")}
    known = {os.path.realpath(m["path"]) if m["path"][0] == "/" else m["path"]: m for m in d.modules}
    if program not in known or "[vdso]" not in known:
        fail(f"modules are {sorted(known)}")
    for path, (low, high) in spans.items():
        m = known.get(os.path.realpath(path) if path[0] == "/" else path)
        if not m:
            fail(f"{path} is mapped, but no module")
        if m["low"] != low or m["high"] < high:          # what lies past the file (.bss) has no name in maps
            fail(f"{path}: {m['low']:x}-{m['high']:x}, but /proc/self/maps says {low:x}-{high:x}")
        if path[0] == "/" and bytes(m["build_id"][:m["build_id_size"]]).hex() != build_id(path):
            fail(f"{path}: build-id")
    if [m["path"] for m in d.modules if m["instrumented"]] != [program]:
        fail(f"instrumented: {[m['path'] for m in d.modules if m['instrumented']]}")


def main():
    folder = tempfile.mkdtemp()
    program, env = os.path.realpath(folder) + "/work", {k: v for k, v in os.environ.items() if not k.startswith("PROFPLUG")}
    compile_program(folder, {"static": ["-static"], "address": ["-fsanitize=address"]}.get(CASE, []))
    if CASE == "loading":
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(HERE / "sources/busy.c"), "-o", folder + "/libbusy.so"], check=True)
    if CASE == "preloaded":
        env["LD_PRELOAD"] = sys.argv[3]
    if CASE == "address":
        env["ASAN_OPTIONS"] = "detect_leaks=0"
    command = [program, *MEASURED[CASE]]
    if CASE == "valgrind":
        if not shutil.which("valgrind"):
            print("no valgrind")
            sys.exit(77)
        command = ["valgrind", "-q", "--tool=none", *command]
    limit = (lambda: resource.setrlimit(LIMITS[CASE][0], (LIMITS[CASE][1],) * 2)) if CASE in LIMITS else None
    r = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=100, preexec_fn=limit)
    if r.returncode:
        fail(f"exit status {r.returncode}: {r.stderr[-2000:]}")
    lines = [line.split(None, 1) for line in r.stdout.splitlines()]
    if any(line[0] == "skip" for line in lines):
        print(r.stdout)
        sys.exit(77)
    d = DataFile(next(pathlib.Path(folder).glob("*.profplug")))
    said = {kind: [rest.split() for k, rest in lines if k == kind] for kind in ("metric", "cpu", "place", "same")}
    for what, got, wanted in said["same"]:
        if got != wanted:
            fail(f"{what}: {got}, expected {wanted}")
    if CASE == "unqueued" and d.header["events_sampled"] == 0:       # no timer and no queued signal: said, and survived
        if not d.losses["SAMPLES"] or not d.header["sample_note"]:
            fail("samples were lost, and nothing says so")
        return
    if CASE == "valgrind":
        if d.header["sample_source"] or not d.header["sample_note"]:
            fail("samples of Valgrind's time")
        return
    if any(d.losses.values()):
        fail(f"losses {d.losses}")

    # metrics of stages
    if CASE == "address":                # the sanitizer's strdup has a way of its own to its heap
        said["metric"] = [m for m in said["metric"] if m[0] == "io"]
    if CASE == "static":
        said["cpu"] = [c for c in said["cpu"] if c[0] != "copy"]          # memcpy is in the program's own image there
        said["metric"] = [m for m in said["metric"] if m[0] == "io"]
        if not d.header["memory_note"] or d.header["metrics_measured"] >> METRICS.index("ALLOC_BYTES") & 1:
            fail("memory is measured in a static executable, or nothing says that it is not")
    for stage, metric, wanted in said["metric"]:
        place = METRICS.index(metric.upper())
        if not d.header["metrics_measured"] >> place & 1:
            if d.header["metrics_measured"] >> METRICS.index("CPU") & 1 and metric.startswith(("read", "write")) and not os.path.exists("/proc/thread-self/io"):
                continue
            fail(f"{metric} is not measured: {d.header['memory_note']}")
        got = sum(s["metric"][place] for _, s in d.stages() if d.name(s["key"]) == stage)
        print(f"{stage} {metric} {got}")
        if got != int(wanted):
            fail(f"{stage} {metric}: {got}, expected {wanted}")

    # samples, against CPU clocks
    modules = {m["id"]: m for m in d.modules}
    if CASE != "closing":
        check_modules(d, [rest for k, rest in lines if k == "map"], program)
    if d.header["sample_source"] == 0:
        print("no samples here:", d.header["sample_note"])
        return
    period = d.header["sample_period_ns"]
    total = in_library = lost = squares = 0
    by_place, libraries = {}, {}
    for s in d.samples():
        total += s["count"]
        squares += s["count"] + s["excess"]     # of what each signal stands for: the variance of the total
        m = modules.get(s["module"])
        if not m:
            lost += s["count"]
            continue
        address = s["address"] + m["bias"]
        for name, low, high in said["place"]:
            if m["instrumented"] and int(low, 16) <= address < int(high, 16):
                by_place[name] = by_place.get(name, 0) + s["count"]
                if s["library"]:
                    libraries.setdefault(name, {}).setdefault(modules[s["library"]]["path"].split("/")[-1], 0)
                    libraries[name][modules[s["library"]]["path"].split("/")[-1]] += s["count"]
    print(f"{total} samples, {lost} in no module, source {d.header['sample_source']}", by_place, libraries)
    if total != d.header["events_sampled"] or total != sum(t["samples"] for t in d.threads()):
        fail("the counts of samples differ")
    tick = 1 if d.header["sample_source"] == 1 else 4
    for name, ns in said["cpu"]:
        expected = int(ns) / period
        slack = 5 * (expected * tick) ** 0.5 + expected * 0.04     # the kernel's own time in the loop is not sampled
        if abs(by_place.get(name, 0) - expected) > slack:
            fail(f"{name}: {by_place.get(name, 0)} samples, {expected:.0f} expected")
    if lost > total * 0.02:
        fail(f"{lost} samples in no module")
    if CASE == "loading" and libraries.get("call", {}).get("libbusy.so", 0) < by_place["call"] * 0.9:
        fail("the library is not named")
    if CASE in ("everything", "preloaded") and libraries.get("copy", {}).get("libc.so.6", 0) < by_place["copy"] * 0.8:
        fail("memcpy's time is not the library's")
    cpu = sum(t["cpu_ns"] for t in d.threads())
    if not 0.85 * cpu < d.header["user_ns"] + d.header["system_ns"] + 2e7 or cpu < (total - max(0.1 * total, 5 * squares ** 0.5)) * period:
        fail(f"CPU time of threads {cpu}, of the process {d.header['user_ns']} + {d.header['system_ns']}, samples {total}")


main()
