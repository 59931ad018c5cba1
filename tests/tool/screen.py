#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""screen.py BUILD: the first screen of real programs, and the ways on from it: its commands work, sections print what --all prints, and slips
are told what was meant."""

import json
import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, write

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program")
LONG = "measure_all_of_the_pixels_of_one_picture_"            # 41 letters
SOURCES = {
    "empty.c": "int main(void) { return 0; }\n",
    "brief.c": "#include <stdio.h>\nint main(void) { double s = 0; for (int i = 1; i < 300000; i++) s += 1.0 / i; printf(\"%f\\n\", s); return 0; }\n",
    "names.c": "#include <profplug.h>\nstatic volatile double sink;\n"
               f"__attribute__((noinline, profile_stage(\"{LONG}a\"))) static void {LONG}a(void) {{ for (int i = 1; i < 30000000; i++) sink += 1.0 / i; }}\n"
               f"__attribute__((noinline, profile_stage(\"{LONG}b\"))) static void {LONG}b(void) {{ {LONG}a(); {LONG}a(); }}\n"
               f"int main(void) {{ {LONG}b(); return 0; }}\n",
    "waits.c": "#include <unistd.h>\n"
               "int main(void) { for (int i = 0; i < 20; i++)\tusleep(10000);\t/* a nap */ return 0; }\n",
    "naps.c": "#include <unistd.h>\nint main(void) { for (int i = 0; i < 3; i++) usleep(100000); return 0; }\n",
    "family.c": "#include <sys/wait.h>\n#include <unistd.h>\nstatic volatile double sink;\nint main(void)\n{\n    for (int i = 0; i < 3; i++)\n        if (!fork()) {\n"
                "            for (int k = 1; k < 20000000 * (i + 1); k++)\n                sink += 1.0 / k;\n            return 0;\n        }\n"
                "    while (wait(0) > 0)\n        ;\n    return 0;\n}\n",
}


class Project:
    def __init__(self, build, scratch):
        self.build, self.scratch, self.tool = build, scratch, "profplug"
        os.environ["PATH"] = build + os.pathsep + os.environ["PATH"]

    def run(self, source, *flags, arguments=()):
        name = os.path.splitext(source)[0]
        compiler = "profplug-g++" if source.endswith(".cc") else "profplug-gcc"
        done = call([f"{self.build}/{compiler}", "-O2", "-g", *flags, source, "-o", name], cwd=self.scratch)
        expect(done.returncode == 0, f"{source} compiles", done.err)
        if os.path.exists(f"{self.scratch}/{name}.profplug"):
            os.unlink(f"{self.scratch}/{name}.profplug")
        done = call([self.tool, "run", "-q", "-o", f"{name}.profplug", f"./{name}", *arguments], cwd=self.scratch)
        expect(done.returncode == 0, f"{source} runs", done.err)
        return f"{name}.profplug"

    def ask(self, *words, width=80, **environment):
        return call([self.tool, *words], cwd=self.scratch, env={"COLUMNS": str(width), **environment})


def screens(project):
    """Every program's first screen has 40 lines at most, within the width, and its commands work."""
    said = {}
    for source in [*SOURCES, "words.cc", "rounds.c"]:
        data = project.run(source)
        for width in (80, 100, 160):
            text = project.ask("report", data, width=width).out
            lines = text.splitlines()
            expect(0 < len(lines) <= 40, f"{source}: one screen at {width} columns", text)
            expect(all(len(line) <= width and line == line.rstrip() for line in lines), f"{source}: {width} columns hold", text)
            said[source] = said.get(source, text)
        commands = re.findall(r"^(?:more: |      )(profplug .*)$", said[source], re.M)
        expect(len(commands) >= 2, f"{source}: there are commands", said[source])
        for command in commands:
            done = call(["sh", "-c", command], cwd=project.scratch)
            expect(done.returncode == 0 and done.out, f"{source}: {command}", done.err)
    flat = {source: " ".join(text.split()) for source, text in said.items()}
    expect("too short" in flat["empty.c"] and "Counts are exact" in flat["empty.c"], "a program that does nothing", said["empty.c"])
    expect("too short" in said["brief.c"], "a run of a millisecond", said["brief.c"])
    expect(re.search(r"(mostly waits: \d+ % of its threads' time, most of that at|main sleeps .*) waits.c:2 ", flat["waits.c"]), "a program that sleeps", said["waits.c"])
    expect("i++) usleep(" in said["waits.c"], "a tab in a line of source is a blank", said["waits.c"])
    expect(re.search(r"^names.c:3 .* u+", said["names.c"], re.M) and "STAGES" in said["names.c"], "long names", said["names.c"])
    expect(re.search(r"^CHILDREN  3 processes, [\d.]+ m?s CPU in all, more than here; most [\d.]+ m?s:\s+profplug\s+report \S+", said["family.c"], re.M), "its children", said["family.c"])
    together = re.search(r"^  all together: (profplug merge --as processes -o all.profplug) FILES$", said["family.c"], re.M)
    expect(together, "how to see them together", said["family.c"])
    done = call(["sh", "-c", f"{together.group(1)} family*.profplug"], cwd=project.scratch)
    expect(done.returncode == 0, "that can be typed", done.err)
    os.unlink(f"{project.scratch}/all.profplug")
    expect(re.search(r"words\.cc:22 in text::counter::add|HOTTEST LINES +cpu (kernel )?(wait )?words\.cc:22 ", flat["words.cc"]), "where the time of C++ is", said["words.cc"])


