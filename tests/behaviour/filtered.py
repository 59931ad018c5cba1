#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""filtered.py BUILD: a preloaded library sets a seccomp filter before the program begins. It kills the process for a
call that a plain program does not make, and that the runtime would make at its start. The program runs as without
us."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write  # noqa: E402
from report import read  # noqa: E402

FUNCTIONS = 2100        # whose counters take more than four pages
CALLS = "mprotect", "mincore", "process_vm_readv"
PROGRAM = r"""#include <regex.h>
#include <stdio.h>
#define F(n) __attribute__((noinline)) static int f##n(int x) { volatile int y = x; return y + n; }
%s
static int (*all[])(int) = { %s };
int main(void)
{
    regex_t pattern;
    int sum = 0;
    for (int i = 0; i < 9; i++)
        if (!regcomp(&pattern, "^[a-z]+(foo|bar)*$", REG_EXTENDED))
            regfree(&pattern);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i += 3)
        sum += all[i](1);
    printf("%%d\n", sum);
    return 3;
}
"""
FILTER = r"""#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void set(void)
{
    struct sock_filter code[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    struct sock_fprog program = { 4, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(99);
}
"""


def test(build, scratch):
    numbers = range(FUNCTIONS)
    each = "\n".join(f"F({n})" for n in numbers), ", ".join(f"f{n}" for n in numbers)
    write(f"{scratch}/program.c", PROGRAM % each)
    write(f"{scratch}/filter.c", FILTER)
    must(["gcc", "-O2", "program.c", "-o", "plain"], cwd=scratch)
    must([f"{build}/profplug-gcc", "-fplugin-arg-profplug-functions=all", "-O2", "program.c", "-o", "program"],
         cwd=scratch)
    for name in CALLS:
        must(["gcc", "-O2", "-shared", "-fPIC", f"-DCALL=SYS_{name}", "filter.c", "-o", f"{name}.so"], cwd=scratch)
        given = {"LD_PRELOAD": f"./{name}.so"}
        plain = call(["./plain"], cwd=scratch, env=given)
        for options in ("", ",samples=off", ",blocks=off", ",blocks=exact"):
            done = call(["./program"], cwd=scratch, env={**given, "PROFPLUG": f"output=data.profplug{options}"})
            expect((done.returncode, done.out, done.err) == (plain.returncode, plain.out, plain.err) and
                   plain.returncode == 3, f"{name}{options}: the program is as plain", done, plain)
            functions = [f for f in read(build, "data.profplug", cwd=scratch)["functions"] if f["name"] != "main"]
            expect(sum(f["calls"] for f in functions) == FUNCTIONS / 3, f"{name}{options}: calls are exact",
                   len(functions))


main(test)
