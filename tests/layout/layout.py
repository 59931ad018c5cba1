#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layout.py ROOT: the rules of HACKING.md that a program can check. Prints one line per breach and exits 1.
layout.py --self-test: plants each breach in a small tree and expects it to be found."""

import os
import re
import subprocess
import sys
import tempfile

LINES_WISHED, LINES_MOST = 400, 700
PARTS = ("plugin", "rt", "report")
CODE = (".c", ".cc", ".h", ".def", ".py", ".sh", ".cmake", ".js", ".ts")
NAMELESS = re.compile(r"^(utils?|helpers?|common|misc)$")
STEM = re.compile(r"^(section-)?[a-z][a-z0-9]*$")         # report/section/section-NAME.c: one table of the report each
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
VERSION_MACRO = re.compile(r"\b(GCCPLUGIN_VERSION\w*|BUILDING_GCC_VERSION|BUILDING_GCC_MAJOR|__GNUC__|__GNUC_MINOR__)\b")
WIDTH, WIDTH_ROWS, SOURCES_MOST, PAGE_LINES = 120, 160, 15, 120
ROW_FOLDERS = ("report/command", "report/section", "report/rule", "report/advice", "report/export")        # one file a row
METAPHORS = re.compile(r"^(home|kept|newborn|spare|place|point|settle|margin|nickname|newest|waited|kin|chunk|apart)$")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
CITED = re.compile(r"(?<![\w./<])([\w-]+(?:/[\w-]+)*\.(?:c|h|cc|def|py))\b")
FOREIGN = {"plugin-version.h", "main.cc", "NAME.c", "NAME.h"}           # GCC's header; an example; a name to be filled in
NUMBERED = re.compile(r"(?:->|\.)(?:reserved\w*|metric|heap)\[\d+\]|\bcounter\[-\d")


def files_of(root):
    """Paths under git's eye (tracked, or new and not ignored); without git all but hidden and build folders."""
    done = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True) \
        if os.path.exists(os.path.join(root, ".git")) else None
    if done and done.returncode == 0:
        names = sorted(set(done.stdout.split("\n")) - {""})
        return [n for n in names if os.path.isfile(os.path.join(root, n)) and not os.path.islink(os.path.join(root, n))]
    names = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".") and not f.startswith("build")]
        names += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(names)


def text_of(root, name):
    with open(os.path.join(root, name), "rb") as file:
        return file.read().decode("utf-8", "replace")


def is_code(name):
    return name.endswith(CODE) or os.path.basename(name) in ("CMakeLists.txt", "dev", "run")


def check_size(name, text, breaches, wishes):
    lines = text.count("\n")
    if lines > LINES_MOST:
        breaches.append(f"{name}: {lines} lines; expected at most {LINES_MOST}")
    elif lines > LINES_WISHED:
        wishes.append(f"{name}: {lines} lines; {LINES_WISHED} is the aim")


def check_name(name, breaches):
    stem, ending = os.path.splitext(os.path.basename(name))
    if name.startswith(("rt/", "report/")) and METAPHORS.match(stem):
        breaches.append(f"{name}: '{stem}' is a metaphor of ours; expected the field's term")
    for piece in name.split("/")[:-1] + [stem]:
        if NAMELESS.match(piece):
            breaches.append(f"{name}: '{piece}' says nothing; expected a noun for what is in it")
    if name.split("/")[0] in PARTS and ending in (".c", ".cc", ".h") and not STEM.match(stem):
        breaches.append(f"{name}: expected one lowercase noun as its name")


def check_licence(name, text, breaches):
    wanted = "GPL-3.0-or-later" if name.startswith("plugin/") else "MIT"
    head = "\n".join(text.split("\n")[:3])
    found = re.search(r"SPDX-License-Identifier: (\S+)", head)
    if not found:
        breaches.append(f"{name}: no SPDX line at its head; expected {wanted}")
    elif found.group(1) != wanted:
        breaches.append(f"{name}: licence {found.group(1)}; expected {wanted}")


def check_width(name, text, breaches):
    """Lines of the plugin, the runtime, the report and the contracts; tables of rows may be wider."""
    most = WIDTH_ROWS if name.endswith(".def") else WIDTH
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > most:
            breaches.append(f"{name}:{number}: {len(line)} columns; expected at most {most}")