def sections(project):
    """A section is what --all has of it; sections that are joined have the others."""
    listed = re.findall(r"^  (\w+) +", project.ask("help", "sections").out, re.M)
    expect(len(listed) > 20, "sections are listed", listed)
    whole = project.ask("report", "--all", "rounds.profplug").out
    for name in listed:
        done = project.ask("report", "--section", name, "rounds.profplug")
        expect(done.returncode == 0 and done.out.strip() and not done.err, f"--section {name}", done.err)
        if name not in ("findings", "loops", "memory", "io", "accuracy", "tree", "callers", "flame", "sources", "modules"):
            expect(done.out.strip() in whole or done.out.startswith("nothing in this run"), f"--all has {name}", done.out)
    sure = project.ask("report", "--section", "accuracy", "rounds.profplug").out
    expect(re.search(r"^ACCURACY  level detailed, budget 2.0 %\nprofiling cost (\d|not measured: )", sure) and " counted, " in sure, "accuracy has cost, budget and counts", sure)
    both = project.ask("report", "--section", "waits,lines", "--section=stages", "rounds.profplug").out
    expect(re.findall(r"^(?:nothing .* --section )?(waits|LINES|STAGES)", both, re.M) == ["waits", "LINES", "STAGES"], "in the order that is asked for", both)
    short = project.ask("report", "--top", "1", "--section", "functions", "rounds.profplug").out
    expect("more (--top 0 shows all)" in short and "FUNCTIONS" in short and "LINES" not in short, "--top cuts a section", short)


