# SPDX-License-Identifier: MIT
"""Programs of the bench that their own build systems build (configure and make): how that is done, and what they are made to do. Of the objects that
came about the bench links the program itself, in the order of the program's own link, so that it can place their functions. It must not know how
anything is measured."""
import glob
import os
import re
import shlex
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# name: source package, a file of it, what is run to configure and to make it, the folder where it is linked
ROWS = {
    "nasm": ("nasm", "asm/nasm.c", "./configure", "make nasm", "."),
    "mawk": ("mawk", "code.c", "./configure", "make mawk", "."),
    "jq": ("jq", "src/jv.c", "autoreconf -fi && ./configure --disable-shared --disable-maintainer-mode --without-oniguruma", "make src/builtin.inc src/version.h jq", "."),
    "redis": ("redis", "src/server.c", "true", "make MALLOC=libc redis-server", "src"),
    "nginx": ("nginx", "src/core/nginx.c", './configure --with-cc="$CC" --with-cc-opt="$CFLAGS" --with-ld-opt="$LDFLAGS" --without-http_rewrite_module --without-http_gzip_module',
              "make", "."),
    "python": ("python3.11", "Python/ceval.c", "./configure", "make -j2 python", "."),
}
LIBRARIES = {"redis": ["-pthread", "-ldl", "-rdynamic"], "nginx": ["-lcrypt", "-pthread"], "python": ["-pthread", "-ldl", "-lutil", "-rdynamic"]}
SCRIPT = """{ for (i = 1; i <= NF; i++) { count[$i]++; if ($i ~ /^[a-m].*[0-9]$/) early++ } total += $3 * 1.5; text = text substr($2, 1, 1) }
END { for (word in count) n++; printf "%d %d %.2f %d\\n", n, early, total, length(text) }
"""
FILTER = '[.[] | select(.place % 3 == 0) | {name: (.name | ascii_upcase), half: (.weight / 2), tags: (.tags | sort | join("-"))}] | group_by(.name) | map({(.[0].name): length}) | add'
WORDS = "amber basalt cobalt dolomite emerald feldspar garnet hornblende iolite jasper".split()


def numbers(count):
    state = 12345
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2 ** 32
        yield state >> 8


def nasm_source(steps):
    lines = ["%macro move 2", "    mov %1, %2", "    add %1, 4 * 3 + 1", "%endmacro", "bits 64", "section .text"]
    for i, n in enumerate(numbers(steps)):
        lines += [f"label{i}:", f"    move rax, {n % 1000}", f"    lea rbx, [rax + {n % 8} * 4 + label{max(0, i - n % 50)} - $$]", f"    cmp eax, {n % 77}", f"    jne label{max(0, i - n % 20)}",
                  f"%if {n} % 2", f"    dd {n}, label{i}", "%else", f"    times {n % 5} nop", "%endif"]
    return "\n".join(lines) + "\n"


def mawk_text(lines):
    return "".join(f"{WORDS[n % 10]}{n % 97} {WORDS[n // 10 % 10]} {n % 1000} {n % 7}\n" for n in numbers(lines))


def jq_text(rows):
    return "[" + ",\n".join(f'{{"name": "{WORDS[n % 10]} {n % 31}", "weight": {n % 10000 / 16}, "place": {n % 50}, "tags": ["{WORDS[n // 7 % 10]}", "{WORDS[n // 70 % 10]}"]}}'
                            for n in numbers(rows)) + "]\n"


def environment(name, root):
    """What a run needs beside its arguments: the interpreter's own modules lie in its sources."""
    return {"PYTHONPATH": f"{root}/Lib", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "1"} if name == "python" else {}


def checks(root, work, size):
    """Where the program's own tests lie, in a copy, since they write, and how often they run."""
    shutil.rmtree(f"{work}-tests", ignore_errors=True)
    shutil.copytree(root, f"{work}-tests", symlinks=True)
    return [f"{work}-tests/test", str(max(1, int(8 * size)))]


def checking(program, arguments):
    """The words that run them: a shell, and many short processes."""
    folder, turns = arguments
    return ["sh", "-c", f'cd "{folder}" && for turn in $(seq {turns}); do MAWK="{program}" sh ./mawktest >"{folder}/said" || exit; done']


def arguments(name, work, size):
    """Of a run; what it reads is written beside its folder."""
    os.makedirs(os.path.dirname(work), exist_ok=True)
    if name == "python":
        return [f"{HERE}/work/script.py", str(max(2, int(300 * size)))]
    made, steps = {"nasm": (nasm_source, 6000), "mawk": (mawk_text, 110000), "jq": (jq_text, 30000)}[name]
    with open(f"{work}-input", "w") as f:
        f.write(made(max(20, int(steps * size))))
    return {"nasm": ["-f", "elf64", "-o", f"{work}-output", f"{work}-input"], "mawk": [SCRIPT, f"{work}-input"], "jq": [FILTER, f"{work}-input"]}[name]


def objects_of(tree, linked):
    """Object files of the program's link, by the linker's map; of archives those that were needed."""
    text, found = open(f"{tree}/{linked}/profplug.map").read(), []
    for path in re.findall(r"^LOAD (\S+)$", text, re.M):
        place = os.path.normpath(os.path.join(tree, linked, path))
        if place.startswith(tree) and path.endswith(".o"):
            found.append(place)
        elif place.startswith(tree) and path.endswith(".a"):
            needed = list(dict.fromkeys(re.findall(rf"^{re.escape(path)}\((\S+?)\)", text, re.M)))
            os.makedirs(f"{place}.members")
            subprocess.run(["ar", "x", place, *needed], cwd=f"{place}.members", check=True)
            found += [f"{place}.members/{member}" for member in needed]
    return found


def build(name, root, folder, compiler, flags, libraries):
    """Compiles in a copy of the sources, and brings the objects into FOLDER."""
    tree = f"{folder}/tree"
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(f"{folder}/[0-9]*.o"):
        os.remove(path)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(root, tree, symlinks=True)
    _, _, configure, make, linked = ROWS[name]
    with open(f"{folder}/cc", "w") as f:          # so that what the build runs itself is linked, too
        f.write(f'#!/bin/sh\ncase " $* " in *" -c "*) exec {shlex.join(compiler)} "$@" ;; esac\nexec {shlex.join(compiler)} "$@" {shlex.join(libraries)}\n')
    os.chmod(f"{folder}/cc", 0o755)
    env = {**os.environ, "PROFPLUG": "off", "CC": f"{folder}/cc", "CFLAGS": shlex.join([*flags, "-w"]), "LDFLAGS": "-Wl,-Map=profplug.map"}
    for command in (configure, make):
        got = subprocess.run(["sh", "-c", command], cwd=tree, env=env, capture_output=True, text=True)
        if got.returncode:
            raise SystemExit(f"bench: {name}: {command}\n{got.stderr[-3000:]}")
    objects = []
    for number, path in enumerate(objects_of(tree, linked)):
        objects.append(shutil.copy2(path, f"{folder}/{number:03d}-{os.path.basename(path)}"))
    shutil.rmtree(tree)
    return objects
