# SPDX-License-Identifier: MIT
"""Site tables through every kind of link: each case makes a small program, links it in its way, and reads what hooks.c registered.
link.py --plugin P --cc CC --cxx CXX CASE"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
SKIP = 77

MAIN = """
int other(int); int shared(int);
__attribute__((noipa)) int used(int x) { return other(x) + 1; }
__attribute__((noipa)) int unused(int x) { return x * 3; }
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += used(i); return s == 0; }
"""
OTHER = "__attribute__((noipa)) int other(int x) { return x * 2; }\n"
DEAD = "__attribute__((noipa)) int dead(int x) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; }\n"
INLINE = """
template <class T> __attribute__((noipa)) T twice(T x) { return x * 2; }
inline __attribute__((noipa)) int in_line(int x) { static int n; return n++ + x; }
struct holder { __attribute__((noipa)) int get() { return 4; } };
"""


class Case:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.hooks = self.compile(os.path.join(HERE, "hooks.c"), "hooks.o", "-O1", "-fPIC", "-ftls-model=initial-exec", plain=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, environment=None, expect=0):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, env=environment)
        if done.returncode != expect:
            sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return name

    def compile(self, source, out, *options, plain=False):
        compiler = self.given.cxx if source.endswith(".cc") else self.given.cc
        plugin = [] if plain else [f"-fplugin={self.given.plugin}"]
        self.run([compiler, "-I", INCLUDE, "-fchecking", *plugin, *options, "-c", source, "-o", out])
        return out

    def link(self, out, *arguments, cxx=False):
        self.run([self.given.cxx if cxx else self.given.cc, *arguments, "-o", out])
        return self.path(out)

    def sites(self, *command):
        self.run(list(command), dict(os.environ, PROFPLUG_TEST_OUTPUT=self.path("sites")))
        rows = [l.rstrip("\n").split("\t") for l in open(self.path("sites"))]
        return [r for r in rows if r[0] in ("function", "stage")]

    def calls(self, rows, name):
        return sum(int(r[2]) for r in rows if r[3] == name)

    def expect(self, rows, **numbers):
        for name, number in numbers.items():
            if self.calls(rows, name) != number:
                sys.exit(f"{name}: {number} calls expected, found {self.calls(rows, name)}: {rows}")

    def sections(self, file):
        return self.run(["readelf", "-SW", file])

    def three(self, *options):
        objects = [self.compile(self.write(f"{name}.c", text), f"{name}.o", *options) for name, text in (("main", MAIN), ("other", OTHER), ("dead", DEAD))]
        return [*objects, self.hooks]


def plain(case):
    rows = case.sites(case.link("a", *case.three("-O2")))
    case.expect(rows, used=10, other=10, unused=0, dead=0, main=1)
    if any(".Lprofplug" in line for line in case.run(["nm", "main.o"]).splitlines()):
        sys.exit("the object's label reached the symbol table")
    relocations = case.run(["readelf", "-rW", "a"])
    if "profplug" in relocations:
        sys.exit(f"dynamic relocations are left: {relocations}")


def gc(case, *more):
    objects = case.three("-O2", "-ffunction-sections", "-fdata-sections")
    rows = case.sites(case.link("a", *objects, "-Wl,--gc-sections", *more))
    case.expect(rows, used=10, other=10, main=1)
    return rows


def gc_sections(case):
    gc(case)


def start_stop_gc(case):
    rows = gc(case, "-Wl,-z,start-stop-gc")
    if any(r[3] == "dead" for r in rows):
        sys.exit("a unit without a living function kept its table")


def linker(case, name):
    if not shutil.which(f"ld.{name}"):
        print(f"skipped: no ld.{name}")
        sys.exit(SKIP)
    case.expect(case.sites(case.link("a", *case.three("-O2"), f"-fuse-ld={name}")), used=10, other=10, main=1, dead=0)
    gc(case, f"-fuse-ld={name}")
    if name == "lld":
        gc(case, f"-fuse-ld={name}", "-Wl,-z,start-stop-gc")


def gold(case):
    linker(case, "gold")


def lld(case):
    linker(case, "lld")


def static(case):
    objects = case.three("-O2")
    case.expect(case.sites(case.link("a", *objects, "-static")), used=10, other=10)
    objects = case.three("-O2", "-fPIE")
    case.expect(case.sites(case.link("a", *objects, "-static-pie")), used=10, other=10)


def relocatable(case):
    objects = case.three("-O2")
    case.run(["ld", "-r", *objects[:-1], "-o", "all.o"])
    case.expect(case.sites(case.link("a", "all.o", objects[-1])), used=10, other=10, main=1, dead=0)


def models(case):
    for options in (["-fno-pie", "-no-pie"], ["-fno-pie", "-no-pie", "-mcmodel=medium"], ["-fno-pie", "-no-pie", "-mcmodel=large"], ["-fPIC", "-mcmodel=large"]):
        case.expect(case.sites(case.link("a", *case.three("-O2", *options), *[o for o in options if o == "-no-pie"])), used=10, other=10)


def comdat(case):
    case.write("inline.h", INLINE)
    first = case.write("first.cc", '#include "inline.h"\nint second(); int main() { holder h; int s = second(); for (int i = 0; i < 5; i++) s += twice(i) + in_line(i) + h.get(); return s == 0; }\n')
    second = case.write("second.cc", '#include "inline.h"\nint second() { holder h; int s = 0; for (int i = 0; i < 7; i++) s += twice(i) + in_line(i) + h.get(); return s; }\n')
    for options in (["-O0"], ["-O2"], ["-O2", "-flto", f"-fplugin={case.given.plugin}"]):
        objects = [case.compile(first, "first.o", *options), case.compile(second, "second.o", *options), case.hooks]
        rows = case.sites(case.link("a", *options, *objects, cxx=True))
        case.expect(rows, **{"int twice<int>(int)": 12, "in_line(int)": 12, "holder::get()": 12, "main": 1})


def clones(case):
    """A clone that is local to its file is dropped with the group of the function that it was made for."""
    case.write("env.h", """#include <map>
