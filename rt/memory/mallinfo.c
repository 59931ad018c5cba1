/* SPDX-License-Identifier: MIT */
/* mallinfo.c: how the C library's allocator stands at the end of the run: what it took of the system, and what of that is in use. It must not know what
 * the program asked for.
 *
 * A child answers, a copy of the process that the program does not see (no signal at its end): mallinfo2 takes the allocator's locks and walks its
 * lists. The end may come in a handler that found the allocator at work, and lists that the program has broken end who walks them: so the child has
 * some time, and what becomes of it is its own. It writes its answer into the file's header, which it shares. */
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

#define PATIENCE_US 250000               /* a walk over a million free blocks takes 10 ms */
#define CHEAP_NS 300000                  /* a small process, in any run */
#define COPY_PAGE_NS 100                 /* of a process, for each resident page */

/* Weak: before glibc 2.33 there is none, nor is there elsewhere. */
extern struct mallinfo2 mallinfo2(void) __attribute__((weak));

__attribute__((noreturn)) static void child_answer(struct pp_header *h)
{
    struct rlimit none = { 0, 0 };
    struct itimerval patience = { .it_value = { .tv_usec = PATIENCE_US } };
    sigset_t alarm_alone;
    syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, 0);
    /* What the allocator would say of broken lists was not asked for. Descriptors are the process's: of its own the child makes itself the lowest two alone,
     * for a copy of all would be as long as the highest, which are ours. */
    if (syscall(SYS_close_range, 2, ~0u, CLOSE_RANGE_UNSHARE) && (syscall(SYS_unshare, CLONE_FILES) || pp_close(2))) syscall(SYS_exit_group, 0);
    signal(SIGABRT, SIG_DFL);            /* the program's own handlers have no part in this */
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm_alone, 0);
    setitimer(ITIMER_REAL, &patience, 0);
    struct mallinfo2 m = mallinfo2();
    h->arena_bytes = m.arena;
    h->arena_used_bytes = m.uordblks;
    h->arena_free_bytes = m.fordblks;
    h->arena_top_bytes = m.keepcost;
    h->arena_mapped_bytes = m.hblkhd;
    h->arena_mapped_blocks = m.hblks;
    atomic_store_explicit((_Atomic uint32_t *)&h->arena_known, 1, memory_order_release);        /* partner: pp_mallinfo_ask, after the child's end */
    for (;;)
        syscall(SYS_exit_group, 0);
}

void pp_mallinfo_ask(struct pp_header *h)
{
    int status;
    sigset_t saved;
    uint64_t cost_ns = h->peak_rss_bytes / pp_run.page_bytes * COPY_PAGE_NS;
    if (!mallinfo2 || !pp_on(PP_COLLECTOR_MEMORY) || !pp_heap_is_libc() || pp_under_valgrind() || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_CHILDREN)) return;
    h->arena_known = 3;
    uint64_t budget_ns = (h->user_ns + h->system_ns) / 1000 * h->budget_permille, used_ns = atomic_load_explicit((_Atomic uint64_t *)&h->self_ns, memory_order_relaxed);
    if (cost_ns > CHEAP_NS && used_ns + cost_ns > budget_ns) return;
    h->arena_known = 2;
    uint64_t begun = pp_cpu_own();       /* not by the wall clock: others may have the CPU meanwhile */
    struct rusage of_child = { 0 };
    pp_signals_block(&saved);            /* the child is to see none that is meant for the program */
    long pid = syscall(SYS_clone, CLONE_FILES, 0, 0, 0, 0);
    if (pid == 0) child_answer(h);
    while (pid > 0 && syscall(SYS_wait4, pid, &status, __WCLONE, &of_child) < 0 && errno == EINTR) { }
    pp_signals_restore(&saved);
    uint64_t own_ns = pp_cpu_own() - begun, child_ns = 1000 * (uint64_t)(of_child.ru_utime.tv_usec + of_child.ru_stime.tv_usec);        /* it has no whole second */
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->self_ns, own_ns + child_ns, memory_order_relaxed);
}
