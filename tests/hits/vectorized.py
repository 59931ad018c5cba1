#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vectorized.py BUILD SOURCE: the loops that GCC says it vectorizes, it vectorizes with the default arguments and with lines=all, too, by its own record,
line for line."""
import os
import re
import subprocess
import sys

build, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LEVELS = {"-O2": 1, "-O3": 9, "-O3 -mavx2": 9} if os.uname().machine == "x86_64" else {"-O2": 0, "-O3": 6}


def loops(flags, arguments):
    made = subprocess.run([f"{build}/profplug-gcc", *flags.split(), "-ffast-math", "-fopt-info-vec-optimized", *arguments, "-c", source, "-o", os.devnull],
                          check=True, capture_output=True, text=True, timeout=300)
    return {int(n) for n in re.findall(r":(\d+):\d+: optimized: loop vectorized", made.stderr)}


wrong = 0
for flags, least in LEVELS.items():
    plain = loops(flags, ["-fplugin-arg-profplug-functions=none", "-fplugin-arg-profplug-lines=none"])
    for arguments in ([], ["-fplugin-arg-profplug-lines=all"]):
        lost = plain - loops(flags, arguments)
        print(f"{flags} {arguments}: {len(plain)} loops are vectorized plain, lost: {sorted(lost) or 'none'}")
        wrong += len(lost) + (len(plain) < least)
sys.exit(1 if wrong else 0)