#include <string>
struct env {
    virtual ~env() {}
    std::map<std::string, std::string> values;
};
""")
    first = case.write("first.cc", """#include "env.h"
env *made(int);
int main()
{
    unsigned long n = 0;
    for (int i = 0; i < 5; i++) {
        env *own = new env, *other = made(i);
        n += other->values.size();
        delete other;
        delete own;
    }
    return n != 5;
}
""")
    second = case.write("second.cc", """#include "env.h"
env *made(int i)
{
    env *e = new env;
    e->values[std::to_string(i)] = "b";
    return e;
}
""")
    objects = [case.compile(first, "first.o", "-O2"), case.compile(second, "second.o", "-O2")]
    case.expect(case.sites(case.link("a", *objects, case.hooks, cxx=True)), **{"made(int)": 5, "main": 1})


def dlopened(case):
    case.write("library.c", "__attribute__((noipa)) static int inner(int x) { return x + 1; }\nint entry(int x) { int s = 0; for (int i = 0; i < x; i++) s += inner(i); return s; }\n")
    library = case.compile("library.c", "library.o", "-O2", "-fPIC")
    case.link("library.so", "-shared", library)
    case.write("host.c", """
#include <dlfcn.h>
__attribute__((noipa)) static int local(int x) { return x; }
int main(void) {
    int s = 0;
    void *l = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
    int (*entry)(int) = (int (*)(int)) dlsym(l, "entry");
    if (!entry) return 2;
    for (int i = 0; i < 3; i++) s += entry(5) + local(i);
    return s == 0; }
