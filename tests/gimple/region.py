#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""region.py --plugin SO --cc CC: the call that starts a parallel region has the line of its pragma in debug information, and not that of the statement before it."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, failures

SOURCE = """double seconds(void);
double a[1000];
void step(void)
{
    double t = seconds();
#pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        a[i] = a[i] * 0.25;
    a[0] += seconds() - t;
}
"""
parser = argparse.ArgumentParser()
for name in ("plugin", "cc"):
    parser.add_argument(f"--{name}", required=True)
given = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "region.c")
    with open(source, "w") as file:
        file.write(SOURCE)
    for level in ("-O0", "-O2"):
        text = subprocess.run([given.cc, f"-fplugin={given.plugin}", level, "-g", "-fopenmp", "-S", source, "-o", "-"], check=True, capture_output=True, text=True).stdout
        [before] = re.findall(r"(?s)(.*?)call\s+\S*GOMP_parallel\b", text)
        line = int(re.findall(r"\.loc\s+\d+\s+(\d+)", before)[-1])
        expect(line == 1 + SOURCE.split("\n").index("#pragma omp parallel for"), "the region's call is at its pragma", level, line)
sys.exit(1 if failures else 0)
