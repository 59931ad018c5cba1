#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""said.py --plugin P --cc CC --cxx CXX: what the compiler remarks is what somebody else says, too: the reasons why loops are not vectorized are
those that the same GCC prints by itself (-fopt-info-vec), strides are those worked out by hand (strides.c), and the other kinds stand exactly at
the lines whose comments name them (kinds.c, kinds.cc), not at their twins."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import section

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 40
ALIKE = (6, 9, 11, 12, 17, 18, 20, 24, 25, 29, 39, 40)  # of strides.c: walks that begin at the same place each time, and so have no neighbours
failures = []


def expect(true, *what):
    if not true:
        failures.append(" ".join(str(w) for w in what))


def gcc_says(given, source, options, folder):
    """By line of the loop: the reasons for not vectorizing it, and its widths."""
    record = f"{folder}/record"
    open(record, "w").close()
    subprocess.run([given.cc, "-w", "-g", *options, f"-fopt-info-vec-all={record}", "-c", source, "-o", f"{folder}/plain.o"], check=True)
    reasons, widths, failed = {}, {}, None
    for line in open(record):
        found = re.match(r".*?:(\d+):(\d+): (missed|optimized):\s+(.*)", line)
        if not found or line.split(": ")[1] == "note":
            continue
        place, what = (int(found[1]), int(found[2])), found[4].strip()
        if failed and found[3] == "missed":
            reasons.setdefault(failed[0], []).append((re.sub("^not vectorized[:,] ", "", what), place[0]))
        failed = place if what == "couldn't vectorize loop" else None
        width = re.match(r"loop vectorized using (\d+) byte vectors", what)
        if width:
            widths.setdefault(place[0], set()).add(int(width[1]))
    return reasons, widths


