# SPDX-License-Identifier: MIT
"""functions.py DRIVER FOLDER: the functions of a program (against gdb and nm), their identity, and which file is opened for a build-id."""
import os
import re
import shutil
import subprocess
import sys

from specimen import build, lines_of, need, run, sample

OK, MISSING, UNREADABLE, REBUILT, NOT_ELF, CORRUPT = range(6)


def listed(driver, program):
    rows = [row.split("\t") for row in run([driver, "functions", program]).splitlines()]
    return [dict(name=r[0], linkage=r[1], symbol=r[2], file=r[3], line=int(r[4]), low=int(r[5], 16), high=int(r[6], 16), id=r[7], bare=r[8] == "1")
            for r in rows]


def by_gdb(program):
    """{(base of file, line, name)} of the functions with code, as gdb lists them."""
    found, file = set(), None
    for row in run(["gdb", "-nx", "-batch", "-ex", "info functions -n", program]).splitlines():
        if row.startswith("File "):
            file = os.path.basename(row[5:-1])
        match = re.match(r"(\d+):\t(.*)\(.*\).*;$", row)
        if match:
            found.add((file, int(match[1]), re.sub(r".*[ *]", "", match[2])))
    return found


def check_functions(driver, program):
    ours = listed(driver, program)
    assert ours == sorted(ours, key=lambda f: f["low"]) and len({f["low"] for f in ours}) == len(ours)
    mine = {(os.path.basename(f["file"]), f["line"], f["name"]) for f in ours if f["line"]}
    theirs = by_gdb(program)
    print(f"{program}: {len(ours)} functions, {len(mine)} with debug information; gdb lists {len(theirs)}")
    assert mine == theirs, f"only ours: {mine - theirs}; only gdb's: {theirs - mine}"
    assert len(mine) > 15 and all(f["file"].startswith("/") for f in ours if f["line"])
    symbols = {}
    for row in run(["nm", "-S", program]).splitlines():
        parts = row.split()
        if len(parts) == 4 and parts[2] in "tTwW":
            symbols.setdefault(int(parts[0], 16), []).append((parts[3], int(parts[1], 16)))
    for f in ours:
        if f["bare"]:
            continue
        assert (f["symbol"], f["high"] - f["low"]) in symbols[f["low"]], f"{f} is not among {symbols.get(f['low'])}"
        assert f["symbol"].split(".")[0] == f["name"], f
    bare = {f["name"] for f in ours if f["bare"]}
    assert "_start" in bare, bare
    assert [f["line"] for f in ours if f["name"] == "rotate_sum"] == [0], "the assembler does not say where its functions are declared"


def check_ids(driver, program):
    """One source function has one id, wherever it was inlined; different ones have different ids."""
    addresses = sample(program)
    rows = [row.split("\t") for row in run([driver, "ids", program], input=lines_of(addresses)).splitlines()]
    ids, places = {}, {}
    for name, number, file, line in rows:
        if number != "0":
            ids.setdefault((name, file, line), set()).add(number)
            places.setdefault(number, set()).add((name, file, line))
    assert all(len(numbers) == 1 for numbers in ids.values()) and all(len(where) == 1 for where in places.values())
    clamp = [key for key in ids if key[0] == "clamp"]
    assert len(clamp) == 1 and os.path.basename(clamp[0][1]) == "inline.h", clamp
    lines = open(clamp[0][1]).read().splitlines()
    assert "clamp(" in lines[int(clamp[0][2]) - 1], "its line is not that of its declaration"
    print(f"{len(ids)} source functions met in {len(addresses)} addresses")


def check_owner(driver, program):
    """A .cold partition belongs to its function; what was inlined, to what it was inlined into."""
    rows = [row.split() for row in run(["nm", "-S", program]).splitlines()]
    where = {row[3]: int(row[0], 16) for row in rows if len(row) == 4}
    cold = {name: at for name, at in where.items() if name.endswith(".cold")}
    assert cold, "no .cold partition: not the program this test is meant for"
    for name, at in cold.items():
        owner, low, _ = run([driver, "owner", program], input=lines_of([at])).split("\t")
        assert owner == name.split(".")[0] and int(low, 16) == where[owner], (name, owner, low)
    print("partitions:", *cold)


def check_open(driver, program, folder):
    def tried(path, *rest):
        number, opened, error = run([driver, "open", path, *rest]).rstrip("\n").split("\t")
        assert (int(number) == OK) == (error == "") and "\n" not in error
        print(number, error)
        return int(number), opened, error

    mine = run(["readelf", "-n", program]).split("Build ID: ")[1].split()[0]
    other = "0" * len(mine)
    assert tried(program) == (OK, program, "")
    assert tried(program, mine) == (OK, program, "")
    result, _, error = tried(program, other)
    assert result == REBUILT and program in error and mine[:8] in error and other[:8] in error
    assert tried(program + ".gone", mine)[0] == MISSING
    assert tried("/dev/null", mine)[0] == UNREADABLE
    assert tried(__file__)[0] == NOT_ELF
    cut = os.path.join(folder, "cut")
    with open(program, "rb") as whole, open(cut, "wb") as out:
        out.write(whole.read()[:5000])
    assert tried(cut, mine)[0] == CORRUPT
    none = os.path.join(folder, "none")
    run(["objcopy", "--remove-section=.note.gnu.build-id", program, none])
    result, _, error = tried(none, mine)
    assert result == REBUILT and "absent" in error

    # Rebuilt or gone, but its debug folder still has the one that ran.
    where = os.path.join(folder, "debug", ".build-id", mine[:2])
    os.makedirs(where, exist_ok=True)
    kept = os.path.join(where, mine[2:] + ".debug")
    shutil.copy(program, kept)
    for path in (program + ".gone", none):
        assert tried(path, mine, os.path.join(folder, "debug")) == (OK, kept, "")
    assert tried(none, other, os.path.join(folder, "debug"))[0] == REBUILT


def main(driver, folder):
    need("gdb")
    folder = os.path.join(folder, "functions")
    program = build("dwarf5", folder)
    check_functions(driver, program)
    check_functions(driver, build("dwarf4", folder))
    check_ids(driver, program)
    check_owner(driver, program)
    check_open(driver, program, folder)


main(*sys.argv[1:])
