#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""endings.py BUILD [ways:N] [kills:N] [seed:N]: programs end in every way there is, plain and profiled: same status and signal, same output; and
what was recorded up to there can be read and agrees with what the program itself counted in a page that outlives it.
ways: each way N times; kills: SIGKILL at N random instants."""
import os, pathlib, random, signal, struct, subprocess, sys, tempfile, time
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "run"), str(HERE.parent / "support")]
import check
from datafile import DataFile, L
from program import environment
from report import read

DataFile.jumps = 1                       # a stage's numbers may be half booked when it is killed
COLUMNS = ("small", "framed", "staged", "handled")
PROGRAMS = HERE / "programs"

# way: how the file says it ended (None: it was stopped and cannot say), what `profplug report` calls that, threads that may be amid a call
WAYS = {"return": ("EXIT", 3), "exit": ("EXIT", 4), "_exit": ("EXIT", 5), "_Exit": ("EXIT", 6), "exit-wide": ("EXIT", 0x34), "quick_exit": 8,
        "abort": -6, "abort-handled": -6, "abort-exit": ("EXIT", 21), "segv": -11, "segv-exit": ("EXIT", 21), "segv-again": -11, "bus": -7, "fpe": -8,
        "term": -15, "term-exit": ("EXIT", 21), "term-handled": ("EXIT", 22), "kill": -9, "hup-threads": -1, "execve": ("EXEC", 14), "fexecve": ("EXEC", 15),
        "execl-threads": ("EXEC", 16), "exec-fails": ("EXIT", 17), "spawn": ("EXIT", 18), "pthread_exit": ("EXIT", 0), "pthread_exit-alone": ("EXIT", 0),
        "pthread_exit-kill": -9, "thread-exits": ("EXIT", 13), "atexit-exits": ("EXIT", 31), "detached": ("EXIT", 32), "_exit-threads": ("EXIT", 33),
        "overflow": -11, "exit_group": 34, "exit_thread": 35, "abort-core": -6, "segv-nocore": -11}
RUNNING = {"hup-threads", "execl-threads", "pthread_exit-kill", "thread-exits", "detached", "_exit-threads"}      # other threads are amid their work
THROWS = {"uncaught": -6, "noexcept": -6, "thread": -6, "terminate": ("EXIT", 41), "rethrow": -6}


def compile_both(build, folder, name, extra=()):
    """The program plain, and profiled; the data-file test's own options otherwise."""
    flags = ["-O2", "-g", "-pthread", f"-I{check.ROOT}/include", f"-I{PROGRAMS}", "-Wno-infinite-recursion", "-Wno-attributes"]
    compiler = "g++" if name.endswith(".cc") else "gcc"
    stem = name.split(".")[0]
    subprocess.run([compiler, *flags, str(PROGRAMS / name), "-o", str(folder / f"{stem}-plain"), *extra], check=True)
    subprocess.run([compiler, *flags, f"-fplugin={build}/profplug.so", str(PROGRAMS / name), "-o", str(folder / stem), *extra, f"-L{build}", "-l:libprofplug.a"], check=True)
    return folder / stem


def run(command, folder, timeout=60):
    return subprocess.run([str(c) for c in command], cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=timeout, text=True)


def page_read(path):
    """What the program counted, and how many threads did."""
    if not path.exists() or path.stat().st_size < 64:
        return dict.fromkeys(COLUMNS, 0), 0, 0
    words = struct.unpack(f"<{path.stat().st_size // 8}Q", path.read_bytes())
    columns = {name: sum(words[8 + i::8]) for i, name in enumerate(COLUMNS)}
    return columns, sum(words[8 + 4::8]), words[0] or 1


def agree(d, own, ahead):
    """The file's calls are the program's own, or ahead by the calls in progress: one in each thread."""
    calls = d.calls()
    for name, wanted in own.items():
        got = calls.get(name, 0)
        assert wanted <= got <= wanted + ahead, f"{name}: the file says {got}, the program {wanted} (and at most {ahead} in progress)"
    assert {k: v for k, v in d.losses.items() if v and k != "HEALED"} == {}, d.losses
    return sum(own.values())


