#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prologue.py --plugin P --cc CC: a probe before a function's first instruction leaves the function as GCC makes it without us: the same instructions,
to the register, behind so many of the probe's own. Who takes two arguments or more, or one that is
narrower than an int or a pointer but void *, or returns a long, as nothing does that a thread or a handler begins with, does not look for the thread's counters, nor who is only called by such functions or by those that looked."""
import argparse
import pathlib
import re
import subprocess
import tempfile

SOURCE = """
#define KEEP __attribute__((noinline, noipa))
int table[64];
KEEP int lettered(unsigned char c) { return c == 32 || table[c & 63]; }
KEEP int halved(double x) { return table[(int)x & 63] / 2; }
KEEP int leaf(int x) { return x * 3 + table[x & 63]; }                                     /* small: counted, known to others */
static __attribute__((noinline)) int called(int x) { return x * 5 + table[x & 31]; }       /* only called from here: need not look */
KEEP int looped(const int *p, int n, int k) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * k; return s; }
static __attribute__((noinline)) int within(const int *p, int n) { int s = 1; for (int i = 0; i < n; i++) s ^= called(p[i]) + s; return s; }
KEEP double mixed(double a, int b, float c, const char *d) { double s = a; for (; *d; d++) s = s * c + b; return s; }
static __attribute__((noinline)) int spin(const int *p) { int s = 0; while (*p) s += *p++; return s; }      /* takes few registers, as its callers know */
KEEP int spread(const int *p, int a, int b, int c, int d) { return (spin(p) ^ a) * (b - c) + d * a; }
struct pair { long a, b; };
struct text { char c[17]; };
KEEP long seven(const int *p, int a, int b, int c, int d, int e, int f) { long s = f; for (; *p; p++) s = s * a + b - c * d + e * f; return s; }
KEEP double wide(struct pair x, long double y, struct text z, int n) { for (int i = 0; i < n; i++) y += x.a * z.c[i] - x.b; return y; }
KEEP long ten(const int *p, int a, int b, int c, int d, int e, int f, int g, int h, int i) { while (*p) f += *p++ * a - b + c - d * e, f ^= g - h + i; return f; }
KEEP long sixteen(const int *p, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o) { while (*p) f += *p++ * a - b + c - d * e, f ^= g - h + i + j - k + l - m + n - o; return f; }
#include <stdarg.h>
KEEP void handler(int n, void *info, void *context) { table[n & 63] += info == context; }
KEEP int worker(struct pair *p) { return (int)(p->a * 3 + p->b); }
KEEP void *begun(void *p) { table[(long)p & 63] += 3; return p; }
KEEP int counted(const struct pair *p) { return (int)(p->a * 5 + p->b); }
KEEP int initial(char *word) { return table[*word & 63] * 3; }
KEEP long summed(struct pair p) { return p.a * 7 + p.b; }
KEEP long parsed(struct pair *p) { return p->a * 9 + p->b; }
KEEP int variadic(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; }
KEEP int outer(const int *p, int n) { int s = 0; for (int i = 0; i < 3; i++) s += within(p, n) + leaf(s) + lettered((unsigned char)s) + halved(s); return s; }
int main(int argc, char **argv) { return outer(table, argc) + looped(table, argc, 3) + (int)mixed(argc, 2, 3, argv[0]) + spread(table, 1, 2, 3, argc) + worker(&(struct pair){ 1, argc }) + !begun(argv) + counted(&(struct pair){ 1, argc }) + initial(argv[0]) + (int)summed((struct pair){ 1, argc }) + (int)parsed(&(struct pair){ 1, argc }) + variadic(argc, 1) + (handler(argc, 0, 0), 0) > 1 << 30; }
"""
# of the probe: looks, counts, and is framed
PROBE = {"leaf": (True, False), "lettered": (False, False), "halved": (False, False), "called": (False, False), "looped": (False, True), "within": (False, True), "mixed": (False, True), "spin": (False, True), "spread": (False, False), "outer": (False, True), "handler": (True, False), "worker": (False, False), "begun": (True, False), "counted": (False, False), "initial": (False, False), "summed": (False, False), "parsed": (False, False), "variadic": (False, False),
         "seven": (False, True), "wide": (False, True), "ten": (False, True)}
WORDS = {"seven": 1, "wide": 5, "ten": 4}          # of arguments on the stack
LABEL = re.compile(r"\.L\w+")


