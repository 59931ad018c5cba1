# SPDX-License-Identifier: MIT
"""What is said about misuse: of annotations, of the plugin's arguments, of the filter file. Each case compiles a text and looks for
the diagnostics it must give, at their lines, and for whether the compilation fails.
misuse.py --plugin P --cc CC --cxx CXX"""
import argparse
import os
import subprocess
import sys
import tempfile

CATEGORIES = "custom, data_loading, preprocessing, augmentation, inference, training, io, network, database, gpu, memory, compute"
FORM = "ignored: expected"

# (name, text, what the compiler must say as LINE: words; status). In the text, lines count from 1.
ANNOTATIONS = [
    ("no arguments", "__attribute__((profile_stage)) int f(void);", [(1, "warning: .profile_stage. attribute " + FORM)]),
    ("not a string", "__attribute__((profile_stage(3))) int f(void);", [(1, FORM)]),
    ("empty name", '__attribute__((profile_stage(""))) int f(void);', [(1, FORM)]),
    ("wide string", '__attribute__((profile_stage(L"x"))) int f(void);', [(1, FORM)]),
    ("three arguments", '__attribute__((profile_stage("x", "io", "z"))) int f(void);', [(1, FORM)]),
    ("unknown category", '\n__attribute__((profile_stage("x", "loading"))) int f(void);', [(2, "unknown category .loading.; expected one of " + CATEGORIES)]),
    ("a variable", '__attribute__((profile_stage("x"))) int v;', [(1, "it marks functions")]),
    ("outside functions", '#pragma profplug loop("a")\nint v;', [(1, "inside a function")]),
    ("no name", "void f(int n) {\n#pragma profplug loop\nfor (; n--;); }", [(2, FORM)]),
    ("empty loop name", 'void f(int n) {\n#pragma profplug loop("")\nfor (; n--;); }', [(2, FORM)]),
    ("junk", 'void f(int n) {\n#pragma profplug loop("a") junk\nfor (; n--;); }', [(2, FORM)]),
    ("loop category", 'void f(int n) {\n#pragma profplug loop("a", "b")\nfor (; n--;); }', [(2, "unknown category .b.; expected one of " + CATEGORIES)]),
    ("no loop", 'int f(int n) {\n#pragma profplug loop("a")\nn++; for (; n--;); return n; }', [(2, "no loop follows")]),
    ("a block", 'int f(int n) {\n#pragma profplug loop("a")\n{ n++; for (; n--;); n++; } return n; }', [(2, "no loop follows")]),
    ("the end", 'int f(int n) { { n++;\n#pragma profplug loop("a")\n} return n; }', [(2, "no loop follows")]),
    ("a goto into it", 'int f(int n) {\nif (n) goto in;\n#pragma profplug loop("a")\nfor (; n < 5; n++) { in: n++; }\nreturn n; }', [(3, "a jump leads into the loop")]),
    ("a case in it", 'int f(int n) { switch (n) {\n#pragma profplug loop("a")\nfor (; n < 5; n++) { case 7: n++; } } return n; }', [(2, "a jump leads into the loop")]),
    ("two before a loop", 'void f(int n) {\n#pragma profplug loop("a")\n#pragma profplug loop("b")\nfor (; n--;); }', [(2, "another one stands before the same loop")]),
    ("a zero byte", 'void f(int n) {\n#pragma profplug loop("a\\0b")\nfor (; n--;); }', [(2, FORM)]),
    ("a zero byte in a stage", '__attribute__((profile_stage("a\\0b"))) int f(void);', [(1, FORM)]),
    ("a category behind a line break", 'void f(int n) {\n#pragma profplug loop("a", "io\\nb")\nfor (; n--;); }', [(2, "unknown category")]),
    ("a computed goto into it", 'int f(int n) { void *p = n ? &&in : &&out; goto *p;\n#pragma profplug loop("a")\nfor (; n < 5; n++) { in: n++; }\nout: return n; }',
     [(2, "a jump leads into the loop")]),
    ("an asm goto into it", 'int f(int n) { asm goto("jz %l1" : : "r"(n) : "cc" : in);\n#pragma profplug loop("a")\nfor (; n < 5; n++) { in: n++; }\nreturn n; }',
     [(2, "a jump leads into the loop")]),
    ("computed gotos within it", 'int f(int n) { static void *t[] = { &&a, &&b };\n#pragma profplug loop("a")\nfor (;;) { goto *t[n & 1]; a: n++; continue; b: return n; } }', []),
    ("two stages", '__attribute__((profile_stage("a"))) int f(void);\n__attribute__((profile_stage("b"))) int f(void) { return 1; }', [(2, "is .b. already, not .a.")]),
    ("a stage twice", '__attribute__((profile_stage("a"))) int f(void);\n__attribute__((profile_stage("a"))) int f(void) { return 1; }', []),
    ("good", '__attribute__((profile_stage("a"))) int f(int n);\nint f(int n) {\n#pragma profplug loop("a", "io")\nfor (; n > 5; n--) { if (n == 7) goto out; }\nout:\nreturn n; }', []),
]
ARGUMENTS = [
    (["functions=some"], "functions=some.: expected functions=auto|all|stages|none"),
    (["functions"], "expected functions=auto|all|stages|none"),
    (["min-size=-1"], "min-size=-1.: expected min-size=N"),
    (["min-size=ten"], "expected min-size=N"),
    (["min-size"], "expected min-size=N"),
    (["loops=every"], "expected loops=auto|annotated|none|all"),
    (["lines=some"], "expected lines=auto|all|stages|none"),
    (["warn=some"], "warn=some.: expected warn=on|off"),
    (["remarks=some"], "remarks=some.: expected remarks=on|off"),
    (["explain=maybe"], "explain=maybe.: expected explain=on|off"),
    (["default=maybe"], "expected default=on|off"),
    (["filter"], "expected filter=FILE"),
    (["filter=/does/not/exist"], "filter file ./does/not/exist.: No such file or directory"),
    (["colour=red"], "unknown; expected one of: functions lines min-size loops segment copies allocators filter default explain remarks"),
]
FILTERS = [
    ("function:operator[]=skip\nfunction:[=skip\n", "list:2: .function:[=skip.: expected function:GLOB=skip|allow"),
    ("function:a=skip\nfunction:b=keep\n", "list:2: .function:b=keep.: expected function:GLOB=skip|allow, source:GLOB=skip|allow or default:skip|allow"),
    ("nonsense\n", "list:1: "),
    ("function:=skip\n", "list:1: "),
    ("# fine\n\n[other]\nnonsense\n[profplug]\nsource:x\n", "list:6: "),
]
COROUTINE = """#include <coroutine>
struct task { struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int) { return {}; }
    void return_void() {} void unhandled_exception() {} }; };
task numbers(int n) {
#pragma profplug loop("numbers")
    for (int i = 0; i < n; i++) co_yield i;
}
"""


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    failures = []

    def compile(compiler, text, *options, suffix=".c"):
        with open(os.path.join(folder, "a" + suffix), "w") as file:
            file.write(text)
        done = subprocess.run([compiler, f"-fplugin={given.plugin}", *options, "-fdiagnostics-color=never", "-c", "a" + suffix, "-o", "a.o"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, env=dict(os.environ, LC_ALL="C"))
        return done.returncode, done.stdout

    def says(output, words):
        """A dot in the words is any character, as quotes are."""
        return any(all(w == "." or w == c for w, c in zip(words, line[i:])) for line in output.splitlines() for i in range(len(line) - len(words) + 1))

    def expect(test, name, output):
        if not test:
            failures.append(f"{name}:\n{output}")

    with tempfile.TemporaryDirectory(prefix="profplug-misuse-") as folder:
        for name, text, diagnostics in ANNOTATIONS:
            for compiler, suffix in ((given.cc, ".c"), (given.cxx, ".cc")):
                status, output = compile(compiler, text, suffix=suffix)
                expect(status == 0, name, output)
                found = [line for line in output.splitlines() if " warning: " in line or " error: " in line]
                expect(len(found) == len(diagnostics), name, output)
                for line, words in diagnostics:
                    expect(any(l.startswith(f"a{suffix}:{line}:") and says(l, words) for l in found), f"{name} (line {line})", output)
        for arguments, words in ARGUMENTS:
            status, output = compile(given.cc, "int f(void) { return 1; }\n", *[f"-fplugin-arg-profplug-{a}" for a in arguments])
            expect(status != 0 and says(output, words) and output.count("error:") == 1, arguments, output)
        for text, words in FILTERS:
            with open(os.path.join(folder, "list"), "w") as file:
                file.write(text)
            status, output = compile(given.cc, "int f(void) { return 1; }\n", "-fplugin-arg-profplug-filter=list")
            expect(status != 0 and says(output, words) and output.count("error:") == 1, text, output)

        for text in ('__attribute__((profile_stage("a"), always_inline)) static inline int f(int n) { return n; }\nint g(void) { return f(1); }',
                     '__attribute__((always_inline, profile_stage("a"))) static inline int f(int n) { return n; }\nint g(void) { return f(1); }'):
            status, output = compile(given.cc, text, "-O2", "-Wall", "-Wextra")
            expect(status == 0 and output.count("warning:") == 1 and says(output, ".profile_stage. attribute ignored: .f. is always inlined"), text, output)
        status, output = compile(given.cc, '__attribute__((profile_stage("a"))) static inline int f(int n) { return n; }\nint g(void) { return f(1); }', "-O2", "-Wall", "-Wextra")
        expect(status == 0 and not output, "an inline stage", output)
        status, output = compile(given.cc, '__attribute__((profile_stage("a"), no_instrument_function)) int f(void) { return 1; }')
        expect(status == 0 and says(output, "stage .f. is not measured: excluded by its attribute"), "an excluded stage", output)
        status, output = compile(given.cxx, COROUTINE, "-std=c++20", "-O2", suffix=".cc")
        expect(status == 0 and output.count("warning:") == 1 and says(output, "a.cc:9:") and says(output, "the loop is in a coroutine"), "a coroutine", output)
        status, output = compile(given.cxx, COROUTINE, "-std=c++20", "-O2", "-flto", suffix=".cc")
        expect(status == 0 and output.count("warning:") == 1, "a coroutine with -flto", output)
        status, output = compile(given.cxx, COROUTINE, "-std=c++20", "-O2", "-Wall", "-Werror", "-fplugin-arg-profplug-warn=off", suffix=".cc")
        expect(status == 0 and not output, "a coroutine without warnings", output)

        # The header as it is once installed: what is said of a macro's use is said at the use, and said at all.
        header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
        for way in ("-I", "-isystem"):
            status, output = compile(given.cc, '#include <profplug.h>\nint f(int n) {\nPROFPLUG_LOOP("a", "b") for (; n < 3; n++);\nPROFPLUG_LOOP("c") n++;\nreturn n; }\n',
                                     "-O2", way, header)
            expect(status == 0 and output.count("warning:") == 2 and says(output, "a.c:3:1: warning: profplug loop ignored: unknown category")
                   and says(output, "a.c:4:1: warning: profplug loop ignored: no loop follows it"), way, output)
            status, output = compile(given.cc, '#include <profplug.h>\ninline int f(int n) { PROFPLUG_SCOPE("s"); PROFPLUG_LOOP("a") for (; n < 3; n++); return n; }\n',
                                     "-O2", "-std=c11", "-Wall", "-Wextra", "-pedantic", way, header)
            expect(status == 0 and not output, "an inline function with a scope", output)

        # What is before `template` is judged by what follows.
        text = "#include <profplug.h>\n" + "".join(f'PROFPLUG_STAGE("a") {what}\n' for what in (
            "template <class T> struct s { T v; T f() { return v; } };", "template struct s<int>;", "extern template struct s<long>;",
            "template <class T> using t = s<T>;", "template <class T> struct u;", "template <class T> T v = T(1);"))
        status, output = compile(given.cxx, text, "-std=c++17", "-Wall", "-Wextra", "-I", header, suffix=".cc")
        expect(status == 0 and output.count("warning:") == 6, "stages that are no functions", output)
        for line in range(2, 8):
            expect(any(l.startswith(f"a.cc:{line}:") and says(l, ".profile_stage. attribute ignored: it marks functions") for l in output.splitlines()), f"no function {line}", output)
        status, output = compile(given.cxx, text, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fplugin-arg-profplug-warn=off", "-I", header, suffix=".cc")
        expect(status == 0 and not output, "stages that are no functions, without warnings", output)

        # explain: a note where each function stands that is left out, with the reason
        status, output = compile(given.cc, "#define S __attribute__((no_instrument_function))\nS int a(void) { return 1; }\n"
                                 "__attribute__((naked)) int b(void) { __asm__(\"ret\"); }\n__attribute__((no_profile_instrument_function)) int c(void) { return 1; }\n"
                                 "int d(void) { return 1; }\nstatic void *r(void) { return 0; }\nvoid e(void) __attribute__((ifunc(\"r\")));\n", "-fplugin-arg-profplug-explain")
        expect(status == 0, "explain", output)
        for line, words in ((2, ".a. is not instrumented: excluded by its attribute"), (3, ".b. is not instrumented: naked function"),
                            (4, ".c. is not instrumented: excluded"), (5, ".d. is counted: its probe adds"), (6, ".r. is not instrumented: ifunc resolver")):
            expect(any(l.startswith(f"a.c:{line}:") and says(l, "note: profplug: " + words) for l in output.splitlines()), f"explain {line}", output)
        expect(output.count("note:") == 5, "explain", output)
    sys.exit("\n".join(failures) if failures else 0)


main()
