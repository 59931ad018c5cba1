# SPDX-License-Identifier: MIT
"""refuse.py TOOL FOLDER: what is not as it should be gets one clear line, and status 2 where nothing can be answered."""
import json
import os
import shutil
import subprocess
import sys

from specimen import build, lines_of, profplug, run, sample


def main(tool, folder):
    folder = os.path.join(folder, "refuse")
    program = build("dwarf5", folder)

    def ask(*arguments, given="", status=2):
        done = subprocess.run([tool, "symbolize", *arguments], input=given, capture_output=True, text=True)
        assert done.returncode == status, f"{arguments}: status {done.returncode}, expected {status}: {done.stderr}"
        return done.stdout, done.stderr

    def refused(*words, arguments, given=""):
        out, said = ask(*arguments, given=given)
        assert said.count("\n") == 1 and said.startswith("profplug: "), f"not one line: {said!r}"
        for word in words:
            assert word in said, f"{word!r} is not in {said!r}"
        assert not any(len(word) > 8 and set(word) <= set("0123456789abcdef") for word in said.replace(";", " ").split()), f"a whole build-id: {said!r}"
        print(said, end="")
        return out

    def file(name, data):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    whole = open(program, "rb").read()
    # The binary.
    refused("BINARY", arguments=[])
    refused("/no/such/file", "No such file", arguments=["/no/such/file"])
    refused(folder, "not a regular file", arguments=[folder])
    refused("not an ELF file", arguments=[file("text", b"hello\n")])
    refused("not an ELF file", arguments=[file("empty", b"")])
    refused("corrupt", arguments=[file("short", whole[:20])])
    refused("truncated", arguments=[file("cut", whole[:len(whole) // 2])])
    refused("type 1", "expected a program", arguments=[os.path.join(os.path.dirname(program), "main.c.o")])
    refused("-x", "no such option", "-o FILE", arguments=["-x", program])
    refused("--format", "yaml", "json", arguments=["--format", "yaml", program])
    refused("second", arguments=[program, program])
    refused("/no/such/dir/out", arguments=["-o", "/no/such/dir/out", program])

    # The addresses: what came before a bad line is answered.
    at = sample(program, 3)
    for bad in ("xyz", "", "12 34", "-1", "0x", "1ffffffffffffffff"):
        out = refused("standard input:3", "hexadecimal", arguments=[program], given=lines_of(at[:2]) + bad + "\n" + lines_of(at[2:]))
        assert {row.split("\t")[0] for row in out.splitlines()} == {f"{a:#x}" for a in at[:2]}, out
    out, said = ask(program, given=f"{at[0]:x}\n 0X{at[0]:X} \r\n{at[0]:#018x}", status=0)
    rows = out.splitlines()
    assert not said and rows[:len(rows) // 3] * 3 == rows, "one address, written in three ways"
    out, said = ask(program, given="0\nffffffffffffffff\n", status=0)
    assert out == "0x0\t0\t??\t??\t0\n0xffffffffffffffff\t0\t??\t??\t0\n" and not said, out
    assert ask(program, status=0) == ("", ""), "no addresses, no rows"

    # Forms of output.
    out, _ = ask(program, given=lines_of(at), status=0)
    assert all(len(row.split("\t")) == 5 for row in out.splitlines())
    ask("-o", os.path.join(folder, "rows"), program, given=lines_of(at), status=0)
    assert open(os.path.join(folder, "rows")).read() == out
    listed, _ = ask("--format=json", program, given=lines_of(at), status=0)
    flat = [(e["address"], f["depth"], f.get("function", "??"), f.get("file", "??"), f.get("line", 0)) for e in map(json.loads, listed.splitlines())
            for f in e["frames"] or [{"depth": 0}]]
    assert ["\t".join(map(str, row)) for row in flat] == out.splitlines(), "json and text differ"

    # Less debug information: names from symbols with a warning; with nothing at all, a refusal.
    main_at = [int(run(["nm", program]).split(" T main\n")[0].split()[-1], 16)]
    bare = os.path.join(folder, "bare")
    run(["objcopy", "--strip-debug", program, bare])
    found, said = profplug(tool, bare, main_at)
    assert found[main_at[0]] == [("main", "main", None, 0)] and said.count("\n") == 1 and "no debug information" in said, (found, said)
    print(said, end="")
    run(["objcopy", "--strip-all", program, bare])
    run(["objcopy", "--remove-section=.dynsym", bare])
    refused("no debug information", "-g", "build-id", arguments=[bare])

    # Sections compressed with zstd, where objcopy can do that and libelf cannot undo it: a warning that names it, or an answer.
    packed = os.path.join(folder, "packed")
    if not subprocess.run(["objcopy", "--compress-debug-sections=zstd", program, packed], capture_output=True).returncode:
        found, said = profplug(tool, packed, main_at)
        assert found[main_at[0]][0][0] == "main" and (found[main_at[0]][0][3] or "zstd" in said and said.count("\n") == 1), (found, said)
        print(said, end="")

    # A debug link to a file that is another build's, and one that is missing.
    linked, debug = os.path.join(folder, "linked"), os.path.join(folder, "linked.debug")
    run(["objcopy", "--only-keep-debug", program, debug])
    run(["objcopy", "--strip-debug", f"--add-gnu-debuglink={debug}", program, linked])
    found, said = profplug(tool, linked, main_at)
    assert found[main_at[0]][0][2].endswith("main.c") and not said
    with open(debug, "ab") as out:
        out.write(b"changed")
    assert "another build" in profplug(tool, linked, main_at)[1]
    os.remove(debug)
    assert "not there" in profplug(tool, linked, main_at)[1]

    # Split debug information that is missing or another build's: names from symbols, lines all the same.
    split = build("split5", folder)
    where = os.path.dirname(split)
    shutil.move(f"{where}/main.c.dwo", f"{where}/kept")
    found, said = profplug(tool, split, main_at)
    assert found[main_at[0]][0][0] == "main" and found[main_at[0]][0][3] > 0 and "main.c.dwo" in said and said.count("\n") == 1, (found, said)
    print(said, end="")
    shutil.copy(f"{where}/text.c.dwo", f"{where}/main.c.dwo")
    assert "another build" in profplug(tool, split, main_at)[1]


main(*sys.argv[1:])
