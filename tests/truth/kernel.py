#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernel.py BUILD PROGRAM: the CPU time of lines whose time is the kernel's, against the thread's CPU clock around all of a line's calls (kernel.c), with
perf events and where the kernel refuses them. What is off is asked again, alone and with more data; a line is wrong if it is off ATTEMPTS times."""
import platform
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import must
from refused import PERF_EVENT_OPEN, refuse
from report import at, profiled

build, program = sys.argv[1:3]
SLACK, SIGMAS, ATTEMPTS = 0.10, 3, 5
# What the runtime itself takes at each call is no part of its line. Of these it is so much at most, and no more than a
# run with recording off takes less; of all others the line has the clock's time within the slack.
# Where the kernel's part is short, as on one Intel processor, that is 18 % of an open, and 40 % of a dup.
OWN = {"null": 0.12, "pipe": 0.12, "fread": 0.15, "ioctl": 0.2, "clean_sync": 0.1, "dup": 0.4, "fstat": 0.1,
       "poll": 0.12, "epoll": 0.12, "sendfile": 0.12, "clone": 0.15, "sync": 0.15, "mkdir": 0.1, "udp": 0.1,
       "open": 0.2, "accept": 0.15}
# Calls that the runtime does not know, and page faults, are found between two samples, and one of these may be in the next line's phase.
BLURRED = ("map", "exec", "touch", "futex", "parent", "random")
BLUR = 0.35
# A call that is held against a run without the runtime, beside which the machine may be as busy or not: what the line
# has, and what the clock says.
ALONE, ALONE_LEAST, ALONE_MOST, ALONE_CLOCK = ("exec",), 0.5, 2, 4
# Their calls have clocks, so a run with few samples tells them as well. A part of these lines, WIDER, may print a larger
# error.
CLOCKED = ("pread", "pread_big", "pwrite", "zero", "null", "open", "send", "pipe", "stat", "ioctl", "readv", "writev",
           "protect", "udp", "tcp", "accept", "fstat", "access", "rename", "unlink", "mkdir", "truncate")
ERROR, WIDER = 0.15, 1 / 4
NOWHERE = 0.03                           # of the CPU time, at most: kernel time on no line, with that of the runtime


def alone(names, milliseconds, refused):
    """CPU time of a call of each, without the profiler. The filter that refuses takes a part of each call's time."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        said = must([program, folder, str(milliseconds), *names], env={"PROFPLUG": "off"}, preexec_fn=barred(refused))
    return {row[0]: int(row[2]) / int(row[4]) for row in map(str.split, said.splitlines())}


def barred(refused):
    return (lambda: refuse((PERF_EVENT_OPEN,))) if refused else None


def once(milliseconds, refused, names):
    """Lines that are off, and how. Only those of the names are run, if there are any."""
    asked = [name for name in (*OWN, *ALONE) if not names or name in names]
    before = alone(asked, milliseconds, refused) if asked else {}
    said, document = profiled(build, [program, "@", milliseconds, *names], timeout=600, preexec_fn=barred(refused))
    after = alone(asked, milliseconds, refused) if asked else {}
    off, plain, errors = {}, {name: min(before[name], after[name]) for name in asked}, {}
    for name, line, ns, kernel, calls in map(str.split, said.splitlines()):
        rows = at(document["lines"], "kernel.c", int(line))
        got, system = sum(row["self_ns"] for row in rows), sum(row["system_ns"] for row in rows)
        sigma = sum((row["self_ns"] * row["error_percent"] / 100) ** 2 for row in rows) ** 0.5
        if name in CLOCKED:
            errors[name] = sigma / int(ns)
        allowed = BLUR * int(ns) if name in BLURRED else max(SLACK * int(ns), min(SIGMAS * sigma, 0.15 * int(ns)))
        least, most = int(ns) - allowed, int(ns) + allowed
        if name in OWN:
            least -= min(max(int(ns) - plain[name] * int(calls), 0), OWN[name] * int(ns))
        if name in ALONE:
            each = plain[name] * int(calls)
            least, most = max(least, ALONE_LEAST * each), min(most, ALONE_MOST * each)
            took = int(ns) / int(calls)
            if took > ALONE_CLOCK * plain[name]:
                off[name] = f"line {line}: a call takes {took:.0f} ns, without the runtime {plain[name]:.0f}"
        if name not in off and not least <= got <= most:
            off[name] = f"line {line}: {got / 1e6:.1f} ms, expected {least / 1e6:.1f} to {most / 1e6:.1f}"
        elif kernel in "13" and system < got / 3 or kernel == "0" and system > allowed:
            off[name] = f"line {line}: {system / 1e6:.1f} of {got / 1e6:.1f} ms in the kernel"
    wide = [f"{name} {100 * error:.0f} %" for name, error in errors.items() if error > ERROR]
    if len(wide) > WIDER * len(CLOCKED):
        off["errors"] = (f"of {len(errors)} lines whose calls have clocks, {len(wide)} print an error of more than "
                         f"{100 * ERROR:.0f} %: {', '.join(wide)}")
    coverage = document["coverage"]
    nowhere = coverage["kernel_ns"] - coverage["kernel_placed_ns"] - coverage["kernel_profiler_ns"]
    if nowhere > NOWHERE * coverage["cpu_ns"]:
        off["no line"] = f"{nowhere / 1e6:.1f} of {coverage['cpu_ns'] / 1e6:.1f} ms of CPU time are the kernel's on no line"
    print(f"{'timers' if refused else 'events'}, {milliseconds} ms a line: {100 * nowhere / coverage['cpu_ns']:.1f} % on no line; off: {off or 'nothing'}", flush=True)
    return off


wrong = []
for refused in (False, True) if platform.machine() == "x86_64" else (False,):
    doubted = None
    for attempt in range(ATTEMPTS):
        again = [] if "errors" in (doubted or ()) else [name for name in doubted or () if name != "no line"]
        off = once((300 if refused else 100) * 2**attempt, refused, again)
        doubted = {name: what for name, what in off.items() if doubted is None or name in doubted}
        if not doubted:
            break
    wrong += [f"{name}: {what}" for name, what in doubted.items()]
sys.exit("\n".join(wrong) if wrong else 0)
