#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inward.py BUILD: what the C library asks of the heap itself, as in regcomp, is counted to the block, without a
detour through the executable's malloc. The words that lead there are protected after as before, and an allocator
function of the program's own stays the one that is called, as does an auditor's."""

import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write  # noqa: E402
from report import named, read  # noqa: E402

PROGRAM = r"""#include <profplug.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef OWN
void *__libc_calloc(size_t, size_t);
static int asked;
void *calloc(size_t count, size_t size) { return asked++, __libc_calloc(count, size); }
#endif
int main(int count, char **argument)
{
    regex_t pattern;
    char line[512];
    profplug_begin("patterns");
    for (int i = atoi(argument[1]); i > 0; i--)
        if (!regcomp(&pattern, "^[a-z]+(foo|bar)*[0-9]{2,3}$", REG_EXTENDED))
            regfree(&pattern);
    profplug_end("patterns");
#ifdef OWN
    printf("%d\n", asked);
#endif
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "/libc.so") || strstr(line, "/libc-"))
            printf("%.4s\n", strchr(line, ' ') + 1);
    return !maps || fclose(maps);
}
"""
# Counts what the program and the C library ask for.
COUNTER = r"""#include <stdio.h>
#include <stdlib.h>
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), __libc_free(void *);
static long got, given;
void *malloc(size_t size) { return got++, __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return got++, __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return got++, given += block != NULL, __libc_realloc(block, size); }
void free(void *block) { given += block != NULL; __libc_free(block); }
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "%ld %ld\n", got, given); }
"""
# Puts its own in the place of each calloc that the loader binds.
AUDITOR = r"""#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
static long calls;
static void *(*behind)(size_t, size_t);
static void *counted(size_t count, size_t size) { return calls++, behind(count, size); }
unsigned la_version(unsigned version) { return version; }
unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) { return LA_FLG_BINDTO | LA_FLG_BINDFROM; }
uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned at, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
    if (strcmp(name, "calloc"))
        return symbol->st_value;
    *(uintptr_t *)&behind = symbol->st_value;
    return (uintptr_t)counted;
}
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "%ld\n", calls); }
"""
DETOURS = {"malloc", "calloc", "realloc", "free", "pp_heap_malloc", "pp_heap_calloc", "pp_heap_realloc", "pp_heap_free"}
FEW, MANY = 10, 60


def detours(program, rounds, scratch):
    """Instructions of the executable's own malloc and the like, by callgrind."""
    done = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=out", program, str(rounds)], cwd=scratch,
                env={"PROFPLUG": "output=%p.profplug,samples=off"})
    expect(done.returncode == 0, "runs in callgrind", done)
    names, sum_, ours, function, after_call = {}, 0, False, "", False
    for line in open(f"{scratch}/out"):
        named_as = re.match(r"c?(ob|fn)=\((\d+)\)(?: (.*))?$", line)
        if named_as:
            kind, number, text = named_as.groups()
            names[kind, number] = name = text or names[kind, number]
            if line.startswith("ob="):
                ours = "/libc" not in name and "/ld-" not in name
            elif line.startswith("fn="):
                function = name
        elif line.startswith("calls="):
            after_call = True
        elif re.match(r"[+*0-9-]", line):
            sum_ += 0 if after_call or not ours or function not in DETOURS else int(line.split()[1])
            after_call = False
    return sum_


def test(build, scratch):
    write(f"{scratch}/program.c", PROGRAM)
    write(f"{scratch}/counter.c", COUNTER)
    include = f"-I{build}/include"
    for name, *more in (("usual",), ("own", "-DOWN")):
        must(["gcc", "-O2", include, *more, "program.c", "-o", f"{name}.plain"], cwd=scratch)
        must([f"{build}/profplug-gcc", "-O2", include, *more, "program.c", "-o", name], cwd=scratch)
    must(["gcc", "-O2", "-w", "-shared", "-fPIC", "-fno-builtin", "counter.c", "-o", "counter.so"], cwd=scratch)

    for name in ("usual", "own"):
        for late in (None, "1"):
            plain = must([f"./{name}.plain", "3"], cwd=scratch, env={"LD_BIND_NOW": late})
            for options in ("", ",blocks=off", ",blocks=exact", ",memory=off"):
                given = {"LD_BIND_NOW": late, "PROFPLUG": f"output=%p.profplug{options}"}
                said = must([f"./{name}", "3"], cwd=scratch, env=given)
                expect(said == plain and "r--p" in said,
                       f"{name}{options}, LD_BIND_NOW={late}: calls and pages of the C library are as in plain",
                       said, plain)

    write(f"{scratch}/auditor.c", AUDITOR)
    must(["gcc", "-O2", "-w", "-shared", "-fPIC", "auditor.c", "-o", "auditor.so"], cwd=scratch)
    for late in (None, "1"):
        seen = [call([program, str(MANY)], cwd=scratch, env={"LD_BIND_NOW": late, "LD_AUDIT": "./auditor.so"}).err
                for program in ("./usual.plain", "./usual")]
        expect(seen[0] == seen[1] and int(seen[0]) > 100, f"LD_BIND_NOW={late}: an auditor sees as many calls", seen)

    counts = []
    for rounds in (FEW, MANY):
        done = call(["./usual.plain", str(rounds)], cwd=scratch, env={"LD_PRELOAD": "./counter.so"})
        counts.append([int(word) for word in done.err.split()])
    asked = [many - few for few, many in zip(*counts)]
    for options in ("", ",blocks=off", ",blocks=exact"):
        seen = []
        for rounds in (FEW, MANY):
            must(["./usual", str(rounds)], cwd=scratch, env={"PROFPLUG": f"output={rounds}.profplug{options}"})
            stage = named(read(build, f"{rounds}.profplug", cwd=scratch)["stages"], "patterns")
            seen.append([stage["alloc_blocks"], stage["free_blocks"]])
            os.remove(f"{scratch}/{rounds}.profplug")
        told = [many - few for few, many in zip(*seen)]
        expect(told == asked and min(told) > 1000,
               f"{options or 'by default'}: each block of the C library's own is counted", told, asked)

    if shutil.which("valgrind"):
        more = detours("./usual", MANY, scratch) - detours("./usual", FEW, scratch)
        print(f"{more} instructions of detours for {asked[0] + asked[1]} blocks")
        expect(more == 0, "the C library's calls make no detour through the executable's malloc", more)


main(test)
