#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""touch.py BUILD PROGRAM: page faults by line against the kernel's own count around each phase (touch.c), and what was touched of the blocks of each allocation against what the
program touched, with perf events and where the kernel refuses them. Without events no line has any."""
import math
import platform
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from refused import PERF_EVENT_OPEN, refuse
from report import at, profiled

build, program = sys.argv[1:3]
ATTEMPTS = 5
SIGMAS = 3                               # of a line's faults and of what was touched
SLACK = 0.05                             # of the faults of a line, as those before the event is open are on none
LONG_MS, WIDEST = 650, 0.1               # a phase of so much CPU time must have its faults on its line, with an error of so much at most
TURNS = 0.3                              # and lines that take turns with an error of so much
FEW = 300                                # faults at the borders of a phase: of stacks, the profiler, the C library
HUGE = open("/sys/kernel/mm/transparent_hugepage/enabled").read().split("[")[1].split("]")[0] == "always"


def of(document, line, key):
    return sum(row.get(key, 0) for row in at(document["lines"], "touch.c", line))


def error(document, line, key):
    return math.hypot(*(row.get(key, 0) * row.get(key + "_error_percent", 0) / 100 for row in at(document["lines"], "touch.c", line)))


def once(refused):
    said, document = profiled(build, [program], timeout=300, preexec_fn=(lambda: refuse((PERF_EVENT_OPEN,))) if refused else None)
    off = []
    for name, asked, line, faults, touched, cpu in ((w[0], *map(int, w[1:])) for w in map(str.split, said.splitlines())):
        got, sigma = of(document, line, "faults"), error(document, line, "faults")
        found, spread = of(document, asked, "touched_bytes"), error(document, asked, "touched_bytes")
        print(f"{'timers' if refused else 'events'}: {name}: {got} +-{sigma:.0f} faults, the kernel counts {faults}; touched {found} +-{spread:.0f}, the program {touched}; "
              f"{of(document, line, 'fault_ns') / 1e6:.1f} ms of {cpu / 1e6:.1f}", flush=True)
        if refused and got:
            off.append(f"{name}: line {line} has {got} faults, though nobody knows the places")
        elif not refused and not HUGE and abs(got - faults) > SIGMAS * sigma + SLACK * faults + FEW and (got or cpu > LONG_MS * 1e6 or name in ("most", "few")):
            off.append(f"{name}: line {line} has {got} +-{sigma:.0f} faults, the kernel counts {faults}")
        if not refused and not HUGE and (cpu > LONG_MS * 1e6 and sigma > WIDEST * got or sigma > TURNS * got > 0):
            off.append(f"{name}: line {line} has {got} faults with an error of {sigma:.0f}")
        if asked and abs(found - touched) > SIGMAS * spread:
            off.append(f"{name}: of the blocks of line {asked} {found} +-{spread:.0f} bytes were touched, by the program {touched}")
        if name in ("grown", "live", "untouched") and spread:
            off.append(f"{name}: {spread} bytes of error, though all blocks were looked at")
    all_faults, placed = (document["coverage"].get(key, 0) for key in ("page_faults", "page_faults_on_lines"))
    if abs(sum(row.get("faults", 0) for row in document["lines"]) - placed) > len(document["lines"]) or placed > all_faults:
        off.append(f"faults on lines are not {placed} of {all_faults}")
    return off


for refused in (False, True) if platform.machine() == "x86_64" else (False,):
    for attempt in range(ATTEMPTS):      # a sample in ten is off by more than its error, and the machine may be busy
        off = once(refused)
        if not off:
            break
        print(*off, sep="\n", flush=True)
    if off:
        sys.exit("\n".join(off))
