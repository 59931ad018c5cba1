#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""threads.py BUILD [rounds:N] [only:WAY]: threads, forks, handlers and stacks of every kind, plain and profiled: same status and output, and the
calls in the data files of all processes are those that the program counted itself, in a page that they all share."""
import pathlib, re, subprocess, sys, tempfile
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "run"))
sys.path.insert(0, str(HERE))
from datafile import DataFile
from endings import compile_both, page_read, PROGRAMS, COLUMNS
import check
from program import environment

# way: least number of calls counted; files; calls that the files may be ahead: of threads stopped between the probe and the count (asynchronous
# cancellation), and of stages that a forked child has inherited open, which go on as its own
WAYS = {"churn": dict(calls=50000, files=11, threads=5001), "cancel": dict(calls=1000), "cancel-async": dict(calls=1000, slack=80), "alternate": dict(calls=20000),
        "jumps": dict(calls=5000), "fork-thread": dict(calls=5000, files=21), "fork-handler": dict(calls=300, files=26, slack=25), "vfork": dict(calls=200, files=1),
        "spawn": dict(calls=300, files=1), "clone-memory": dict(calls=200, files=1), "clone": dict(calls=400, files=1), "atfork-early": dict(calls=300, files=121, early=True), "atfork": dict(calls=1000, files=101),
        "keys": dict(calls=20000, files=1), "c11": dict(calls=1000, files=1), "constructors": dict(calls=3000, files=1), "libraries": dict(calls=500, files=1),
        "small-stack": dict(calls=300, files=1, argument="8192"), "narrow-stack": dict(calls=300, files=1, argument="4800"), "fibers": dict(calls=5000, files=1), "fibers-moving": dict(calls=5000, files=1)}
PARENTS = {"churn", "alternate", "vfork"}        # whose threads are counted too


# The C library's functions at which a thread may be cancelled, as far as a runtime might call them (pthreads(7)).
CANCELLATION = set("open openat creat close read pread write pwrite readv writev pread64 pwrite64 open64 openat64 fsync fdatasync msync poll ppoll select pselect nanosleep "
                   "clock_nanosleep usleep sleep pause sigwait sigwaitinfo sigtimedwait sigsuspend wait waitpid waitid system sem_wait sem_timedwait pthread_join "
                   "pthread_cond_wait pthread_cond_timedwait pthread_testcancel lockf fopen fclose fread fwrite fprintf printf fputs getline opendir readdir".split())


def points_check(build):
    # next.c stands in for functions that are cancellation points, where a static executable lacks them.
    names = [name for part in subprocess.run(["nm", "-A", "-u", build / "libprofplug.a"], capture_output=True, text=True).stdout.splitlines()
             if not re.search(r":next\.c\.o:.* pthread_testcancel$", part) for name in part.split()[-1:]]
    assert "syscall" in names and "clock_gettime" in names, "no names of the runtime's"
    assert not CANCELLATION & set(names), f"the runtime calls cancellation points: {CANCELLATION & set(names)}"


def one(program, way, arguments, wanted, options=""):
    folder = program.parent
    for old in [*folder.glob("*.profplug"), *folder.glob("*.page")]:
        old.unlink()
    env = environment()
    if options:
        env["PROFPLUG"] = options
    def run(name, page):
        e = dict(env, CROWD_PAGE=page) if way == "constructors" else dict(env)
        if page == "plain.page":
            e["PROFPLUG"] = "off"            # the libraries carry a runtime
        try:
            return subprocess.run([name, way, page, *map(str, arguments)], cwd=folder, env=e, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{way}: {name} hangs")
    own = run(str(program), "own.page")
    plain = run(f"{program}-plain", "plain.page")
    assert (plain.returncode, plain.stderr) == (60, ""), f"{way}: plain {plain}"
    assert (own.returncode, own.stdout, own.stderr) == (plain.returncode, plain.stdout, ""), f"{way}: {own}"
    counts, extra, _ = page_read(folder / "own.page")
    files = [DataFile(p) for p in folder.glob("*.profplug")]
    sums = {}
    for d in files:
        for name, n in d.calls().items():
            sums[name] = sums.get(name, 0) + n
    slack, checked = wanted.get("slack", 0), 0
    if wanted.get("early"):                  # probes amid a fork: not recorded, each counted as lost
        early = sum(d.losses["EARLY"] for d in files)
        missing = sum(counts[name] - sums.get(name, 0) for name in COLUMNS[:3])
        assert early and missing + missing // 6 == early, f"{way}: {missing} calls are missing, {early} are said to be lost, a seventh of them of the handler itself"
        for name in COLUMNS[:3]:
            sums[name] = counts[name]
    for name in COLUMNS[:3]:
        got = sums.get(name, 0)
        assert counts[name] <= got <= counts[name] + slack, f"{way}: {name}: the files say {got}, the program {counts[name]}"
        checked += counts[name]
    handled = sum(sums.get(name, 0) for name in ("handling", "cleanup", "shelved", "emptied"))
    assert handled == counts["handled"], f"{way}: handlers: the files say {handled}, the program {counts['handled']}"
    assert checked >= wanted["calls"], f"{way}: only {checked} calls"
    assert len(files) == wanted.get("files", len(files)) and files, f"{way}: {len(files)} files"
    if "threads" in wanted:
        root = min(files, key=lambda d: d.header["start_ns"])
        assert len(root.threads()) == wanted["threads"], f"{way}: {len(root.threads())} threads"
    for d in files:
        lost = {k: v for k, v in d.losses.items() if v and k != "HEALED" and not (k == "EARLY" and wanted.get("early"))}
        assert not lost, f"{way}: losses {lost}"
        assert d.header["end_ns"], f"{way}: not sealed"
    if way == "libraries":
        assert sums["library_stage"] == 8 * 2 * 4 * 10 and sums["library_small"] == sums["library_stage"] * 3, sums
    return checked


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    asked = dict(a.split(":") for a in sys.argv[2:])
    with tempfile.TemporaryDirectory(prefix="profplug-threads-") as t:
        folder = pathlib.Path(t)
        DataFile.jumps = 1 << 20             # threads are cancelled amid a booking
        early = folder / "libearly.so"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(PROGRAMS / "early.c"), "-o", str(early)], check=True)
        crowd = compile_both(build, folder, "crowd.c", extra=["-rdynamic", "-Wl,--no-as-needed", str(early), f"-Wl,-rpath,{folder}", "-Wl,--as-needed"])
        local = compile_both(build, folder, "locals.cc")
        libraries = []
        for n in (1, 2):
            libraries.append(folder / f"outlived{n}.so")
            subprocess.run(["gcc", "-O2", "-g", "-shared", "-fPIC", f"-fplugin={build}/profplug.so", f"-I{check.ROOT}/include", f"-DNUMBER={n}", str(PROGRAMS / "outlived.c"),
                            "-o", str(libraries[-1]), f"-L{build}", "-l:libprofplug.a"], check=True)
        tried = checked = 0
        bad = []
        points_check(build)
        for _ in range(int(asked.get("rounds", 1))):
            for program, way, wanted in [*((crowd, w, v) for w, v in WAYS.items()), (local, "locals", dict(calls=5000, files=1))]:
                for options in ("", "sample-hz=20000"):
                    if asked.get("only", way) != way:
                        continue
                    tried += 1
                    try:
                        checked += one(program, way, libraries if way == "libraries" else [wanted["argument"]] if "argument" in wanted else (), wanted, options)
                    except AssertionError as e:
                        bad.append(f"{e} ({options})")
                        print(bad[-1][:1500], flush=True)
        print(f"{tried} runs, {checked} calls agreed, {len(bad)} wrong")
        assert not bad and ("only" in asked or tried >= 40) and checked >= 1000


if __name__ == "__main__":
    main()
