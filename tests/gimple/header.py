# SPDX-License-Identifier: MIT
"""Compiles header.c in every language and with every compiler there is. header.py --plugin P --cc CC --cxx CXX"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
SAID = "items 0 0\nfirst 0 1\nitems 0 1\nqueue_depth 1 -3\nitems 0 2\nqueue_depth 1 2\n"
CLEAN = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-pedantic", "-Werror", "-I", INCLUDE]


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    source = os.path.join(HERE, "header.c")
    with tempfile.TemporaryDirectory(prefix="profplug-header-") as folder:
        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
            if done.returncode or done.stderr:
                sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
            return done.stdout

        def expect(output, expected):
            if output != expected:
                sys.exit(f"{output!r} instead of {expected!r}")

        c = [c for c in (given.cc, "clang") if shutil.which(c)]
        cxx = [c for c in (given.cxx, "clang++") if shutil.which(c)]
        languages = [(compiler, ["-std=c11"]) for compiler in c] + [(compiler, ["-std=c99"]) for compiler in c]
        languages += [(compiler, ["-x", "c++", standard]) for compiler in cxx for standard in ("-std=c++17", "-std=c++20")]
        for compiler, options in languages:
            for level in ("-O0", "-O2"):
                run(compiler, *options, level, *CLEAN, source, "-o", "plain")
                expect(run("./plain"), "11\n")
            if b"profplug" in open(os.path.join(folder, "plain"), "rb").read().replace(folder.encode(), b""):
                sys.exit(f"{compiler}: something of profplug is left without the plugin")
            if "-std=c99" not in options:
                run(compiler, *options, "-Wall", "-Werror", "-I", INCLUDE, "-DHEADER_LAYOUT", "-fsyntax-only", source)
        run(given.cc, "-O1", "-I", INCLUDE, "-c", os.path.join(HERE, "hooks.c"), "-o", "hooks.o")
        for compiler, options in ((given.cc, ["-x", "c", "-std=c11"]), (given.cc, ["-x", "c", "-std=c99"]), (given.cxx, ["-x", "c++", "-std=c++17"])):
            for level in ("-O0", "-O2"):
                run(compiler, *options, level, *CLEAN, f"-fplugin={given.plugin}", "-DHEADER_HOOKS", source, "-x", "none", "hooks.o", "-o", "probed")
                expect(run("./probed"), SAID + "upload\nupload\n11\n")
        with open(os.path.join(folder, "name.c"), "w") as text:
            text.write('#include <profplug.h>\nvoid f(const char *name) { profplug_count(name, 1); }\nvoid g(const char *name) { profplug_gauge(name, 1); }\n')
        for compiler, options in ((given.cc, ["-x", "c", "-std=c11"]), (given.cxx, ["-x", "c++", "-std=c++17"])):
            done = subprocess.run([compiler, *options, f"-fplugin={given.plugin}", "-I", INCLUDE, "-fsyntax-only", "name.c"], cwd=folder, capture_output=True, text=True)
            said = [line for line in done.stderr.splitlines() if "error:" in line]
            if not done.returncode or not all(any(f"name.c:{at}:" in line and "the name of a count or gauge has to be a string literal" in line for line in said) for at in (2, 3)):
                sys.exit(f"{compiler}: a number's name that is no literal: {done.stderr}")


main()
