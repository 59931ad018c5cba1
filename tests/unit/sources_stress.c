/* SPDX-License-Identifier: MIT */
/* sources_stress.c: the sampler at 10 kHz in threads that allocate, print, sort, load and unload libraries, cancel threads,
 * run coroutines and take signals on small alternate stacks. Passing is: nothing crashes, hangs or goes unnoticed. */
#define _GNU_SOURCE
#include "sample/sampler.h"
#include "stack/modules.h"
#include "system/clock.h"
#include "system/state.h"
#include "sources_core.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static uint64_t deadline;
static uint64_t taken[8], work[8];
static bool more(void) { return pp_now_ns() < deadline; }
static int compare(const void *a, const void *b) { return strcmp(a, b); }

static uint64_t allocate(void)
{
    void *block[64] = { 0 };
    uint64_t n = 0;
    for (unsigned i = 0; i < 20000; i++) {
        unsigned at = i * 7 % 64;
        free(block[at]);
        block[at] = malloc(i * 37 % 3000);
        if (block[at]) memset(block[at], 1, i * 37 % 3000);
        n++;
    }
    for (unsigned i = 0; i < 64; i++) free(block[i]);
    return n;
}

static uint64_t print_sort(void)
{
    static __thread char rows[500][24];
    for (unsigned i = 0; i < 500; i++) snprintf(rows[i], sizeof rows[i], "%.8f", (double)(i * 2654435761u % 1000) / 3);
    qsort(rows, 500, sizeof rows[0], compare);
    return 500;
}

static uint64_t load(void)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < 20; i++) {
        void *z = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
        CHECK(z, "%s", dlerror());
        unsigned long (*crc)(unsigned long, const unsigned char *, unsigned) =
            (unsigned long (*)(unsigned long, const unsigned char *, unsigned))dlsym(z, "crc32");
        static unsigned char bytes[65536];
        for (unsigned k = 0; k < 4; k++) n += crc(0, bytes, sizeof bytes);
        dlclose(z);
    }
    return n;
}

static jmp_buf back;
static volatile bool jumps = true;       /* so that the compiler does not see an endless recursion */
static void deep(unsigned depth)
{
    if (depth == 0) {
        if (jumps) longjmp(back, 1);
        return;
    }
    deep(depth - 1);
    __asm__ volatile("");
}
static ucontext_t outer, inner;
static void coroutine(void) { for (unsigned i = 0; i < 50; i++) { print_sort(); swapcontext(&inner, &outer); } }
static void on_signal(int number) { (void)number; char text[100]; snprintf(text, sizeof text, "%.30f", 1.0 / 3); }

static void *endless(void *unused)
{
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    for (;;) { allocate(); pthread_testcancel(); }
    return NULL;
}

static uint64_t strange(void)
{
    static char stack[64 << 10], small[16 << 10];
    if (!setjmp(back)) deep(2000);
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, coroutine, 0);
    for (unsigned i = 0; i < 50; i++) swapcontext(&outer, &inner);
    stack_t alternate = { .ss_sp = small, .ss_size = sizeof small }, off = { .ss_flags = SS_DISABLE };
    sigaltstack(&alternate, NULL);
    signal(SIGUSR1, on_signal);
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
    sigaction(SIGUSR1, &action, NULL);
    for (unsigned i = 0; i < 200; i++) raise(SIGUSR1);
    sigaltstack(&off, NULL);
    pthread_t thread;
    void *result;
    CHECK(pthread_create(&thread, NULL, endless, NULL) == 0, "a thread");
    usleep(500);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED, "a cancelled thread did not end as one");
    return 1;
}

static uint64_t (*const kinds[])(void) = { allocate, print_sort, load, strange };
static void *run(void *number)
{
    uintptr_t i = (uintptr_t)number;
    struct pp_thread *thread = core_birth();
    while (more()) {
        work[i] += kinds[i]();
        pp_sampler_check(thread);        /* as the slow half of a probe does: glibc takes the signal at the first cancellation */
    }
    core_death();
    taken[i] = core_samples(thread, NULL, NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    core_start(10000);
    pp_modules_instrumented((const void *)main);
    deadline = pp_now_ns() + UINT64_C(4000000000);
    for (uintptr_t i = 0; i < 4; i++) pthread_create(&thread[i], NULL, run, (void *)i);
    for (unsigned i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        printf("thread %u: %lu samples, %lu units of work\n", i, taken[i], work[i]);
        CHECK(taken[i] > 50, "thread %u was not sampled", i);
        sum += taken[i];
    }
    CHECK(sum == pp_run.header->events_sampled, "samples were lost without a count");
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++) CHECK(pp_run.header->losses[i] == 0, "loss %u", i);
    printf("%lu ns of handler a sample\n", pp_run.header->self_ns / sum - 2000);
    return 0;
}