def bodies(folder, compiler, *options):
    """The instructions of each function, without directives and labels, jumps by the order of what they lead to."""
    text = subprocess.run([*compiler, "-fno-asynchronous-unwind-tables", "-S", "-o", "-", *options, str(folder / "a.c")], check=True, capture_output=True, text=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        start = re.match(r"([A-Za-z_]\w*):$", line)
        name = start[1] if start else None if re.match(r"\t\.size\t", line) else name
        if name and not start and (not re.match(r"\t\.(?!long|byte)|\s*#", line)):
            found.setdefault(name, []).append(line.strip())
    return found


def plain(lines):
    """Labels by their first mention."""
    seen = {}
    return [LABEL.sub(lambda m: seen.setdefault(m[0], f"L{len(seen)}"), line) for line in lines]


def probe_take(name, lines, predicted):
    """The lines without the probe, which is checked."""
    looks, framed = PROBE[name]
    at = 0
    assert predicted[name][0] == 1 + framed + 2 * looks, (name, predicted[name])

    def take(pattern):
        nonlocal at
        assert re.fullmatch(pattern, lines[at]), f"{name}: {lines[at]!r} where {pattern} was expected: {lines}"
        at += 1

    if lines[0] == "endbr64":
        at = 1
    if looks:
        take(r"cmpq\t\$0, %fs:__profplug_home@tpoff")
        take(r"je\t\.Lprofplug_look\d+")
    take(r"addq\t\$1, %gs:\.Lprofplug_home_end-\d+\(%rip\)")
    if framed:
        take(r"jns\t\.Lprofplug_due\d+")
    if looks or framed:
        take(r"\.Lprofplug_body\d+:")
    end = next((i for i, line in enumerate(lines) if re.match(r"\.Lprofplug_(look|due)\d+:", line)), len(lines))
    slow = [line for line in lines[end:] if line.endswith(":")]
    assert len(slow) == looks + framed and len(lines) == end + (6 + (name in WORDS)) * len(slow), f"{name}: {lines[end:]}"
    if name in WORDS:
        room = next(n for n in (2, 4, 8) if WORDS[name] <= n)
        assert f"__profplug_enter_kept_{room}@" in lines[end + 1] and lines[-1] == f".long\t{WORDS[name]}", f"{name}: {lines[end:]}"
    return lines[at:end]


parser = argparse.ArgumentParser()
parser.add_argument("--plugin", required=True)
parser.add_argument("--cc", required=True)
a = parser.parse_args()
checked = 0
plugin = [f"-fplugin={a.plugin}", "-fplugin-arg-profplug-loops=annotated"]       # counters of loops are no probes
with tempfile.TemporaryDirectory(prefix="profplug-prologue-") as t:
    folder = pathlib.Path(t)
    (folder / "a.c").write_text(SOURCE)
    for options in (["-O1"], ["-O2"], ["-O3"], ["-Os"], ["-O2", "-fno-pie"], ["-O2", "-fno-omit-frame-pointer"], ["-O2", "-fcf-protection=none"]):
        without = bodies(folder, [a.cc], *options)
        probed = bodies(folder, [a.cc], *options, *plugin)
        assert set(without) == set(probed) - {"__profplug_home"} and set(PROBE) <= set(probed), (options, set(without) ^ set(probed))
        told = subprocess.run([a.cc, "-S", "-o", "/dev/null", *options, *plugin, "-fplugin-arg-profplug-explain", str(folder / "a.c")],
                              check=True, capture_output=True, text=True).stderr
        predicted = {m[1]: (int(m[2]), float(m[3])) for m in re.finditer(r"profplug: .(\w+). is counted[ a-z]*: its probe adds (\d+) instructions?, to about ([\d.e+]+) of its own", told)}
        assert set(PROBE) <= set(predicted), told
        leaf = sum(not line.endswith(":") for line in without["leaf"])           # no branch: each of them is executed once
        assert leaf / 2 <= predicted["leaf"][1] <= leaf * 2 < predicted["mixed"][1], (options, leaf, predicted)
        for name in PROBE:
            own, body = [line for line in without[name] if line != "endbr64"], probe_take(name, probed[name], predicted)
            assert plain(own) == plain(body), f"{options} {name}:\n" + "\n".join(f"{x:60} {y}" for x, y in zip(plain(own), plain(body)))
            checked += 1
    # Calls of the heap go through the runtime's words, also as the last thing that a function does; where calls through memory are forbidden they stay.
    (folder / "a.c").write_text("#include <stdlib.h>\nvoid *get(size_t n, int m) { return malloc(n * m); }\n"
                                "void *more(void *p, size_t n) { void *q = realloc(p, n); return q ? q : calloc(n, 2); }\nvoid give(void *p, int n) { if (n) free(p); }\n")
    for options, through in ((["-O2"], True), (["-O1", "-fno-pie"], True), (["-O2", "-mindirect-branch=thunk", "-fcf-protection=none"], False), (["-O2", "-fPIC"], False)):
        text = " ".join(line for lines in bodies(folder, [a.cc], *options, *plugin).values() for line in lines)
        found = {word: re.search(rf"(call|jmp)\t\*({word}\+__profplug_heap|__profplug_heap\+{word})\(%rip\)" if word else r"(call|jmp)\t\*__profplug_heap\(%rip\)", text) is not None
                 for word in (0, 8, 16, 24)}
        assert all(found.values()) if through else not any(found.values()), (options, found, text)
    # Entries and steps of a loop whose steps are a variable's value: two additions in memory, and no other instruction.
    (folder / "a.c").write_text("void filled(float *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] * 2 + 1; }\n"
                                "long walked(const int *p, long from, long to) { long s = 0; for (; from < to; from++) s = s * 3 ^ p[from]; return s; }\n")
    own = bodies(folder, [a.cc], "-O2")
    for name, lines in bodies(folder, [a.cc], "-O2", f"-fplugin={a.plugin}").items():
        if name in own:
            end = next(i for i, line in enumerate(lines) if re.match(r"\.Lprofplug_due\d+:", line))
            ours, more = [line for line in lines if "%gs:" in line], sum(line[0] != "." for line in lines[:end]) - sum(line[0] != "." for line in own[name])
            assert len(ours) == 3 and all(line.startswith("addq\t") for line in ours) and more <= (4 if name == "filled" else 6), (name, more, lines)
print(f"{checked} functions, each as without a probe behind it")
