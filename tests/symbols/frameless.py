#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""frameless.py BUILD: a static executable that gcc itself linked has no table of call frames. The report says in one note that the lines that called the C
library are unknown for that, and what to do. What it says is true: linked so, the time stands on the line, and no note is there."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import program  # noqa: E402
import report  # noqa: E402

SOURCE = """#include <stdio.h>
int main(void)
{
    char text[64];
    long length = 0;
    for (int i = 0; i < 2000000; i++)
        length += snprintf(text, sizeof text, "%d %f", i, i / 3.0);
    printf("%ld\\n", length);
}
"""
NOTE = "and which lines called it is not known: the executable was linked without the table of call frames. Link it with profplug-gcc, or with -Wl,--eh-frame-hdr"
SCREEN = "and nobody knows which lines called it: link with profplug-gcc or -Wl,--eh-frame-hdr"


def test(build, scratch):
    program.write(f"{scratch}/busy.c", SOURCE)
    plain = ["gcc", f"-fplugin={build}/profplug.so", f"-I{build}/include"]
    for name, compiler, flags, silent in (("gcc", plain, [], False), ("told", plain, ["-Wl,--eh-frame-hdr"], True), ("wrapper", [f"{build}/profplug-gcc"], [], True)):
        libraries = [] if name == "wrapper" else [f"-L{build}", "-l:libprofplug.a", "-pthread"]
        program.must([*compiler, "-O2", "-g", "-static", *flags, "-o", f"{scratch}/{name}", f"{scratch}/busy.c", *libraries])
        data = f"{scratch}/{name}.profplug"
        program.must([f"{scratch}/{name}"], env={"PROFPLUG": f"output={data}"}, cwd=scratch)
        screen, whole = (" ".join(program.must([f"{build}/profplug", "report", *more, data]).split()) for more in ((), ("--all",)))
        program.expect((SCREEN in screen) != silent, f"{name}: the first screen says it, or need not", screen)
        program.expect("do not strip" not in screen, f"{name}: nor is -g missing, or the table of symbols", screen)
        program.expect(whole.count(NOTE) == (not silent), f"{name}: so does one note", whole)
        program.expect("not compiled with profplug" not in whole, f"{name}: nothing else is said of the library", whole)
        document = report.read(build, data)
        part = sum(row["self_ns"] for row in report.at(document["lines"], "busy.c", 7)) / document["coverage"]["cpu_ns"]
        program.expect((part > 0.5) == silent, f"{name}: the line that called has the time where it is known", part)


program.main(test)
