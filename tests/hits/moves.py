#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moves.py BUILD SOURCE: where GCC makes conditional moves, it makes as many with lines=all, and leaves as many jumps in loops, by the assembler that it
writes: a counter on one of two ways would keep them apart."""
import os
import re
import subprocess
import sys

build, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
if os.uname().machine != "x86_64":
    print("conditional moves are counted on x86-64 alone")
    sys.exit(77)


def moves(flags, lines):
    made = subprocess.run([f"{build}/profplug-gcc", *flags.split(), "-fplugin-arg-profplug-functions=none", f"-fplugin-arg-profplug-lines={lines}",
                           "-fplugin-arg-profplug-loops=none", "-S", "-o", "-", source], check=True, capture_output=True, text=True, timeout=300)
    found, function = {}, None
    for line in made.stdout.splitlines():
        if label := re.match(r"(\w+):", line):
            function = label.group(1)
        elif re.match(r"\t(cmov|set|p?max|p?min|sbb)\w+\t", line):
            found[function] = found.get(function, 0) + 1
    return found


wrong = 0
for flags, least in {"-O2": 4, "-O3": 3}.items():
    plain, counted = moves(flags, "none"), moves(flags, "all")
    lost = {f: (n, counted.get(f, 0)) for f, n in plain.items() if counted.get(f, 0) < n}
    print(f"{flags}: conditional moves plain {plain}, lost with lines=all: {lost or 'none'}")
    wrong += len(lost) + (len(plain) < least)
sys.exit(1 if wrong else 0)
