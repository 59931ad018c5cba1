#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""linked.py --plugin P --cc CC --cxx CXX: remarks survive each way to link and to strip, are read to the last byte, and those of a function that
several units share are there once."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import section

A = """double grid[300][200];
double column (int j) { double s = 0; for (int i = 0; i < 300; i++) s += grid[i][j]; return s; }
static double unused (int j) { double s = 0; for (int i = 0; i < 77; i++) s += grid[i][j]; return s; }
double (*away) (int) = unused;
"""
B = """extern double grid[300][200];
double column (int);
int main (int c, char **v) { double s = 0; grid[c][c] = 1; for (int j = 0; j < 200; j++) s += column (j); return s != 0; }
"""
SHARED = """template <class T> [[gnu::noinline]] T total (const T *a, int n) { T s = 0; for (int i = 0; i < n; i++) s += a[i * 9]; return s; }
double NAME (const double *a) { return total (a, 100); }
"""


class Case:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")

    def compile(self, name, text, *options, remarks=True):
        with open(self.path(name), "w") as file:
            file.write(text)
        compiler = self.given.cxx if name.endswith(".cc") else self.given.cc
        self.run(compiler, f"-fplugin={self.given.plugin}", f"-I{section.ROOT}/include", "-O2", "-g", "-ffunction-sections", "-w", *options, "-c", name, "-o", name + ".o")
        return name + ".o"

    def expect(self, what, path, symbol, kind, value, count=1):
        remarks = section.remarks_of(self.path(path))
        found = [r for r in remarks if r.symbol.split(".")[0] == symbol and r.kind == kind and r.value == value]
        if len(found) != count:
            raise SystemExit(f"{what}: {len(found)} remarks {kind} {value} of {symbol}, expected {count}: {[r[:3] for r in remarks]}")
        return found


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    loose = ["-Wl,--unresolved-symbols=ignore-all"]          # the runtime is of no account here
    with tempfile.TemporaryDirectory() as folder:
        case = Case(given, folder)
        a, b = case.compile("a.c", A), case.compile("b.c", B)
        ways = {"plain": [], "static": ["-static"], "gc": ["-Wl,--gc-sections"], "pie": ["-pie", "-fPIE"], "relro": ["-Wl,-z,now"]}
        for linker in ("gold", "lld"):
            if shutil.which("ld." + linker):
                ways[linker] = [f"-fuse-ld={linker}", "-Wl,--gc-sections"]
        for way, options in ways.items():
            case.run(given.cc, *options, *loose, a, b, "-o", way)
            case.expect(way, way, "column", "column", 1600)
        case.run(given.cc, "-shared", *loose, case.compile("s.c", A, "-fPIC"), "-o", "library.so")
        case.expect("shared", "library.so", "column", "column", 1600)
        case.run("ld", "-r", a, b, "-o", "both.o")
        case.expect("ld -r", "both.o", "column", "column", 1600)
        for stripped in ("-s", "-g", "--strip-unneeded"):
            shutil.copy(case.path("plain"), case.path("stripped"))
            case.run("strip", stripped, "stripped")
            case.expect("strip " + stripped, "stripped", "column", "column", 1600)
        case.run("objcopy", "--only-keep-debug", "plain", "plain.debug")
        la, lb = case.compile("la.c", A, "-flto"), case.compile("lb.c", B, "-flto")
        case.run(given.cc, f"-fplugin={given.plugin}", "-O2", "-g", "-flto", *loose, la, lb, "-o", "lto")
        found = [r for r in section.remarks_of(case.path("lto")) if r.kind == "column" and r.value == 1600]
        if not found or not all(r.file.endswith("/la.c") and r.line == 2 for r in found):
            raise SystemExit(f"-flto: {found}")
        units = [case.compile(f"{name}.cc", SHARED.replace("NAME", name)) for name in ("one", "two")]
        case.run(given.cxx, "-shared", *loose, case.compile("m.c", B, "-fPIC"), *[case.compile(f"p{u[:-5]}.cc", SHARED.replace("NAME", u[:3]), "-fPIC") for u in units], "-o", "shared.so")
        case.expect("COMDAT", "shared.so", "_Z5totalIdET_PKS0_i", "column", 72)
        for r in case.expect("a group's own object", units[0], "_Z5totalIdET_PKS0_i", "column", 72):
            if not r.file.endswith("/one.cc") or r.line != 1:
                raise SystemExit(f"its place: {r}")
    return 0


sys.exit(main())
