# SPDX-License-Identifier: MIT
"""made.py: runs of work.cc or odd.c, of SQLite, Lua and the example pipeline: the report of each, and its exports by format."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import program  # noqa: E402

FORMATS = "pprof callgrind folded flamegraph speedscope dhat lcov csv prometheus markdown chrome perfetto firefox otlp".split()


LINES = "-fplugin-arg-profplug-lines=all"


class Run:
    def __init__(self, build, scratch, name, data):
        self.build, self.scratch, self.name, self.data, self.tool = build, scratch, name, data, f"{build}/profplug"
        self.report = json.loads(program.must([self.tool, "report", "--format", "json", self.data]))

    def hottest(self):
        """The line with most CPU time whose source is there: its function and its text."""
        for row in sorted(self.report["lines"], key=lambda row: -row.get("self_ns", 0)):
            if row["line"] and row.get("function") and os.path.isfile(row["file"]):
                with open(row["file"], encoding="utf-8", errors="surrogateescape") as file:
                    return row["function"], file.read().splitlines()[row["line"] - 1].strip()
        raise AssertionError("no line has CPU time")

    def export(self, name, *more):
        done = program.call([self.tool, "export", "--format", name, *more, self.data])
        program.expect(done.returncode == 0 and not done.err and done.stdout, f"{name} of {self.name} is written", done.err)
        return done.stdout

    def totals(self):
        """What each cost sums to, by the JSON report."""
        seen = self.report
        return {"cpu": seen["coverage"]["cpu_ns"], "kernel": seen["coverage"]["kernel_ns"], "samples": seen["coverage"]["samples"],
                "wait": sum(row["wait_ns"] for row in seen["waits"]),
                "alloc_bytes": sum(row["alloc_bytes"] for row in seen["allocations"]),
                "alloc_blocks": sum(row["alloc_blocks"] for row in seen["allocations"]),
                "live_bytes": sum(row["live_bytes"] for row in seen["allocations"])}


class Made(Run):
    def __init__(self, build, scratch, odd="wo<r>k;\xff", source="work.cc", options="blocks=on"):
        folder = os.path.join(os.fsencode(scratch), os.fsencode(odd.encode("latin-1")) if odd else b"plain")
        os.makedirs(folder, exist_ok=True)
        self.source = os.path.join(folder, source.encode())
        with open(f"{HERE}/{source}", "rb") as given, open(self.source, "wb") as copy:
            copy.write(given.read())
        stem = source.split(".")[0]
        self.program, data = os.path.join(folder, stem.encode()), f"{scratch}/{stem}.profplug"
        program.must([f"{build}/profplug-{'g++' if source.endswith('.cc') else 'gcc'}", "-O2", "-g", LINES, "-o", self.program, self.source])
        program.must([self.program], env={"PROFPLUG": f"{options},output={data}"}, cwd=scratch)
        super().__init__(build, scratch, stem, data)


def foreign(build, scratch, cache, name, options):
    """SQLite or Lua with the stages of the bench; None, with the reason, where its sources cannot be had."""
    sys.path.insert(0, f"{HERE}/../../bench")
    from workloads import Workload
    try:
        given = Workload(name, cache)
    except SystemExit:                                 # it says why
        return None
    work, why = given.patched(f"{scratch}/{name}.sources")
    if not work:
        print(f"not here: {name}: {why}")
        return None
    include, library = [f"-I{HERE}/../../include"], [f"-L{build}", "-l:libprofplug.a", "-pthread"]
    built = work.build(f"{scratch}/{name}.built", ["gcc", f"-fplugin={build}/profplug.so"], ["-O2", "-g", LINES, *include], library)
    data = f"{scratch}/{name}.profplug"
    work.run(built, work.arguments(f"{scratch}/{name}.work", work.size), f"{scratch}/{name}.work", {"PROFPLUG": f"{options},output={data}"})
    return Run(build, scratch, name, data)


def pipeline(build, scratch, options):
    """The example; None where CMake left it out."""
    here, generate, folder = f"{HERE}/../../examples/pipeline", f"{build}/examples/pipeline/generate", f"{scratch}/pipeline"
    if not os.access(generate, os.X_OK):
        print("not here: the example pipeline: libstb-dev is missing")
        return None
    os.mkdir(folder)
    sources = [os.path.realpath(f"{here}/{stem}.c") for stem in "main plan stage habit watch".split()]
    program.must([f"{build}/profplug-gcc", "-O2", "-g", LINES, "-o", f"{folder}/pipeline", *sources, "-lstb", "-lm"])
    program.must([generate, "photos"], cwd=folder)
    data = f"{scratch}/pipeline.profplug"
    program.must([f"{folder}/pipeline", "--seed", "2", "--plan", "plan", "photos", "small"], cwd=folder, env={"PROFPLUG": f"{options},output={data}"})
    return Run(build, scratch, "pipeline", data)
