#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""memory.py BUILD: with blocks=on the report has a table of the lines that asked for blocks, annotate their columns, and the sums are the stages';
without it neither is there. One of the lines that map memory is there with memory=on, where there are any. A library that was not compiled with the plugin stands at the line that called it, and one that was has its own.
The peak of memory is the program's, not that of who started it; of a process that was killed it is a bound from below, and said so."""

import os
import re
import signal
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, write
from report import named, read

PROGRAM = """#include <profplug.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
char *twice(const char *);
void *room(int);
void *volatile keep;
PROFPLUG_STAGE("fill", "memory")
static void fill(void)
{
    for (int i = 0; i < 300; i++)
        keep = malloc(1000);
    free(keep);
    keep = twice("four");
    keep = strdup("five5");
    keep = room(3);
}
PROFPLUG_STAGE("burn", "compute")
static void burn(void)
{
    for (volatile int i = 0; i < 1 << 20; i++)
        ;
}
int main(int argc, char **argv)
{
    fill();
    if (argc > 1)
        keep = memset(malloc(30 << 20), 1, 24 << 20);
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; argc > 1 && clock() < end;)
        burn();
    if (argc > 1)
        raise(atoi(argv[1]));
    return 0;
}
"""
LIBRARY = """#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
void *room(int pages)
{
    return mmap(0, pages * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
char *twice(const char *text)
{
    char *made = malloc(2 * strlen(text) + 1);
    return made ? strcat(strcpy(made, text), text) : 0;
}
"""