""")
    host = case.compile("host.c", "host.o", "-O2")
    case.expect(case.sites(case.link("a", host, case.hooks, "-rdynamic", "-ldl")), inner=15, entry=3, local=3, main=1)
    text = case.run(["readelf", "-dW", "library.so"])
    if "TEXTREL" in text:
        sys.exit("the shared object needs text relocations")


def lto(case):
    """Slim objects carry no table; every ltrans unit writes its own."""
    objects = case.three("-O2", "-flto")
    if "profplug" in case.sections(objects[0]):
        sys.exit("a slim LTO object carries a table")
    for options in (["-flto-partition=max"], ["-flto-partition=none"], ["-flto-partition=one"], []):
        rows = case.sites(case.link("a", "-O2", "-flto=2", *options, f"-fplugin={case.given.plugin}", *objects))
        case.expect(rows, used=10, other=10, main=1)
    fat = case.three("-O2", "-flto", "-ffat-lto-objects")
    if "profplug_objects" not in case.sections(fat[0]):
        sys.exit("a fat LTO object carries no table")
    case.expect(case.sites(case.link("a", "-O2", "-fno-lto", *fat)), used=10, other=10, main=1)


def empty(case):
    """No function probed: nothing is written."""
    for name, text, options in (("variable.c", "int x;\n", []), ("none.c", OTHER, ["-fplugin-arg-profplug-functions=none"]), ("syntax.c", OTHER, ["-fsyntax-only"])):
        if "-fsyntax-only" in options:
            case.run([case.given.cc, f"-fplugin={case.given.plugin}", *options, case.write(name, text)])
            continue
        if "profplug" in case.sections(case.compile(case.write(name, text), "out.o", *options)):
            sys.exit(f"{name}: something was written")


def many(case):
    """A table of thousands."""
    count = 1501
    text = "".join(f"__attribute__((noipa)) int f{i}(int x) {{ return x + {i}; }}\n" for i in range(count))
    text += "int main(void) { int s = 0;\n" + "".join(f"s += f{i}({i});\n" for i in range(0, count, 3)) + "return s == 0; }\n"
    rows = case.sites(case.link("a", case.compile(case.write("many.c", text), "many.o", "-O1"), case.hooks))
    case.expect(rows, f0=1, f3=1, f4=0, f1500=1, f1499=0)
    if len(rows) != count + 1:
        sys.exit(f"{len(rows)} sites")


def strange(case):
    """Names and paths that an assembler could trip over; prefix maps; the same input gives the same bytes."""
    name = 'we "ird" \\ \u00fc.c'
    case.write(name, 'extern int odd(void) __asm__("odd$name.x"); __attribute__((noipa)) int odd(void) { return 1; }\nint main(void) { return odd() != 1; }\n')
    rows = case.sites(case.link("a", case.compile(name, "out.o", "-O1", "-finput-charset=utf-8"), case.hooks))
    row = [r for r in rows if r[4] == "odd$name.x"]
    if len(row) != 1 or row[0][5] != name + ":1" or row[0][3] != "odd":
        sys.exit(f"names were damaged: {rows}")
    case.write("map.c", "int f(int x) { return x; }\nint main(void) { return f(0); }\n")
    absolute = case.path("map.c")
    bytes_of = []
    for out in ("one.o", "two.o"):
        case.compile(absolute, out, "-O0", f"-ffile-prefix-map={case.folder}=/mapped")
        bytes_of.append(open(case.path(out), "rb").read())
    if bytes_of[0] != bytes_of[1]:
        sys.exit("the same input gave different objects")
    if case.folder.encode() in bytes_of[0]:
        sys.exit("the prefix map was not applied")


def lines(case):
    """At -O0 no line of the user's gets code that had none, nor loses its own."""
    import re
    for source in ("calls.c", "leave.c", "loops.c"):
        found = []
        for plain in (True, False):
            case.compile(os.path.join(HERE, source), "out.o", "-O0", "-g", "-w", "-DPROFPLUG_ENABLED=0", "-fplugin-arg-profplug-loops=none" if not plain else "-O0", plain=plain)
            text = case.run(["readelf", "--debug-dump=decodedline", "out.o"])
            found.append(set(re.findall(r"^(\S+\.[ch]) +(\d+) ", text, re.M)))
        if found[0] != found[1] or len(found[0]) < 20:
            sys.exit(f"{source}: lines differ: {sorted(found[0] ^ found[1])}")


CASES = [plain, lines, gc_sections, start_stop_gc, gold, lld, static, relocatable, models, comdat, clones, dlopened, lto, empty, many, strange]


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("case")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="profplug-link-") as folder:
        next(c for c in CASES if c.__name__ == given.case)(Case(given, folder))


main()
