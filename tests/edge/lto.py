#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lto.py PLUGIN ARCHIVE SHARED CC: objects made with the plugin and -flto, linked with and without it. Without, the program works plain and the
linker says why nothing is profiled; with it the linker says nothing."""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call

plugin, archive, shared, cc = sys.argv[1:]
ONE = "int work(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= i; return s; }\n"
TWO = '#include <stdio.h>\nint work(int);\nint main(void) { printf("%d\\n", work(10)); return 0; }\n'
WORDS = "linked without the plugin"
failures = []

with tempfile.TemporaryDirectory(prefix="profplug-lto-") as folder:
    def run(*command):
        return call(command, cwd=folder, env={"LC_ALL": "C", "PROFPLUG": "output=run.profplug"})

    def link(name, warned, recorded, *arguments):
        made = run(cc, "-O2", *arguments, "-o", "a")
        if made.returncode or (WORDS in made.err) != warned or (not warned and made.stderr):
            failures.append(f"{name}: {made}; expected {'the' if warned else 'no'} warning")
            return
        done, file = run("./a"), pathlib.Path(folder, "run.profplug")
        if (done.returncode, done.out, done.err) != (0, "1\n", "") or file.exists() != recorded:
            failures.append(f"{name}: {done}, {'a' if file.exists() else 'no'} data file")
        file.unlink(missing_ok=True)

    for name, text in (("one.c", ONE), ("two.c", TWO)):
        pathlib.Path(folder, name).write_text(text)
    given = f"-fplugin={plugin}"
    library = [shared, f"-Wl,-rpath,{os.path.dirname(shared)}"]
    for way, options in (("slim", []), ("fat", ["-ffat-lto-objects"])):
        for name in ("one", "two"):
            made = run(cc, "-O2", "-flto", *options, given, "-c", f"{name}.c")
            if made.returncode or made.stderr:
                sys.exit(f"{way}: {made}")
        for what, libraries in (("archive", [archive]), ("shared", library)):
            link(f"{way}, {what}, without", True, True, "-flto", "one.o", "two.o", *libraries)
            for partition in ("none", "max"):
                link(f"{way}, {what}, with, {partition}", False, True, "-flto", f"-flto-partition={partition}", given, "one.o", "two.o", *libraries)
        if way == "fat":
            link("fat, not optimized at the link", False, True, "-fno-lto", "one.o", "two.o", archive)
        link(f"{way}, no library", False, False, "-flto", "one.o", "two.o")
sys.exit("\n".join(failures) if failures else 0)
