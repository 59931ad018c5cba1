#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""replaced.py BUILD: a program that brings allocator functions of its own calls those, with the profiler as without it, though the plugin lets calls of
malloc and the like go through words of the runtime. Where it brings none, such calls are in the instrumented code, and are booked to the last block."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from program import call, expect, main, must, write  # noqa: E402

CALLS = """#include <stdio.h>
#include <stdlib.h>
long got, given;
int main(void)
{
    void *volatile kept;
    for (int i = 0; i < 3000; i++) {
        kept = malloc(100 + i % 7);
        kept = realloc(kept, 300);
        free(kept);
        kept = calloc(3, 40);
        free(kept);
    }
    printf("%d %d\\n", got >= 6000, given >= 6000);
    return 0;
}
"""
OWN = {
    "all": """#include <stddef.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);
extern long got, given;
void *malloc(size_t n) { got++; return __libc_malloc(n); }
void *calloc(size_t m, size_t n) { got++; return __libc_calloc(m, n); }
void *realloc(void *b, size_t n) { return __libc_realloc(b, n); }
void free(void *b) { given++; __libc_free(b); }
""",
    "free": """extern void __libc_free(void *);
extern long given;
void free(void *b) { given++; __libc_free(b); }
""",
    "none": "",
}
EXPECTED = {"all": "1 1", "free": "0 1", "none": "0 0"}


def test(build, scratch):
    write(f"{scratch}/calls.c", CALLS)
    for own, text in OWN.items():
        write(f"{scratch}/{own}.c", text)
        for link in ([], ["-no-pie", "-fno-pie"], ["-flto"], ["-static"]):
            if link == ["-static"] and own != "none":
                continue                 # the C library's own functions win there
            program = f"{scratch}/{own}{''.join(link)}"
            must([f"{build}/profplug-gcc", "-O2", "-g", *link, f"{scratch}/calls.c", f"{scratch}/{own}.c", "-o", program])
            shown = must(["objdump", "-d", "--no-show-raw-insn", program])
            calls = shown.count("__profplug_heap")
            few = 0 if os.uname().machine != "x86_64" or (link == ["-flto"] and own == "all") else 3 if link == ["-flto"] and own == "free" else 5
            expect(calls >= few, f"{own} {link}: calls go through the words, but for functions that the unit defines", calls)
            for options in ("off", f"output={program}.profplug", f"output={program}.exact.profplug,blocks=exact"):
                done = call([program], env={"PROFPLUG": options})
                expect(done.returncode == 0 and done.out.strip() == EXPECTED[own], f"{own} {link} {options}: the program's own functions are called, and no others",
                       done.returncode, done.out, done.err)
                if own == "none" and options != "off":
                    rows = json.loads(must([f"{build}/profplug", "report", "--format", "json", options.split(",")[0][7:]])).get("allocations", [])
                    blocks = sum(row["alloc_blocks"] for row in rows if row.get("file", "").endswith("calls.c"))
                    few, many = (9000, 9001) if "exact" in options else (4500, 18000)            # one is the buffer of printf. By default some 60 beyond the first 512 are drawn
                    expect(few <= blocks <= many, f"{own} {link} {options}: the blocks of the program's lines are counted", blocks, rows)


main(test)
