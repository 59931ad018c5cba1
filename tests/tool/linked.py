#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""linked.py BUILD: a statically linked program that maps memory, forks and replaces itself does so as without us, in each of many children, with blocks=on, too;
and what its dynamic linker's functions ask of the heap to say that they found nothing is no block of the program's."""

import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import read

PROGRAM = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
void *volatile kept;
static int child(int way)
{
    int status = 0;
    pid_t pid = way == 1 ? vfork() : fork();
    if (!pid) {
        if (way == 0)
            _exit(4);
        execlp("sh", "sh", "-c", "exit 5", (char *)0);
        _exit(6);
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        munmap(mmap(0, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 8192);
    for (int i = 0; i < 20; i++)
        for (int way = 0; way < 3; way++)
            sum += child(way);
    for (int i = 0; i < 10; i++)
        kept = malloc(100);
    printf("%d %d\\n", sum, argc > 5 && dlsym(RTLD_DEFAULT, argv[1]) != 0);
    return sum == 280 ? 7 : 8;
}
"""


HINT = "undefined reference to `__profplug_is_missing__link_with_profplug_gcc_or_add_lprofplug'"


def missing(build, scratch):
    """A link without the runtime says what is missing, and how to get it; with it there is no trace of that."""
    write(f"{scratch}/part.c", "#include <stdlib.h>\nint part(int n) { free(malloc((size_t)n)); return n ? part(n - 1) : 7; }\n")
    write(f"{scratch}/main.c", "int part(int); int main(void) { return part(3); }\n")
    plugin = f"-fplugin={build}/profplug.so"
    for flags in ([], ["-flto"]):
        for way in (["gcc", plugin], [f"{build}/profplug-gcc"]):
            done = call([*way, "-O2", *flags, "-c", "part.c", "main.c"], cwd=scratch)
            expect(done.returncode == 0, f"{way} {flags}: it compiles", done.err)
            lto = [*flags, plugin] if flags else []
            done = call(["gcc", *lto, "part.o", "main.o", "-o", "no"], cwd=scratch)
            expect(done.returncode == 1 and HINT in done.err, f"{way} {flags}: the linker says what to do", done.err)
            for how, last in ((["gcc", *lto], [f"-L{build}", "-lprofplug"]), ([f"{build}/profplug-gcc", *flags], [])):
                done = call([*how, "part.o", "main.o", "-o", "yes", *last], cwd=scratch)
                expect((done.returncode, done.err) == (0, ""), f"{how} {last}: it links", done.err)
                expect(call(["./yes"], cwd=scratch, env={"PROFPLUG": "off"}).returncode == 7, f"{how} {last}: it runs")
    for how in ([f"{build}/profplug-gcc"], ["gcc", plugin]):
        last = [f"-L{build}", "-lprofplug"] if how[0] == "gcc" else []
        done = call([*how, "-O2", "-shared", "-fPIC", "-Wl,-z,defs", "part.c", "-o", "libpart.so", *last], cwd=scratch)
        expect((done.returncode, done.err) == (0, ""), f"{how}: a library has all that it refers to", done.err)
        done = call(["gcc", "main.c", "-o", "uses", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN"], cwd=scratch)
        expect((done.returncode, done.err) == (0, ""), f"{how}: a program without us uses it", done.err)
        expect(call(["./uses"], cwd=scratch, env={"PROFPLUG": "off"}).returncode == 7, f"{how}: and runs")


def test(build, scratch):
    missing(build, scratch)
    write(f"{scratch}/many.c", PROGRAM)
    done = call([f"{build}/profplug-gcc", "-O1", "-g", "-w", "-static", "many.c", "-o", "many"], cwd=scratch)
    expect(done.returncode == 0, "it links", done.err)
    for option in ("level=detailed", "blocks=on", "blocks=on,samples=off"):
        for name in os.listdir(scratch):
            if name.endswith(".profplug"):
                os.remove(f"{scratch}/{name}")
        done = call(["./many"], cwd=scratch, env={"PROFPLUG": f"output=many.profplug,{option}"})
        expect((done.returncode, done.out, done.err) == (7, "280 0\n", ""), f"{option}: as without us", done)
        document = read(build, "many.profplug", cwd=scratch)
        mapped = [m for m in document["mappings"] if m.get("function") == "main"]
        expect([m["maps"] for m in mapped] == [100], f"{option}: the maps of main", mapped)
        if option != "level=detailed":
            rows = [(a.get("function"), a["alloc_blocks"], a["alloc_bytes"]) for a in document["allocations"] if "dl_" in a.get("function", "") or a.get("function") == "main"]
            expect(rows == [("main", 10, 1000)], f"{option}: the program's blocks, and no others", rows)


main(test)
