#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shapes.py BUILD [KIND...]: calls of the compiler in the shapes that build systems give them, each made with gcc and with profplug-gcc in folders of the
same contents (KIND verb: with `profplug cc gcc`): the same exit status, the same output, the same files; then what was linked runs alike. Must not know projects."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

build = os.path.realpath(sys.argv[1])
wrong, checked = [], 0
RUN = {"PROFPLUG": "off"}

FILES = {
    "a.c": '#include <stdio.h>\n#include "h.h"\nint part (int);\nint main (void) { printf ("%d\\n", part (TWO)); return 0; }\n',
    "part.c": '#include "h.h"\nint part (int x) { int sum = 0; for (int i = 0; i < x; i++) sum += i + TWO; return sum; }\n',
    "h.h": "#define TWO 2\n",
    "alone.c": "int main (void) { return 0; }\n",
    "with blank.c": "int main (void) { return 3; }\n",
    "warns.c": "static int unused (void) { return 1; }\nint f (int x) { int y; if (x) y = 1; return y; }\nint main (void) { int z = 4; f (1); return 0; }\n",
    "broken.c": "int main (void) { return nothing; }\n",
    "misses.c": "int missing (void);\nint main (void) { return missing (); }\n",
    "asks.c": '#include "generated.h"\nint main (void) { return 0; }\n',
    "b.cc": "#include <vector>\n#include <cstdio>\nint main () { std::vector<int> v (3, 1); try { throw v.size (); } catch (size_t n) { printf (\"%zu\\n\", n); } return 0; }\n",
    "start.S": "#define NAME given\n.text\n.globl NAME\nNAME: mov $7, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n",
    "whole.s": ".text\n.globl main\nmain: xor %eax, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n",
    "given.c": "#include <stdio.h>\nint given (void);\nint main (void) { printf (\"%d\\n\", given ()); return 0; }\n",
    "bare.c": "void _start (void) { for (volatile int i = 0; i < 9; i++) ; __asm__ volatile (\"mov $60, %eax; mov $5, %edi; syscall\"); __builtin_unreachable (); }\n",
    "lib.c": "#include <stdlib.h>\nint lib_part (int x) { char *p = malloc (x); free (p); return x + 1; }\nint lib_private (int x) { return lib_part (x) + 1; }\n",
    "use.c": "#include <stdio.h>\nint lib_part (int);\nint main (void) { printf (\"%d\\n\", lib_part (41)); return 0; }\n",
    "versions": "V_1 { global: lib_part; local: *; };\n",
    "spec.args": "-O2 -DNAME='\"a b\"' -o \"resp\\.out\" a.c part.c\n",
    "inner.args": "a.c part.c\n",
    "outer.args": "-O1\n@inner.args\n-o nested.out\n",
    "precious.c": "#include <math.h>\n#include <stdio.h>\ndouble f (double x) { return sqrt (x); }\nint main (int n, char **v) { printf (\"%.2f\\n\", f (n + 1)); return 0; }\n",
}

