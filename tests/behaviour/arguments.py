#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arguments.py BUILD [SEED COUNT]: programs of functions with arguments of any kind, up to 11 of them, which write to them, hand out their addresses, call each
other, by tail calls, too, throw exceptions and jump out: each says the same with each call timed as without probes. What the slow halves copy for a
function, and where it returns to, is not another one then."""
import os
import pathlib
import platform
import random
import re
import subprocess
import sys
import tempfile

build = sys.argv[1]
if platform.machine() != "x86_64":
    print("the slow halves that call functions are x86-64 alone")
    sys.exit(77)
first, count = (int(x) for x in sys.argv[2:4]) if len(sys.argv) > 2 else (1, 2)
ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <string.h>
#include <immintrin.h>
typedef __int128 i128;
typedef struct { long a, b; } pair;
typedef struct { double x; float y; } real;
typedef struct { char c[3]; } three;
typedef struct { long w[3]; } words;
typedef struct { _Alignas(16) long w[2]; } block;
typedef struct { _Alignas(32) long w[2]; } wide;
typedef struct { int i; double d; } mixed;
#ifdef __cplusplus
struct thrown { uint64_t value; };
#define THROW(v) throw thrown{v}
#define CAUGHT(call) try { call; } catch (thrown &t) { h = note(h, &t.value, 8); }
#else
static jmp_buf out[64];
static int depth_out;
static uint64_t jumped;
#define THROW(v) do { if (depth_out) { jumped = v; longjmp(out[--depth_out], 1); } } while (0)
#define CAUGHT(call) do { if (depth_out < 60) { if (!setjmp(out[depth_out])) { volatile int d = depth_out++; call; depth_out = d; } else h = note(h, &jumped, 8); } } while (0)
#endif
static int budget;
static __attribute__((noinline)) uint64_t note(uint64_t h, const void *at, int bytes)
{
    for (const unsigned char *p = (const unsigned char *)at; bytes--; p++) h = (h ^ *p) * 1099511628211u;
    return h;
}
static __attribute__((noipa)) unsigned within(const void *at, unsigned bytes) { return (uintptr_t)at % bytes; }
static __attribute__((noinline)) void spoil(void *at, int bytes) { for (unsigned char *p = (unsigned char *)at; bytes--; p++) *p ^= 0x11; }
"""
# type, bytes that are looked at, how one is made of a number
TYPES = {
    "int": (4, "(int){0}"), "char": (1, "(char){0}"), "short": (2, "(short){0}"), "long": (8, "(long){0}"), "float": (4, "(float){0}"), "double": (8, "(double){0}"),
    "long double": (10, "(long double){0}"), "i128": (16, "((i128){0} << 70 | 7)"), "void *": (8, "(void *)(uintptr_t){0}"),
    "pair": (16, "mk_pair({0})"), "real": (12, "mk_real({0})"), "three": (3, "mk_three({0})"), "words": (24, "mk_words({0})"), "block": (16, "mk_block({0})"),
    "wide": (16, "mk_wide({0})"), "mixed": (4, "mk_mixed({0})"), "__m128d": (16, "_mm_set1_pd({0})"), "_Complex double": (16, "(_Complex double)({0})"),
}
MAKERS = """
static pair mk_pair(long n) { pair p = { n, ~n }; return p; }
static real mk_real(long n) { real r; memset(&r, 0, sizeof r); r.x = n; r.y = n / 2; return r; }
static three mk_three(long n) { three t = { { (char)n, (char)(n + 1), (char)(n * 3) } }; return t; }
static words mk_words(long n) { words w = { { n, n + 5, n * 7 } }; return w; }
static block mk_block(long n) { block w = { { n + 2, n * 9 } }; return w; }
static wide mk_wide(long n) { wide w = { { n + 3, n * 11 } }; return w; }
static mixed mk_mixed(long n) { mixed m; memset(&m, 0, sizeof m); m.i = (int)n; m.d = n; return m; }
"""


