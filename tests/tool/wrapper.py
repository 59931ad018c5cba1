#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wrapper.py BUILD: profplug-gcc, profplug-g++ and `profplug cc` as CC: instrumented where a program is made, plain where a build
system only asks. What was compiled is judged from the objects' sections (readelf), what was linked by running it."""

import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write

SOURCE = "#include <stdio.h>\nint twice (int x) { return 2 * x; }\nint main (void) { printf (\"%d\\n\", twice (21)); return 0; }\n"
MARK = "profplug_objects"


def instrumented(path):
    return MARK in call(["readelf", "-SW", path]).out


def has_debug(path):
    return ".debug_info" in call(["readelf", "-SW", path]).out


def compilations(build, cwd):
    gcc, gxx, tool = build + "/profplug-gcc", build + "/profplug-g++", build + "/profplug"
    write(cwd + "/a.c", SOURCE)
    write(cwd + "/b.cc", "#include <vector>\nstruct s { int f (int x) { return x + 1; } };\nint main () { std::vector<int> v (3, 1); return s ().f (v[0]) - 2; }\n")
    for argv, made, program in (
            ([gcc, "a.c"], "a.out", True), ([gcc, "-O2", "-o", "p", "a.c"], "p", True), ([gcc, "-c", "a.c"], "a.o", False),
            ([gcc, "-c", "-o", "x.o", "a.c"], "x.o", False), ([gxx, "-O2", "b.cc", "-o", "q"], "q", True), ([tool, "cc", "gcc", "a.c", "-o", "r"], "r", True),
            ([tool, "cc", "--strict", "--", "gcc", "-O1", "a.c", "-o", "s"], "s", True), ([gcc, "-static", "a.c", "-o", "t"], "t", True),
            ([gcc, "-no-pie", "a.c", "-o", "u"], "u", True), ([gcc, "-O2", "-flto", "a.c", "-o", "v"], "v", True), ([gcc, "-x", "c", "a.c", "-o", "w"], "w", True),
            ([gcc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "a.c", "-o", "y"], "y", True)):
        done = call(argv, cwd=cwd)
        expect(done.returncode == 0 and not done.out and not done.err, f"{argv[1:]} compiles and is silent", done.err)
        expect(instrumented(f"{cwd}/{made}"), f"{argv[1:]} is instrumented")
        expect(has_debug(f"{cwd}/{made}"), f"{argv[1:]} has debug information")
        if program:
            alone = call([f"{cwd}/{made}"], cwd=cwd)
            expect(alone.returncode == 0, f"{argv[1:]} runs", alone.err)
            done = call([tool, "run", f"./{made}"], cwd=cwd)
            expect("data in" in done.err, f"{argv[1:]} leaves data", done.err)
    done = call([gcc, "a.o", "-o", "linked"], cwd=cwd)
    expect(done.returncode == 0 and call([cwd + "/linked"], cwd=cwd).out == "42\n", "links an object compiled before", done.err)
    call([gcc, "-O2", "-flto", "-c", "a.c", "-o", "lto.o"], cwd=cwd)
    done = call([gcc, "-O2", "-flto", "lto.o", "-o", "lto"], cwd=cwd)
    said = "".join(line for line in done.err.splitlines(True) if "reading executable name failed" not in line)     # a sanitizer in the tool
    expect(done.returncode == 0 and not said and instrumented(cwd + "/lto"), "the link of -flto has the plugin too", done.err)
    for made, words, one in (("lto", [], True), ("ltoplaced", ["-fPIC"], False)):
        done = call([gcc, "-O2", "-flto", *words, "lto.o", "-o", made], cwd=cwd)
        code = re.search(r"<main>:\n((?:.+\n)+)", call(["objdump", "-d", f"{cwd}/{made}"], cwd=cwd).out)
        expect(done.returncode == 0 and code and ("%gs:" in code.group(1)) == one, f"-flto {words}: an executable counts in one instruction, unless it is told how to place its code", code and code.group(1))
    done = call([gcc, "-g0", "-c", "a.c", "-o", "g0.o"], cwd=cwd)
    expect(not has_debug(cwd + "/g0.o"), "-g0 stays -g0")
    done = call([gcc, "-gz=none", "-c", "a.c", "-o", "gz.o"], cwd=cwd)
    expect(has_debug(cwd + "/gz.o"), "-gz alone is no -g")
    done = call([gcc, "-fplugin-arg-profplug-functions=none", "-c", "a.c", "-o", "arg.o"], cwd=cwd)
    expect(done.returncode == 0 and not done.err, "arguments for the plugin reach it", done.err)
    write(cwd + "/args", "-O2 -c\n'a.c' -o \"resp\\.o\"\n")
    done = call([gcc, "@args"], cwd=cwd)
    expect(done.returncode == 0 and instrumented(cwd + "/resp.o"), "a response file: -c is seen in it", done.err)
    write(cwd + "/args", "a.c -o respprog\n")
    done = call([gcc, "@args"], cwd=cwd)
    expect(done.returncode == 0 and call([cwd + "/respprog"], cwd=cwd).out == "42\n", "a response file: a link is seen in it", done.err)
    done = call([gcc, "-E", "a.c"], cwd=cwd)
    expect(done.returncode == 0 and "twice" in done.out and not done.err, "-E preprocesses")
    write(cwd + "/annotated.c", '#include <profplug.h>\nPROFPLUG_STAGE ("load") int f (void) { return 0; }\nint main (void) { return f (); }\n')
    done = call([gcc, "-E", "annotated.c", "-o", "annotated.i"], cwd=cwd)
    expect(done.returncode == 0 and "profile_stage" in open(cwd + "/annotated.i").read(), "-E keeps annotations, for compilation apart", done.err)
    for option in ("-S", "-fsyntax-only", "-M", "-MM"):
        done = call([gcc, option, "a.c"], cwd=cwd)
        expect(done.returncode == 0 and not done.err, f"{option} works", done.err)
    write(cwd + "/h.h", "#define X 1\n")
    done = call([gcc, "h.h"], cwd=cwd)
    expect(done.returncode == 0 and os.path.exists(cwd + "/h.h.gch"), "a header is precompiled, not linked", done.err)
    done = call([gcc, "-r", "a.o", "-o", "part.o"], cwd=cwd)
    expect(done.returncode == 0 and call([gcc, "part.o", "-o", "whole"], cwd=cwd).returncode == 0, "-r links nothing in", done.err)
    write(cwd + "/lib.c", "int twice (int x) { return 2 * x; }\n")
    write(cwd + "/use.c", "#include <stdio.h>\nint twice (int);\nint main (void) { printf (\"%d\\n\", twice (21)); return 0; }\n")
    done = call([gcc, "-shared", "-fPIC", "-O2", "lib.c", "-o", "libtwice.so"], cwd=cwd)
    expect(done.returncode == 0 and not done.err, "-shared links", done.err)
    done = call([gcc, "use.c", "-L.", "-ltwice", "-Wl,-rpath," + cwd, "-o", "useshared"], cwd=cwd)
    expect(done.returncode == 0 and call([cwd + "/useshared"]).out == "42\n", "a program with an instrumented shared object runs", done.err)
    done = call([gcc, "-shared", "-O2", "lib.c", "-o", "libtwice.so"], cwd=cwd)
    expect(done.returncode == 0 and not done.err and call([cwd + "/useshared"]).out == "42\n", "-shared links without -fPIC what the compiler alone links so", done.err)
    done = call(["gcc", "use.c", "-L.", "-ltwice", "-Wl,-rpath," + cwd, "-o", "plainmain"], cwd=cwd)
    done = call([tool, "run", "./plainmain"], cwd=cwd)
    expect(done.out == "42\n" and "data in" in done.err, "a plain program with an instrumented shared object leaves data", done.err)