def slips(project):
    """A word that is one or two letters off is told what was meant, in one line with status 2."""
    for words, meant in ((["reprot"], "report"), (["anotate"], "annotate"), (["help", "chek"], "check"), (["report", "--secton", "io"], "--section"),
                         (["report", "--fromat=json"], "--format"), (["report", "--section", "wait", "rounds.profplug"], "waits"), (["annotate", "rounds.profplug", "hevay"], "heavy"),
                         (["run", "--buget=3", "true"], "budget"), (["run", "--leval", "off", "true"], "level")):
        done = project.ask(*words)
        expect(done.returncode == (125 if words[0] == "run" else 2) and not done.out and done.err.count("\n") == 1 and re.search(rf"(did you mean|a name such as) {meant}\b", done.err),
               f"{words}: {meant} is meant", done.err)
    for words in (["xyzzy"], ["report", "--xyzzy"], ["report", "--section", "xyzzy"], ["annotate", "rounds.profplug", "xyzzy"]):
        done = project.ask(*words)
        expect(done.returncode == 2 and "did you mean" not in done.err and "such as" not in done.err, f"{words}: nothing is meant", done.err)
    done = project.ask("report", "--section", "all", "rounds.profplug")
    expect(done.returncode == 2 and "for all tables use --all" in done.err and "did you mean" not in done.err, "all tables", done.err)
    done = project.ask("history", "rounds.profplug")
    expect(done.returncode == 2 and "history: 'rounds.profplug' is no command of it; expected add, show, trend or report" in done.err, "a file is no command", done.err)
    done = project.ask("report", "--section", "wait")
    expect("stages, " in done.err and "accuracy" in done.err, "sections are listed", done.err)


def bare(project):
    """A stripped program has no lines: what to do about it is said where findings would be."""
    shutil.copy(f"{project.scratch}/names.c", f"{project.scratch}/bare.c")
    said = " ".join(project.ask("report", project.run("bare.c", "-s")).out.split())
    expect("No source line is known for 100 % of the CPU time, so no problem could be looked for. Compile with -g and do not strip. " in said, "a stripped program", said)


def naps(project):
    """A program that only waits has no samples: what its lines are is known all the same, and it was compiled with -g."""
    said = " ".join(project.ask("report", project.run("naps.c")).out.split())
    expect("FINDINGS No problem with a known remedy was found. It mostly waits: " in said, "a program that waits", said)
    expect("Compile with -g" not in said and "No source line" not in said, "its lines are known", said)


def unsampled(project):
    """Without samples a run of any length tells no more: that it is too short is not said."""
    write(f"{project.scratch}/unsampled.c", """#include <time.h>
int main(void)
{
    volatile unsigned sum = 0;
    while (clock() < CLOCKS_PER_SEC / 5)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}
""")
    project.run("unsampled.c")
    done = call(["./unsampled"], cwd=project.scratch, env={"PROFPLUG": "samples=off,output=plainly.profplug"})
    expect(done.returncode == 0, "it runs without samples", done.err)
    said = " ".join(project.ask("report", "plainly.profplug").out.split())
    expect("too short" not in said and "FINDINGS Without samples nothing tells which lines take the CPU time." in said,
           "a run without samples", said)


