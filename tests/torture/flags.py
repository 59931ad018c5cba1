#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flags.py BUILD [--sample] [--match REGEX]: builds programs/flags.c and flags.cc with each of WAYS, and other programs with the ways of ODD, plain and
with the plugin: the program says and ends the same, and the numbers that it knows of itself stand in the data file; or the compiler says the words that
the row expects. Calls the compiler in the ways of CALLS, which make no program. Where plain GCC refuses a way here (a linker or a library is not
installed), it is left out and named, and no more than MISSING_MOST may be."""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

HERE = pathlib.Path(__file__).resolve().parent
MISSING_MOST = 6
SECONDS = 600
OK = ""

# flags; languages; what the compiler says when it refuses, or how it does not record; "sample" where the samples have it
WAYS = [
    ("-O0", "c c++", OK, ""),
    ("-O1", "c c++", OK, ""),
    ("-O2", "c c++", OK, ""),
    ("-O3 -funroll-loops", "c c++", OK, ""),
    ("-Og", "c c++", OK, ""),
    ("-Os", "c c++", OK, ""),
    ("-Ofast -march=native", "c c++", OK, ""),
    ("-O2 -fPIC", "c c++", OK, ""),
    ("-O2 -fPIC -pie -Wl,-z,now", "c c++", OK, ""),
    ("-O2 -no-pie -fno-pie", "c c++", OK, ""),
    ("-O2 -fno-plt -fPIC", "c c++", OK, ""),
    ("-O2 -static", "c c++", OK, ""),
    ("-O2 -static-pie -fPIE", "c c++", OK, "sample"),
    ("-O2 -static -flto", "c c++", OK, ""),
    ("-O2 -static-libgcc -static-libstdc++", "c++", OK, ""),
    ("-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections", "c c++", OK, ""),
    ("-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections -fuse-ld=gold", "c c++", OK, ""),
    ("-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections -fuse-ld=lld", "c c++", OK, ""),
    ("-O2 -ffunction-sections -Wl,--gc-sections -Wl,-z,start-stop-gc", "c c++", OK, ""),
    ("-O2 -ffunction-sections -Wl,--gc-sections -Wl,-z,start-stop-gc -fuse-ld=lld", "c c++", OK, "sample"),
    ("-O2 -ffunction-sections -Wl,--gc-sections -Wl,-z,nostart-stop-gc -fuse-ld=lld", "c", OK, ""),
    ("-O0 -static -ffunction-sections -Wl,--gc-sections -Wl,-z,start-stop-gc -fuse-ld=lld", "c c++", OK, ""),
    ("-O2 -fuse-ld=gold", "c c++", OK, ""),
    ("-O2 -fuse-ld=gold -Wl,--icf=all -ffunction-sections", "c c++", OK, ""),
    ("-O2 -fuse-ld=gold -static", "c c++", OK, ""),
    ("-O2 -fuse-ld=lld", "c c++", OK, ""),
    ("-O2 -fuse-ld=lld -Wl,--icf=all -ffunction-sections -pie", "c c++", OK, ""),
    ("-O2 -fuse-ld=lld -static-pie -fPIE", "c", OK, ""),
    ("-O2 -fsanitize=address,undefined", "c c++", OK, "sample"),
    ("-O0 -fsanitize=address,undefined -fno-sanitize-recover=all", "c c++", OK, ""),
    ("-O2 -fsanitize=undefined -fsanitize-undefined-trap-on-error", "c c++", OK, ""),
    ("-O2 -fsanitize=thread", "c c++", OK, "sample"),
    ("-O0 -fsanitize=thread", "c c++", OK, ""),
    ("-O2 -fsanitize=leak", "c c++", OK, ""),
    ("-O2 -pg", "c c++", OK, "sample"),
    ("-O2 -pg -mfentry -mrecord-mcount -mnop-mcount -fno-pie -no-pie", "c", OK, ""),
    ("-O2 --coverage", "c c++", OK, "sample"),
    ("-O0 --coverage -fprofile-update=atomic", "c c++", OK, ""),
    ("-O2 -fprofile-generate", "c c++", OK, ""),
    ("-O2 -fnon-call-exceptions", "c c++", OK, ""),
    ("-O2 -fexceptions -fasynchronous-unwind-tables", "c", OK, ""),
    ("-O2 -fno-asynchronous-unwind-tables -fno-unwind-tables", "c", OK, ""),
    ("-O2 -fsplit-stack", "c c++", OK, "sample"),
    ("-O2 -fsplit-stack -fuse-ld=gold", "c c++", OK, ""),
    ("-O2 -fcf-protection=full", "c c++", OK, ""),
    ("-O2 -fcf-protection=full -mmanual-endbr", "c", OK, ""),
    ("-O2 -fpatchable-function-entry=4,2", "c c++", OK, ""),
    ("-O2 -fstack-protector-strong", "c c++", OK, ""),
    ("-O2 -fstack-protector-all -fstack-clash-protection -D_FORTIFY_SOURCE=2", "c c++", OK, ""),
    ("-O2 -fstack-check", "c c++", OK, ""),
    ("-O2 -mno-red-zone", "c c++", OK, ""),
    ("-O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer", "c c++", OK, ""),
    ("-O2 -finstrument-functions", "c c++", OK, ""),
    ("-O0 -finstrument-functions", "c c++", OK, ""),
    ("-O2 -std=c++20", "c++", OK, "sample"),
    ("-O0 -std=c++20", "c++", OK, ""),
    ("-O3 -std=gnu++23 -fsanitize=address", "c++", OK, ""),
    ("-O2 -std=c++20 -flto", "c++", OK, ""),
    ("-O2 -std=c++14", "c++", OK, ""),
    ("-O2 -std=gnu11", "c", OK, ""),
    ("-O2 -std=gnu2x", "c", OK, ""),
    ("-O2 -flto", "c c++", OK, ""),
    ("-O2 -flto -ffat-lto-objects", "c c++", OK, ""),
    ("-O2 -flto=2 -flto-partition=max", "c c++", OK, ""),
    ("-O2 -flto -flto-partition=none -fuse-ld=gold", "c c++", OK, ""),
    ("-O2 -flto -fwhole-program", "c c++", OK, ""),
    ("-O2 -fwhole-program", "c c++", OK, ""),
    ("-O2 -mcmodel=medium", "c c++", OK, ""),
    ("-O2 -mcmodel=large", "c c++", OK, ""),
    ("-O2 -mcmodel=large -fPIC", "c c++", OK, ""),
    ("-O2 -mtls-dialect=gnu2 -fPIC", "c c++", OK, ""),
    ("-O2 -ftls-model=global-dynamic -fPIC", "c c++", OK, ""),
    ("-O2 -fno-dwarf2-cfi-asm", "c c++", OK, ""),
    ("-O2 -gsplit-dwarf", "c c++", OK, ""),
    ("-O2 -gz -gdwarf-4 -gstrict-dwarf", "c c++", OK, ""),
    ("-O2 -g3 -ginline-points -gvariable-location-views", "c c++", OK, ""),
    ("-O2 -g0 -s", "c c++", OK, ""),
    ("-O2 -ftrapv", "c c++", OK, ""),
    ("-O2 -fwrapv -fno-strict-aliasing -fno-delete-null-pointer-checks", "c c++", OK, ""),
    ("-O2 -fipa-pta -fgcse-las -fgcse-sm -ftracer -fsplit-loops -floop-nest-optimize", "c c++", OK, ""),
    ("-O2 -fno-toplevel-reorder -fno-section-anchors -fno-common", "c c++", OK, ""),
    ("-O2 -fvisibility=hidden -fno-semantic-interposition", "c c++", OK, ""),
    ("-O2 -fopenmp", "c c++", OK, ""),
    ("-O2 -fgnu-tm", "c c++", OK, ""),
    ("-O2 -masm=intel -fverbose-asm -dA", "c c++", OK, ""),
    ("-O2 -save-temps", "c c++", OK, ""),
    ("-O2 -pipe -no-integrated-cpp", "c c++", OK, ""),
    ("-O2 -mindirect-branch=thunk -mfunction-return=thunk -fcf-protection=none", "c c++", OK, ""),
    ("-O2 -fzero-call-used-regs=all", "c c++", OK, ""),
    ("-O2 -ftrivial-auto-var-init=pattern", "c c++", OK, ""),
    ("-O2 -fharden-compares -fharden-conditional-branches", "c c++", OK, ""),
    ("-O2 -fno-jump-tables -fno-reorder-blocks-and-partition", "c c++", OK, ""),
    ("-O2 -freorder-blocks-algorithm=simple -fno-guess-branch-probability", "c c++", OK, ""),
    ("-O2 -fno-tree-ssa-copy-rename -fno-tree-ter -fno-tree-coalesce-vars", "c c++", OK, ""),
    ("-O2 -fshort-enums -funsigned-char -fno-builtin", "c c++", OK, ""),
    ("-O2 -fpack-struct=4 -DPACKED", "c", OK, ""),
    ("-O2 -fcompare-debug", "c c++", OK, ""),
    ("-O2 -fchecking=2", "c c++", OK, ""),
    ("-O2 -fsave-optimization-record -fopt-info-all=info.txt", "c c++", OK, ""),
    ("-O2 -frecord-gcc-switches -grecord-gcc-switches", "c c++", OK, ""),
    ("-O2 -ffixed-rbx -ffixed-r12", "c", OK, ""),
    ("-O2 -mgeneral-regs-only", "c", OK, ""),
    ("-O2 -fsanitize-coverage=trace-pc", "c", OK, ""),
]


# Programs with ways of their own; the last word of a row is what the compiler must say besides.
ODD = [
    ("attributes.c", ["-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-O2 -flto", "-O2 -fPIC -fsplit-stack", "-O2 -fnon-call-exceptions -fexceptions", "-O2 -march=native",
                      "-O2 -fsanitize=undefined", "-O2 -fchecking=2"], OK),
    ("parallel.c", ["-O0 -fopenmp", "-O2 -fopenmp", "-O3 -flto -fopenmp"], OK),
    ("transaction.c", ["-O0 -fgnu-tm", "-O2 -fgnu-tm"], OK),
    ("exceptions.cc", ["-O0 -fnon-call-exceptions", "-O2 -fnon-call-exceptions", "-O3 -fnon-call-exceptions -flto", "-O2 -fnon-call-exceptions -fPIC -fsanitize=address"], OK),
    ("recursion.c", ["-O2", "-O3", "-Os", "-O2 -flto", "-O2 -fexceptions"], OK),
    ("unwinder.c", ["-O0 -fexceptions", "-O2 -fexceptions", "-O2"], OK),
    ("convention.c", ["-O0 -mabi=ms", "-O2 -mabi=ms"], OK),
    ("narrow.c", ["-O2 -m32 -S", "-O0 -mx32 -S", "-Os -m16 -ffreestanding -S"], "only 64-bit code is instrumented"),
]
# Calls of the compiler that make no program: {} is the source.
CALLS = [
    "-E {} -o p", "-E -fdirectives-only {} -o p", "-M {}", "-fsyntax-only {}", "-O2 -S {} -o p", "-O2 -c {} -o p", "-O2 -flto -c {} -o p", "-O2 -x c -c - -o p", "-O2 -x c -S - -o -",
    "-O2 -x c-header {} -o p.gch", "-O2 -c -x c /dev/null -o p", "-O2 -flto -c -x c /dev/null -o p", "-E -x c /dev/null -o p", "-O2 -mcmodel=kernel -mno-red-zone -fno-pic -ffreestanding -c {} -o p",
    "-std=c90 -c {} -o p", "-std=gnu2x -c {} -o p", "-O2 -fdump-tree-all -fdump-ipa-all -c {} -o p", "-aux-info p -c {} -o q", "-fverbose-asm -S {} -o p", "--help=common",
]


def expectations(text, way):
    for kind, name, count in re.findall(r"expect: (\w+) (.*) (\d+)(?: *\*/)?$", text, re.M):
        yield kind, name, int(count)


class Flags:
    def __init__(self, build, sample):
        self.choices = ("all",) if sample else ("auto", "all")
        self.build = pathlib.Path(build).resolve()
        self.failures, self.missing, self.checked, self.refused = [], [], 0, 0

    def call(self, command, folder, given=b"", **more):
        try:
            return subprocess.run(command, cwd=folder, env=environment(LC_ALL="C", **more), input=given, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, "hangs", b"", b"")

    def check(self, row):
        flags, languages, refusal, _ = row
        for language in languages.split():
            for functions in self.choices:
                self.hold("flags.cc" if language == "c++" else "flags.c", flags, functions, refusal)

    def check_odd(self, row):
        program, ways, refusal = row
        for flags in ways:
            for functions in ("auto", "all"):
                self.hold(program, flags, functions, refusal)

    def hold(self, program, flags, functions, refusal):
        with tempfile.TemporaryDirectory(prefix="profplug-flags-") as folder:
            why = self.judge(HERE / "programs" / program, flags, functions, refusal, pathlib.Path(folder))
        if why:
            self.failures.append(f"{program} {flags} functions={functions}: {why}")
            print("FAIL", self.failures[-1], flush=True)

    def check_call(self, words):
        """It ends as plain does, and says the same."""
        source = HERE / "programs" / "narrow.c"
        with tempfile.TemporaryDirectory(prefix="profplug-flags-") as folder:
            compiler = ["gcc", f"-I{HERE.parents[1] / 'include'}", *words.replace("{}", str(source)).split()]
            plain, probed = (self.call([*compiler, *more], folder, source.read_bytes()) for more in ([], [f"-fplugin={self.build}/profplug.so", "-fplugin-arg-profplug-functions=all", "-fplugin-arg-profplug-lines=all"]))
        self.checked += 1
        if plain.returncode or (plain.returncode, plain.stderr) != (probed.returncode, probed.stderr):
            self.failures.append(f"{words}: plain {plain.returncode} {plain.stderr[-500:]}, probed {probed.returncode} {probed.stderr[-1500:].decode(errors='replace')}")
            print("FAIL", self.failures[-1], flush=True)

    def judge(self, source, flags, functions, refusal, folder):
        language = "c++" if source.suffix == ".cc" else "c"
        compiler = ["g++" if language == "c++" else "gcc", "-g", "-w", "-pthread", f"-I{HERE.parents[1] / 'include'}", *flags.split(), str(source), "-o"]
        plugin = [f"-fplugin={self.build}/profplug.so", f"-fplugin-arg-profplug-functions={functions}"]
        if functions == "all":
            plugin.append("-fplugin-arg-profplug-lines=all")
        for name in ("plain", "probed"):
            (folder / name).mkdir()
        if refusal:
            compiler.remove("-w")
            plain, probed = self.call([*compiler, "p"], folder / "plain"), self.call([*compiler, "p", *plugin], folder / "probed")
            self.refused += 1
            if plain.returncode or probed.returncode or refusal not in probed.stderr.decode(errors="replace") or b"__profplug" in (folder / "probed" / "p").read_bytes():
                return f"plain {plain.returncode}, probed {probed.returncode}, which says {probed.stderr.decode(errors='replace')[-600:]!r}; expected no probes and a word: {refusal!r}"
            return ""
        plain = self.call([*compiler, "p"], folder / "plain")
        if plain.returncode:
            self.missing.append(f"{language} {flags}: {plain.stderr.decode(errors='replace')[-200:]}")
            return ""
        probed = self.call([*compiler, "p", *plugin, str(self.build / "libprofplug.a")], folder / "probed")
        self.checked += 1
        if probed.returncode:
            return f"the compiler's status is {probed.returncode}: {probed.stderr.decode(errors='replace')[-1500:]}"
        extra = [line for line in probed.stderr.decode(errors="replace").splitlines() if line not in plain.stderr.decode(errors="replace")]
        if extra:
            return f"the compiler says besides: {extra}"
        first = self.call(["./p"], folder / "plain")
        second = self.call(["./p"], folder / "probed", PROFPLUG="output=data-%p.profplug")
        if (first.returncode, first.stdout, first.stderr) != (second.returncode, second.stdout, second.stderr):
            return f"plain {first.returncode} {first.stdout!r} {first.stderr[-800:]!r}, probed {second.returncode} {second.stdout!r} {second.stderr[-3000:].decode(errors='replace')}"
        return self.read(source.read_text(), flags, folder / "probed")

    def read(self, text, flags, folder):
        files = list(folder.glob("*.profplug"))
        if len(files) != 1:
            return f"{len(files)} data files"
        data = read(self.build, files[0], settled=False)
        lists = {"stage": ("stages", "calls"), "loop": ("loops", "iterations"), "function": ("functions", "calls")}
        wrong = []
        for kind, name, count in expectations(text, flags):
            rows, field = lists[kind]
            found = sum(row.get(field) or 0 for row in data[rows] if row["name"] == name)
            if found != count:
                wrong.append(f"{kind} {name}: {found}; expected {count}")
        losses = {k: v for k, v in data["runs"][0]["losses"].items() if v and k != "healed_frames"}
        if losses:
            wrong.append(f"losses {losses}")
        return "; ".join(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--match", default="")
    options = parser.parse_args()
    os.nice(19)
    rows = [row for row in WAYS if (row[3] or not options.sample) and re.search(options.match, row[0])]
    flags = Flags(options.build, options.sample)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(flags.check, rows))
        if not options.sample and not options.match:
            list(pool.map(flags.check_odd, ODD))
        elif options.match:
            list(pool.map(flags.check_odd, [row for row in ODD if re.search(options.match, row[0])]))
        list(pool.map(flags.check_call, CALLS[::4] if options.sample else [call for call in CALLS if re.search(options.match, "CALLS")]))
    for line in sorted(set(flags.missing)):
        print("plain refuses:", line.replace("\n", " "))
    print(f"{len(rows)} ways, {flags.checked} builds compared, {flags.refused} refusals with their word, {len(set(flags.missing))} that plain refuses, {len(flags.failures)} failures")
    if len(set(flags.missing)) > MISSING_MOST or not flags.checked + flags.refused:
        sys.exit("too few could be checked")
    sys.exit(1 if flags.failures else 0)


main()
