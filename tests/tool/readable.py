#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readable.py BUILD: reports of real programs as a person reads them, in three widths: C++ names are short, standard library code stands
at the lines that called it, orders and cuts are what the options and the headings say, and missing lines and sources are told of."""

import os
import re
import shutil
import sys
import time

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main
from report import read

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program")


def table(text, title):
    """Rows of a table as lists of cells; cells are parted by two blanks. The first row is the heading."""
    rows = []
    for line in text.splitlines():
        if line.startswith(title + "  ") or line.startswith(title + " v  "):
            rows = [re.split(r"  +", line.rstrip())]
        elif rows and (not line or line.startswith("and ") or len(line.split("  ")) < 2):
            break
        elif rows:
            rows.append(re.split(r"  +", line.rstrip()))
    return rows


def time_ns(cell):
    unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    number, _, name = cell.partition(" ")
    return float(number) * unit[name] if name else 0.0


class Project:
    def __init__(self, build, scratch):
        self.tool, self.build, self.scratch = "profplug", build, scratch
        os.environ["PATH"] = build + os.pathsep + os.environ["PATH"]

    def make(self, compiler, source, name, *flags):
        done = call([os.path.join(self.build, compiler), *flags, source, "-o", name], cwd=self.scratch)
        expect(done.returncode == 0, f"{name} compiles", done.err)
        return self.run(name)

    def run(self, name):
        done = call([self.tool, "run", f"--output={name}.profplug", "--", f"./{name}"], cwd=self.scratch)
        expect(done.returncode == 0, f"{name} runs", done.err)
        return f"{name}.profplug"

    def show(self, verb, *arguments, width=160):
        done = call([self.tool, verb, *arguments], cwd=self.scratch, env={"COLUMNS": str(width)})
        done.both = done.out + done.err
        return done


def cxx(project):
    shutil.copy(os.path.join(PROGRAMS, "words.cc"), project.scratch)
    data = project.make("profplug-g++", "words.cc", "words", "-g", "-O2")
    document = read(project.build, data, cwd=project.scratch)
    longest = max((f["name"] for f in document["functions"]), key=len)
    expect(len(longest) > 160 and "<" in longest, "JSON has the whole names", longest)
    for width in (80, 120, 160):
        text = project.show("report", "--all", data, width=width).out
        body = text[text.index("\nLINES"):text.index("\nnext:")]
        wide = max(body.splitlines(), key=len)
        expect(len(wide) <= width, f"{width} columns: no line is longer", wide)
        lines, functions = table(text, "LINES"), table(text, "FUNCTIONS")
        expect("function" in lines[0], f"{width} columns: LINES tells the function", lines[0])
        expect({"total", "% CPU"} <= set(functions[0]), f"{width} columns: FUNCTIONS keeps its figures", functions[0])
        expect(lines[1][0].startswith("words.cc:"), f"{width} columns: the hottest line is the user's", lines[1])
        own = sum(time_ns(row[lines[0].index("self v")]) for row in lines[1:] if row[0].startswith("words.cc:"))
        whole = document["coverage"]["cpu_ns"]
        expect(own > 0.5 * whole, f"{width} columns: most time stands at the user's lines", own, whole)
    expect(re.search(r"^next: profplug annotate \S+ words\.cc$", project.show("report", "--all", data, width=80).out, re.M), "next: is the file with most time")
    plain = project.show("annotate", "-i", data, "words.cc").out
    os.makedirs(f"{project.scratch}/alone/deeper")
    shutil.copy(f"{project.scratch}/{data}", f"{project.scratch}/alone/data")
    shutil.copy(f"{project.scratch}/{data}", f"{project.scratch}/alone/{data}")
    for words, folder in (([data, "words.cc"], ""), (["./" + data, "./words.cc"], ""), (["data", "../words.cc"], "alone"), (["words.cc"], "alone"), (["../words.cc"], "alone"),
                          ([project.scratch + "/words.cc"], "alone"), (["../data", "./words.cc"], "alone/deeper"), ([data], ""), ([], "alone")):
        done = call([project.tool, "annotate", *words], cwd=f"{project.scratch}/{folder}", env={"COLUMNS": "160"})
        expect(done.returncode == 0 and done.out == plain, f"annotate {words} in {folder}/", done.err, done.out[:300])
    for words in ([data, "words.cc", "main"], ["words.cc", "main"], ["nosuch.profplug", "words.cc"]):
        done = project.show("annotate", *words)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and not done.out, f"annotate {words}: one line", done.both)
    slow = project.make("profplug-g++", "words.cc", "words0", "-g", "-O0")
    lines = table(project.show("report", "--all", slow).out, "LINES")
    own = sum(time_ns(row[lines[0].index("self v")]) for row in lines[1:] if row[0].startswith("words.cc:"))
    whole = read(project.build, slow, cwd=project.scratch)["coverage"]["sampled_ns"]
    expect(own > 0.8 * whole, "what was called in headers stands at the user's lines, too", lines)
    for name in ("ranked", "counter::ranked", "text::counter::ranked", "add"):
        done = project.show("annotate", "-i", data, name)
        expect(done.returncode == 0 and "words.cc" in done.out, f"annotate {name}", done.both)
    done = project.show("annotate", "-i", slow, "operator*")
    expect(done.returncode == 2 and done.err.count("\n") == 1 and done.err.count("::operator*") > 1 and not done.out, "a name of several is asked for more", done.both)
    done = project.show("annotate", "-i", data, "rankd")
    expect(done.returncode == 2 and "ranked" in done.err and done.err.count("\n") == 1, "a slip is told the name that is close", done.err)


def orders(project):
    shutil.copy(os.path.join(PROGRAMS, "rounds.c"), project.scratch)
    data = project.make("profplug-gcc", "rounds.c", "rounds", "-g", "-O2")
    for key in ("self", "total", "mean"):
        rows = table(project.show("report", "--sort", key, data).out, "STAGES")
        expect(f"{key} v" in rows[0], f"--sort {key}: the column is marked", rows[0])
        at = rows[0].index(f"{key} v")
        values = [time_ns(row[at]) for row in rows[1:] if "each iteration" not in row[0] and len(row) >= len(rows[0]) - 1]
        expect(len(values) == 4 and values == sorted(values, reverse=True), f"--sort {key}: descending", values)
    text = project.show("report", "--all", data).out
    expect("total v" in text and "self v" in text, "the order without --sort is marked", text)
    text = project.show("report", "--min-percent", "20", data).out
    expect("heavy" in text and not re.search(r"^ +light ", text, re.M), "--min-percent leaves small stages out", text)
    expect("and 2 more (--top 0 shows all)" in text, "and says so", text)
    text = project.show("report", "--top", "2", data).out
    expect(len([r for r in table(text, "STAGES")[1:] if "each" not in r[0]]) == 2, "--top cuts the stages", text)
    for row in table(text, "FUNCTIONS")[3:]:
        expect(False, "--top cuts the functions", row)
    document = read(project.build, "--top", "1", data, cwd=project.scratch)
    whole = read(project.build, data, cwd=project.scratch)
    cut = {name for name in ("stages", "functions", "lines", "bottlenecks") if len(whole[name]) > 1}
    expect({"stages", "functions"} <= cut and set(document["truncated"]) == cut and not whole["truncated"], "JSON says which lists are cut", document["truncated"])
    expect(all(len(document[name]) == 1 for name in document["truncated"]), "and cuts them")
    for stage in whole["stages"]:
        expect(stage["file"] == os.path.join(project.scratch, "rounds.c"), f"{stage['name'][:12]}: its file is absolute", stage["file"])
    for width in (60, 80, 120, 160):
        for line in project.show("report", "--all", data, width=width).out.splitlines():
            expect(line == line.rstrip(), f"{width} columns: no blank at the end", line)
            expect(len(line) <= width or "profplug report --format json" in line, f"{width} columns hold", line)
    text = project.show("report", "--all", data, width=80).out
    hidden = re.search(r"not\s+shown\s+for\s+lack\s+of\s+width:\s([^(]*)\(COLUMNS=(\d+)\s+shows\s+them\)", text)
    expect(hidden and "p50" in hidden[1], "what had no room is named", text)
    wanted = int(hidden[2])
    heading = table(project.show("report", "--all", data, width=wanted).out, "STAGES")[0]
    expect({"p50", "p95", "category"} <= set(heading), f"COLUMNS={wanted} shows it", heading)
    for name, function in (("rounds", "main"), ("heavy", "heavy"), ("rounds/light", "light")):
        done = project.show("annotate", "-i", data, name)
        expect(done.returncode == 0 and f" {function}(" in done.out, f"annotate {name} shows {function}", done.both)
    return data


def sources(project, data):
    path = os.path.join(project.scratch, "rounds.c")
    text = open(path).read()
    expect("~" not in project.show("annotate", "-i", data).out, "an untouched source is not marked")
    time.sleep(0.01)
    with open(path, "w") as file:
        file.write("/* one more */\n" + "\n".join(text.splitlines()[:8]) + "\n")
    done = project.show("annotate", "-i", data)
    hot = [line for line in done.out.splitlines() if re.search(r"\d%", line)]
    expect("newer than the run" in done.err and "~" in done.out.splitlines()[0], "an edited source is told of", done.both)
    expect(hot and all(re.search(r"\d~", line) for line in hot), "and its lines are marked", done.out)
    expect(any(re.fullmatch(r".*\d~", line) for line in hot), "lines beyond its end have no text", done.out)
    os.unlink(path)
    done = project.show("annotate", "-i", data)
    rows = done.out.splitlines()[2:]
    expect("source not found" in done.out and rows and all(re.search(r"\S +\d+$", row) for row in rows), "a deleted source: numbers alone, no empty row", done.out)
    with open(path, "w") as file:
        file.write(text)


def plain(project):
    data = project.make("profplug-gcc", "rounds.c", "bare", "-g0", "-O2")
    text = project.show("report", "--all", data).out
    expect("no line information: compile with -g" in text, "a program without -g is told so", text)
    expect("annotate" not in text, "and not to annotate", text)
    with open(f"{project.scratch}/filled.c", "w") as file:
        file.write("#include <string.h>\nstatic char a[1 << 20];\n__attribute__((noinline)) void fill(int i) { memset(a, i, sizeof a); __asm__ volatile(\"\" :: \"r\"(a) : \"memory\"); }\n"
                   "int main(void) { for (int i = 0; i < 20000; i++) fill(i); return 0; }\n")
    data = project.make("profplug-gcc", "filled.c", "filled", "-g", "-O2", "-static")
    text = " ".join(project.show("report", "--all", data).out.split())
    expect("with -g" not in text and re.search(r" filled\.c:3 [^:]* memset ", text), "who compiled with -g is not told to, and memset of a static library stands at its caller", text)
    for name, source in (("late.c", "#include <stdlib.h>\nvoid late(void) { free(malloc(100)); }\n"),
                         ("opener.c", "#include <dlfcn.h>\nint main(void) { void *f = dlsym(dlopen(\"./liblate.so\", RTLD_NOW), \"late\"); ((void (*)(void))f)(); return 0; }\n")):
        with open(f"{project.scratch}/{name}", "w") as file:
            file.write(source)
    shared = f"{project.build}/shared"
    done = call(["sh", "-c", f"gcc -g -shared -fPIC -fplugin={project.build}/profplug.so late.c -o liblate.so -L{shared} -Wl,-rpath,{shared} -lprofplug && gcc opener.c -o opener -ldl && "
                             "PROFPLUG=output=late.profplug ./opener"], cwd=project.scratch)
    text = " ".join(project.show("report", "--all", "late.profplug").out.split())
    expect("its own malloc" not in text and "loaded after the C library" in text, "a program without a malloc of its own is not told of one", done.err, text)
    data = project.make("profplug-gcc", "rounds.c", "stripped", "-g", "-O2", "-s")
    text = " ".join(project.show("report", "--all", data).out.split())
    expect("lines are missing" in text and "annotate" not in text, "nor is a stripped one", text)
    data = project.make("profplug-gcc", "rounds.c", "gone", "-g", "-O2")
    os.unlink(os.path.join(project.scratch, "gone"))
    text = " ".join(project.show("report", "--all", data).out.split())
    expect("lines are missing" in text and "annotate" not in text, "nor is one that is gone", text)


def odd(project):
    """A source with blanks and letters beyond ASCII, and cuts that leave nothing."""
    shutil.copy(os.path.join(PROGRAMS, "rounds.c"), os.path.join(project.scratch, "it's ünï.c"))
    data = project.make("profplug-gcc", "it's ünï.c", "ünï", "-g", "-O2")
    text = project.show("report", "--all", data).out
    following = re.search(r"^next: (profplug annotate .*?)   ", text, re.M)
    expect(following, "next: is there", text)
    done = call(["sh", "-c", following[1]], cwd=project.scratch)
    expect(done.returncode == 0 and "churn" in done.out, "next: can be given to a shell", following[1], done.err)
    starts = {line.index("processor") for line in text.splitlines() if " processor " in line}
    expect(len(starts) == 1, "the columns of BOTTLENECKS stand below each other", text)
    text = project.show("report", "--min-percent", "100", data).out
    for title in ("STAGES", "LINES"):
        expect(re.search(rf"\n{title} [^\n]*\nand \d more \(--top 0 shows all\)\n", text), f"--min-percent 100: {title} says how much is missing", text)
    expect("\033" not in text, "no colour in a file")


def namesakes(project):
    """Of two functions of one name, that which ran; where neither ran, they stand without numbers."""
    for name, calls in (("one", 5), ("two", 0)):
        with open(os.path.join(project.scratch, f"{name}.c"), "w") as file:
            file.write(f"__attribute__((noinline)) static int pick(int n)\n{{\n    volatile int sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += i;\n    return sum;\n}}\n"
                       "__attribute__((noinline)) static int never(int n)\n{\n    volatile int sum = 0;\n    for (int i = 0; i < n; i++)\n        sum -= i;\n    return sum;\n}\n"
                       f"int {name}(int n)\n{{\n    int sum = 0;\n    for (int i = 0; i < {calls}; i++)\n        sum += pick(n);\n    return n < 0 ? never(n) + pick(n) : sum;\n}}\n")
    with open(os.path.join(project.scratch, "both.c"), "w") as file:
        file.write("int one(int n), two(int n);\nint main(int argc, char **argv) { (void)argv; return one(1000 * argc) + two(argc) < 0; }\n")
    data = project.make("profplug-gcc", "both.c", "both", "-g", "-O1", "one.c", "two.c")
    done = project.show("annotate", "-i", data, "pick")
    expect(done.returncode == 0 and "/one.c\n" in done.out and "/two.c" not in done.out, "annotate of a name shows the function that ran", done.both)
    done = project.show("annotate", "-i", data, "never")
    expect(done.returncode == 0 and "/one.c\n" in done.out, "and one that did not, if that is all there is", done.both)


def test(build, scratch):
    project = Project(build, scratch)
    cxx(project)
    data = orders(project)
    sources(project, data)
    plain(project)
    odd(project)
    namesakes(project)


main(test)