def check_words(name, text, base_names, breaches):
    """Files cited in comments exist; words of memory have names; no metaphor names a file."""
    for comment in COMMENT.findall(text):
        for cited in CITED.findall(comment):
            if os.path.basename(cited) not in base_names and os.path.basename(cited) not in FOREIGN:
                breaches.append(f"{name}: a comment cites {cited}, which is not there")
    if name.startswith(("rt/", "report/")):
        for number, line in enumerate(COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text).split("\n"), 1):
            if NUMBERED.search(line):
                breaches.append(f"{name}:{number}: a word of memory by its number; expected a name")


def check_folders(names, breaches):
    """At most so many sources a folder; a header lies beside its source."""
    sources = [n for n in names if n.startswith(("rt/", "report/")) and n.endswith(".c")]
    folders = {}
    for name in sources:
        folders.setdefault(os.path.dirname(name), []).append(name)
    for folder, files in folders.items():
        if len(files) > SOURCES_MOST and folder not in ROW_FOLDERS:
            breaches.append(f"{folder}: {len(files)} sources; expected at most {SOURCES_MOST}")
    stems = {(n.split("/")[0], os.path.basename(n)[:-2]): n for n in sources}
    for name in names:
        other = stems.get((name.split("/")[0], os.path.basename(name)[:-2])) if name.endswith(".h") else None
        if other and os.path.dirname(other) != os.path.dirname(name):
            breaches.append(f"{name}: expected beside {other}")


def check_include(name, kind, target, names, breaches):
    """The arrows: who may include whom."""
    def wrong(why):
        breaches.append(f"{name}: includes {target}; {why}")
    part = name.split("/")[0]
    base = os.path.basename(target)
    if target.endswith((".c", ".cc")):
        wrong("a source file is not included")
    if name.startswith("include/profplug/abi/"):
        if target not in ("stdint.h", "stddef.h") and not (kind == '"' and "include/profplug/abi/" + target in names):
            wrong("the contracts depend on stdint.h and stddef.h alone")
        return
    if part not in PARTS:
        return
    if base in ("libelf.h", "gelf.h", "elfutils.h") and name not in ("report/symbol/image.c", "report/symbol/debugsection.c"):
        wrong("only image.c and debugsection.c of report/symbol/ know libelf")
    if base in ("libdwarf.h", "dwarf.h") and name != "report/symbol/dwarf.c":
        wrong("only report/symbol/dwarf.c knows libdwarf")
    if base == "sqlite3.h" and name != "report/host/history.c":
        wrong("only report/host/history.c knows SQLite")
    if base == "cJSON.h" and name not in ("report/export/json.c", "report/export/jsonrow.h", "report/host/options.c", "report/host/simulated.c"):
        wrong("only report/export/json*.c, report/host/options.c and report/host/simulated.c know cJSON")
    if kind == "<" or target.startswith("profplug/abi/") or target == "profplug.h":
        return
    folder = os.path.dirname(name)
    if name == "report/symbol/dwarf.c" and base in ("libdwarf.h", "dwarf.h"):
        return
    places = {os.path.normpath(os.path.join(folder, target)), f"{part}/{target}"}
    if part == "report":                          # every room is on the include path; file names are unique
        places |= {n for n in names if n.startswith("report/") and os.path.basename(n) == target}
    if places & set(names):
        if re.match(r"report/(rule|advice|export|first|section|show)/", name) and base in ("reader.h", "image.h", "symbolize.h", "cursor.h", "extent.h", "command.h"):
            wrong("rules and exports see the model, no files and no ELF")
        if name.startswith("report/") and not name.startswith(("report/command/", "report/main.c")) and base in ("command.h", "commands.def"):
            wrong("only main.c and the commands know the commands")
        return
    if name != "plugin/gcc.h":
        wrong("plugin, rt and report include the contracts and their own files" + (", and GCC through gcc.h alone" if part == "plugin" else ""))