def accepted(project):
    """A finding that is accepted is told in one line, wherever in the repository that was noted; and no more when the note is gone."""
    os.makedirs(f"{project.scratch}/project/.git")
    os.makedirs(f"{project.scratch}/project/deep/deeper")
    shutil.copy(f"{PROGRAMS}/../../advice/cases/syncs.c", f"{project.scratch}/project")
    Project(project.build, f"{project.scratch}/project").run("syncs.c", arguments=["0.3"])
    folder, file = f"{project.scratch}/project/deep", f"{project.scratch}/project/.profplug-accepted"

    def ask(*words, status=0, cwd=folder):
        done = call([project.tool, *words], cwd=cwd, env={"COLUMNS": "80"})
        expect(done.returncode == status and done.err.count("\n") == (status > 0), f"{words}: status {status}", done.returncode, done.err)
        return done.out or done.err
    text = ask("report", "../syncs.profplug")
    title = re.search(r"^1  (journal_add waits.*?)(  .*)?$", text, re.M)
    expect(title and "accepted" not in text, "the finding stands there", text)
    said = ask("report", "--section", "findings", "../syncs.profplug")
    expect(re.search(r"Verify: cp \S+syncs\s+\S+syncs\.before; rebuild; profplug compare -n 5 \S+syncs\.before \S+syncs -- 0\.3 ", re.sub(r"\n +", " ", said)), "how to verify", said)
    found = re.search(r"^   ID: (.*)$", said, re.M)
    expect(found, "its ID is told")
    ask("accept", found[1], "each order must\nsurvive a power cut")
    expect(open(file).read().splitlines()[-1] == f"{found[1]}\teach order must survive a power cut", "a line of the file beside .git", open(file).read())
    for cwd, data in ((folder, "../syncs.profplug"), (folder + "/deeper", "../../syncs.profplug"), (project.scratch + "/project", "syncs.profplug")):
        text = ask("report", data, cwd=cwd)
        expect(title[1] not in text and f"accepted: {found[1]}: each order must survive a power cut" in text, f"in {cwd} it is told in one line", text)
    rows = json.loads(ask("report", "--format", "json", "../syncs.profplug"))["recommendations"]
    expect([row.get("accepted") for row in rows if row["id"] == found[1]] == ["each order must survive a power cut"], "JSON has the reason", rows)
    text = ask("report", "--format", "json", "project/syncs.profplug", cwd=project.scratch)
    expect("accepted" not in json.loads(text)["recommendations"][0], "not outside of the repository")
    write(file, "# ours\n" + open(file).read())
    ask("accept", found[1], "another reason")
    ask("accept", "syncs@other", "because")
    expect(ask("accept", "--list") == f"{found[1]}  another reason\nsyncs@other  because\n" and open(file).read().startswith("# ours\n"), "a new reason replaces the old one", open(file).read())
    ask("accept", "--remove", found[1])
    expect(title[1] in ask("report", "../syncs.profplug"), "accepted no more")
    for words in (["accept"], ["accept", found[1]], ["accept", found[1], " "], ["accept", "sync@f", "x"], ["accept", "journal_add", "x"], ["accept", "--remove", "syncs@nosuch"], ["accept", "a", "b", "c"]):
        ask(*words, status=2)
    expect("did you mean syncs?" in ask("accept", "sync@f", "x", status=2), "a rule that is misspelt")


def folded(project):
    """annotate leaves lines without cost out, says how many, and --whole shows them; on a terminal the hot ones have colours."""
    cold = "".join(f"int cold_{i}(int n) {{ return n * {i}; }}\n" for i in range(60))
    write(f"{project.scratch}/cold.c", "static volatile double sink;\n" + cold + "int main(void)\n{\n    for (int i = 1; i < 30000000; i++)\n        sink += 1.0 / i;   /* hot */\n"
          + "    if (sink > 1e9)\n        return 1;\n" + "    sink += 0;\n" * 30 + "    return 0;\n}\n")
    data = project.run("cold.c")
    short, whole = (project.ask("annotate", data, "cold.c", *more).out for more in ((), ("--whole",)))
    counts = [int(n) for n in re.findall(r"\.\.\.  (\d+) lines without cost$", short, re.M)]
    shown = len(re.findall(r"^.* \d+( .*)?$", short, re.M)) - len(counts) - 1
    expect("hot" in short and len(counts) >= 2 and sum(counts) > 70, "cold parts are folded", short)
    expect("without cost" not in whole and "cold_17" in whole and "cold_17" not in short, "--whole shows all", whole)
    expect(len(whole.splitlines()) - 2 == sum(counts) + len(short.splitlines()) - 2 - len(counts), "no line is lost", counts, shown)
    brief = project.ask("annotate", data, "main").out
    expect("lines without cost" in brief and "hot" in brief and "cold_5" not in brief, "also within a function", brief)
    done = call(["script", "-qec", f"{project.tool} annotate {data} main", "/dev/null"], cwd=project.scratch, env={"TERM": "xterm", "NO_COLOR": None})
    expect(re.search("\033\\[1;31m.*hot", done.out), "a hot line has a colour on a terminal", done.out)