# Shell, with CC and CXX; each in the state that those before it left. `out NAME` runs a program and says its status.
SHAPES = """
$CC --version; $CXX --version
$CC -dumpversion -dumpmachine; $CC -dumpfullversion; $CC -dumpspecs; $CC -print-multiarch
$CC -v; $CC -###; $CXX -v
$CC -print-prog-name=ld; $CC -print-prog-name=cc1; $CC -print-file-name=libgcc.a; $CC -print-libgcc-file-name; $CC -print-search-dirs; $CC -print-sysroot; $CC -print-multi-os-directory
$CC --help; $CC --target-help; $CC -Q -O2 --help=optimizers; $CC --help=warnings
$CC -E -dM - </dev/null | sort; $CXX -E -dM -x c++ - </dev/null | sort; $CC -E -dM -xc /dev/null | sort
$CC -E a.c; $CC -E -P a.c -o a.i && cat a.i; $CC -E - < part.c; $CC -E -fdirectives-only part.c
$CC -M a.c; $CC -MM a.c part.c; $CC -MM -MG asks.c; $CC -MM -MP -MT 'x y' a.c
mkdir -p o && $CC -MD -MP -c a.c -o o/a.o && cat o/a.d
$CC -MMD -MF dep -MQ 'a$b.o' -c part.c && cat dep
$CC -Wp,-MD,kdep -c part.c -o k.o && cat kdep; $CC -Wp,-MMD,kdep2 -c part.c -o k.o && cat kdep2
$CC -MD -MF /dev/stdout -MMD -c part.c -o k.o
$CC a.c part.c; out a.out
$CC -c a.c part.c && $CC a.o part.o -o linked && out linked
$CC -O2 -pipe -o piped a.c part.c && out piped
$CC -x c - -o stdin < alone.c && out stdin; cat alone.c | $CC -xc - -c -o stdin.o && $CC stdin.o -o stdin2 && out stdin2; $CC -x c -O1 -c -o /dev/null alone.c; echo 'int x;' | $CC -x c - -fsyntax-only
$CC -c -x c /dev/null -o /dev/null; $CC -x c -S -o /dev/null /dev/null; $CC -Werror -Wno-nosuch -c -x c /dev/null -o /dev/null; $CC -Werror -fno-such-flag -c -x c /dev/null -o /dev/null
$CC -x c with\\ blank.c -o 'with blank' && out './with blank'; $CC "$PWD/alone.c" -o "$PWD/absolute" && out absolute; mkdir -p sub && cd sub && $CC ../alone.c -o ../up && cd .. && out up
$CC @spec.args && out resp.out; $CC @outer.args && out nested.out; $CC @nosuch.args
$CC -E part.c -o pp.i && $CC -c pp.i -o pp.o && $CC -c a.c && $CC a.o pp.o -o twice && out twice; $CC -fpreprocessed -c pp.i -o pp2.o
$CC -save-temps -c part.c -o st.o && ls st.* part.*; $CC -save-temps=obj -o o/saved a.c part.c && out o/saved; ls o
$CC -c start.S && $CC given.c start.o -o asm1 && out asm1; $CC -c whole.s -o w.o && $CC w.o -o asm2 && out asm2; $CC whole.s -o asm3 && out asm3; $CC -x assembler-with-cpp -c start.S -o s2.o; $CC -x assembler whole.s -o asm4 && out asm4; $CC given.c -x assembler-with-cpp start.S -o asm5 && out asm5; $CC -Wa,--noexecstack -c whole.s -o w2.o
$CC -c a.c part.c && $CC -r a.o part.o -o both.o && $CC both.o -o partial1 && out partial1
$CC -c a.c part.c && $CC -nostdlib -Wl,-r a.o -o r1.o && $CC -nostdlib -Wl,--relocatable part.o -o r2.o && $CC r1.o r2.o -o partial2 && out partial2; $CC -nostdlib -Xlinker -r a.o -o r3.o && $CC -nostdlib -Xlinker --relocatable part.o -o r4.o && $CC r3.o r4.o -o partial3 && out partial3; $CC -nostdlib -Wl,-O1,-i a.o -o r5.o && $CC r5.o r4.o -o partial4 && out partial4
$CC -r -nostdlib a.c -o ra.o && $CC ra.o part.c -o partial5 && out partial5
$CC -shared -fPIC lib.c -o libl.so -Wl,-z,defs -Wl,-soname,libl.so && $CC use.c -L. -ll -Wl,-rpath,"$PWD" -o dyn && out dyn
$CC -shared -fPIC lib.c -o libl.so -Wl,--no-undefined -Wl,--version-script=versions -Wl,-soname,libl.so && out dyn && visible libl.so
$CC -shared -fPIC -O2 lib.c -o libl.so -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,--as-needed -Wl,-z,now -Wl,-z,relro -Wl,--gc-sections -Wl,-soname,libl.so && out dyn
$CC -c -fPIC lib.c && ar rcs libs.a lib.o && $CC use.c libs.a -o st1 && out st1; $CC use.c -L. -ls -o st2 && out st2; $CC use.c -L . -l s -o st3 && out st3; $CC -Wl,--whole-archive libs.a -Wl,--no-whole-archive use.c -o st4 && out st4; $CC use.c -Wl,--whole-archive libs.a -o st5 -Wl,--no-whole-archive && out st5; $CC use.c -Wl,--start-group libs.a -lm -Wl,--end-group -o st6 && out st6; $CC use.c -Wl,-Bstatic -ls -Wl,-Bdynamic -o st7 && out st7; $CC -shared -Wl,--whole-archive libs.a -Wl,--no-whole-archive -o libw.so -Wl,-z,defs; $CC use.c -Wl,-Bstatic -ls -Wl,-Bdynamic -lc -o st8 && out st8
$CC -shared -nostdlib -fPIC lib.c -o libn.so -lc && $CC use.c -L. -ln -Wl,-rpath,"$PWD" -o dyn2 && out dyn2; $CC -shared -nostdlib -fPIC lib.c -o libn.so && out dyn2; $CC -shared -nostartfiles -fPIC lib.c -o libn.so && out dyn2
$CXX -shared -nostdlib -fPIC b.cc -o libplus.so -lstdc++ -lm -lc -lgcc_s
$CC -static a.c part.c -o static1 && out static1; $CC -static-pie a.c part.c -o static2 && out static2; $CC -no-pie a.c part.c -o nopie && out nopie; $CC -fPIE -pie a.c part.c -o pie && out pie; $CC -static-libgcc -rdynamic a.c part.c -o rd && out rd
$CC -Wl,--fatal-warnings -Wl,--warn-common -Wl,-z,noexecstack -Wl,-z,text a.c part.c -o strictly && out strictly; $CC -Wl,-Map,map.txt -Wl,--cref a.c part.c -o mapped && out mapped; $CC -Wl,--orphan-handling=place -Wl,--no-warn-mismatch a.c part.c -o orphans && out orphans
$CC -nostdlib -static bare.c -o bare1 && out bare1; $CC -ffreestanding -c bare.c && $CC -nostdlib -static bare.o -o bare2 && out bare2; $CC -ffreestanding -nostartfiles -static bare.c -o bare3 && out bare3; $CC -O2 -fno-builtin -nodefaultlibs -nostartfiles bare.c -o bare4 && out bare4; $CC -nolibc -nostartfiles -static bare.c -o bare5 && out bare5; $CC -mcmodel=kernel -fno-pic -ffreestanding -c bare.c -o kernel.o
$CC -O2 -flto a.c part.c -o lto1 && out lto1; $CC -O2 -flto -c a.c part.c && $CC -O2 -flto=2 a.o part.o -o lto2 && out lto2; $CC -O2 -flto -ffat-lto-objects -c a.c part.c && $CC a.o part.o -o lto3 && out lto3; $CC -flto -c lib.c -o ll.o && gcc-ar rcs libll.a ll.o && $CC -flto use.c libll.a -o lto4 && out lto4; $CC -flto -r a.o part.o -o lr.o && $CC -flto lr.o -o lto5 && out lto5; $CC -flto -fuse-linker-plugin -shared -fPIC -O2 lib.c -o libf.so -Wl,-z,defs
$CC -fuse-ld=gold a.c part.c -o gold && out gold; $CC -fuse-ld=lld a.c part.c -o lld && out lld
$CC -Wall -Wextra -O2 -c warns.c; $CC -Wall -O2 -fdiagnostics-color=always -c warns.c; $CC -Wall -Werror -c warns.c; $CC -fdiagnostics-format=json -Wall -c warns.c
$CC -c broken.c; $CC broken.c -o b; $CC -O2 misses.c -o m 2>&1 | grep undefined >/dev/null; $CC nosuch.c; $CC nosuch.o -o n; $CC -c -o nofolder/x.o alone.c 2>&1 | sed 's/cc[A-Za-z0-9]*\\.s//'; $CC -o; $CC -lnosuch alone.c 2>&1 | tail -n 1; $CC
$CC -Wpedantic -std=c89 -Werror -ansi -c alone.c; $CC -std=c11 -pedantic-errors -Wall -Wextra -Wconversion -Wshadow -Wundef -Wmissing-prototypes -Wstrict-prototypes -Wpadded -Winline -Wframe-larger-than=4000 -Wstack-usage=4000 -Wunused-macros -Wsuggest-attribute=pure -Wsuggest-attribute=const -O3 -c part.c
$CC -wrapper env,WRAPPED=1 -c alone.c && $CC -specs=/dev/null -c alone.c; $CC -no-canonical-prefixes -c alone.c; $CC -B . -c alone.c
$CC -iquote . -idirafter . -include h.h -imacros h.h -isystem . -c part.c; $CC -D X -U X -I . -DY=1 -c part.c; $CC --param max-inline-insns-auto=10 -c part.c; $CC -dumpdir o/ -dumpbase '' -c part.c; $CC -aux-info proto -c part.c && cat proto; $CC -ffile-prefix-map="$PWD"=/x -c part.c
$CC a.c part.c -Xlinker --defsym=extra=1 -u extra -z now -e main -Wl,-e,_start -o linkopts && out linkopts; $CC -s a.c part.c -o stripped && out stripped; $CC -Wl,-s -Wl,--strip-all a.c part.c -o stripped2 && out stripped2; $CC -Wl,--build-id=none -Wl,--hash-style=gnu a.c part.c -o noid && out noid
$CC -c h.h && $CC a.c part.c -o pch && out pch; rm -f h.h.gch; $CC -x c-header h.h -o other.gch; rm -f other.gch
$CXX b.cc -o cc1 && out cc1; $CXX -O2 -flto -std=c++20 b.cc -o cc2 && out cc2; $CC -x c++ b.cc -lstdc++ -o cc3 && out cc3; $CC b.cc -lstdc++ -o cc4 && out cc4; $CXX -fno-exceptions -fno-rtti -c -x c++ alone.c; $CXX -static b.cc -o cc5 && out cc5; $CXX alone.c -o cc6 && out cc6
$CC precious.c -lm -o math && out math; $CC precious.c -o math2 -lm -lpthread -ldl -pthread && out math2; $CC -Wl,--as-needed precious.c -lm -lrt -o math3 && out math3
$CC -gsplit-dwarf -g -c part.c -o split.o; ls split.*; $CC -g3 -gz -c part.c; $CC -ggdb -c part.c; $CC -g0 -O2 a.c part.c -o g0 && out g0; $CC -fdebug-types-section -gdwarf-4 a.c part.c -o d4 && out d4; $CC -gdwarf-5 -gno-column-info -c part.c
export CCACHE_DIR="$PWD/../ccache"; for n in 1 2; do ccache $CC -O2 -MMD -c part.c -o hit$n.o; done; cmp hit1.o hit2.o && ccache -s | grep -c 'Hits: *1 ' && $CC a.c hit2.o -o cached && out cached
CC="$CC -m64 -std=gnu11"; $CC -c part.c a.c && $CC a.o part.o -o spaced && out spaced; env CC="$CC" make -s -f /dev/null part.o -B && env CC="$CC" CFLAGS='-O2 -Wall' LDLIBS=-lm make -s -B precious && out precious
printf 'all: made\\nmade: a.o part.o\\n\\t$(CC) $(LDFLAGS) $^ -o $@\\n-include *.d\\n%%.o: %%.c\\n\\t$(CC) -MMD -c $<\\n' > makefile && make -s -j2 CC="$CC" && out made && make -s CC="$CC" && rm -f made *.o && make -s -j2 CC="$CC" LDFLAGS='-Wl,-z,now -flto' && out made
"""

