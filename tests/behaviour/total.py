#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""total.py BUILD: max-total bounds the data files of many processes together. What is on the disk stays below it, each process that was not recorded is
counted and told, each run of `profplug run` begins from zero, and the programs end as without us: also where the count is cut short while they run, and where
something else has its name. A process that begins when its disk has less free than min-free is not recorded, counted and told likewise: also a fork's child."""
import pathlib
import re
import shutil
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
FORKS = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words)
{
    int fill = count > 2 ? open(words[2], O_RDWR | O_CREAT, 0600) : -1; /* so many bytes of the disk */
    if (count > 3 && (fill < 0 || posix_fallocate(fill, 0, atol(words[3]))))
        return 4;
    for (int i = 0; i < atoi(words[1]); i++) {
        if (!fork())
            _exit(5);
        wait(NULL);
    }
    return 3;
}
"""
SMALL = 16 << 20  # a disk, of which a tenth is to stay free
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
    subprocess.run(["gcc", "-O2", "-g", "-x", "c", "-", f"-fplugin={build}/profplug.so", "-o", scratch / "forks", f"-L{build}", "-lprofplug", "-lm"],
                   input=FORKS, text=True, check=True)
    folder = scratch / "children"
    folder.mkdir()
    done = subprocess.run([build / "profplug", "run", "--max-total=200K", "-o", f"{folder}/%p.profplug", "--", scratch / "forks", "9"], env=environment(),
                          capture_output=True, text=True, timeout=60)
    told = re.search(r"; (\d+) processes were not recorded, because the data files reached max-total=200K$", done.stderr.strip())
    expect(done.returncode == 3 and done.stderr.count("\n") == 1 and told and int(told[1]) + len(sizes(folder)) == 10, "fork's children that are not recorded say nothing", done)
    folder = scratch / "crowded"
    folder.mkdir()
    done = subprocess.run([build / "profplug", "run", "--min-free=1000000G", "-o", f"{folder}/%p.profplug", "--", scratch / "many"], env=environment(),
                          capture_output=True, text=True, timeout=60)
    expect(done.returncode == 3 and not list(folder.iterdir()) and re.search(f"exit 3; no data file: the disk of {folder} has .* free; expected 977 TiB or more "
           "\\(--min-free\\)\n$", done.stderr), "profplug run says that the disk is too full", done)
    for again in (1, 2):
        done = subprocess.run([scratch / "many"], env=environment(PROFPLUG=f"min-free=1000000G,output={folder}/%p.profplug"), capture_output=True, text=True, timeout=60)
        expect((done.returncode, done.stderr) == (3, "") and not sizes(folder), f"run {again} on such a disk is not recorded and says nothing", done)
    none = subprocess.run([build / "profplug", "report"], cwd=folder, env=environment(), capture_output=True, text=True, timeout=60)
    expect(none.returncode == 2 and none.stderr.endswith(": 2 processes were not recorded, because less of the disk was free than min-free asks\n"), "a report says why there is no file", none)
    free = subprocess.run([scratch / "many"], env=environment(PROFPLUG=f"min-free=1,output={folder}/free.profplug"), capture_output=True, text=True, timeout=60)
    expect(free.returncode == 3 and len(sizes(folder)) == 1, "min-free=1 asks for next to nothing", free)
    folder = scratch / "small"
    folder.mkdir()
    loop = f"""mount -t tmpfs -o size={SMALL} none {folder} || exit 77
        {build}/profplug run -o {folder}/%p.profplug -- {scratch}/forks 7 {folder}/fill {SMALL * 8 // 10} || [ $? = 3 ] || exit 1
        {build}/profplug run -o {folder}/more-%p.profplug -- {scratch}/forks 2 {folder}/fill {SMALL * 9 // 10} || [ $? = 3 ] || exit 1
        {build}/profplug report {folder}/more-*.profplug
        {build}/profplug run -o {folder}/none-%p.profplug -- {scratch}/forks 3 || [ $? = 3 ] || exit 1
        ls {folder} >&2"""
    done = subprocess.run(["unshare", "-rm", "sh", "-c", loop], env=environment(), capture_output=True, text=True, timeout=120) if shutil.which("unshare") else None
    if done and done.returncode != 77:
        lines = done.stderr.splitlines()
        expect(done.returncode == 0 and len(lines) >= 3 and "and 7 more" in lines[0] and "not recorded" not in lines[0]
               and lines[1].endswith("; 2 processes were not recorded, because less of the disk was free than min-free asks")
               and "; no data file: the disk of " in lines[2] and lines[2].endswith(" KiB free; expected 1.60 MiB or more (--min-free)")
               and not any("none-" in line for line in lines[3:]), "by default a tenth of a small disk stays free", done)
        expect("2 processes of this folder were not recorded: less of the disk was free than min-free asks" in done.stdout, "the report tells it", done)
    else:
        print("no file system could be mounted here: the default of min-free is not tested")
    few = subprocess.run([scratch / "many"], env=environment(PROFPLUG=f"max-total=4K,output={scratch}/few.profplug"), capture_output=True, text=True, timeout=60)
    expect((few.returncode, few.stderr) == (3, "") and not (scratch / "few.profplug").exists(), "below the least of a file nothing is recorded", few)
sys.exit(failed > 0)
