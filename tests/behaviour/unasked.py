#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unasked.py BUILD COUNT: short calls cost no system calls of ours. For each kind of call a program makes COUNT rounds and three times as many, with probes.
strace counts all system calls but those that the program itself makes, which run at their own speed: a call that strace looks at is no short one. What
the longer run has more is at most 2 % of the program's own. The start and the end, what is learnt once, and the first calls, which are all looked at, are
in both. Samples are off, and masks of signals not counted, because both go by time: one walk of the stack for each millisecond in the kernel. The program prints the same as without probes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

HERE = pathlib.Path(__file__).resolve().parent
build, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
LIMIT = 0.02
FILES, SOCKETS = ["openat", "read", "close", "newfstatat"], ["sendto", "recvfrom"]
# What a round is: the program's own system calls, and how many.
KINDS = {
    "open": (FILES, 3),
    "truncate": (FILES, 3),
    "large": (FILES, 3),
    "fopen": (FILES, 4),
    "seek": (["lseek", "read"], 2),
    "stat": (["newfstatat", "access"], 2),
    "message": (SOCKETS, 4),
    "pipe": (["pipe", "pipe2", "read", "write", "close"], 5),
    "connection": (["socket", "connect", "accept", "setsockopt", "close", *SOCKETS], 10),
    "poll": (["poll", "ppoll"], 1),
}
MORE = {"poll": 8}    # Rounds, times as many: of calls that may wait one in 16 is looked at, and later one in 512


def others(table, own, program, kind, rounds):
    """How many system calls a run makes beside its own kinds."""
    command = ["strace", "--seccomp-bpf", "-f", "-c", "-o", table, "-e", "trace=!rt_sigprocmask," + ",".join(f"?{name}" for name in own), program, kind, str(rounds)]
    done = subprocess.run(command, cwd=table.parent, env=environment(PROFPLUG=f"samples=off,output={table}.profplug"), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, (kind, done.stderr)
    total = re.search(r"^100\.00 +\S+ +\d+ +(\d+) .*total$", table.read_text(), re.M)
    return int(total[1]), done.stdout


if not shutil.which("strace") or subprocess.run(["strace", "--seccomp-bpf", "-f", "-c", "-o", os.devnull, "true"], capture_output=True).returncode:
    print("strace is missing, too old, or may not trace")
    sys.exit(77)
with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    common = ["gcc", "-O2", "-g", str(HERE / "programs/unasked.c")]
    subprocess.run([*common, "-o", scratch / "plain"], check=True)
    subprocess.run([*common, f"-fplugin={build}/profplug.so", "-o", scratch / "probes", f"-L{build}", "-lprofplug", "-lm"], check=True)
    bad = []
    given = count
    for kind, (own, calls) in KINDS.items():
        count = given * MORE.get(kind, 1)
        few, _ = others(scratch / f"few-{kind}", own, scratch / "probes", kind, count)
        many, said = others(scratch / f"many-{kind}", own, scratch / "probes", kind, 3 * count)
        plain = subprocess.run([scratch / "plain", kind, str(3 * count)], cwd=scratch, capture_output=True, text=True, check=True)
        assert said == plain.stdout, (kind, said, plain.stdout)
        document = read(build, f"{scratch}/many-{kind}.profplug")
        booked = sum(row["calls"] for row in document["operations"])
        assert booked >= 3 * count and document["runs"][0]["losses"]["operations"] == 0, (kind, booked)
        share = (many - few) / (2 * count * calls)
        print(f"{kind:10}  {2 * count * calls} calls of its own, {many - few} more: {share:.2%}", flush=True)
        if share > LIMIT:
            bad.append(kind)
    assert not bad, f"more than {LIMIT:.0%} system calls beyond the program's: {', '.join(bad)}"
