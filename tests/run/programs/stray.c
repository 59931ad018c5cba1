/* SPDX-License-Identifier: MIT */
/* Children that the C library's fork did not make: they do what they would without us, and their parent's numbers stay its own. */
#define _GNU_SOURCE
#include "expect.h"
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

PROFPLUG_STAGE("stage", "compute") KEEP void stage(void) { void *p = malloc(10); __asm__ volatile("" :: "r"(p) : "memory"); free(p); }
KEEP void many(int n) { PROFPLUG_SCOPE("deep"); stage(); if (n) many(n - 1); __asm__ volatile(""); }
KEEP int child(void)
{
    for (int i = 0; i < 50; i++) many(100);
    PROFPLUG_LOOP("childish") for (int i = 0; i < 200; i++) { PROFPLUG_SCOPE("inside"); stage(); }
    profplug_begin("r"); profplug_end("r");
    return 6;
}

int main(void)
{
    int bad = 0, status, rounds = 10;
    PROFPLUG_LOOP("rounds") for (int i = 0; i < rounds; i++) {
        many(3);
        pid_t pid = i & 1 ? _Fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (!pid) _exit(child());
        many(200);
        if (waitpid(pid, &status, 0) != pid || status != 6 << 8) bad++;
        many(3);
    }
    expect("stage stage stage %d", rounds * (4 + 201 + 4));
    expect("stage deep scope %d", rounds * (4 + 201 + 4));
    expect("stage rounds loop 1");
    expect("stage childish loop 0");
    expect("stage r scope 0");
    expect("closed");
    expect("exit EXIT 0");
    return bad;
}