def test(build, scratch):
    at = {text: line_of(PROGRAM, text) for text in ("malloc(1000)", "twice(\"four\")", "strdup", "room(3)")}
    write(f"{scratch}/fill.c", PROGRAM)
    write(f"{scratch}/twice.c", LIBRARY)
    compiler = f"{build}/profplug-gcc"
    for name, one in (("plain", "gcc"), ("probed", compiler)):
        done = call([one, "-O1", "-g", "-shared", "-fPIC", "twice.c", "-o", f"lib{name}.so"], cwd=scratch)
        expect(done.returncode == 0, f"the {name} library compiles", done.err)
        done = call([compiler, "-O1", "-g", "fill.c", "-o", name, f"./lib{name}.so"], cwd=scratch)
        expect(done.returncode == 0, f"its {name} program compiles", done.err)

    def run(name, option, *given):
        if os.path.exists(f"{scratch}/{name}.profplug"):
            os.remove(f"{scratch}/{name}.profplug")
        done = call([f"./{name}", *given], cwd=scratch, env={"PROFPLUG": f"output={name}.profplug,{option}"})
        expect(done.returncode == -int(*given or "0"), f"{name} runs", done.err)
        text = call([f"{build}/profplug", "report", "--all", f"{name}.profplug"], cwd=scratch, env={"COLUMNS": "160"}).out
        margin = call([f"{build}/profplug", "annotate", "-i", f"{name}.profplug", "fill"], cwd=scratch, env={"COLUMNS": "160"}).out
        return text, margin, read(build, f"{name}.profplug", cwd=scratch)

    for name in ("plain", "probed"):
        text, margin, document = run(name, "blocks=on")
        rows = {(os.path.basename(a.get("file", "")), a.get("line")): a for a in document["allocations"]}
        fill, copy = rows["fill.c", at["malloc(1000)"]], rows["fill.c", at["strdup"]]
        expect((fill["alloc_blocks"], fill["alloc_bytes"], fill["free_blocks"], fill["live_bytes"]) == (300, 300000, 1, 299000) and "library" not in fill, f"{name}: malloc's line", fill)
        expect((copy["alloc_blocks"], copy["alloc_bytes"]) == (1, 6) and "libc" in copy["library"], f"{name}: strdup's line, through libc", copy)
        where = ("fill.c", at["twice(\"four\")"]) if name == "plain" else ("twice.c", 10)
        other = rows.get(where, {})
        expect(other.get("alloc_bytes") == 9 and ("library" in other) == (name == "plain"), f"{name}: the library's block stands at {where}", other, list(rows))
        where = ("fill.c", at["room(3)"]) if name == "plain" else ("twice.c", 6)
        (mapping,) = document["mappings"]
        expect((os.path.basename(mapping["file"]), mapping["line"]) == where and ("library" in mapping) == (name == "plain"), f"{name}: the library's mapping stands at {where}", mapping)
        expect((mapping["maps"], mapping["map_bytes"], mapping["unmap_bytes"], mapping["live_map_bytes"]) == (1, 12288, 0, 12288), f"{name}: three pages", mapping)
        expect(re.search(rf"^MAPPINGS .*\n{where[0]}:{where[1]} +1 +12.0 KiB +12.0 KiB", text, re.M), f"{name}: the table of mappings", text)
        stage = named(document["stages"], "fill")
        expect((stage["maps"], stage["map_bytes"], stage["unmaps"]) == (1, 12288, 0), f"{name}: the stage has the mapping", stage)
        for field in ("alloc_bytes", "alloc_blocks", "free_bytes", "free_blocks"):
            total = sum(a[field] for a in document["allocations"])
            expect(stage[field] == total, f"{name}: the lines' {field} are the stage's", stage[field], total)
        function = named(document["functions"], "fill")
        expect(function["alloc_blocks"] == sum(a["alloc_blocks"] for a in document["allocations"] if a.get("function") == "fill"), f"{name}: the function has its lines'", function)
        expect(re.search(rf"^ALLOCATIONS .*\n(.*\n)*fill.c:{at['malloc(1000)']} +300 +293 KiB .* 299 +292 KiB .*keep = malloc\(1000\)", text, re.M), f"{name}: the table", text)
        expect(re.search(rf"^ +300 .*300 +293 KiB +292 KiB .* {at['malloc(1000)']} .*malloc\(1000\)", margin, re.M), f"{name}: the margin", margin)
    ballast = b"x" * (64 << 20)          # the kernel lets an exec inherit this process's peak
    first = run("plain", "blocks=on")[2]["runs"][0]
    expect(1 << 20 <= first["peak_rss_bytes"] < 16 << 20 and "peak_note" not in first, "the peak is the program's own, whoever started it", first)
    text, _, document = run("plain", "blocks=on", str(int(signal.SIGKILL)))
    killed = document["runs"][0]
    expect("peak_rss_bytes" not in killed and "peak" not in text.splitlines()[0], "a killed process has none where it may be another's", killed, text)
    os.remove(f"{scratch}/plain.profplug")
    done = call(["sh", "-c", f"./plain {int(signal.SIGKILL)}; true"], cwd=scratch, env={"PROFPLUG": "output=plain.profplug"})  # the shell's child has a peak of its own
    text, killed = call([f"{build}/profplug", "report", "--all", "plain.profplug"], cwd=scratch, env={"COLUMNS": "160"}).out, read(build, "plain.profplug", cwd=scratch)["runs"][0]
    expect(done.returncode == 0 and 24 << 20 <= killed["peak_rss_bytes"] < len(ballast) // 2 and killed["peak_note"].startswith("at least"),
           "else it has that of its last heartbeat", killed)
    expect(re.search(r", at least [\d.]+ MiB peak", text), "the text says that it may have been more", text)
    text, margin, document = run("plain", "blocks=off")
    expect("ALLOCATIONS" not in text and "blocks    bytes" not in margin and "allocations" not in document, "nothing of it without blocks=on", text, margin)
    expect("MAPPINGS" in text and len(document["mappings"]) == 1, "but mappings", text)
    text, margin, document = run("plain", "memory=off,blocks=on")
    expect("allocations" not in document, "nor without memory=on", document.get("allocations"))
    expect("MAPPINGS" not in text and "mappings" not in document, "which has the mappings, too", text)


main(test)