def elsewhere(project):
    """Sources and programs that lie elsewhere than when it ran: by --map and by --source, in report and annotate; a moved file is not called newer."""
    old, new = f"{project.scratch}/old", f"{project.scratch}/new"
    os.makedirs(f"{old}/src")
    shutil.copy(f"{PROGRAMS}/rounds.c", f"{old}/src")
    Project(project.build, f"{old}/src").run("rounds.c")
    before = project.ask("annotate", f"{old}/src/rounds.profplug", "heavy").out
    expect("heavy(" in before, "its source is there", before)
    shutil.move(old, new)
    data = f"{new}/src/rounds.profplug"
    gone = project.ask("report", data).out
    expect("lines are missing" in gone, "its program is gone", gone)
    for options in (["--map", f"{old}={new}"], [f"--map={old}/src/={new}/src"], ["--map", f"/nosuch=/x", "--map", f"{old}={new}"], ["--source", new], ["--source", f"{new}/src"]):
        text = project.ask("report", *options, data).out
        expect("lines are missing" not in text and "newer" not in text and re.search(r"^rounds.c:\d+ .* u+", text, re.M), f"report {options}", text)
        listing = project.ask("annotate", *options, data, "heavy")
        expect(listing.out.splitlines()[1:] == before.splitlines()[1:], f"annotate {options}", listing.out, listing.err)
    expect("lines are missing" in project.ask("report", "--map", f"{old}x={new}", "--map", f"{old}/sr={new}", data).out, "a name that only begins alike is not the folder")
    for options in (["--map", "nosuch"], ["--map", "=x"], ["--map", "x="], ["--source", "/nosuch/folder"]):
        for verb in ("report", "annotate"):
            done = project.ask(verb, *options, data)
            expect(done.returncode == 2 and done.err.count("\n") == 1 and not done.out, f"{verb} {options} is refused in one line", done.err)


def strangers(project):
    """Time in an object that was compiled without the plugin is said to be, with the way out, whether it has lines or not; and stands among the hottest."""
    write(f"{project.scratch}/known.c", "double strange(int n);\n__attribute__((noinline)) static double mine(int n) { double s = 0; for (int i = 1; i < n; i++) s += 1.0 / i; return s; }\n"
          "int main(void) { return strange(60000000) + mine(20000000) < 0; }\n")
    write(f"{project.scratch}/strange.c", "double strange(int n)\n{\n    volatile double s = 0;\n    for (int i = 1; i < n; i++)\n        s += 1.0 / i;\n    return s;\n}\n")
    made = call(["gcc", "-O2", "-S", "strange.c", "-o", "made.s"], cwd=project.scratch)
    expect(made.returncode == 0, "it makes assembler", made.err)
    files = r"% of the samples are in files compiled without profplug \(strange.c\): use profplug-gcc"
    code = r"% of the samples are in code that was not compiled with profplug, most in strange: compile it with "
    for compiler, flags, said, row in (("gcc", ["-g", "strange.c"], files, r"^strange.c:\d+ .*u+"),
                                       ("gcc", ["strange.c"], code + r"profplug-gcc|at known.c:3",
                                        r"^(strange +\(on no known line\)|known.c:3) .* u+"),
                                       ("gcc", ["-g", "made.s"], None, r"^made.s:\d+ .*u+"),
                                       ("profplug-gcc", ["-g", "strange.c"], None, r"^strange.c:\d+ .*u+")):
        done = call([compiler, "-O2", *flags, "-c", "-o", "strange.o"], cwd=project.scratch)
        expect(done.returncode == 0, "it compiles", done.err)
        text = project.ask("report", project.run("known.c", "strange.o")).out
        flat = " ".join(text.split())
        expect(re.search(said, flat) if said else "compiled with" not in flat, f"{compiler} {flags}: who was not compiled with profplug", text)
        expect(re.search(row, text, re.M), f"{compiler} {flags}: its time is among the hottest", text)


