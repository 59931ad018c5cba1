#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cycle.py BUILD: what the runtime measures as the price of a count is a cycle of the processor, wherever the linker puts its code: the account of the
profiler's cost has all prices in it. The program says what a cycle takes by a loop of its own."""

import os
import platform
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import must

build, = sys.argv[1:2]
HERE = os.path.dirname(os.path.abspath(__file__))
SHIFTS = (1, 17, 27, 37, 43, 59)
RUNS = 9
OFF = 1.2                                # the least of four short groups at the start, beside a clock that ticks every 10 ns or more

if platform.machine() != "x86_64":      # the program has instructions of it
    print("skipped: another processor")
    sys.exit(77)
offset = int(re.search(r"\| (\d+) \| `uint32_t` \| `count_ps`", open(f"{HERE}/../../docs/format.md").read()).group(1))
with tempfile.TemporaryDirectory(prefix="profplug-cycle-") as folder:
    for shift in SHIFTS:
        program = f"{folder}/cycle{shift}"
        subprocess.run([f"{build}/profplug-gcc", "-O2", f'-DSHIFT="{shift}"', f"{HERE}/cycle.c", "-o", program], check=True)
        said, told = [], []
        for run in range(RUNS):
            data = f"{program}-{run}.profplug"
            said.append(int(must([program], env={"PROFPLUG": f"output={data}"})))
            told.append(struct.unpack_from("<I", open(data, "rb").read(offset + 4), offset)[0])
        print(f"{shift} bytes before: a cycle of {min(said)} ps, a count of {min(told)} to {max(told)}")
        # The least of the runs: beside other work one measurement takes 1.4 times as long. A loop that takes two or three cycles has no such run.
        assert min(said) / OFF < min(told) < min(said) * OFF, (shift, said, told)