def questions(build, cwd):
    """What is asked of the compiler is answered by the compiler."""
    gcc = build + "/profplug-gcc"
    for argv in (["--version"], ["-dumpversion"], ["-dumpmachine"], ["-print-search-dirs"], ["-print-file-name=libc.so"], ["-v"], ["-E", "-v", "-xc", "/dev/null"]):
        with_us, alone = call([gcc] + argv, cwd=cwd), call(["gcc"] + argv, cwd=cwd)
        same = with_us.returncode == alone.returncode and (argv[0] == "-E" or with_us.out == alone.out)
        expect(same, f"{argv} as gcc answers", with_us.out[:200], alone.out[:200])
    done = call([gcc, "nosuch.c"], cwd=cwd)
    expect(done.returncode == 1 and "profplug" not in done.err, "an error of the compiler is the compiler's", done.err)
    done = call([gcc], cwd=cwd)
    expect("no input files" in done.err, "no input is said by the compiler", done.err)


def surroundings(build, cwd):
    """Where builds are shut in."""
    hidden = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    write(cwd + "/a.c", SOURCE)
    if call(hidden + ["true"]).returncode:
        print("no mount namespace here: /proc stays")
        return
    done = call(hidden + [build + "/profplug-gcc", "-O2", "a.c", "-o", "noproc"], cwd=cwd)
    said = "".join(line for line in done.err.splitlines(True) if "reading executable name failed" not in line)     # a sanitizer in the tool
    expect(done.returncode == 0 and not said and instrumented(cwd + "/noproc"), "compiles without /proc", done.err)
    done = call(hidden + ["./noproc"], cwd=cwd)
    expect(done.out == "42\n", "a program runs without /proc", done.err)