def runtime(project):
    """What the program's runtime takes for functions of a library is no code that somebody could compile with us."""
    write(f"{project.scratch}/often.c", """static volatile int sink;
void often(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}
""")
    write(f"{project.scratch}/calls.c", """void often(int n);
int main(void)
{
    for (int i = 0; i < 1500000; i++)
        often(3);
    return 0;
}
""")
    library = ["-O2", "-g", "-fPIC", "-shared", "-fplugin-arg-profplug-functions=all", "often.c", "-o", "liboften.so"]
    done = call([f"{project.build}/profplug-gcc", *library], cwd=project.scratch)
    expect(done.returncode == 0, "the library compiles", done.err)
    project.run("calls.c", "-Wl,--no-as-needed", "./liboften.so")
    data = "exact.profplug"
    done = project.ask("run", "-q", "--timing", "exact", "-o", data, "./calls")
    expect(done.returncode == 0, "calls runs", done.err)
    document = json.loads(project.ask("report", "--format", "json", data).out)
    coverage, notices = document["coverage"], document["runs"][0]["notices"]
    expect(coverage["profiler_percent"] > 15, "the runtime has a part of the samples", coverage)
    expect(not any("compiled with" in notice for notice in notices), "nobody needs to compile the runtime", notices)


CROWD = """#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static double sink[4];
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static int asked, told, wanted_by_everybody_who_is_here;
static void *work(void *at)
{
    double *own = at, sum = 0;
    for (int i = 1; i < 10000000; i++) { asked += i == 7; told += i == 9; wanted_by_everybody_who_is_here += i == 11; sum += cbrt(i); told += i == 13; } /* computes */
    *own = sum;
    return at;
}
int main(void)
{
    pthread_t thread[4];
    double begun = now();
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], 0, work, &sink[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], 0); /* joins */
    double rested = now(), until = rested + 0.2 * (rested - begun); /* on a busy machine, too, the rests are a sixth */
    for (int i = 0; i < 40 || now() < until; i++) { asked += i; told += i; wanted_by_everybody_who_is_here += i; printf("%d\\n", told > 0); usleep(2000); } /* rests */
    return sink[0] < 0;
}
"""


def crowd(project):
    """Who waits for threads that compute stands behind them among the hottest lines; of a long line with many statements that which takes the time is shown."""
    write(f"{project.scratch}/crowd.c", CROWD)
    text = project.ask("report", project.run("crowd.c", "-pthread", "-Wl,--no-as-needed", "-lm")).out
    rows = re.findall(r"^crowd.c:(\d+) .*", text[text.index("HOTTEST"):], re.M)
    computes, joins, rests = (line_of(CROWD, f"/* {word} */") for word in ("computes", "joins", "rests"))
    expect(rows and int(rows[0]) == computes and str(joins) in rows and rows.index(str(joins)) > rows.index(str(rests)), "a join is behind the others", text)
    expect(re.search(rf"^crowd.c:{computes} .*\.\.\.sum \+= cbrt\(i\);", text, re.M), "the statement that computes", text)
    expect(re.search(rf"^crowd.c:{rests} .*\.\.\.usleep\(2000\);", text, re.M), "the statement that waits", text)


PARTS = """#define _GNU_SOURCE
#include <profplug.h>
#include <pthread.h>
#include <unistd.h>
static volatile double sink[2];
PROFPLUG_STAGE("grind") __attribute__((noinline)) static void grind(int n)
{
    for (int i = 1; i < n; i++)
        sink[0] += 1.0 / i;          /* grinds */
}
PROFPLUG_STAGE("sift") __attribute__((noinline)) static void sift(int n)
{
    for (int i = 1; i < n; i++)
        sink[1] += 1.0 / i;          /* sifts */
    usleep(30000);                   /* rests */
}
static void *work(void *name)
{
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 8; i++)
        ((char *)name)[0] == 'm' ? grind(9000000) : sift(4000000);
    return 0;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, "mill");
    pthread_create(&two, 0, work, "sieve");
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
"""


