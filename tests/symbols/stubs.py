#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stubs.py BUILD VARIANT: what a call into a library takes in the linker's own code, the procedure linkage table, stands at the line that calls."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import program  # noqa: E402
import report  # noqa: E402

# how it is linked, and in which section the stub must then be
VARIANTS = {
    "lazy": ("-Wl,-z,lazy", ".plt"),
    "taken": ("-DTAKEN", ".plt.got"),
    "marked": ("-fcf-protection=full -Wl,-z,ibtplt,-z,lazy", ".plt.sec"),
    "nopie": ("-fno-pie -no-pie", ".plt"),
}
CALLS = 100000000
KNOWN = 0.97  # of the CPU time


def test(build, scratch, variant):
    flags, section = VARIANTS[variant]
    path, source = f"{scratch}/stubs", f"{HERE}/stubs.c"
    program.must(["gcc", "-O2", "-shared", "-fPIC", "-DLIBRARY", source, "-o", f"{scratch}/libtiny.so"])
    program.must([f"{build}/profplug-gcc", "-O2", "-g", *flags.split(), "-o", path, source, f"-L{scratch}", "-ltiny", f"-Wl,-rpath,{scratch}"])
    code = subprocess.run(["objdump", "-d", "-j", section, path], capture_output=True, text=True).stdout
    program.expect("<tiny@plt>" in code, f"{variant}: the stub is in {section}", code)
    said, seen = report.profiled(build, [path, str(CALLS)], cwd=scratch)
    program.expect(said.split()[0] == str(CALLS), f"{variant}: it calls", said)
    with open(source) as file:
        line = next(i for i, text in enumerate(file, 1) if "/* calls */" in text)
    rows, cpu = report.at(seen["lines"], source, line), seen["coverage"]["cpu_ns"]
    callees = [c for row in rows for c in row.get("callees", [])]
    program.expect(callees and all(c.get("name") == "tiny" for c in callees), f"{variant}: it calls tiny", callees)
    coverage = seen["coverage"]
    lineless = coverage["samples_no_debug"] + coverage["samples_unknown_line"]
    known = 1 - lineless / coverage["samples"]
    own, total = (sum(row[what] for row in rows) for what in ("self_ns", "total_ns"))
    print(f"{variant}: {100 * known:.1f} % of {cpu / 1e6:.0f} ms are on lines, {100 * own / cpu:.0f} % on that one, {100 * total / cpu:.0f} % with what it calls")
    program.expect(known >= KNOWN, f"{variant}: nearly all is on lines", coverage)
    program.expect(own >= KNOWN * total > 0, f"{variant}: what the line calls is its own time", rows)


program.main(lambda build, scratch: test(build, scratch, sys.argv[2]))
