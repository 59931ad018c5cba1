#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls.py BUILD: locks of every kind, calls that a signal interrupts, threads cancelled where they wait, files that threads, handlers and forks write together: the same
lines and the same bytes in the files plain, profiled, with recording off, and linked statically; and the bytes in the data files are those in the files."""
import collections
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

HERE = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))      # descriptors of ours, too, then fit a set of select's
FILES = ("common", "mixed", "log", "shared")


def made(folder, name, *flags):
    plugin = [] if name.startswith("plain") else [f"-fplugin={build}/profplug.so", "-fplugin-arg-profplug-functions=all"]
    library = [] if name.startswith("plain") else [f"-L{build}", "-lprofplug"]
    subprocess.run(["gcc", "-O2", "-g", "-w", "-pthread", *flags, *plugin, str(HERE / "programs/calls.c"), "-o", folder / name, *library, "-lm"], check=True)
    return folder / name


def run(folder, program, options):
    files = folder / f"{program.name}.files"
    files.mkdir(exist_ok=True)
    done = subprocess.run([program, files], env=environment(PROFPLUG=options), capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and not done.stderr, (program.name, options, done.returncode, done.stderr, done.stdout[-500:])
    lines = {name: collections.Counter((files / name).read_text().splitlines()) for name in FILES}
    return done.stdout, lines, files


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch)
    for flags in ((), ("-static",)):
        suffix = "".join(flags)
        plain = run(scratch, made(scratch, f"plain{suffix}", *flags), "off")
        program = made(scratch, f"probes{suffix}", *flags)
        for options in ("off", f"output={scratch}/run{suffix}-%p.profplug", f"level=comprehensive,output={scratch}/all{suffix}-%p.profplug"):
            mine = run(scratch, program, options)
            for a, b in zip(plain[0].splitlines(), mine[0].splitlines()):
                assert a == b, f"{program.name} {options}: {b!r}, plain {a!r}"
            assert plain[:2] == mine[:2], (program.name, options, "files")
            sizes = {name: (mine[2] / name).stat().st_size for name in FILES}
        written = collections.Counter()
        for data in scratch.glob(f"run{suffix}-[0-9]*.profplug"):
            document = read(build, data)
            assert all(run["losses"]["operations"] == 0 for run in document["runs"]), data
            for file in document["files"]:
                written[os.path.basename(file["path"])] += file.get("write_bytes", 0) + file.get("last_write_bytes", 0)
        for name in FILES:
            assert written[name] == sizes[name], f"{program.name}: {name} is {sizes[name]} bytes long, {written[name]} were booked"
print(len(plain[0].splitlines()), "ways")