def probes(build, cwd):
    gcc = build + "/profplug-gcc"
    for name in ("conftest.c", "CMakeFiles/CMakeTmp/x.c", "CMakeFiles/CMakeScratch/TryCompile-abc/src.c", "cmTC_1234.c", "CMakeCCompilerId.c", "meson-private/tmpabc/testfile.c", "sanitycheckc.c"):
        write(f"{cwd}/{name}", SOURCE)
        done = call([gcc, "-c", name, "-o", "probe.o"], cwd=cwd)
        expect(done.returncode == 0 and not instrumented(cwd + "/probe.o") and not has_debug(cwd + "/probe.o"), f"{name} is compiled plain", done.err)
    done = call([gcc, "-o", "conftest", "conftest.c"], cwd=cwd)
    expect(done.returncode == 0 and not instrumented(cwd + "/conftest"), "a probe's link is plain", done.err)
    # gnulib compiles two files, and links them as one probe.
    write(f"{cwd}/conftest1.c", "int zero(void);\nint main(void) { return zero(); }\n")
    write(f"{cwd}/conftest2.c", "int zero(void) { return 0; }\n")
    for words in (["-c", "conftest1.c"], ["-c", "conftest2.c"], ["-o", "conftest", "conftest1.o", "conftest2.o"]):
        done = call([gcc, "-O2", *words], cwd=cwd)
        expect(done.returncode == 0 and not done.err, f"a probe of two files is plain: {words}", done.err)
    folder = cwd + "/CMakeFiles/CMakeTmp"
    write(folder + "/any.c", SOURCE)
    call([gcc, "-c", "any.c"], cwd=folder)
    expect(not instrumented(folder + "/any.o"), "in CMake's probe folder everything is plain")
    write(cwd + "/conference.c", SOURCE)
    call([gcc, "-c", "conference.c"], cwd=cwd)
    expect(instrumented(cwd + "/conference.o"), "a name that only begins alike is no probe")


