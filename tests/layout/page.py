#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py ROOT BUILD: the manual pages and the generated documents are what the rows give. No page makes man complain.
Each option that `profplug help VERB` names stands in the verb's page, and the other way round, and the verb takes it.
Each public name of profplug.h stands in the library's page. docs/format.md has the compiler's offsets and sizes."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

failures = []


def expect(ok, what, *seen):
    if not ok:
        failures.append(what)
        print(f"FAILED: {what}", *[f"\n    {one!r}" for one in seen])


def call(argv, cwd=None, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PROFPLUG")}
    environment |= {"LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    return subprocess.run(argv, capture_output=True, text=True, cwd=cwd, env=environment, timeout=60,
                          stdin=subprocess.DEVNULL, **more)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def reader():
    """A program that says what is wrong with a page."""
    for name, argv in (("man", ["man", "--warnings", "-E", "UTF-8", "-l"]),
                       ("groff", ["groff", "-man", "-ww", "-z", "-Tutf8"]),
                       ("mandoc", ["mandoc", "-T", "lint", "-W", "warning"])):
        if shutil.which(name):
            return argv
    sys.exit("none of man, groff and mandoc is there")


def without_warning(page):
    done = call(reader() + [page])
    expect(done.returncode == 0 and not done.stderr.strip(), f"{os.path.basename(page)}: no warning", done.stderr[:500])


def section(page, title):
    found = re.search(rf'^\.SH "?{title}"?\n(.*?)(?=^\.SH|\Z)', page, re.M | re.S)
    return found[1] if found else ""


def plain(roff):
    return re.sub(r"\\f[BIRP]|\\&|\\%", "", roff).replace("\\-", "-").replace("\\(aq", "'")


def tags(text):
    """The options at the heads of a section's items: {--word or -x: what follows it}."""
    out = {}
    for head in re.findall(r"^\.TP\n(.*)$", text, re.M):
        written = plain(head)
        names = re.findall(r"(?:^|, )(--?[a-z0-9][\w-]*)", written)
        for name in names:
            out[name] = written[written.index(names[-1]) + len(names[-1]):].strip()
    return out


def options_in_help(text):
    out = {}
    for line in re.split("Run-time options|Arguments of the plugin", text)[0].split("\nOptions:\n")[-1].split("\n"):
        found = re.match(r"  ((?:-\w)?(?:, )?(?:--[\w-]+)?)(?: (\S.*?))?(?: {2,}.*)?$", line)
        if found and found[1]:
            out |= {name: found[2] or "" for name in found[1].split(", ")}
    return out


def verb_check(root, tool, verb, scratch):
    text = call([tool, "help", verb]).stdout
    page = read(f"{root}/man/profplug-{verb}.1")
    helped, written = options_in_help(text), tags(section(page, "OPTIONS"))
    expect(helped == written, f"{verb}: help and the page name the same options", helped, written)
    if verb == "run":
        rows = dict(re.findall(r"^  ([a-z-]+) +(\S+)$", text.split("Run-time options")[-1], re.M))
        page_rows = {name.removeprefix("--"): value for name, value in tags(section(page, "RUN-TIME OPTIONS")).items()}
        expect(rows and rows == page_rows, "run: help and the page name the same run-time options", rows, page_rows)
    if verb == "cc":
        rows = re.findall(r"^  ([a-z-]+) +(\S+)", text.split("Arguments of the plugin")[-1], re.M)
        heads = re.findall(r"^\.TP\n(.*)$", section(page, "PLUGIN ARGUMENTS"), re.M)
        written = [f"-fplugin-arg-profplug-{key}={values}" for key, values in rows]
        expect(rows and written == [plain(head) for head in heads], "cc: help and the page name the same arguments", rows, heads)
    for option, value in helped.items():
        given = {"N": "2", "POINTS": "2", "PERCENT": "2", "FROM": "start", "TO": "end"}
        words = [given.get(word, word.split("|")[0]) for word in value.split()] if "'" not in value else ["a p95<1ms"]
        done = call([tool, verb, option, *words], cwd=scratch)
        refused = re.search("no such option|is missing", done.stderr)
        expect(not refused, f"{verb} takes {option}", done.stderr)
    status = section(page, "EXIT STATUS")
    expect(status, f"{verb}: its exit status")
    found = re.search(r"^Exit status: (.*)", text, re.M)
    if found:
        named = set(re.findall(r"\b\d{1,3}(?= )", found[1]))
        expect(named <= set(re.findall(r"\d+", status)), f"{verb}: the exit status that help names", found[1], status)
    return len(helped)


def library_check(root):
    page = plain(read(f"{root}/man/profplug.3"))
    header = read(f"{root}/include/profplug.h")
    names = set(re.findall(r"^#define (PROFPLUG_\w*[A-Z]|profplug_\w*[a-z])\b(?!_)", header, re.M)) - {"PROFPLUG_H"}
    expect(len(names) > 6, "names of the library", names)
    for name in sorted(names):
        expect(name in page, f"profplug.3 has {name}")


def format_check(root, scratch):
    """Asks the compiler for each offset and size that docs/format.md has."""
    text, said, number = read(f"{root}/docs/format.md"), [], 0
    structure = r"^`struct (\w+)`, (\d+) bytes[^\n]*\n\n\|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)"
    for name, size, body in re.findall(structure, text, re.M):
        said.append(f"_Static_assert(sizeof(struct {name}) == {size}, \"size of {name}\");")
        for offset, field in re.findall(r"^\| (\d+) \| `[^`]+` \| `(\w+)", body, re.M):
            said.append(f"_Static_assert(offsetof(struct {name}, {field}) == {offset}, \"{name}.{field}\");")
            number += 1
    for name, value in re.findall(r"^\| `(PP_\w+)` \| (\d+) \|", text, re.M):
        said.append(f"_Static_assert({name} == {value}, \"{name}\");")
    for value, name in re.findall(r"(?:^\| |: |, |\. )(\d+)(?: \| | )`(PP_[A-Z_]+)`", text, re.M):
        said.append(f"_Static_assert({name} == {value}, \"{name}\");")
    for value, name in re.findall(r"^\| (\d+) \| `([A-Z]+)` \| (?:`struct|see)", text, re.M):
        said.append(f"_Static_assert(PP_EXTENT_{name} == {value}, \"{name}\");")
    source = os.path.join(scratch, "format.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write('#include <profplug/abi/format.h>\n#include <profplug/abi/line.h>\n' + "\n".join(said) + "\n")
    done = call(["gcc", "-fsyntax-only", "-Wno-pedantic", f"-I{root}/include", source])
    expect(number > 150 and len(said) > 250, "offsets, sizes and numbers in docs/format.md", number, len(said))
    expect(done.returncode == 0, "docs/format.md has the compiler's offsets, sizes and numbers", done.stderr[:2000])
    return len(said)


def main():
    root, build = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    tool = build + "/profplug"
    done = call([sys.executable, f"{root}/docs/generate.py", "--check"])
    expect(done.returncode == 0, "the pages are what the rows give", done.stdout, done.stderr)
    pages = sorted(glob.glob(f"{root}/man/*.[135]"))
    for page in pages:
        without_warning(page)
    verbs = re.findall(r"^  ([a-z]+) {2,}\S", call([tool, "help"]).stdout, re.M)
    wanted = {f"profplug-{verb}.1" for verb in verbs} | {"profplug.1", "profplug.3", "profplug-data.5"}
    expect(wanted == {os.path.basename(page) for page in pages}, "a page for each verb", verbs, pages)
    with tempfile.TemporaryDirectory() as scratch:
        options = sum(verb_check(root, tool, verb, scratch) for verb in verbs)
        asserted = format_check(root, scratch)
    library_check(root)
    expect(options > 25, "options of the verbs", options)
    print(f"{len(pages)} pages, {options} options, {asserted} numbers of the format, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
