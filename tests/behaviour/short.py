#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""short.py BUILD: what a process that does nothing pays. Its data file has 64 KiB at most, and strace counts at most 165 system calls more than without us.
A program that forks and waits has 80 KiB, and its child 64; both files can be read, and say how the process ended. Files that are opened again and again
are looked at once each, whatever their names are, and now and then."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment

build = pathlib.Path(sys.argv[1]).resolve()
MOST_CALLS = 165
EMPTY = "int main(void) { return 0; }\n"
FORKS = """#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status;
    if (fork() == 0)
        return 3;
    wait(&status);
    return WEXITSTATUS(status);
}
"""
# 40 files whose names differ in their last bytes, each opened 100 times.
FILES, OPENS = 40, 100
AGAIN = """#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char name[64];
    for (int i = 0; i < %d; i++) {
        snprintf(name, sizeof name, "./again/files/%%d", i %% %d);
        int fd = open(name, O_RDONLY | O_CREAT, 0600);
        if (fd < 0 || close(fd))
            return 1;
    }
    return 0;
}
""" % (FILES * OPENS, FILES)
MOST_LOOKS = 3 * FILES + FILES * OPENS // 64      # one in 256 is asked for again
bad = []


def calls(program, scratch, which="!rt_sigprocmask"):
    """System calls of a run, the masks of signals not counted; None where strace may not trace."""
    table = scratch / "calls"
    command = ["strace", "-f", "-c", "-o", table, "-e", f"trace={which}", program]
    if not shutil.which("strace") or subprocess.run(command, cwd=scratch, env=environment(PROFPLUG="output=traced.profplug"), capture_output=True, timeout=60).returncode:
        return None
    return int(re.search(r"^100\.00 +\S+ +\d+ +(\d+) .*total$", table.read_text(), re.M)[1])


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    for name, text, most, code in (("empty", EMPTY, [65536], 0), ("forks", FORKS, [65536, 81920], 3)):
        (scratch / f"{name}.c").write_text(text)
        common = ["gcc", "-O2", "-g", str(scratch / f"{name}.c")]
        subprocess.run([*common, "-o", scratch / f"{name}-plain"], check=True)
        subprocess.run([*common, f"-fplugin={build}/profplug.so", "-o", scratch / name, f"-L{build}", "-lprofplug", "-lm"], check=True)
        done = subprocess.run([scratch / name], cwd=scratch, env=environment(PROFPLUG=f"output={name}-%p.profplug"), capture_output=True, timeout=60)
        made = sorted(scratch.glob(f"{name}-*.profplug"))
        sizes = sorted(path.stat().st_size for path in made)
        codes = [json.loads(subprocess.run([build / "profplug", "report", "--format", "json", path], check=True, capture_output=True).stdout)["runs"][0]["exit_status"]
                 for path in made]
        print(f"{name}: exit {done.returncode}, files of {sizes} bytes, exits in them {codes}")
        if done.returncode != code or len(made) != len(most) or any(size > limit for size, limit in zip(sizes, most)) or any(one != code for one in codes):
            bad.append(name)
    plain, ours = calls(scratch / "empty-plain", scratch), calls(scratch / "empty", scratch)
    if plain is None or ours is None:
        print("system calls: strace is missing or may not trace")
    else:
        print(f"system calls: {ours}, without us {plain}")
        if ours - plain > MOST_CALLS:
            bad.append("system calls")
    (scratch / "again" / "files").mkdir(parents=True)
    (scratch / "again.c").write_text(AGAIN)
    subprocess.run(["gcc", "-O2", "-g", str(scratch / "again.c"), f"-fplugin={build}/profplug.so", "-o", scratch / "again.run", f"-L{build}", "-lprofplug", "-lm"], check=True)
    looks = calls(scratch / "again.run", scratch, "readlinkat")
    if looks is not None:
        print(f"{FILES * OPENS} opens of {FILES} files: the kernel was asked for their paths {looks} times")
        if looks > MOST_LOOKS:
            bad.append("looks at files")
sys.exit(f"too much: {', '.join(bad)}" if bad else 0)
