#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""total.py BUILD: max-total bounds the data files of many processes together. What is on the disk stays below it, each process that was not recorded is
counted and told, each run of `profplug run` begins from zero, and the programs end as without us: also where the count is cut short while they run, and where
something else has its name."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment

build = pathlib.Path(sys.argv[1]).resolve()
MOST, PROCESSES = 1 << 20, 40
PROGRAM = """#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words)
{
    int status;
    if (count < 2)
        return 3;
    if (truncate(words[1], 0)) /* the count is gone: its page is not there any more */
        return 4;
    if (fork() == 0)
        _exit(5);
    wait(&status);
    return WEXITSTATUS(status);
}
"""
failed = 0


def expect(good, what, *seen):
    global failed
    failed += not good
    print("ok    " if good else "FAILED", what, *([] if good else seen))


def sizes(folder):
    return [path.stat().st_size for path in folder.glob("*.profplug")]


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    (scratch / "many.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-O2", "-g", scratch / "many.c", f"-fplugin={build}/profplug.so", "-o", scratch / "many", f"-L{build}", "-lprofplug", "-lm"], check=True)
    loop = f"i=0; while [ $i -lt {PROCESSES} ]; do {scratch}/many; [ $? = 3 ] || exit 1; i=$((i+1)); done"
    (scratch / "data").mkdir()
    before = 0
    for again in (1, 2):
        done = subprocess.run([build / "profplug", "run", f"--max-total={MOST}", "-o", f"{scratch}/data/%e-%p.profplug", "--", "sh", "-c", loop],
                              env=environment(), capture_output=True, text=True, timeout=120)
        files = sizes(scratch / "data")
        told = re.search(r"; (\d+) processes were not recorded, because the data files reached max-total=1048576$", done.stderr.strip())
        expect(done.returncode == 0, f"run {again} ends as without us", done)
        expect(sum(files) <= MOST * again and len(files) >= 10 * again, f"run {again}: {len(files)} files take {sum(files)} bytes")
        expect(told and int(told[1]) + len(files) - before == PROCESSES, f"run {again}: each process that was not recorded is told", done.stderr)
        before = len(files)
    report = subprocess.run([build / "profplug", "report", next((scratch / "data").glob("*.profplug"))], env=environment(), capture_output=True, text=True, timeout=60)
    expect(f"{told[1]} processes of this folder were not recorded: its data files reached max-total" in report.stdout, "the report tells it, too", report)
    folder = scratch / "cut"
    folder.mkdir()
    cut = subprocess.run([scratch / "many", folder / "profplug-total"], env=environment(PROFPLUG=f"max-total=10M,output={folder}/%p.profplug"), capture_output=True, text=True, timeout=60)
    expect((cut.returncode, cut.stdout, cut.stderr) == (5, "", ""), "a count that was cut short harms nobody", cut)
    (folder / "profplug-total").write_text("mine\n")
    other = subprocess.run([scratch / "many"], env=environment(PROFPLUG=f"max-total=10M,output={folder}/other.profplug"), capture_output=True, text=True, timeout=60)
    expect(other.returncode == 3 and (folder / "profplug-total").read_text() == "mine\n" and not (folder / "other.profplug").exists()
           and other.stderr.count("\n") == 1 and "profplug-total" in other.stderr and "max-total" in other.stderr, "a file of that name that is not ours stays, and one line says so", other)
    few = subprocess.run([scratch / "many"], env=environment(PROFPLUG=f"max-total=4K,output={scratch}/few.profplug"), capture_output=True, text=True, timeout=60)
    expect((few.returncode, few.stderr) == (3, "") and not (scratch / "few.profplug").exists(), "below the least of a file nothing is recorded", few)
sys.exit(failed > 0)
