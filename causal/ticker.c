/* SPDX-License-Identifier: MIT */
/* ticker.c: see ticker.h. At each look, every thread that is in the target gets ahead of the others by the chosen share
 * of the time since the look before. Threads that owe and run get a signal, whose handler pauses. Those that are
 * blocked are left alone: they pay when they go on.
 *
 * The looks are at random distances, so that they do not keep step with what the program does. Each stands for the time
 * since the one before. */
#include "ticker.h"
#include "account.h"
#include "stages.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SIGNAL SIGSTKFLT      /* Linux itself never sends it */
#define LOOK_NS 500000        /* from this to three times this */
#define WITHOUT_NS 5000000000 /* without a data file for so long: the process is not instrumented */

enum state { STATE_NONE, STATE_RUNS, STATE_WAITS_FOR_THREAD, STATE_WAITS };

static struct pp_causal_request asked;
static struct stages_query target = { .name = asked.target }, progress = { .name = asked.progress };
static int state_file[PP_CAUSAL_THREADS]; /* -1: none */
static uint32_t file_tid[PP_CAUSAL_THREADS], file_ordinal[PP_CAUSAL_THREADS];
static enum state state[PP_CAUSAL_THREADS];
static uint64_t look_ns, run_ns; /* what the current look stands for, of a thread that waits and of one that runs */
static uint32_t cpu_count;
static bool in_target, in_progress;

static void paid(int number) { account_pay(); }

static void file_turn(uint32_t i, const struct pp_causal_account *a)
{
    char path[64];
    if (file_tid[i] == a->tid && file_ordinal[i] == a->ordinal)
        return;
    if (file_tid[i])
        syscall(SYS_close, state_file[i]);
    file_tid[i] = a->tid;
    file_ordinal[i] = a->ordinal;
    snprintf(path, sizeof path, "/proc/self/task/%u/syscall", a->tid);
    state_file[i] = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* A thread that waits for a futex waits for another thread, whether or not it called a wrapped function. */
static enum state state_find(uint32_t i, const struct pp_causal_account *a)
{
    char text[64];
    if (atomic_load_explicit((const _Atomic uint32_t *)&a->blocked, memory_order_relaxed) ||
        atomic_load_explicit((const _Atomic uint32_t *)&a->pausing, memory_order_relaxed))
        return STATE_WAITS_FOR_THREAD;
    long got = syscall(SYS_pread64, state_file[i], text, sizeof text - 1, 0L);
    if (got <= 0 || text[0] < '0' || text[0] > '9')
        return STATE_RUNS;
    text[got] = 0;
    return atoi(text) == SYS_futex ? STATE_WAITS_FOR_THREAD : STATE_WAITS;
}

/* If more threads are ready than there are CPUs, each has its share of them. What other processes take counts as the
 * thread's own time: it would shrink with the thread's work. */
static void states_find(void)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; i < PP_CAUSAL_THREADS; i++) {
        struct pp_causal_account *a = &result->account[i];
        state[i] = STATE_NONE;
        if (!atomic_load_explicit((const _Atomic uint32_t *)&a->tid, memory_order_acquire))
            continue;
        file_turn(i, a);
        state[i] = state_find(i, a);
        ready += state[i] == STATE_RUNS;
    }
    run_ns = ready > cpu_count ? look_ns * cpu_count / ready : look_ns;
}

static uint32_t account_of(uint32_t tid)
{
    for (uint32_t i = 0; i < PP_CAUSAL_THREADS; i++)
        if (atomic_load_explicit((const _Atomic uint32_t *)&result->account[i].tid, memory_order_acquire) == tid)
            return i;
    return UINT32_MAX;
}

static void target_found(void *context, uint32_t tid)
{
    uint32_t i = account_of(tid);
    if (i == UINT32_MAX)
        return;
    if (state[i] != STATE_RUNS && state[i] != STATE_WAITS)
        return;
    in_target = true;
    uint64_t ns = state[i] == STATE_RUNS ? run_ns : look_ns;
    result->target_ns += ns;
    if (asked.percent)
        account_credit(&result->account[i], ns * asked.percent / 100);
}

static void progress_found(void *context, uint32_t tid)
{
    static uint64_t first_ns, first_delay_ns;
    uint32_t i = account_of(tid);
    if (i == UINT32_MAX)
        return;
    uint64_t now_ns = clock_now_ns(),
             delay_ns = atomic_load_explicit((_Atomic uint64_t *)&result->account[i].delay_ns, memory_order_relaxed);
    in_progress = true;
    if (!first_ns) {
        first_ns = now_ns;
        first_delay_ns = delay_ns;
    }
    result->progress_ns = now_ns - first_ns;
    result->progress_delay_ns = delay_ns > first_delay_ns ? delay_ns - first_delay_ns : 0;
}

static void debts_claim(void)
{
    for (uint32_t i = 0; i < PP_CAUSAL_THREADS; i++) {
        struct pp_causal_account *a = &result->account[i];
        uint32_t tid = atomic_load_explicit((const _Atomic uint32_t *)&a->tid, memory_order_acquire);
        if (tid && state[i] == STATE_RUNS && account_debt(a) >= LEAST_NS)
            syscall(SYS_tgkill, getpid(), tid, SIGNAL);
    }
}

static void look(void)
{
    in_target = in_progress = false;
    states_find();
    if (asked.target[0])
        stages_find(&target, target_found, NULL);
    result->ticks++;
    result->target_ticks += in_target;
    if (asked.progress[0])
        stages_find(&progress, progress_found, NULL);
    if (asked.percent)
        debts_claim();
}

/* A late look stands for more time than it saw. So this thread goes first, as far as the process may say so. */
static void priority_raise(void)
{
    struct sched_param own;
    int policy = sched_getscheduler(0);
    if (policy != SCHED_FIFO && policy != SCHED_RR) {
        setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), -20);
    } else if (!sched_getparam(0, &own)) {
        own.sched_priority++;
        sched_setscheduler(0, policy, &own);
    }
}

static void *ticker_run(void *unused)
{
    struct pp_causal_result *own = result;
    uint64_t begin_ns = clock_now_ns(), last_ns = begin_ns, random = begin_ns | 1;
    prctl(PR_SET_TIMERSLACK, 1UL);
    priority_raise();
    while (result == own) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        struct timespec time = { 0, (long)(LOOK_NS + random % (2 * LOOK_NS)) };
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
        uint64_t now_ns = clock_now_ns();
        look_ns = now_ns - last_ns;
        last_ns = now_ns;
        if (!result->found && !(result->found = stages_open(account_folder))) {
            if (now_ns - begin_ns > WITHOUT_NS)
                break;
            continue;
        }
        look();
    }
    return NULL;
}

void ticker_start(const struct pp_causal_request *request)
{
    struct sigaction action = { .sa_handler = paid, .sa_flags = SA_RESTART | SA_ONSTACK };
    sigset_t all, before;
    pthread_t thread;
    cpu_set_t cpus;
    cpu_count = sched_getaffinity(0, sizeof cpus, &cpus) ? UINT32_MAX : (uint32_t)CPU_COUNT(&cpus);
    asked = *request;
    asked.target[PP_CAUSAL_NAME - 1] = asked.progress[PP_CAUSAL_NAME - 1] = 0;
    sigaction(SIGNAL, &action, NULL);
    /* the library's own function: the program's runtime need not know this thread */
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    __typeof__(&pthread_create) create =
        (__typeof__(&pthread_create))dlsym(library ? library : RTLD_NEXT, "pthread_create");
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (!create || create(&thread, NULL, ticker_run, NULL))
        result = NULL;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