def strangers(build, cwd):
    """Compilers without a plugin."""
    tool = build + "/profplug"
    write(cwd + "/a.c", SOURCE)
    write(cwd + "/other-gcc", '#!/bin/sh\ncase $* in *-print-prog-name=cc1*) echo /usr/lib/gcc/TARGET/99/cc1;; *) exec gcc "$@";; esac\n'
          .replace("TARGET", call(["gcc", "-dumpmachine"]).out.strip()), 0o755)
    done = call([tool, "cc", "./other-gcc", "-c", "a.c"], cwd=cwd)
    expect(done.returncode == 0 and not instrumented(cwd + "/a.o"), "a GCC without a plugin compiles plain", done.err)
    expect(done.err.count("\n") == 1 and "warning" in done.err and "gcc-99" in done.err, "with one warning", done.err)
    done = call([tool, "cc", "--strict", "./other-gcc", "-c", "a.c"], cwd=cwd)
    expect(done.returncode == 2 and done.err.count("\n") == 1, "--strict fails", done.err)
    write(cwd + "/cross-gcc", '#!/bin/sh\ncase $* in *-print-prog-name=cc1*) echo /usr/lib/gcc-cross/other-linux-gnu/12/cc1;; *) exec gcc "$@";; esac\n', 0o755)
    for argv in (["./cross-gcc", "-c", "a.c"], ["gcc", "-m32", "-c", "a.c"]):
        write(cwd + "/a.c", SOURCE.replace("#include <stdio.h>", "int printf (const char *, ...);"))
        done = call([tool, "cc"] + argv, cwd=cwd)
        expect(done.returncode == 0 and done.err.count("\n") == 1 and "warning" in done.err and not instrumented(cwd + "/a.o"), f"{argv}: another target is compiled plain, with a warning", done.err)
    done = call([tool, "cc", "./no-gcc", "-c", "a.c"], cwd=cwd)
    expect(done.returncode == 127 and "no-gcc" in done.err, "a compiler that is not there", done.err)
    if shutil.which("clang"):
        done = call([tool, "cc", "clang", "-c", "a.c"], cwd=cwd)
        expect(done.returncode == 0 and "warning" in done.err and not instrumented(cwd + "/a.o"), "clang compiles plain, with a warning", done.err)
    for argv in (["cc"], ["cc", "--strict"], ["cc", "--nosuch", "gcc"]):
        done = call([tool] + argv)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected" in done.err, f"{argv}: one line", done.err)
    for flag in ("-ffreestanding", "-nostdlib"):
        write(cwd + "/bare.c", "int bare (int x) { return x + 1; }\n")
        done = call([tool, "cc", "gcc", flag, "-c", "bare.c"], cwd=cwd)
        expect(done.returncode == 0 and not done.err and not instrumented(cwd + "/bare.o"), f"{flag}: what has no C library is compiled plain, silently", done.err)
        done = call([tool, "cc", "--strict", "gcc", flag, "-c", "bare.c"], cwd=cwd)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "C library" in done.err, f"{flag}: --strict says so", done.err)
    write(cwd + "/whole.c", "int main (void) { return 0; }\n")
    done = call([tool, "cc", "gcc", "-ffreestanding", "-o", "whole", "whole.c"], cwd=cwd)
    expect(done.returncode == 0 and done.err.count("\n") == 1 and "-ffreestanding" in done.err, "who links a program that cannot be profiled is told", done.err)
    write(cwd + "/ccache", '#!/bin/sh\necho called by ccache >>ccache.log\nexec "$@"\n', 0o755)
    done = call([tool, "cc", "./ccache", "gcc", "-c", "a.c"], cwd=cwd)
    expect(done.returncode == 0 and instrumented(cwd + "/a.o") and os.path.exists(cwd + "/ccache.log"), "behind a launcher the compiler is the second word", done.err)


def make(build, cwd):
    """make with CC and CXX, with its own rules; a static library between."""
    write(cwd + "/main.c", "int twice (int);\nint main (void) { return twice (21) != 42; }\n")
    write(cwd + "/lib.c", "int twice (int x) { return 2 * x; }\n")
    write(cwd + "/Makefile", "main: main.o libtwice.a\nlibtwice.a: libtwice.a(lib.o)\n")
    done = call(["make", f"CC={build}/profplug-gcc", "CFLAGS=-O2"], cwd=cwd)
    expect(done.returncode == 0, "make builds", done.out, done.err)
    done = call([build + "/profplug", "run", "./main"], cwd=cwd)
    expect(done.returncode == 0 and "data in" in done.err, "what make built leaves data", done.err)
    write(cwd + "/configure.sh", """set -e
cat >conftest.c <<E
#include <stdio.h>
int main (void) { FILE *f = fopen ("conftest.out", "w"); return !f || fprintf (f, "ok") < 0; }
E
$CC -o conftest -O2 conftest.c 2>conftest.err
test ! -s conftest.err
./conftest
test "$(cat conftest.out)" = ok
test ! -e profplug-conftest-*.profplug
echo configured
""")
    done = call(["sh", "configure.sh"], cwd=cwd, env={"CC": build + "/profplug-gcc"})
    expect(done.returncode == 0 and done.out == "configured\n", "a configure script works", done.out, done.err)


def test(build, scratch):
    for part in (compilations, questions, probes, strangers, surroundings, make):
        folder = f"{scratch}/{part.__name__}"
        os.mkdir(folder)
        part(build, folder)


main(test)
