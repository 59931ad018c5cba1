# SPDX-License-Identifier: MIT
"""made.py: a run of work.cc or odd.c, its report, and its exports by format."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import program  # noqa: E402

FORMATS = "pprof callgrind folded flamegraph speedscope dhat lcov csv prometheus markdown chrome perfetto firefox otlp".split()


class Taken:
    """A data file that is there, its report and its exports."""
    own = False                                    # whether the program is one of this folder's

    def __init__(self, build, scratch, data):
        self.build, self.scratch, self.tool, self.data = build, scratch, f"{build}/profplug", data
        self.report = json.loads(program.must([self.tool, "report", "--format", "json", self.data]))

    def export(self, name, *more):
        done = program.call([self.tool, "export", "--format", name, *more, self.data])
        program.expect(done.returncode == 0 and not done.err and done.stdout, f"{name} is written", done.err)
        return done.stdout

    def totals(self):
        """What each cost sums to, by the JSON report."""
        seen = self.report
        return {"cpu": seen["coverage"]["cpu_ns"], "kernel": seen["coverage"]["kernel_ns"], "samples": seen["coverage"]["samples"],
                "wait": sum(row["wait_ns"] for row in seen["waits"]),
                "alloc_bytes": sum(row["alloc_bytes"] for row in seen["allocations"]),
                "alloc_blocks": sum(row["alloc_blocks"] for row in seen["allocations"]),
                "live_bytes": sum(row["live_bytes"] for row in seen["allocations"])}


class Made(Taken):
    own = True

    def __init__(self, build, scratch, odd="wo<r>k;\xff", source="work.cc", options="blocks=on"):
        folder = os.path.join(os.fsencode(scratch), os.fsencode(odd.encode("latin-1")) if odd else b"plain")
        os.makedirs(folder, exist_ok=True)
        self.source = os.path.join(folder, source.encode())
        with open(f"{HERE}/{source}", "rb") as given, open(self.source, "wb") as copy:
            copy.write(given.read())
        stem = source.split(".")[0]
        self.program, data = os.path.join(folder, stem.encode()), f"{scratch}/{stem}.profplug"
        program.must([f"{build}/profplug-{'g++' if source.endswith('.cc') else 'gcc'}", "-O2", "-g", "-fplugin-arg-profplug-lines=all", "-o", self.program, self.source])
        program.must([self.program], env={"PROFPLUG": f"{options},output={data}"}, cwd=scratch)
        super().__init__(build, scratch, data)