def check_rows(root, names, breaches):
    """One row and one file each."""
    for table, folder, macro in (("report/command/commands.def", "report/command", "PROFPLUG_COMMAND"), ("report/rule/rules.def", "report/rule", "RULE"),
                                 ("report/advice/advice.def", "report/advice", "ADVICE"),
                                 ("report/export/exports.def", "report/export", "EXPORT"), ("report/exchange/tools.def", "report/exchange", "EXPORT_TOOL")):
        files = {os.path.splitext(os.path.basename(n))[0] for n in names if os.path.dirname(n) == folder and n.endswith(".c")}
        if macro == "ADVICE":                     # its other files have facts that several rules ask for
            files = {stem for stem in files if f"void advice_{stem}(struct advice *" in text_of(root, f"{folder}/{stem}.c")}
        if table not in names:
            if files - {"advise", "facts", "tool"} and macro != "EXPORT":
                breaches.append(f"{table}: is not there; expected a row for each file in {folder}")
            continue
        rows = set(re.findall(rf"^{macro}\(\s*(\w+)", text_of(root, table), re.M))
        if macro == "EXPORT":                     # the terminal has a room of its own: report/section/
            files -= {stem for stem in files if any(stem != row and stem.startswith(row) for row in rows)}       # a row's further files
            files |= {"text"} if "report/first/first.c" in names else set()
        files -= {"commands", "judge", "advise", "facts", "tool"} | ({"export"} if folder == "report/export" else set())  # what goes through the rows
        for row in sorted(rows - files):
            breaches.append(f"{table}: row {row} has no file {folder}/{row}.c")
        for stem in sorted(files - rows):
            breaches.append(f"{folder}/{stem}.c: has no row in {table}")


def check_held(root, names, breaches):
    """Each row of these tables names the test that holds it, in tests/stubs/rows.txt."""
    held = "tests/stubs/rows.txt"
    said = [line.split() for line in text_of(root, held).splitlines() if line and line[0] != "#"] if held in names else []
    for table, row in (("report/rule/rules.def", r"RULE\((\w+)"), ("report/advice/advice.def", r"ADVICE\((\w+)"), ("report/command/commands.def", r"PROFPLUG_COMMAND\((\w+)"),
                       ("report/export/exports.def", r"EXPORT\((\w+)"), ("report/exchange/tools.def", r"EXPORT_TOOL\((\w+)"), ("include/profplug/abi/metric.def", r"PP_METRIC\(\w+, +(\w+)")):
        rows = re.findall(f"^{row}", text_of(root, table), re.M) if table in names and held in names else []
        known = [one[1] for one in said if len(one) == 3 and one[0] == table]
        for name in sorted(set(rows) - set(known)):
            breaches.append(f"{held}: row {name} of {table} names no test that holds it")
        for name in known:
            if name not in rows or known.count(name) > 1:
                breaches.append(f"{held}: {name}: expected one line for each row of {table}")


def check_sources(root, names, breaches):
    """Sources of numbers: a row in PP_SOURCES of rt.h for each pp_source_NAME, and one file NAME.c for each row."""
    rows = set(re.findall(r"PP_SOURCE\((\w+)\) ", text_of(root, "rt/rt.h"))) - {"name"} if "rt/rt.h" in names else set()
    files = {os.path.splitext(os.path.basename(n))[0] for n in names if re.match(r"rt/\w+/\w+\.c$", n)
             and re.search(r"^const struct pp_metric_source pp_source_", text_of(root, n), re.M)}
    for row in sorted(rows - files):
        breaches.append(f"rt/rt.h: source {row} has no file {row}.c in a room of rt/ that defines pp_source_{row}")
    for stem in sorted(files - rows):
        breaches.append(f"{stem}.c: defines pp_source_{stem}; expected a row in PP_SOURCES of rt/rt.h")


def check_unique(names, breaches):
    """A file's name is unique within its part. A verb's file is named as the verb."""
    seen = {}
    for name in names:
        base, part = os.path.basename(name), name.split("/")[0]
        if part not in PARTS + ("include",) or not base.endswith((".h", ".c", ".cc")) or name.startswith("report/command/"):
            continue
        key = (part, base if base.endswith(".h") else os.path.splitext(base)[0])
        if key in seen:
            breaches.append(f"{name}: named as {seen[key]}; expected a name of its own")
        seen[key] = name


