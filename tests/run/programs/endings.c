/* SPDX-License-Identifier: MIT */
/* All the ways to end: argv[1] says which. */
#include "expect.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

KEEP void work(void) { __asm__ volatile(""); }
static int asleep;
static void *sleeper(void *arg) { work(); __atomic_store_n(&asleep, 1, __ATOMIC_RELEASE); pause(); return arg; }
PROFPLUG_STAGE("end", "compute") KEEP void end(const char *how)
{
    pthread_t t;
    pthread_create(&t, 0, sleeper, 0);
    for (int i = 0; i < 999; i++) work();
    usleep(20000);
    while (!__atomic_load_n(&asleep, __ATOMIC_ACQUIRE)) usleep(1000);
    expect("calls work %d", strcmp(how, "exec") ? 1000 : 1001);
    expect("stage end stage 1");
    if (!strcmp(how, "kill")) { expect("exit UNKNOWN 0"); expect("open end"); raise(SIGKILL); }
    if (!strcmp(how, "abort")) { expect("exit UNKNOWN 0"); expect("open end"); abort(); }
    if (!strcmp(how, "fault")) { expect("exit UNKNOWN 0"); expect("open end"); *(volatile int *)0 = 1; }
    if (!strcmp(how, "_exit")) { expect("exit EXIT 5"); expect("stage_wall_least end 20000000"); _exit(5); }
    if (!strcmp(how, "_Exit")) { expect("exit EXIT 6"); _Exit(6); }
    if (!strcmp(how, "quick")) { expect("exit UNKNOWN 0"); quick_exit(8); }
    if (!strcmp(how, "exit")) { expect("exit EXIT 9"); exit(9); }
    if (!strcmp(how, "exec")) {
        execl("/does/not/exist", "x", (char *)0);
        execlp("no-such-program-at-all", "x", (char *)0);
        work();
        expect("exit EXEC 0");
        execlp("true", "true", (char *)0);
    }
    if (!strcmp(how, "noexec")) {
        execl("/does/not/exist", "x", (char *)0);
        expect("exit EXIT 4");
        exit(4);
    }
}
int main(int argc, char **argv) { end(argc > 1 ? argv[1] : "exit"); return 0; }
