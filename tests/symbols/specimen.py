# SPDX-License-Identifier: MIT
"""The specimen programs and what the tests ask of them: builds a variant, samples its instructions, asks profplug and others what they
are. Knows nothing of what a test asserts."""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = sorted(glob.glob(f"{HERE}/program/*.c")) + [f"{HERE}/program/rotate.S"]
SKIPPED = 77
C = ["gcc", "-O2", "-funroll-loops"]         # unrolled: so that there are 2,000 instructions to ask about
LEVEL = {                                    # name: compiler and flags
    "dwarf2": C + ["-gdwarf-2", "-no-pie"],
    "dwarf4": C + ["-gdwarf-4", "-no-pie"],
    "dwarf5": C + ["-gdwarf-5", "-no-pie"],
    "zlib": C + ["-gdwarf-5", "-gz=zlib"],
    "pie": C + ["-gdwarf-5", "-fPIE", "-pie"],
    "shared": C + ["-gdwarf-5", "-fPIC", "-shared"],
    "sections": C + ["-gdwarf-5", "-ffunction-sections", "-Wl,--gc-sections"],
    "types": C + ["-gdwarf-5", "-fdebug-types-section"],
    "unoptimized": ["gcc", "-O0", "-gdwarf-5"],
    "lto4": C + ["-gdwarf-4", "-flto"],
    "lto5": C + ["-gdwarf-5", "-flto"],
    "cplusplus4": ["g++", "-O2", "-std=c++17", "-gdwarf-4"],
    "cplusplus5": ["g++", "-O2", "-std=c++17", "-gdwarf-5"],
    "openmp4": ["g++", "-O2", "-fopenmp", "-gdwarf-4"],
    "openmp5": ["g++", "-O2", "-fopenmp", "-gdwarf-5"],
    "plain4": C + ["-gdwarf-4", "-no-pie"],
    "plain5": C + ["-gdwarf-5", "-no-pie"],
    "split4": C + ["-gdwarf-4", "-no-pie", "-gsplit-dwarf"],
    "split5": C + ["-gdwarf-5", "-no-pie", "-gsplit-dwarf"],
}


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode and not (command[0] == "eu-addr2line" and done.returncode == 1):      # that is its status for an unknown address
        raise SystemExit(f"{command}: status {done.returncode}: {done.stderr}")
    return done.stdout


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            sys.exit(SKIPPED)


def build(level, folder):
    """Compiles a variant into a folder of its own, unit by unit (where a .dwo lies matters), and gives the path of the program."""
    command, where = LEVEL[level], os.path.join(folder, level)
    sources = [f"{HERE}/program/{'region' if '-fopenmp' in command else 'shapes'}.cc"] if command[0] == "g++" else SOURCES
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    objects = []
    for source in sources:
        objects.append(os.path.basename(source) + ".o")
        run(command + ["-c", source, "-o", objects[-1]], cwd=where)
    run(command + objects + ["-o", "program", "-lm", "-Wl,--build-id"], cwd=where)
    return os.path.join(where, "program")


def instructions(program):
    return [int(at, 16) for at in re.findall(r"^ +([0-9a-f]+):\t", run(["objdump", "-d", program]), re.M)]


def sample(program, count=2000, seed=20221121):
    every = instructions(program)
    return sorted(random.Random(seed).sample(every, min(count, len(every))))


def lines_of(addresses):
    return "".join(f"{address:#x}\n" for address in addresses)


def profplug(tool, program, addresses, *options):
    """{address: [(function, linkage name, file, line), ...]}, and what it said on standard error."""
    done = subprocess.run([tool, "symbolize", "--format", "json", *options, program], input=lines_of(addresses), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"profplug symbolize: status {done.returncode}: {done.stderr}")
    found = {}
    for row in done.stdout.splitlines():
        entry = json.loads(row)
        found[int(entry["address"], 16)] = [(f.get("function"), f.get("linkage_name"), f.get("file"), f.get("line", 0)) for f in entry["frames"]]
    return found, done.stderr


def place(text):
    match = re.match(r"(.*?):(\d+|\?)(?::\d+)?(?: .*)?$", text)
    return (None if match[1] == "??" else match[1]), (0 if match[2] == "?" else int(match[2]))


def addr2line(program, addresses, which):
    """The same from eu-addr2line or addr2line: {address: [(function, file, line), ...]}."""
    command = ["eu-addr2line", "-A"] if which == "eu" else ["addr2line"]
    found, frames, rows = {}, None, iter(run(command + ["-a", "-f", "-i", "-e", program], input=lines_of(addresses)).splitlines())
    for row in rows:
        if re.fullmatch(r"0x[0-9a-f]{16}", row):
            frames = found.setdefault(int(row, 16), [])
            continue
        name = re.sub(r" inlined at .*", "", row)
        frames.append((None if name == "??" else name, *place(next(rows))))
    return found


def named_symbols(program):
    """[((first, past), name)] of the functions that the symbol table gives a size."""
    table = []
    for row in run(["nm", "-S", "--defined-only", program]).splitlines():
        parts = row.split()
        if len(parts) == 4 and parts[2] in "tTwWiu":
            table.append(((int(parts[0], 16), int(parts[0], 16) + int(parts[1], 16)), parts[3]))
    return sorted(table)


def sized_symbols(program):
    return [bounds for bounds, _ in named_symbols(program)]