def parts(project):
    """--stage and --thread narrow: lines, functions, waits and CPU time are those of the part, and what is the whole run's is said."""
    write(f"{project.scratch}/parts.c", PARTS)
    data = project.run("parts.c", "-pthread")

    def lines(*options):
        document = json.loads(project.ask("report", "--format", "json", *options, data).out)
        return document, {line["line"]: line for line in document["lines"] if line["self_ns"] > 1e6 or line.get("wait_ns", 0) > 1e6}
    grinds, sifts, rests = (line_of(PARTS, f"/* {word} */") for word in ("grinds", "sifts", "rests"))
    whole, all_lines = lines()
    expect({grinds, sifts, rests} <= set(all_lines), "all lines", all_lines)
    threads = {row["name"]: row for row in whole["threads"]}
    for way, hot, cold, waits in (("mill", grinds, sifts, 0), ("sieve", sifts, grinds, 8 * 30e6)):
        stage = "grind" if way == "mill" else "sift"
        for options, of in (((f"--thread={way}",), "thread"), ((f"--stage={stage}",), "stage"), ((f"--stage={stage}", f"--thread={way}"), "both"), (("--thread", str(threads[way]["id"])), "number")):
            document, rows = lines(*options)
            expect(hot in rows and cold not in rows, f"{options}: the lines of that part", rows)
            expect(0.8 < rows[hot]["self_ns"] / all_lines[hot]["self_ns"] < 1.25, f"{options}: with the same time as in the whole", rows[hot], all_lines[hot])
            waited = sum(row.get("wait_ns", 0) for row in document["lines"] if row["line"] != line_of(PARTS, "pthread_join(one"))
            expect(waits <= waited < waits * 2 + 20e6, f"{options}: with its waits alone", waited)
            expect(document["runs"][0]["part"], f"{options}: JSON says that it is a part")
            expect({row["operation"] for row in document.get("operations", [])} <= ({"sleep"} if waits else set()) | {"create", "thread", "spawn"}, f"{options}: operations", document.get("operations"))
            if of == "thread":
                expect([row["name"] for row in document["threads"]] == [way] and abs(document["runs"][0]["cpu_ns"] - threads[way]["cpu_ns"]) < 2e6, f"{options}: its CPU time", document["threads"])
            text = project.ask("report", *options, data).out
            expect(" only; hits" in " ".join(text.split()) and "are still the whole run's" in " ".join(text.split()) and len(text.splitlines()) <= 40, f"{options}: is said", text)
            expect(f"parts.c:{hot}" in text and f"parts.c:{cold}" not in text, f"{options}: the first screen", text)
    listed = project.ask("report", "--section", "threads", data).out
    expect(re.search(r"^parts \(main\) ", listed, re.M) and re.search(r"^mill in work ", listed, re.M) and re.search(r"^sieve in work ", listed, re.M), "who is who", listed)
    document, rows = lines("--thread", "main")
    expect([row["id"] for row in document["threads"]] == [document["runs"][0]["pid"]] and document["runs"][0]["part"] == "thread main" and not {grinds, sifts} & set(rows), "the main thread",
           document["threads"], rows)
    for options in (("--stage", "grinf"), ("--thread", "mil")):
        done = project.ask("report", *options, data)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "did you mean" in done.err and not done.out, f"{options}: what was meant", done.err)


def test(build, scratch):
    project = Project(build, scratch)
    for name, text in SOURCES.items():
        write(f"{scratch}/{name}", text)
    for name in ("words.cc", "rounds.c"):
        shutil.copy(f"{PROGRAMS}/{name}", scratch)
    screens(project)
    sections(project)
    slips(project)
    bare(project)
    naps(project)
    unsampled(project)
    accepted(project)
    folded(project)
    elsewhere(project)
    parts(project)
    crowd(project)
    strangers(project)
    runtime(project)


main(test)