def check_tree(root):
    breaches, wishes = [], []
    names = files_of(root)
    base_names = {os.path.basename(n) for n in names}
    check_folders(names, breaches)
    for page in ("README.md", "HACKING.md"):
        lines = text_of(root, page).count("\n") if page in names else 0
        if lines > PAGE_LINES:
            breaches.append(f"{page}: {lines} lines; expected at most {PAGE_LINES}")
    for name in names:
        if name.startswith("LICENSES/") or name == "COPYING":
            continue
        text = text_of(root, name)
        if not is_code(name):
            continue
        check_size(name, text, breaches, wishes)
        check_name(name, breaches)
        check_licence(name, text, breaches)
        if name.split("/")[0] in PARTS + ("include",) and name.endswith((".c", ".cc", ".h", ".def")):
            check_width(name, text, breaches)
            check_words(name, text, base_names, breaches)
        if name.endswith((".c", ".cc", ".h")):
            for number, line in enumerate(text.split("\n"), 1):
                found = INCLUDE.match(line)
                if found:
                    check_include(name, found.group(1), found.group(2), names, breaches)
                if name.split("/")[0] in PARTS and name != "plugin/gcc.h" and VERSION_MACRO.search(line):
                    breaches.append(f"{name}:{number}: tests a compiler's version; expected that in plugin/gcc.h alone")
        if name.startswith("report/") and "__attribute__((constructor))" in text:
            breaches.append(f"{name}: registers itself; expected a row")
    check_rows(root, names, breaches)
    check_held(root, names, breaches)
    check_sources(root, names, breaches)
    check_unique(names, breaches)
    plugin = [n for n in names if n.startswith("plugin/")]
    if plugin and not any("plugin_is_GPL_compatible" in text_of(root, n) for n in plugin):
        breaches.append("plugin/: plugin_is_GPL_compatible is not declared; GCC refuses it then")
    return breaches, wishes