def neutral(text, folder, kind):
    text = text.replace(folder, "@").replace(build + "/", "")
    text = text.replace("profplug-gcc", "gcc").replace("profplug-g++", "g++")
    return re.sub(r"/tmp/\w+\.(o|s|ltrans\d*|res|le|args)\b|cc\w{6}\.\w+", "TEMP", text)


def listing(folder):
    return {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}


def test(scratch):
    global checked
    kinds = {"plain": ("gcc", "g++"), "guest": (f"{build}/profplug-gcc", f"{build}/profplug-g++"), "verb": (f"{build}/profplug cc gcc", f"{build}/profplug cc -- g++")}
    folders, env = {}, {}
    for kind, (cc, cxx) in kinds.items():
        folders[kind] = f"{scratch}/{kind}/w"
        os.makedirs(folders[kind])
        for name, text in FILES.items():
            with open(f"{folders[kind]}/{name}", "w") as file:
                file.write(text)
        env[kind] = {"PATH": os.environ["PATH"], "HOME": scratch, "LC_ALL": "C", "CC": cc, "CXX": cxx, **RUN}
    lead = 'out () { local p=$1; shift; case $p in */*) ;; *) p=./$p;; esac; "$p" "$@"; echo "$p: $?"; }; ' \
           'visible () { readelf --dyn-syms -W "$1" | awk \'$7 != "UND" && $5 != "LOCAL" && $6 == "DEFAULT" && $1 ~ /:$/ { print $8 }\' | sort; }\n'
    for shape in SHAPES.strip().splitlines():
        missing = [name for word, names in (("fuse-ld", ("gold", "ld.lld")), ("ccache", ("ccache",))) for name in names if word in shape and not shutil.which(name)]
        if missing:
            print(f"left out for want of {', '.join(missing)}: {shape[:60]}")
            continue
        seen = {}
        for kind in ("plain", *only):
            before = listing(folders[kind])
            done = subprocess.run(["bash", "-c", lead + shape], cwd=folders[kind], env=env[kind], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            out, err = (neutral(text.decode("utf-8", "replace"), folders[kind], kind) for text in (done.stdout, done.stderr))
            seen[kind] = (done.returncode, out.splitlines(), err.splitlines(), sorted(listing(folders[kind]) - before))
        for kind in seen:
            for name, a, b in zip(("exit status", "output", "errors", "files"), seen["plain"], seen[kind]):
                checked += 1
                if a != b:
                    wrong.append(shape)
                    if isinstance(a, list):
                        a, b = [x for x in a if x not in b][:6], [x for x in b if x not in a][:6]
                    print(f"WRONG {shape[:200]}\n      {kind}: {name}: {a}\n      {b}")
    # What ran was instrumented, but for what consists of assembler or runs without a C library.
    ran = set(re.findall(r"\bout (?:\./)?([\w/]+)", SHAPES)) | {"with blank", "a.out", "resp.out", "nested.out"}
    for kind in [k for k in seen if k != "plain"]:
        programs = {name for name in ran if os.path.isfile(f"{folders[kind]}/{name}")}
        plain = {name for name in programs if b"profplug_objects" not in open(f"{folders[kind]}/{name}", "rb").read()}
        checked += len(programs)
        expected = {f"asm{i}" for i in (2, 3, 4)} | {f"bare{i}" for i in range(1, 6)}
        print(f"{kind}: {len(programs)} programs, {len(programs - plain)} instrumented")
        if plain != expected or len(programs) < 60:
            wrong.append("instrumented")
            print(f"WRONG {kind}: plain without a reason: {sorted(plain - expected)}; instrumented against expectation: {sorted(expected - plain)}")


only = sys.argv[2:] or ["guest"]
with tempfile.TemporaryDirectory(prefix="profplug-shapes-") as scratch:
    test(os.path.realpath(scratch))
print(f"{len(SHAPES.strip().splitlines())} shapes, {checked} comparisons, {len(set(wrong))} shapes wrong")
sys.exit(1 if wrong or checked < 300 else 0)
