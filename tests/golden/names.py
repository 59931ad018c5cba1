# SPDX-License-Identifier: MIT
"""names.py PROFPLUG MAKE: all strings of a fixed data file become odd ones of the same length, drawn from a fixed seed. What the tool writes of
it steers no terminal and is valid for its readers, in every report, export, comparison and merged file; JSON gives names exactly, and prose escaped."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

ROUNDS = 20
PIECES = [b"\x1b[31m", b"\x1b]0;t\x07", b"\x9b2J", "\u009b2J".encode(), "\u202e".encode(), "\u2066".encode(), "\u200f".encode(), "\u061c".encode(),
          "\u2028".encode(), "\ufeff".encode(), "\ufffe".encode(), b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf", b"\x7f", b"\n", b"\r\n",
          b"\t", b"\x01", b"\b\b", "é".encode(), "名".encode(), "\U000e0041".encode(), b"<&\"'>", b"]]>", b"%s%n", b"\\", b"   ", b"::", b"(", b"a", b"/", b"name"]
PROSE = {"text", "notices", "complaint", "memory_note", "sample_note", "empty_reason", "meaning", "reason"}


def is_odd(letter):
    """A letter that steers a terminal, changes the order of others, or is none."""
    return letter != "\n" and (unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(letter) in
                               ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN") or letter in "\u200e\u200f\u061c\ufeff\ufffe\uffff")


def clean(output, what):
    text = output.decode()
    text = text.replace("\t", "") if text[:1] == "{" else text  # the layout of JSON, which forbids them within strings
    odd = sorted({f"U+{ord(letter):04X}" for letter in text if is_odd(letter)})
    assert not odd, f"{what}: {odd} in {[line for line in text.splitlines() if any(is_odd(letter) for letter in line)][:3]}"
    return text


def odd_name(draw, length):
    name = b""
    while len(name) < length:
        name += draw.choice(PIECES)
    return name[:length]


def renamed(good, draw):
    """The file with other names, and which is which. The same string gets the same name everywhere."""
    names = {}

    def other(match):
        return names.setdefault(match[1], odd_name(draw, len(match[1]))) + b"\0"
    return good[:8] + re.sub(rb"([\x20-\x7e]{4,})\0", other, good[8:]), names


def strings(value, field=""):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield "", name
            yield from strings(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, field)
    elif isinstance(value, str):
        yield field, value


def exact(name):
    """As JSON has it: bytes that are no UTF-8 are lone surrogates, as Python has them in names of files."""
    return name.decode("utf-8", "surrogateescape")


def ask(tool, *words, statuses=(0,)):
    done = subprocess.run([tool, *words], capture_output=True, env={**os.environ, "COLUMNS": "160"})
    clean(done.stderr, words)
    assert done.returncode in statuses, (words, done.returncode, done.stderr)
    return clean(done.stdout, words)


def reports(tool, names):
    stages = [names[b"decode"], names[b"batches"]]
    ask(tool, "report", "odd", "--explain")
    ask(tool, "report", "odd")
    ask(tool, "annotate", "-i", "odd", statuses=(0, 2))
    ask(tool, "annotate", "-i", "odd", stages[0], statuses=(0, 2))
    said = json.loads(ask(tool, "report", "odd", "--format", "json"))
    for field, text in strings(said):
        if field in PROSE:
            clean(text.encode(), field)
    got = {stage["name"] for stage in said["stages"]}
    assert got >= {exact(name) for name in stages}, (stages, got)
    slo = [stage + b" mean<1ns" for stage in stages if stage.strip() == stage and b"<" not in stage and b">" not in stage]
    if slo:
        slo = [word for rule in slo for word in (b"--slo", rule)]
        ask(tool, "check", "odd", *slo, statuses=(1, 2))
        junit = ask(tool, "check", "odd", "--format", "junit", *slo, statuses=(1, 2))
        sarif = ask(tool, "check", "odd", "--format", "sarif", *slo, statuses=(1, 2))
        ask(tool, "check", "odd", "--format", "json", *slo, statuses=(1, 2))
        for case in xml.etree.ElementTree.fromstring(junit).iter() if junit else ():
            clean("".join(case.attrib.values()).encode(), "junit")
        for field, text in strings(json.loads(sarif)) if sarif else ():
            clean(text.encode(), "sarif")
            assert field != "uri" or re.fullmatch(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]*", text), text


# What a person reads, or a tool whose format has an escape for such letters. csv, speedscope and the like quote names, and give them exactly.
TEXTS = "callgrind folded flamegraph lcov prometheus markdown".split()
TABLES = "csv speedscope chrome firefox dhat".split()
BYTES = "pprof perfetto otlp".split()


def exports(tool):
    for name in TEXTS + TABLES + BYTES:
        done = subprocess.run([tool, "export", "odd", "--format", name, "-o", "exported"], capture_output=True)
        clean(done.stderr, name)
        assert done.returncode == 0 or name == "dhat", (name, done.returncode, done.stderr)      # no blocks are in the fixed file
        if done.returncode or name in BYTES:
            continue
        data = pathlib.Path("exported").read_bytes()
        if name in TEXTS:
            clean(data, name)
        else:
            data.decode()
        if name == "flamegraph":
            xml.etree.ElementTree.fromstring(data)
        elif name in TABLES and name != "csv":
            json.loads(data)


def pages(tool):
    """The page without its data, which a script decodes: names in it steer no reader of the source, either."""
    subprocess.run([tool, "report", "odd", "--format", "html", "-o", "page.html"], check=True)
    page = pathlib.Path("page.html").read_bytes().decode()
    clean(re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.S).encode(), "html")


def several(tool, good):
    """Two runs compared and merged, of which one has the same names and other times, and one has other names."""
    pathlib.Path("plain").write_bytes(good)
    for one, other in (("odd", "odd"), ("plain", "odd"), ("odd", "plain")):
        assert ask(tool, "diff", one, other)
        assert ask(tool, "diff", one, other, "--format", "markdown")
        for field, text in strings(json.loads(ask(tool, "diff", one, other, "--format", "json"))):
            if field in PROSE:
                clean(text.encode(), f"diff {field}")
    ask(tool, "merge", "--as", "repeats", "-o", "merged", "odd", "odd")
    ask(tool, "report", "merged", "--all")
    ask(tool, "report", "merged", "--section", "spread")
    ask(tool, "merge", "--as", "repeats", "-o", "merged", "odd", "plain", statuses=(0, 2))
    os.unlink("merged")


def main(tool, make):
    tool, make, draw, count = os.path.abspath(tool), os.path.abspath(make), random.Random(20240229), 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        subprocess.run([make, "made"], check=True)
        good = pathlib.Path("made").read_bytes()
        for turn in range(ROUNDS):
            data, names = renamed(good, draw)
            pathlib.Path("odd").write_bytes(data)
            reports(tool, names)
            if turn % 4 == 0:
                exports(tool)
                pages(tool)
                several(tool, good)
            count += len(names)
        # one name in every table, and visible in each
        pathlib.Path("odd").write_bytes(good.replace(b"decode\0", b"d\x1b[2Je\0"))
        shown = ask(tool, "report", "--all", "odd")
        for section in ("STAGES", "BOTTLENECKS"):
            part = shown.split(section)[1].split("\n\n")[0]
            assert "d\\x1b[2Je" in part, f"{section}: {part}"
        assert "d\\x1b[2Je mean<1ns" in ask(tool, "check", "odd", "--slo", b"d\x1b[2Je mean<1ns", statuses=(1,))
        # the command to run next names the file so that a shell finds it
        shutil.copy("odd", b"file \x1b[2J\xff's.profplug")
        line = [line for line in ask(tool, "report", "--all", b"file \x1b[2J\xff's.profplug").splitlines() if "--format json" in line][0]
        word = subprocess.run(["bash", "-c", "printf %s " + line.split("--format json ")[1]], capture_output=True, check=True).stdout
        assert word == b"file \x1b[2J\xff's.profplug", (line, word)
        # a program with such a name
        os.mkdir("elsewhere")
        os.chdir("elsewhere")
        for name in (b"true\x1b[2J", "\u202etrue".encode(), b"\xff"):
            shutil.copy("/bin/true", name)
            done = subprocess.run([tool, "run", b"./" + name], capture_output=True)
            said = clean(done.stderr, name)
            assert done.returncode == 0 and "is not instrumented" in said and said.count("\n") == 1, said
            clean(subprocess.run([tool, "run", b"./absent" + name], capture_output=True).stderr, name)
        os.chdir("/")
    print(f"{count} odd names in {ROUNDS} files")


main(*sys.argv[1:])