MIT, GPL = "/* SPDX-License-Identifier: MIT */\n", "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
PLANTED = [           # (what should be said, files)
    ("expected at most 700", {"rt/long.c": MIT + "\n" * 701}),
    ("says nothing", {"rt/util.c": MIT}),
    ("says nothing", {"report/common/x.c": MIT}),
    ("one lowercase noun", {"rt/two_words.c": MIT}),
    ("no SPDX line", {"rt/a.c": "int x;\n"}),
    ("expected GPL-3.0-or-later", {"plugin/a.cc": MIT + "int plugin_is_GPL_compatible;\n"}),
    ("expected MIT", {"rt/a.c": GPL}),
    ("the contracts depend", {"include/profplug/abi/format.h": MIT + "#include <stdio.h>\n"}),
    ("only image.c and debugsection.c of report/symbol/ know libelf", {"report/reader.c": MIT + "#include <libelf.h>\n"}),
    ("only report/symbol/dwarf.c knows libdwarf", {"report/reader.c": MIT + "#include <libdwarf/libdwarf.h>\n"}),
    ("know cJSON", {"report/reader.c": MIT + "#include <cjson/cJSON.h>\n"}),
    ("only report/host/history.c knows SQLite", {"report/model.c": MIT + "#include <sqlite3.h>\n"}),
    ("include the contracts and their own files", {"report/model.h": MIT, "rt/a.c": MIT + '#include "model.h"\n'}),
    ("and GCC through gcc.h alone", {"plugin/a.cc": GPL + '#include "tree.h"\nint plugin_is_GPL_compatible;\n'}),
    ("no files and no ELF", {"report/reader.h": MIT, "report/rule/x.c": MIT + '#include "reader.h"\n', "report/rule/rules.def": MIT + "RULE(x, 1)\n"}),
    ("a source file is not included", {"rt/b.c": MIT, "rt/a.c": MIT + '#include "b.c"\n'}),
    ("tests a compiler's version", {"plugin/a.cc": GPL + "#if GCCPLUGIN_VERSION > 12000\n#endif\nint plugin_is_GPL_compatible;\n"}),
    ("registers itself", {"report/a.c": MIT + "static void f(void) __attribute__((constructor));\n"}),
    ("row missing has no file", {"report/command/commands.def": MIT + 'PROFPLUG_COMMAND(missing, "", "", "")\n'}),
    ("names no test that holds it", {"tests/stubs/rows.txt": "# none\n", "report/rule/rules.def": MIT + 'RULE(x, "1")\n', "report/rule/x.c": MIT}),
    ("expected one line for each row", {"tests/stubs/rows.txt": "report/rule/rules.def x t\nreport/rule/rules.def y t\n", "report/rule/rules.def": MIT + 'RULE(x, "1")\n', "report/rule/x.c": MIT}),
    ("expected a row in PP_SOURCES", {"rt/metric/x.c": MIT + "const struct pp_metric_source pp_source_x = { 0 };\n"}),
    ("has no file x.c", {"rt/rt.h": MIT + "    PP_SOURCE(x) /* last */\n"}),
    ("has no row", {"report/command/commands.def": MIT, "report/command/lost.c": MIT}),
    ("a name of its own", {"rt/twice.h": MIT, "rt/room/twice.h": MIT}),
    ("a name of its own", {"rt/heap.c": MIT, "rt/memory/heap.c": MIT}),
    ("expected at most 120", {"rt/wide.c": MIT + "/* " + "x" * 120 + " */\n"}),
    ("expected at most 120", {"include/profplug.h": MIT + "/* " + "x" * 120 + " */\n"}),
    ("expected at most 120", {"plugin/wide.cc": GPL + "/* " + "x" * 120 + " */\nint plugin_is_GPL_compatible;\n"}),
    ("expected at most 160", {"report/rule/wide.def": MIT + "/* " + "x" * 160 + " */\n"}),
    ("README.md: 121 lines", {"README.md": "x\n" * 121}),
    ("HACKING.md: 121 lines", {"HACKING.md": "x\n" * 121}),
    ("16 sources", {f"rt/room/{letter}.c": MIT for letter in "abcdefghijklmnop"}),
    ("expected beside", {"rt/one/x.c": MIT, "rt/two/x.h": MIT}),
    ("cites gone.c", {"rt/a.c": MIT + "/* see gone.c */\n"}),
    ("by its number", {"rt/a.c": MIT + "int f(struct s *p) { return p->reserved[3]; }\n"}),
    ("by its number", {"report/a.c": MIT + "int f(int *counter) { return counter[-3]; }\n"}),
    ("is a metaphor", {"rt/room/kept.c": MIT}),
    ("plugin_is_GPL_compatible is not declared", {"plugin/a.cc": GPL}),
]
CLEAN = {"rt/a.c": MIT + '#include "rt.h"\n#include <stdio.h>\n', "rt/rt.h": MIT + '#include "profplug/abi/format.h"\n',
         "include/profplug/abi/format.h": MIT + '#include <stdint.h>\n#include "site.def"\n', "include/profplug/abi/site.def": MIT,
         "plugin/a.cc": GPL + '#include "gcc.h"\nint plugin_is_GPL_compatible;\n', "plugin/gcc.h": GPL + '#include "tree.h"\n#if GCCPLUGIN_VERSION\n#endif\n',
         "report/command/commands.def": MIT + 'PROFPLUG_COMMAND(run, "", "", "")\n', "report/command/run.c": MIT + '#include "command.h"\n', "report/command.h": MIT}


def tree_check(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
            with open(os.path.join(root, name), "w") as file:
                file.write(text)
        return check_tree(root)[0]


def self_test():
    failed = [f"clean tree: {breach}" for breach in tree_check(CLEAN)]
    for said, files in PLANTED:
        breaches = tree_check(files)
        if not any(said in breach for breach in breaches):
            failed.append(f"planted {sorted(files)}: expected '{said}', got {breaches}")
    print("\n".join(failed) if failed else f"{len(PLANTED)} planted breaches found")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        print("layout.py: expected the root of the tree, or --self-test", file=sys.stderr)
        return 2
    breaches, wishes = check_tree(sys.argv[1])
    for wish in wishes:
        print("wish:", wish)
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


sys.exit(main())
