#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""other.py BUILD MAJOR sample|all: the plugin of another GCC than the one that everything is built with: emitted code, whole runs, the wrappers, and what is
said of a plugin that is loaded by the wrong one. Exit status 77 where that GCC is not installed."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
build, major, extent = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
cc, cxx, plugin = f"gcc-{major}", f"g++-{major}", build / f"gcc-{major}" / "profplug.so"
failures, passed = [], 0


def call(words, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PROFPLUG")}
    return subprocess.run([str(w) for w in words], env=dict(clean, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=600)


def check(what, done, right=None):
    global passed
    if done.returncode if right is None else not right(done):
        failures.append(what)
        print(f"FAIL {what}: {done.returncode}\n{done.stdout[-2000:]}", flush=True)
    else:
        passed += 1


def braced(folder):
    """loops.c as GCC 11 can read it; as it stands, it says so."""
    text = (TESTS / "gimple/loops.c").read_text()
    for old, new in (('if (s) PROFPLUG_LOOP("under if")', 'if (s) { PROFPLUG_LOOP("under if")'), ("    } else s = 7;", "    } } else s = 7;"),
                     ('PROFPLUG_LOOP("nested") for (int j = 0; j < i; j++) s += j;', '{ PROFPLUG_LOOP("nested") for (int j = 0; j < i; j++) s += j; }')):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "loops.c").write_text(text)
    body = folder / "body.c"
    for loop in ("if (n) PROFPLUG_LOOP(\"a\") for (; n; n--) f(n);", "while (n--) PROFPLUG_LOOP(\"a\") for (int i = 0; i < n; i++) f(i);"):
        body.write_text(f"#include <profplug.h>\nvoid f(int);\nvoid g(int n)\n{{\n    {loop}\n}}\n")
        for way in (["-O0"], ["-O2", "-w"]):
            done = call([cc, f"-fplugin={plugin}", f"-I{TESTS.parent}/include", *way, "-c", body, "-o", folder / "body.o"], LC_ALL="C")
            check(f"an annotation as a body {way}", done, lambda d: d.returncode and "body.c:5:" in d.stdout and "expected braces around it and its loop" in d.stdout and d.stdout.count("error:") == 1)
    return folder / "loops.c"


def gimple(folder):
    ways = [("auto", "-O2"), ("auto", "-O0")] if extent == "sample" else [(f, o) for f in ("auto", "all", "none") for o in (
        "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-O2 -flto", "-O2 -fPIC", "-O1 -fsanitize=address", "-O2 -fnon-call-exceptions")]
    for program in (str(braced(folder)) if int(major) < 12 else "loops.c", "loops.cc", "calls.c", "leave.c", "throw.cc"):
        for functions, options in ways + ([("auto", "-O2 -flto")] if program.endswith(("loops.c", "throw.cc")) else []):
            check(f"{program} {functions} {options}", call([sys.executable, TESTS / "gimple/check.py", "--plugin", plugin, "--compiler", cxx if program.endswith(".cc") else cc, "--cc", cc,
                                                            "--functions", functions, "--program", program, "--", *options.split()]))
    if extent == "all":
        for case in "plain lines gc_sections start_stop_gc gold lld static relocatable models comdat clones dlopened lto empty many strange".split():
            check(f"link {case}", call([sys.executable, TESTS / "gimple/link.py", "--plugin", plugin, "--cc", cc, "--cxx", cxx, case]), lambda d: d.returncode in (0, 77))
        for case in ("misuse", "header"):
            check(case, call([sys.executable, TESTS / f"gimple/{case}.py", "--plugin", plugin, "--cc", cc, "--cxx", cxx]))
        check("selection", call([sys.executable, TESTS / "gimple/selection.py", "--plugin", plugin, "--cc", cc]))


def runs(folder):
    """tests/run, with this GCC under the name of gcc, and a build folder whose plugin is this one's."""
    bin_folder, fake = folder / "bin", folder / "build"
    bin_folder.mkdir()
    fake.mkdir()
    for name in ("gcc", "g++"):
        (bin_folder / name).symlink_to(shutil.which(f"{name}-{major}"))
    for entry in build.iterdir():
        if entry.name != "profplug.so":
            (fake / entry.name).symlink_to(entry)
    (fake / "profplug.so").symlink_to(plugin)
    cases = ["loops", "cxx"] if extent == "sample" else "threads late family deep jump regions loops endings libraries copies static shared cxx escape stray levels".split()
    for case in cases:
        check(f"run {case}", call([sys.executable, TESTS / "run/check.py", fake, case], PATH=f"{bin_folder}:{os.environ['PATH']}"), lambda d: d.returncode in (0, 77))


def wrappers(folder):
    source = folder / "one.c"
    source.write_text('#include <profplug.h>\nPROFPLUG_STAGE("one") static int f(int n) { int s = 0; PROFPLUG_LOOP("turns")\n for (int i = 0; i < n; i++) s += i; return s; }\n'
                      "int main(void) { return f(4); }\n")
    for way, words, environment in (("CC", [build / "profplug-gcc"], {"CC": cc}), ("cc", [build / "profplug", "cc", cc], {})):
        done = call([*words, "-O1", source, "-o", folder / "one"], **environment)
        check(f"wrapper, {way}", done, lambda d: d.returncode == 0 and not d.stdout)
        file = folder / f"{way}.profplug"
        check(f"wrapper, {way}: runs", call([folder / "one"], PROFPLUG=f"output={file}"), lambda d: d.returncode == 6)
        check(f"wrapper, {way}: report", call([build / "profplug", "report", "--all", file]), lambda d: "turns" in d.stdout and "each iteration" in d.stdout)
    own = call(["gcc", "-dumpfullversion"]).stdout.strip()
    other = call([cc, "-dumpfullversion"]).stdout.strip()
    for compiler, wrong, has, is_for in ((cc, build / "profplug.so", other, own), ("gcc", plugin, own, other)):
        done = call([compiler, f"-fplugin={wrong}", f"-I{TESTS.parent}/include", "-c", source, "-o", folder / "one.o"], LC_ALL="C")
        said = f"cc1: error: profplug: this plugin was built for GCC {is_for}, and this is GCC {has}: name the plugin of GCC {has}, or build profplug with it\n"
        check(f"{compiler} and the wrong plugin", done, lambda d: d.returncode and d.stdout == said)
    if shutil.which("clang"):
        done = call(["clang", f"-fplugin={build / 'profplug.so'}", "-c", source, "-o", folder / "one.o"], LC_ALL="C")
        check("Clang refuses the plugin", done, lambda d: d.returncode and "unable to load plugin" in d.stdout and d.stdout.count("\n") == 1)


def main():
    if not shutil.which(cc) or not shutil.which(cxx) or not plugin.exists():
        print(f"left out: {cc}, {cxx} or gcc-{major}-plugin-dev is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="profplug-other-") as name:
        gimple(pathlib.Path(name))
        runs(pathlib.Path(name))
        wrappers(pathlib.Path(name))
    print(f"{passed} checks passed, {len(failures)} failed")
    sys.exit(1 if failures or passed < 20 else 0)


main()
