# SPDX-License-Identifier: MIT
"""corrupt.py TOOL FOLDER [COUNT [FIRST]]: damaged files: no crash, no hang, no more memory than the file warrants, and a line that says what is wrong.

Each seed damages a copy of one of three small programs: some bytes of a debug section, a whole section, the ELF and section headers, or the
file's end. Whatever the damage, `profplug symbolize` ends by itself with status 0 or 2, prints one row or more for each address, and says
nothing that is not a line of its own."""
import os
import random
import resource
import struct
import subprocess
import sys

from specimen import build, lines_of, run, sample

MEMORY, SECONDS = 1 << 30, 10


def sections(program):
    """{name: (offset, size)}"""
    found = {}
    for row in run(["readelf", "-SW", program]).splitlines():
        parts = row.replace("[ ", "[").split()
        if len(parts) > 6 and parts[0].startswith("[") and parts[1].startswith("."):
            found[parts[1]] = (int(parts[4], 16), int(parts[5], 16))
    return found


def damage(data, table, chance):
    debug = [name for name in table if name.startswith(".debug") and table[name][1]]
    kind = chance.choice(["bytes", "bytes", "bytes", "bytes", "run", "header", "sections", "end"])
    if kind in ("bytes", "run"):
        offset, size = table[chance.choice(debug)]
        if kind == "run":
            start = chance.randrange(size)
            for at in range(start, min(size, start + chance.choice([4, 40, 400]))):
                data[offset + at] = chance.choice([0, 0xff, chance.randrange(256)])
        for _ in range(chance.choice([1, 1, 2, 5, 20])):
            data[offset + chance.randrange(size)] = chance.choice([0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)])
    elif kind == "header":
        data[chance.randrange(4, 64)] = chance.randrange(256)
    elif kind == "sections":
        start = int.from_bytes(data[40:48], "little")
        for _ in range(3):
            data[start + chance.randrange(len(data) - start)] = chance.randrange(256)
    else:
        del data[chance.randrange(len(data)):]
    return kind


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def limit_fit(tool):
    """The address sanitizer needs all of the address space: built with it, the tool is told its limit by it."""
    with open(tool, "rb") as file:
        if b"__asan_init" not in file.read():
            return {"preexec_fn": limit}
    return {"env": {**os.environ, "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb={MEMORY >> 20}:hard_rss_limit_mb={MEMORY >> 20}"}}


def overlapping(path, units=100000, steps=60000):
    """Every unit has abbreviations that begin elsewhere in one long table: to read it for each of them would take minutes."""
    abbrev = b"\x01\x2e\x01\x00\x00" * steps
    info = b"".join(struct.pack("<IHIB", 9, 4, i % steps * 5, 8) + b"\x01\x00" for i in range(units))
    names, head = b"\0.debug_info\0.debug_abbrev\0.shstrtab\0", 64
    body = info + abbrev + names
    table = head + len(body) + -len(body) % 8

    def section(name, kind, at, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, at, size, 0, 0, 1, 0)

    with open(path, "wb") as out:
        out.write(b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, table, 0, 64, 56, 0, 64, 4, 3))
        out.write(body.ljust(table - head, b"\0") + bytes(64) + section(1, 1, head, len(info)) + section(13, 1, head + len(info), len(abbrev)))
        out.write(section(27, 3, head + len(info) + len(abbrev), len(names)))


def main(tool, folder, count="300", first="0"):
    folder = os.path.join(folder, "corrupt")
    programs = [build(level, folder) for level in ("dwarf4", "dwarf5", "cplusplus5")]
    kept = [(open(program, "rb").read(), sections(program), sample(program, 40)) for program in programs]
    limits = limit_fit(tool)
    statuses, bad, victim = {}, [], os.path.join(folder, "victim")
    for seed in range(int(first), int(first) + int(count)):
        chance = random.Random(seed)
        whole, table, addresses = kept[chance.choice([0, 0, 1, 1, 1, 2])]
        data = bytearray(whole)
        kind = damage(data, table, chance)
        with open(victim, "wb") as out:
            out.write(data)
        try:
            done = subprocess.run([tool, "symbolize", victim], input=lines_of(addresses), capture_output=True, text=True, errors="replace",
                                  timeout=SECONDS, **limits)
        except subprocess.TimeoutExpired:
            bad.append((seed, kind, f"still running after {SECONDS} s"))
            continue
        statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
        said = done.stderr.splitlines()
        if done.returncode not in (0, 2):
            bad.append((seed, kind, f"status {done.returncode}: {done.stderr[:200]}"))
        elif done.returncode == 2 and len(said) != 1:
            bad.append((seed, kind, f"{len(said)} lines for an error: {said[:3]}"))
        elif any(not row.startswith("profplug: ") for row in said):
            bad.append((seed, kind, f"a line that is not ours: {said[:3]}"))
        elif done.returncode == 0 and len({row.split("\t")[0] for row in done.stdout.split("\n") if row}) != len(addresses):
            bad.append((seed, kind, "not a row for each address"))
    overlapping(victim)
    done = subprocess.run([tool, "symbolize", victim], input="1000\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr.count("\n") == 1 and "unreadable abbreviations" in done.stderr, done.stderr
    print(f"{count} damaged files; how often each status: {statuses}")
    for seed, kind, what in bad:
        print(f"seed {seed} ({kind}): {what}")
    assert not bad, f"{len(bad)} bad ends"
    assert statuses.get(0, 0) > int(count) // 4 and statuses.get(2, 0) > 0, "the damage is not of the kind this test is meant for"


main(*sys.argv[1:])
