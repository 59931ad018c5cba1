#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""via.py BUILD: what is done in wrappers (via.h) stands at the lines that call them, and their own lines beside it. Blocks and bytes are exact. CPU time is
held against the thread's clock, and asked again with another run if it is off by SIGMAS of its printed error."""
import os
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main
from report import at, read

HERE = os.path.dirname(os.path.abspath(__file__))
SIGMAS, SLACK, ATTEMPTS = 4, 0.05, 4
WAYS = {"O0": ["-O0"], "O2": ["-O2"], "inlining": ["-O3", "-flto"], "pic": ["-O2", "-fPIC"]}


def built(build, scratch, way):
    """The program, with its wrappers from a static library, or from a shared one."""
    words = [*WAYS[way], "-g", f"-I{HERE}/../../include", "-fplugin-arg-profplug-wrapper=nothing,named_*"]
    made = [[f"{build}/profplug-gcc", *words, "-c", f"{scratch}/via_more.c", "-o", f"{scratch}/more.o"]]
    if way == "pic":
        made.append([f"{build}/profplug-gcc", *words, "-shared", f"{scratch}/more.o", "-o", f"{scratch}/libmore.so", "-lm"])
        library = [f"{scratch}/libmore.so", f"-Wl,-rpath,{scratch}"]
    else:
        made.append(["gcc-ar", "rcs", f"{scratch}/libmore.a", f"{scratch}/more.o"])
        library = [f"{scratch}/libmore.a"]
    made.append([f"{build}/profplug-gcc", *words, f"{scratch}/via.c", *library, "-lm", "-o", f"{scratch}/{way}"])
    for argv in made:
        done = call(argv)
        expect(done.returncode == 0 and not done.err, f"{way}: {' '.join(argv)}", done.err)
    return f"{scratch}/{way}"


def looked(build, program, folder, way):
    """False if a CPU time is in doubt; all else is counted."""
    data = f"{folder}/{way}.profplug"
    done = call([program], env={"PROFPLUG": f"blocks=on,output={data}"})
    expect(done.returncode == 0 and not done.err, f"{way}: runs", done.err)
    document = read(build, data)
    os.unlink(data)
    sure = True
    for row in done.out.splitlines():
        name, blocks, size, got, cpu_ns = row.split()[0], *map(int, row.split()[1:])
        file = "via_more.c" if name == "plain" else "via.c"
        with open(f"{HERE}/{file}") as source:
            rows = at(document["lines"], file, line_of(source.read(), f"MARK {name}"))
        have = [sum(line.get(field, 0) for line in rows) for field in ("alloc_blocks", "alloc_bytes", "read_bytes", "self_ns")]
        expect(have[:3] == [blocks, size, got], f"{way}: {name} has {blocks} blocks, {size} bytes, and read {got}", have, rows)
        inner = [place for line in rows for place in line.get("inner", [])]
        files = {"via.h"} if name == "inlined" else {"via_more.c"}
        expect(inner and {os.path.basename(place["file"]) for place in inner} <= files, f"{way}: {name} has the wrapper's place beside it", inner)
        for field, whole in (("alloc_blocks", blocks), ("alloc_bytes", size), ("read_bytes", got)):
            expect(sum(place.get(field, 0) for place in inner) == whole, f"{way}: all {field} of {name} are of its inner places", inner)
        if cpu_ns:
            error = max([line["self_ns"] * line["error_percent"] / 100 for line in rows], default=0)
            sure = abs(have[3] - cpu_ns) <= SIGMAS * error + SLACK * cpu_ns
            print(f"{way}: {name} {have[3] / 1e6:.0f} ms +- {error / 1e6:.0f}, by the clock {cpu_ns / 1e6:.0f}")
    wrappers = {f["name"] for f in document["functions"] if f.get("wrapper")}
    expect({"xwork"} <= wrappers <= {"xmalloc", "xcopy", "named_copy", "xread", "xwork", "xinline"}, f"{way}: wrappers are told", wrappers)
    return sure


def test(build, scratch):
    for name in ("via.c", "via.h", "via_more.c"):
        shutil.copy(f"{HERE}/{name}", scratch)
    for way in WAYS:
        program = built(build, scratch, way)
        expect(any(looked(build, program, scratch, way) for _ in range(ATTEMPTS)), f"{way}: CPU time of a wrapper is its caller's")
    for wrong in ("", "a b", "x(),y", "one,,two"):
        done = call([f"{build}/profplug-gcc", "-c", f"-fplugin-arg-profplug-wrapper={wrong}", f"-I{HERE}/../../include", f"{scratch}/via_more.c", "-o", f"{scratch}/w.o"])
        expect(done.returncode and done.err.count("error:") == 1 and "wrapper=NAME,..." in done.err, f"wrapper={wrong} is refused in one line", done.err)
    source = f"{scratch}/misuse.c"
    with open(source, "w") as file:
        file.write("__attribute__((profile_wrapper)) int number;\n__attribute__((profile_stage(\"s\"), profile_wrapper)) void stage(void) {}\n")
    done = call([f"{build}/profplug-gcc", "-c", source, "-o", f"{scratch}/misuse.o"])
    expect(done.returncode == 0 and done.err.count("warning:") == 2 and "profile_wrapper" in done.err, "a variable and a stage are no wrappers", done.err)


main(test)