def report_read(build, path):
    return read(build, path, settled=False)["runs"][0]


def clean(folder):
    for old in [*folder.glob("*.profplug"), *folder.glob("*.page"), *folder.glob("core*")]:
        old.unlink()


def way_try(build, program, way, wanted, launched):
    """One end: alone, or under `profplug run`."""
    folder = program.parent
    clean(folder)
    plain = run([f"{program}-plain", way, "plain.page"], folder)
    if launched:
        own = run([build / "profplug", "run", "--quiet", "--", program, way, "own.page"], folder)
        status = own.returncode if own.returncode < 128 or plain.returncode >= 0 else 128 - own.returncode
    else:
        own = run([program, way, "own.page"], folder)
        status = own.returncode
    code = wanted[1] if isinstance(wanted, tuple) else wanted
    assert plain.returncode == code, f"{way}: plain returned {plain.returncode}, the test expects {code}"
    assert status == plain.returncode, f"{way}: returned {status}, plain {plain.returncode}; {own.stderr}"
    assert (own.stdout, own.stderr.replace(str(program), "")) == (plain.stdout, plain.stderr.replace(f"{program}-plain", "")), (way, plain, own)
    counts, _, threads = page_read(folder / "own.page")
    files = [p for p in folder.glob("*.profplug")]
    found = [d for d in map(DataFile, files) if d.header["start_ns"] == min(DataFile(p).header["start_ns"] for p in files)]
    assert len(files) == (2 if way == "pthread_exit-kill" else 1), f"{way}: files {files}"
    d = found[0]
    checked = agree(d, counts, threads if way in RUNNING or not isinstance(wanted, tuple) else 0)
    assert checked >= 400, f"{way}: only {checked} calls"
    said = report_read(build, pathlib.Path(d.path))
    kind = said["exit_kind"]
    if isinstance(wanted, tuple):
        assert d.exit == (wanted[0], wanted[1] if wanted[0] == "EXIT" else 0), f"{way}: the file says {d.exit}"
        assert kind == wanted[0].lower() and (kind != "exit" or said["exit_status"] == wanted[1]), (way, kind)
    elif way == "quick_exit" and not launched:
        assert d.exit == ("UNKNOWN", 0) and d.header["end_ns"] and kind == "unknown", (way, d.exit, kind)
    elif launched:
        kinds = ("exit", code) if code >= 0 else ("killed", None) if code == -9 else ("signal", -code)
        assert (kind, said.get("exit_status")) == kinds, f"{way}: the report says {kind} {said.get('exit_status')}, expected {kinds}"
    else:
        assert kind == "killed", f"{way}: the report says {kind}"
    text = run([build / "profplug", "report", "--all", d.path], folder)
    assert text.returncode == 0 and "staged" in text.stdout, (way, text)
    return checked


def alive_try(build, program, way, gone=False):
    """A report of a program that runs, and when it is no more: also where it gives no sign of life, where main's thread has ended, where the
    executable was deleted meanwhile, and where another process got its number."""
    folder = program.parent
    clean(folder)
    copy = folder / "copy"
    subprocess.run(["cp", str(program), str(copy)], check=True)
    begin = time.monotonic()
    child = subprocess.Popen([str(copy), way, "own.page"], cwd=folder, stdout=subprocess.DEVNULL,
                             env=environment())
    try:
        for _ in range(1000):
            time.sleep(0.01)
            if page_read(folder / "own.page")[0]["staged"] >= 21:
                break
        if gone:
            copy.unlink()
        time.sleep(0.3)
        file, = folder.glob("*.profplug")
        said = report_read(build, file)
        now = (time.monotonic() - begin) * 1e9
        assert said["exit_kind"] == "running", f"{way}: the report says {said['exit_kind']} of a program that runs"
        assert 0.3e9 <= int(said["wall_ns"]) <= now, f"{way}: wall {said['wall_ns']} ns after {now:.0f}"
        assert agree(DataFile(file), page_read(folder / "own.page")[0], 0) >= 400
        data = bytearray(file.read_bytes())
        at = L["header"].fields["start_realtime_ns"][1]
        struct.pack_into("<Q", data, at, struct.unpack_from("<Q", data, at)[0] - 3600 * 10**9)
        (folder / "old.profplug").write_bytes(data)
        assert report_read(build, folder / "old.profplug")["exit_kind"] == "killed", "another process has its number"
    finally:
        child.kill()
        child.wait()
    assert report_read(build, file)["exit_kind"] == "killed"


