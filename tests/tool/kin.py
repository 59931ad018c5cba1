#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kin.py BUILD: a report names the data files of what its program started or became, however it did so; and not those of strangers."""

import os
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main
from report import read

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "kin.c")


def test(build, scratch):
    shutil.copy(PROGRAM, scratch)
    done = call([build + "/profplug-gcc", "-O1", "-g", "kin.c", "-o", "kin"], cwd=scratch)
    expect(done.returncode == 0, "kin compiles", done.err)
    # A C library that is named, as Perl does, takes none of the calls that are wrapped. Nor does -flto, where GCC does
    # not tell the linker of them.
    for option in ("-lc", "-flto"):
        done = call([build + "/profplug-gcc", "-O1", "-g", "kin.c", "-o", "named", option], cwd=scratch)
        expect(done.returncode == 0, f"kin compiles with {option}", done.err)
        call(["./named", "become"], cwd=scratch, env={"PROFPLUG": f"output=named{option}.profplug"})
        run = read(build, f"named{option}.profplug", cwd=scratch)["runs"][0]
        expect(run["exit_kind"] == "exec", f"with {option}: became another program", run["exit_kind"])
    # files beside the run's own, and how they ended
    wanted = {"end": [], "fork": ["exit"], "spawn": ["exec", "exit"], "system": ["exit"], "become": ["exit"], "chain": ["exec", "exit", "exit"]}
    for way, ends in wanted.items():
        folder = f"{scratch}/{way}"
        os.mkdir(folder)
        call(["../kin"], cwd=folder, env={"PROFPLUG": "output=stranger.profplug"})
        done = call(["../kin", way], cwd=folder, env={"PROFPLUG": "output=run.profplug"})
        expect(done.returncode == 0, f"{way} runs", done.err)
        files = read(build, "run.profplug", cwd=folder)["runs"][0]["files"]
        beside = sorted(n for n in os.listdir(folder) if n.endswith(".profplug") and n not in ("run.profplug", "stranger.profplug"))
        expect(sorted(os.path.basename(f["path"]) for f in files) == beside and len(beside) == len(ends), f"{way}: all files that came of it, and no other", files, beside)
        expect(sorted(f.get("exit_kind") for f in files) == ends, f"{way}: how they ended", files)
        text = call([build + "/profplug", "report", "--all", "run.profplug"], cwd=folder).out
        expect(("CHILDREN" in text) == bool(ends) and all(name in text for name in beside), f"{way}: CHILDREN", text)
        elsewhere = read(build, f"{folder}/run.profplug", cwd="/")["runs"][0]["files"]
        expect(len(elsewhere) == len(ends), f"{way}: asked for from elsewhere", elsewhere)
        if len(ends) > 1:
            # What a process was before it executed another program did not end the run.
            done = call([build + "/profplug", "merge", "--as", "processes", "-o", "all.pp", "run.profplug", *beside], cwd=folder)
            run = read(build, "all.pp", cwd=folder)["runs"][0] if done.returncode == 0 else {}
            expect((run.get("exit_kind"), run.get("exit_status")) == ("exit", 0), f"{way}: how all of them ended", run.get("exit_kind"), done.err)


main(test)
