/* SPDX-License-Identifier: MIT */
/* mallinfo.c: asks the C library's allocator at the end of the run what it took from the system, and how much of that
 * is in use. It must not know what the program asked for.
 *
 * A child process asks, a copy that the program does not see (no signal at its end). mallinfo2 takes the allocator's
 * locks and walks its lists. The end may come in a signal handler that interrupted malloc, and the program may have
 * broken the lists. Then the child hangs or crashes, and its time is limited. It writes its answer into the header of
 * the file, which it shares. */
#define _GNU_SOURCE
#include "memory/mallinfo.h"
#include "memory/heap.h"
#include "metric/cpu.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <linux/close_range.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_US 250000 /* walking a million free blocks takes 10 ms */
#define COPY_NS 300000     /* CPU time of a copy of a small process, its start and end */
#define COPY_PAGE_NS 100   /* and for each resident page */

/* Weak: absent before glibc 2.33 and in other C libraries. */
extern struct mallinfo2 mallinfo2(void) __attribute__((weak));

__attribute__((noreturn)) static void child_answer(struct pp_header *h)
{
    struct rlimit none = { 0, 0 };
    struct itimerval patience = { .it_value = { .tv_usec = PATIENCE_US } };
    sigset_t alarm_alone;
    syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, 0);
    /* The child closes standard error, so that the allocator cannot complain about broken lists. It first gets a
     * descriptor table with the lowest two only, because a copy of the whole table is as long as our highest number. */
    if (syscall(SYS_close_range, 2, -1L, CLOSE_RANGE_UNSHARE) && (syscall(SYS_unshare, CLONE_FILES) || pp_close(2)))
        syscall(SYS_exit_group, 0);
    signal(SIGABRT, SIG_DFL); /* the program's own handlers must not run here */
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm_alone, NULL);
    setitimer(ITIMER_REAL, &patience, 0);
    struct mallinfo2 m = mallinfo2();
    h->arena_bytes = m.arena;
    h->arena_used_bytes = m.uordblks;
    h->arena_free_bytes = m.fordblks;
    h->arena_top_bytes = m.keepcost;
    h->arena_mapped_bytes = m.hblkhd;
    h->arena_mapped_blocks = m.hblks;
    /* partner: pp_mallinfo_ask, after the child's end */
    atomic_store_explicit((_Atomic uint32_t *)&h->arena_known, 1, memory_order_release);
    for (;;)
        syscall(SYS_exit_group, 0);
}

void pp_mallinfo_ask(struct pp_header *h)
{
    int status;
    sigset_t saved;
    uint64_t cost_ns = COPY_NS + h->peak_rss_bytes / pp_run.page_bytes * COPY_PAGE_NS;
    if (!mallinfo2 || !pp_on(PP_COLLECTOR_MEMORY) || !pp_heap_is_libc() || pp_under_valgrind() ||
        pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_CHILDREN))
        return;
    h->arena_known = 3;
    uint64_t budget_ns = (h->user_ns + h->system_ns) / 1000 * h->budget_permille,
             used_ns = atomic_load_explicit((_Atomic uint64_t *)&h->self_ns, memory_order_relaxed);
    if (used_ns + cost_ns > budget_ns)
        return;
    h->arena_known = 2;
    uint64_t begun = pp_cpu_own(); /* CPU time, because others may have the CPU meanwhile */
    struct rusage of_child = { 0 };
    /* The child must not receive a signal that is meant for the program. */
    pp_signals_block(&saved);
    long pid = syscall(SYS_clone, CLONE_FILES, 0, 0, 0, 0);
    if (pid == 0)
        child_answer(h);
    while (pid > 0 && syscall(SYS_wait4, pid, &status, __WCLONE, &of_child) < 0 && errno == EINTR) {}
    pp_signals_restore(&saved);
    /* Its time limit is below a second. */
    uint64_t own_ns = pp_cpu_own() - begun,
             child_ns = 1000 * (uint64_t)(of_child.ru_utime.tv_usec + of_child.ru_stime.tv_usec);
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->self_ns, own_ns + child_ns, memory_order_relaxed);
}
