/* SPDX-License-Identifier: MIT */
/* sources_unwind.c: call chains from a signal handler, against those of libgcc's unwinder at the same instant, at random
 * places in libraries: prologues, epilogues, PLT stubs, the vdso and signal frames come up by themselves. */
#define _GNU_SOURCE
#include "system/clock.h"
#include "stack/modules.h"
#include "sources_core.h"
#include "stack/unwind.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fnmatch.h>
#include <link.h>
#include <regex.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#define DEPTH 100
static uint64_t taken, compared, differ, frames, shorter, steps_ns;
static char first_difference[4096];

static void on_tick(int number, siginfo_t *info, void *context)
{
    void *theirs[DEPTH];
    uint64_t ours[DEPTH];
    struct pp_unwind unwind;
    struct pp_image image;
    int count = backtrace(theirs, DEPTH), n = 0, skip = 0;
    uint64_t start = pp_now_ns();
    if (!pp_unwind_start(&unwind, context)) exit(77);
    for (ours[n++] = unwind.pc; n < DEPTH && pp_image_find(unwind_place(&unwind), &image) && pp_unwind_step(&unwind, image.frames, image.mapping);) ours[n++] = unwind.pc;
    steps_ns += pp_now_ns() - start;
    frames += (uint64_t)n;
    taken++;
    /* Behind where this handler returns to stands the interrupted place: the same address where the tick fell on another signal's return. */
    while (skip < count && theirs[skip] != __builtin_return_address(0)) skip++;
    if (skip < count) skip++;
    if (skip == count) return;           /* libgcc could not get out of the handler */
    compared++;
    int i = 0;
    while (i < n && skip + i < count && ours[i] == (uint64_t)(uintptr_t)theirs[skip + i]) i++;
    if (i == n && skip + i < count) shorter++;
    if (i < n && skip + i < count && !differ++) {
        char *to = first_difference;
        for (int k = 0; k < n && k <= i; k++) to += sprintf(to, "frame %d: %lx, %p\n", k, ours[k], theirs[skip + k]);
    }
}

static int compare(const void *a, const void *b)
{
    static volatile unsigned n;
    if ((n++ & 1023) == 0) raise(SIGUSR2);
    return strcmp(a, b);
}
static void inner(int number) { char text[64]; for (int i = 0; i < 20; i++) snprintf(text, sizeof text, "%.30g", i / 3.0); }

static void work(void)
{
    static char rows[400][32];
    regex_t expression;
    char text[300];
    for (unsigned i = 0; i < 400; i++) snprintf(rows[i], sizeof rows[i], "%.9f", (double)(i * 2654435761u % 997) / 7);
    qsort(rows, 400, sizeof rows[0], compare);
    if (regcomp(&expression, "^(a|b|ab)*c{2,5}[[:digit:]]+(x|yz)*$", REG_EXTENDED) == 0) {
        memset(text, 0, sizeof text);
        for (unsigned i = 0; i < 200; i++) text[i] = "ab"[i % 3 % 2];
        strcat(text, "ccc123xyz");
        for (unsigned i = 0; i < 3; i++) regexec(&expression, text, 0, NULL, 0);
        regfree(&expression);
    }
    void *z = dlopen("libz.so.1", RTLD_LAZY);
    if (z) dlclose(z);
    time_t now = time(NULL);
    struct tm tm;
    struct timespec t;
    for (unsigned i = 0; i < 200; i++) clock_gettime(CLOCK_MONOTONIC, &t);
    strftime(text, sizeof text, "%c %Z", localtime_r(&now, &tm));
}

int main(void)
{
    core_start(0);
    void *warm[8];
    backtrace(warm, 8);
    struct sigaction tick = { .sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART }, nested = { .sa_handler = inner };
    sigaction(SIGPROF, &tick, NULL);
    sigaction(SIGUSR2, &nested, NULL);
    struct itimerspec every = { { 0, 97000 }, { 0, 97000 } };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF };
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &every, NULL) == 0, "a timer: %m");
    for (uint64_t start = pp_now_ns(); pp_now_ns() - start < 3000000000u;) work();
    timer_delete(timer);
    printf("%lu chains, %lu compared, %.1f frames each; %lu differ, %lu end early; %lu ns a chain\n", taken, compared,
           (double)frames / (double)taken, differ, shorter, steps_ns / taken);
    CHECK(compared > 500 && frames > 3 * taken, "too little was compared");
    CHECK(differ == 0, "\n%s", first_difference);
    CHECK(shorter * 1000 <= compared, "%lu chains ended early", shorter);
    return 0;
}
