#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""archived.py BUILD: an allocator in an archive, or in a library behind --as-needed, is linked because the program
asks for one of its functions by name. With probes the program has the same allocator, whichever functions it calls."""
import pathlib
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, must
import program

build = pathlib.Path(sys.argv[1]).resolve()
# It says at the end whether anybody asked it.
ALLOCATOR = """#include <string.h>
#include <unistd.h>
static char pool[1 << 20];
static size_t used;
void *malloc(size_t size)
{
    size_t *at = (size_t *)(pool + used);
    used += ((size + 15) & ~15UL) + 16;
    *at = size;
    return used <= sizeof pool ? at + 2 : NULL;
}
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *block, size_t size)
{
    void *other = malloc(size);
    return block && other ? memcpy(other, block, ((size_t *)block)[-2] < size ? ((size_t *)block)[-2] : size) : other;
}
__attribute__((destructor)) static void tell(void) { (void)!write(1, used ? "ours\\n" : "idle\\n", 5); }
"""
PROGRAMS = {"malloc": "malloc(n + 1)", "calloc": "calloc(n, n + 1)", "realloc": "realloc(NULL, n + 1)",
            "free": "(free(kept), NULL)"}
PROGRAM = """#include <stdlib.h>
void *volatile kept;
int main(int n, char **argv)
{{
    for (int i = 0; i < 3; i++)
        kept = {};
    return argv[0] == NULL;
}}
"""
LINKS = {"an archive": ["libours.a"], "a library": ["-Wl,--as-needed", "-L.", "-lshared", "-Wl,-rpath,."]}

with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    (scratch / "ours.c").write_text(ALLOCATOR)
    must(["gcc", "-O2", "-fno-builtin", "-fPIC", "-c", "ours.c"], cwd=scratch)
    must(["ar", "rc", "libours.a", "ours.o"], cwd=scratch)
    must(["gcc", "-shared", "ours.o", "-o", "libshared.so"], cwd=scratch)
    for called, text in PROGRAMS.items():
        (scratch / "program.c").write_text(PROGRAM.format(text))
        for where, link in LINKS.items():
            for flags in (["-O2"], ["-O2", "-flto"], ["-O0", "-g"]):
                said = {}
                for compiler in ("gcc", build / "profplug-gcc"):
                    must([compiler, *flags, "program.c", *link, "-o", "program"], cwd=scratch)
                    done = call(["./program"], cwd=scratch, env={"PROFPLUG": "output=x.profplug"})
                    said[compiler] = (done.returncode, done.out, done.err)
                plain, ours = said.values()
                what = f"{called}, {where}, {' '.join(flags)}"
                # GCC asks for functions that it knows only behind the link of -flto: that is too late for an archive.
                asked = "idle\n" if called == "free" else "ours\n"
                expect(plain == (0, "" if "-flto" in flags else asked, ""), f"{what}: without probes", plain)
                expect(ours == plain, f"{what}: the same allocator as without probes", plain, ours)
print("\n".join(program.failures) or f"{program.checks} checks")
sys.exit(bool(program.failures))
