# SPDX-License-Identifier: MIT
"""perfrecord.py: where `perf record` finds the user time of a program, by line: a sample counts for the first line of
the program on its call chain. The runtime is linked in: its time is no line's, and that of a library which it calls is
its caller's. Knows nothing of what a test asserts."""
import collections
import os
import re
import shutil
import subprocess

EVENT = ["-q", "-e", "cpu-clock:u", "-F", "997", "--call-graph", "dwarf"]
RUNTIME = os.path.realpath(f"{os.path.dirname(os.path.abspath(__file__))}/../../rt") + "/"


def refused():
    """Why it cannot be had here, or nothing."""
    if not shutil.which("perf") or not shutil.which("addr2line"):
        return "no perf or no addr2line on this machine"
    tried = subprocess.run(["perf", "record", *EVENT, "-o", "/dev/null", "--", "true"], capture_output=True, text=True)
    return tried.returncode and "perf record: " + (tried.stderr.strip().splitlines() or ["refused"])[0]


def said_by(argv, **more):
    return subprocess.run(argv, check=True, capture_output=True, text=True, **more).stdout


def command(data, argv):
    return ["perf", "record", *EVENT, "-o", data, "--", *argv]


def addresses(data, program):
    """How often each row of the program's addresses was on a call chain, the innermost first; before them, whether that
    is where the CPU was."""
    text = said_by(["perf", "script", "-i", data, "-F", "ip,dso", "--no-inline"])
    found, name = collections.Counter(), os.path.basename(program)
    for chain in re.split(r"\n\s*\n", text.strip()):
        frames = re.findall(r"^\s*([0-9a-f]+) \((.*)\)$", chain, re.M)
        inside = [os.path.basename(image) == name for _, image in frames]
        own = tuple(int(ip, 16) - (i > 0) for i, (ip, _) in enumerate(frames) if inside[i])
        found[bool(frames and inside[0]), own] += bool(frames)
    return found


def lines(program, runs):
    """The same by file and line, for each of the runs; None for those that have none. Some versions of perf print
    addresses of the process, others places in the file."""
    order = sorted({address for one in runs for _, row in one for address in row})
    rows = re.findall(r"^ +LOAD +(\S+) (\S+) \S+ (\S+)", said_by(["readelf", "-lW", program]), re.M)
    loads = [[int(number, 16) for number in row] for row in rows]

    def moved(at):
        return next((at - place + address for place, address, size in loads
                     if at < loads[0][1] and place <= at < place + size), at)
    said = said_by(["addr2line", "-e", program], input="".join(f"{moved(at):#x}\n" for at in order)).splitlines()
    place = {}
    for address, text in zip(order, said, strict=True):
        at = re.match(r"(.*):(\d+)( \(discriminator \d+\))?$", text)
        known = at and int(at[2]) and not os.path.realpath(at[1]).startswith(RUNTIME)
        place[address] = (os.path.basename(at[1]), int(at[2])) if known else None
    counted = []
    for one in runs:
        counted.append(collections.Counter())
        for (at_once, row), count in one.items():
            nowhere = at_once and not place[row[0]]
            counted[-1][None if nowhere else next(filter(None, map(place.get, row)), None)] += count
    return counted