def packed(path, symbol):
    """Instructions of the function that compute with vectors of floats."""
    code = subprocess.run(["objdump", "-d", f"--disassemble={symbol}", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\tv?(?:add|sub|mul|div|mov[ua]|unpck\w+|haddp?)p[sd] .*", code)


def reasons_check(given, folder):
    for options in (["-O2"], ["-O3"], ["-O3", "-march=x86-64-v3"], ["-O2", "-ffast-math", "-fvect-cost-model=dynamic"]):
        source = f"{HERE}/reasons.c"
        reasons, widths = gcc_says(given, source, options, folder)
        remarks = section.compile_with(given, source, f"{folder}/ours.o", *options)
        compared = 0
        loops = {r.line for r in remarks if r.kind == "loop"}
        for line in sorted(loops):
            ours = [r for r in remarks if r.line == line]
            said = [(r.detail, r.value) for r in ours if r.kind == "not_vectorized"]
            expect(not any("not vectorized" in reason or re.search(r"_\d", reason) for reason, _ in said), options, line, "a reason says neither its kind nor GCC's own names", said)
            width = {r.value for r in ours if r.kind == "vectorized"}
            expect(not (said and width), options, line, "vectorized and not", said, width)
            taken_apart = [l for _, l in said] == [0] and said[0][0] == "it was vectorized, and taken apart again"
            if line in widths and taken_apart:
                expect(not packed(f"{folder}/plain.o", ours[0].symbol), options, line, "vectors are in the code, and we say", said)
            elif line in widths:
                expect(width and width <= widths[line], options, line, "GCC vectorizes it by", widths[line], "and we say", width or said)
            else:
                theirs = reasons.get(line, [])
                expect(said and all(any(a.startswith(b) and len(b) > 5 and l == m for a, m in theirs) for b, l in said), options, line, "GCC says", theirs, "and we", said)
            compared += 1
        expect(compared >= LEAST, options, compared, "loops were compared, expected", LEAST)


def strides_check(given, folder):
    remarks = section.compile_with(given, f"{HERE}/strides.c", f"{folder}/strides.o", "-O2")
    compared = 0
    for number, line in enumerate(open(f"{HERE}/strides.c"), 1):
        found = re.search(r"/\* (.*) \*/$", line)
        if not found or not re.match(r"\w+ s\d\d", line):
            continue
        wanted = [] if found[1] in ("none", "chase") else found[1].split() if re.match(r"-?\d", found[1]) else [found[1]]
        ours = [r for r in remarks if r.line == number]
        got = [str(r.value) for r in ours if r.kind in ("stride", "column")] + [r.why for r in ours if r.kind == "stride_variable"]
        got = got + [w for w in wanted if w in got][len(got):]
        expect(sorted(set(got)) == sorted(set(wanted)), "strides.c line", number, "expected", wanted, "got", got)
        expect(all((abs(r.value) >= 64) == (r.kind == "column") for r in ours if r.kind in ("stride", "column")), "strides.c line", number, "what a column is")
        alike = int(re.match(r"\w+.*? s(\d\d)", line)[1]) in ALIKE
        expect(all((r.why == "alike") == alike for r in ours if r.kind == "column"), "strides.c line", number, "whether each walk begins at the same place")
        expect((found[1] == "chase") == any(r.kind == "chase" for r in ours), "strides.c line", number, "chase")
        compared += 1
    expect(compared >= LEAST, compared, "strides, expected", LEAST)


JUDGED = ("digest division square_root conversion accumulation indirect_call virtual_call call branch atomic reload "
          "structure_copy repeated_call growing_string recursion "
          "column column_around few_values power watch pace few_bytes unbuffered locks unlocks stderr same_text multiples other_place compared fork trial gap shift least bits window ordered probe field factors decay fill fixed_place chase search sort piece regular trips unoptimized").split()


def kinds_check(given, folder, source, *options):
    remarks = section.compile_with(given, f"{HERE}/{source}", f"{folder}/kinds.o", *options)
    seen = set()
    for number, line in enumerate(open(f"{HERE}/{source}"), 1):
        wanted = set()
        for word in (re.search(r"// (\w.*)$", line) or [None, ""])[1].split(", "):
            kind, _, detail = word.partition(" ")
            if kind in JUDGED:
                wanted.add((kind, detail))
        ours = {(r.kind, f"{r.value}" if r.kind in ("structure_copy", "trips", "column") else "" if r.kind == "piece" else r.detail) for r in remarks if r.line == number and r.kind in JUDGED}
        expect({k for k, _ in ours} == {k for k, _ in wanted}, source, "line", number, "expected", sorted(wanted), "got", sorted(ours))
        expect(all(any(k == kind and d == detail for k, d in ours) for kind, detail in wanted if detail), source, "line", number, "expected", sorted(wanted), "got", sorted(ours))
        seen |= {k for k, _ in wanted}
    for search in (r for r in remarks if r.kind == "search"):
        loops = [(r.line, r.value) for r in remarks if r.kind == "loop" and (r.symbol, r.loop) == (search.symbol, search.loop)]
        expect(len(loops) == 1 and loops[0][0] <= search.line <= loops[0][1], source, "line", search.line, "a search stands among the lines of its loop", loops)
    return seen


def schema_check():
    """What the JSON report may say of a remark's kind are all kinds that there are."""
    root = os.path.dirname(os.path.dirname(HERE))
    with open(f"{root}/include/profplug/abi/remark.def") as rows, open(f"{root}/report/export/profplug-report-2.schema.json") as schema:
        kinds = set(re.findall(r'^PP_REMARK\(\w+,\s*"(\w+)"', rows.read(), re.M))
        listed = next(set(found.split('", "')) for found in (re.sub(r"\s+", " ", e).strip(' "') for e in re.findall(r'"enum": \[([^]]*)\]', schema.read())) if "few_values" in found)
    expect(kinds == listed, "the schema's kinds of remarks are those of remark.def; they differ in", sorted(kinds ^ listed))


def main():
    schema_check()
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reasons_check(given, folder)
        strides_check(given, folder)
        seen = {"unoptimized"}.union(*(kinds_check(given, folder, source, "-O2") for source in ("kinds.c", "growing.c", "kinds.cc")))
        expect(seen == set(JUDGED), "kinds without a line:", set(JUDGED) - seen)
        with open(f"{folder}/annotated.c", "w") as file:
            file.write('#include <profplug.h>\nvoid f (int *a, int n) {\n    PROFPLUG_LOOP("steps")\n    for (int i = 0; i < n; i++) a[i] += 5;\n}\n')
        annotated = section.compile_with(given, f"{folder}/annotated.c", f"{folder}/annotated.o", "-O3")
        said = [r.detail for r in annotated if r.kind == "not_vectorized"]
        expect(not [r for r in annotated if r.kind == "branch" or "profplug" in r.detail + r.why], "what is the profiler's own is not remarked", annotated)
        expect(said == ["each step of it is measured"], "an annotated loop: we are the reason", said)
        covered = section.compile_with(given, f"{HERE}/kinds.c", f"{folder}/covered.o", "-O2", "--coverage", "-fprofile-update=atomic")
        atomics = {r.line for r in covered if r.kind == "atomic"}
        own = {n for n, line in enumerate(open(f"{HERE}/kinds.c"), 1) if line.endswith("// atomic\n")}
        expect(atomics == own, "atomic operations of --coverage are remarked, or the program's are not:", atomics, own)
        remarks = section.compile_with(given, f"{HERE}/kinds.c", f"{folder}/plain.o", "-O0")
        expect(remarks and {r.kind for r in remarks} == {"unoptimized"}, "-O0:", {r.kind for r in remarks})
        expect(not section.compile_with(given, f"{HERE}/kinds.c", f"{folder}/off.o", "-O2", "-fplugin-arg-profplug-remarks=off"), "remarks=off: some are written")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