def program(seed, cxx):
    draw = random.Random(seed * 2 + cxx)
    names = [t for t in TYPES if not (cxx and t == "_Complex double")]
    functions = []
    for i in range(24):
        # Mostly what comes in general registers, so that some comes on the stack.
        takes = [draw.choice(["int", "long", "void *", "char", "double"]) if draw.random() < .6 else draw.choice(names) for _ in range(draw.randrange(5, 12))]
        functions.append((f"f{i}", draw.choice(["uint64_t"] * 3 + ["double", "words", "long double", "pair"]), takes))
    functions.append(("f24", "uint64_t", ["wide", "int"]))
    text = [HEAD, MAKERS]
    result = {"uint64_t": "h", "double": "(double)(h >> 40)", "long double": "(long double)(h >> 30)", "words": "mk_words((long)h)", "pair": "mk_pair((long)h)"}
    for name, returns, takes in functions:
        text.append(f"static __attribute__((noinline)) {returns} {name}(uint64_t h{''.join(f', {t} a{k}' for k, t in enumerate(takes))});")

    def call(to, start):
        return f"{to[0]}({start}{''.join(', ' + TYPES[t][1].format(f'((int)({start} >> {draw.randrange(40)}) & 0xfff)') for t in to[2])})"
    for name, returns, takes in functions:
        body = [f"static __attribute__((noinline)) {returns} {name}(uint64_t h{''.join(f', {t} a{k}' for k, t in enumerate(takes))})", "{"]
        body.append(f"    for (int i = 0; i < {draw.randrange(1, 4)}; i++) {{")
        handed = name == "f24" or draw.random() < .6              # else it may end by a tail call
        for k, t in enumerate(takes):
            if not handed:
                value = {"three": f"a{k}.c[1]", "pair": f"a{k}.b", "real": f"a{k}.y", "words": f"a{k}.w[2]", "block": f"a{k}.w[1]", "wide": f"a{k}.w[1]", "mixed": f"a{k}.i", "__m128d": f"a{k}[1]",
                         "void *": f"(uintptr_t)a{k}", "_Complex double": f"__real__ a{k}"}.get(t, f"a{k}")
                body.append(f"        h = h * 31 + (uint64_t)(long){value};")
                continue
            body.append(f"        h = note(h, &a{k}, {TYPES[t][0]});")
            if draw.random() < .3:
                body.append(f"        spoil(&a{k}, {1 if t in ('long double', 'double', 'float') else TYPES[t][0]});")
            if TYPES[t][0] == 16 and draw.random() < .5 and t in ("block", "i128", "__m128d"):
                body.append(f"        h += within(&a{k}, 16);")
            if t == "wide":
                body.append(f"        h += within(&a{k}, 32);")
        body.append("    }")
        if draw.random() < .3:
            body.append(f"    if (h % 13 == 3) THROW(h);")
        for _ in range(draw.randrange(3)):
            to = draw.choice(functions)
            kind = draw.random()
            if to[1] == "uint64_t" and kind < .3:
                body.append(f"    if (budget-- > 0) CAUGHT(h ^= {call(to, 'h')});")
            elif to[1] in ("words", "pair"):
                body.append(f"    if (budget-- > 0) {{ {to[1]} r = {call(to, 'h')}; h = note(h, &r, sizeof r); }}")
            else:
                body.append(f"    if (budget-- > 0) h = h * 3 + (uint64_t){call(to, 'h')};")
        same = [f for f in functions if f[1] == returns]
        if draw.random() < .6:
            body.append(f"    if (budget-- > 0) return {call(draw.choice(same), '(h + 1)')};")
        body += [f"    return {result[returns]};", "}"]
        text += body
    # Of like kinds, by value: what ends in a call of another is a jump, its arguments in the place of the caller's.
    turns = [(f"t{i}", [draw.choice(["long", "int", "void *"]) for _ in range(draw.choice([6, 7, 8, 9, 11, 13]))]) for i in range(8)]
    heads = [f"static __attribute__((noinline)) uint64_t {name}(uint64_t h{''.join(f', {t} a{k}' for k, t in enumerate(takes))})" for name, takes in turns]
    text += [head + ";" for head in heads]
    for head, (name, takes) in zip(heads, turns):
        given = [f"a{k}" for k in range(len(takes))]
        text += [head, "{", f"    for (int i = 0; i < {draw.randrange(1, 3)}; i++) h = h * 31 + (uintptr_t)" + " + (uintptr_t)".join(f"{g} * {k + 2}" if t != "void *" else g for k, (g, t) in enumerate(zip(given, takes))) + ";"]
        for _ in range(2):
            to = draw.choice([f for f in turns if len(f[1]) <= len(takes)])
            text.append(f"    if (budget-- > 0 && h % 3) return {to[0]}(h{''.join(f', ({t})(long){draw.choice(given)}' for t in to[1])});")
        text += ["    return h;", "}"]
    text.append("int main(void)\n{\n    uint64_t h = 1;\n    for (int round = 0; round < 40; round++) {\n        budget = 60;")
    for f in functions:
        if f[1] == "uint64_t":
            text.append(f"        CAUGHT(h ^= {call(f, '(h + round)')});")
    for name, takes in turns:
        text.append(f"        budget = 30;\n        h ^= {name}(h + round{''.join(f', ({t})(long)(h >> {draw.randrange(40)})' for t in takes)});")
    text.append("        printf(\"%016lx\\n\", (unsigned long)h);\n    }\n    return 0;\n}")
    source = "\n".join(text) + "\n"
    return source.replace("_Alignas", "alignas") if cxx else source


copied = 0
with tempfile.TemporaryDirectory() as folder:
    for seed in range(first, first + count):
        for cxx in (0, 1):
            path = pathlib.Path(folder, f"a.{'cc' if cxx else 'c'}")
            path.write_text(program(seed, cxx))
            for options in (["-O0"], ["-O1", "-fno-omit-frame-pointer"], ["-O2"], ["-O3", "-mstackrealign"], ["-O2", "-fno-pie", "-no-pie"], ["-Os", "-mavx"]):
                common = [*options, "-w", "-Wno-psabi", str(path)]
                subprocess.run(["g++" if cxx else "gcc", *common, "-o", f"{folder}/plain"], check=True)
                subprocess.run([f"{build}/profplug-g{'++' if cxx else 'cc'}", "-fplugin-arg-profplug-functions=all", "-fplugin-arg-profplug-min-size=1", *common, "-o", f"{folder}/probes"], check=True)
                wanted = subprocess.run([f"{folder}/plain"], check=True, capture_output=True).stdout
                for say in ("timing=exact", "timing=adaptive,sample-hz=20000,budget=100"):
                    data = f"{folder}/a.profplug"
                    pathlib.Path(data).unlink(missing_ok=True)
                    done = subprocess.run([f"{folder}/probes"], capture_output=True, env={**os.environ, "PROFPLUG": f"output={data},{say}"})
                    assert done.returncode == 0 and done.stdout == wanted and not done.stderr, f"seed {seed}, {path.name}, {options}, {say}: status {done.returncode}, {done.stderr}"
                code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"{folder}/probes"], check=True, capture_output=True, text=True).stdout
                copied += len(re.findall(r"call +.*<__profplug_enter_kept_[248]>", code))
assert copied > 20 * count, copied
print(f"{copied} functions with arguments on the stack that are called by the slow half, and the same output")