def kill_try(build, program, way, delay_s):
    """SIGKILL at one instant: whatever file there is can be read, and holds the calls up to there."""
    folder = program.parent
    clean(folder)
    child = subprocess.Popen([str(program), way, "own.page"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             env=environment())
    end = time.monotonic() + delay_s
    if delay_s > 0.002:
        time.sleep(delay_s - 0.001)
    while time.monotonic() < end:
        pass
    child.send_signal(signal.SIGKILL)
    assert child.wait(timeout=60) == -9, child.returncode
    assert not child.stderr.read()
    child.stderr.close()
    counts, trips, threads = page_read(folder / "own.page")
    files = list(folder.glob("*.profplug"))
    assert len(files) <= 1 and not [n for n in os.listdir(folder) if n.startswith(".")], os.listdir(folder)
    if not files:
        assert not any(counts.values()), f"calls without a file: {counts}"
        return 0, 0
    said = report_read(build, files[0])
    assert said["exit_kind"] == "killed", said["exit_kind"]
    d = DataFile(files[0])
    checked = agree(d, counts, threads)
    return 1, checked


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    asked = dict(a.split(":") for a in sys.argv[2:])
    rounds, kills, seed = int(asked.get("ways", 1)), int(asked.get("kills", 50)), int(asked.get("seed", 20261121))
    only = asked.get("only")
    with tempfile.TemporaryDirectory(prefix="profplug-ends-") as t:
        folder = pathlib.Path(t)
        both = [(compile_both(build, folder, "endings.c"), WAYS), (compile_both(build, folder, "throws.cc"), THROWS)]
        tried = checked = 0
        bad = []
        for _ in range(rounds):
            for program, ways in both:
                for way, wanted in ways.items():
                    if only and way != only:
                        continue
                    for launched in (False, True):
                        tried += 1
                        try:
                            checked += way_try(build, program, way, wanted, launched)
                        except (AssertionError, subprocess.TimeoutExpired, KeyError) as e:
                            bad.append(f"{way}{' (profplug run)' if launched else ''}: {e}")
                            print(bad[-1], flush=True)
        for way, gone in () if only else (("asleep", False), ("asleep", True), ("asleep-leaderless", False)):
            try:
                alive_try(build, both[0][0], way, gone)
                tried += 1
            except AssertionError as e:
                bad.append(f"alive, {way}, {gone}: {e}")
                print(bad[-1])
        print(f"{tried} ends, {checked} calls agreed, {len(bad)} wrong")
        dice, files, calls, wrong = random.Random(seed), 0, 0, 0
        for i in range(kills):
            # half of them while it starts, the others while it works
            delay = dice.random() ** 2 * 0.006 if i % 2 else dice.random() * 0.06
            way = ("forever", "forever-threads", "loop")[i // 2 % 3]
            try:
                one, more = kill_try(build, both[0][0], way, delay)
                files, calls = files + one, calls + more
            except AssertionError as e:
                wrong += 1
                print(f"killed after {delay * 1000:.3f} ms in {way}: {e}", flush=True)
        print(f"{kills} kills: {files} files, {calls} calls agreed, {wrong} wrong")
        assert not bad and not wrong and (only or tried >= 80) and (kills < 50 or files >= kills // 3)


if __name__ == "__main__":
    main()
