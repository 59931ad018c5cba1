#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hidden.py BUILD: a library that hides all but its own names (a version script, --exclude-libs), or takes its own
first (-Bsymbolic), has our functions to itself. It still has the program's allocator, of its own or preloaded, or what
it frees is nobody's block. And what it asks for, writes and waits is in the report of a program with probes."""
import pathlib
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, must
from report import at, read
import program

build = pathlib.Path(sys.argv[1]).resolve()
BLOCKS, BYTES, NAPS, WRITES, RECORD = 1000, 2000, 4, 500, 100
LIBRARY = f"""#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
char *lib_block(void)
{{
    char *block = malloc({BYTES}); /* asks */
    return block ? memset(block, 1, {BYTES}) : NULL;
}}
void lib_free(void *block) {{ free(block); }}
void lib_nap(void)
{{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 30000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &until); /* naps */
    pthread_mutex_unlock(&mutex);
}}
long lib_write(int fd)
{{
    char record[{RECORD}] = {{ 0 }};
    long sum = 0;
    for (int i = 0; i < {WRITES}; i++)
        sum += write(fd, record, sizeof record); /* writes */
    return sum;
}}
"""
PROGRAM = f"""#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
char *lib_block(void);
void lib_free(void *);
void lib_nap(void);
long lib_write(int);
int main(void)
{{
    int fd = open("records", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    long sum = 0;
    for (int i = 0; i < {BLOCKS}; i++) {{
        char *block = lib_block();
        sum += block[i];
        free(block);
        lib_free(malloc(10)); /* gives */
    }}
    for (int i = 0; i < {NAPS}; i++)
        lib_nap();
    return printf("%ld %ld\\n", sum, lib_write(fd)) < 0;
}}
"""
# It ends the program when it is handed a block of another allocator's.
ALLOCATOR = """#include <stdlib.h>
#include <string.h>
static char pool[64 << 20];
static size_t used;
void *malloc(size_t size)
{
    size = (size + 31) & ~15UL;
    size_t *at = (size_t *)(pool + used);
    used += size;
    at[0] = 0x1234567, at[1] = size - 16;
    return at + 2;
}
void free(void *block)
{
    if (block && ((size_t *)block)[-2] != 0x1234567)
        abort();
}
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *block, size_t size)
{
    void *other = malloc(size);
    if (block)
        memcpy(other, block, ((size_t *)block)[-1] < size ? ((size_t *)block)[-1] : size);
    return other;
}
"""
KINDS = {"a version script": "-Wl,--version-script=map", "excluded": "-Wl,--exclude-libs,ALL",
         "symbolic": "-Wl,-Bsymbolic", "functions": "-Wl,-Bsymbolic-functions"}
LINE = {name: 1 + LIBRARY[:LIBRARY.index(f"/* {name} */")].count("\n") for name in ("asks", "naps", "writes")}
GIVES = 1 + PROGRAM[:PROGRAM.index("/* gives */")].count("\n")


# Whose allocator the program has: more sources of its own, what is preloaded.
ALLOCATORS = {"the C library's": ([], None), "the program's": (["allocator.c"], None),
              "a preloaded": ([], "./liballocator.so")}


def measured(what, folder):
    document = read(build, folder / "x.profplug")
    asked, = at(document["allocations"], "lib.c", LINE["asks"]) or [{}]
    gave, = at(document["allocations"], "program.c", GIVES) or [{}]
    expect((asked.get("alloc_blocks"), asked.get("alloc_bytes")) == (BLOCKS, BLOCKS * BYTES),
           f"{what}: {BLOCKS} blocks of {BYTES} bytes at the line that asks", asked)
    expect((asked.get("live_blocks"), gave.get("live_blocks")) == (0, 0), f"{what}: all blocks are freed", asked, gave)
    naps = [row for row in at(document["waits"], "lib.c", LINE["naps"]) if row["operation"] == "condition"]
    expect(sum(row["wait_ns"] for row in naps) >= NAPS * 28e6, f"{what}: {NAPS} waits of 30 ms", document["waits"])
    wrote = [(row.get("write_calls"), row.get("write_bytes")) for row in document["files"]
             if row["path"].endswith("/records")]
    expect(wrote == [(WRITES, WRITES * RECORD)], f"{what}: {WRITES} writes", document["files"])


def tried(what, scratch, compiler, sources, preload):
    must([compiler, "-O2", "-g", *sources, "-L.", "-ll", "-Wl,-rpath,.", "-o", "program"], cwd=scratch)
    (scratch / "x.profplug").unlink(missing_ok=True)
    given = {"PROFPLUG": "output=x.profplug,blocks=exact", "LD_PRELOAD": preload}
    done = call(["./program"], cwd=scratch, env=given)
    expect((done.returncode, done.out, done.err) == (0, f"{BLOCKS} {WRITES * RECORD}\n", ""),
           f"{what}: it runs as without us", done)
    if compiler != "gcc" and len(sources) == 1 and not preload:
        measured(what, scratch)


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    (scratch / "map").write_text("{ global: lib_*; local: *; };\n")
    for name, text in (("lib.c", LIBRARY), ("program.c", PROGRAM), ("allocator.c", ALLOCATOR)):
        (scratch / name).write_text(text)
    must(["gcc", "-O2", "-shared", "-fPIC", "allocator.c", "-o", "liballocator.so"], cwd=scratch)
    for kind, option in KINDS.items():
        library = ["-O2", "-g", "-shared", "-fPIC", "lib.c", option, "-o", "libl.so"]
        must([build / "profplug-gcc", *library], cwd=scratch)
        for compiler in ("gcc", build / "profplug-gcc"):
            for whose, (more, preload) in ALLOCATORS.items():
                what = f"{kind}, {pathlib.Path(compiler).name}, {whose} allocator"
                tried(what, scratch, compiler, ["program.c", *more], preload)
print("\n".join(program.failures) or f"{program.checks} checks")
sys.exit(bool(program.failures))
