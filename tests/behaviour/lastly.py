#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lastly.py BUILD: a run that the constructor of a linked library began is asked at its end, behind the program's
destructors, for what the kernel knows: what its threads and its destructors read without our wrappers."""
import pathlib
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, must
from report import read
import program

build = pathlib.Path(sys.argv[1]).resolve()
BYTES = 3 << 20
LIBRARY = "int lib_twice(int n)\n{\n    return 2 * n;\n}\n"
PROGRAM = f"""#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int lib_twice(int);
static char room[{BYTES}];
static void take(void)
{{
    int fd = open("/dev/zero", O_RDONLY);
    if (syscall(SYS_read, fd, room, sizeof room) != {BYTES})
        _exit(3);
}}
__attribute__((destructor)) static void leave(void) {{ take(); }}
int main(void)
{{
    take();
    return lib_twice(0);
}}
"""

with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    (scratch / "lib.c").write_text(LIBRARY)
    (scratch / "program.c").write_text(PROGRAM)
    ours = build / "profplug-gcc"
    for what, compilers in (("both", (ours, ours)), ("the library", (ours, "gcc")), ("the program", ("gcc", ours))):
        must([compilers[0], "-O2", "-g", "-shared", "-fPIC", "lib.c", "-o", "libl.so"], cwd=scratch)
        must([compilers[1], "-O2", "-g", "program.c", "-L.", "-ll", "-Wl,-rpath,.", "-o", "program"], cwd=scratch)
        (scratch / "x.profplug").unlink(missing_ok=True)
        done = call(["./program"], cwd=scratch, env={"PROFPLUG": "output=x.profplug"})
        expect((done.returncode, done.out, done.err) == (0, "", ""), f"{what} with probes: it runs", done)
        run, = read(build, scratch / "x.profplug")["runs"]
        expect(run["exit_kind"] == "exit" and run["exit_status"] == 0, f"{what} with probes: how it ended", run)
        told = run.get("unhooked_read_bytes", 0)
        expect(2 * BYTES <= told < 2 * BYTES + 65536, f"{what} with probes: {2 * BYTES} bytes read unseen", told)
print("\n".join(program.failures) or f"{program.checks} checks")
sys.exit(bool(program.failures))
