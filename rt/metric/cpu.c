/* SPDX-License-Identifier: MIT */
/* cpu.c: CPU time, of a thread and of the process. */
#define _GNU_SOURCE
#include "metric/cpu.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    int kept = errno;
    uint64_t ns = pp_clock_read(clock, &t) == 0 ? (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec : 0;
    errno = kept;
    return ns;
}

/* If a thread used less, it is not asked how long it waited for a CPU, because that takes 5 us. */
#define DELAY_CPU_NS 1000000u

static struct {
    uint64_t user_ns, system_ns, switches, delay_ns, peak_kb;
} before; /* used before the run began; delay_ns is the first thread's */

static uint64_t switches_of(const struct rusage *usage)
{
    return (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
}

static bool usage_read(struct rusage *usage, uint64_t *user_ns, uint64_t *system_ns)
{
    int kept = errno;
    bool read = getrusage(RUSAGE_SELF, usage) == 0;
    errno = kept;
    if (read) {
        *user_ns = (uint64_t)usage->ru_utime.tv_sec * 1000000000u + (uint64_t)usage->ru_utime.tv_usec * 1000u;
        *system_ns = (uint64_t)usage->ru_stime.tv_sec * 1000000000u + (uint64_t)usage->ru_stime.tv_usec * 1000u;
    }
    return read;
}

/* The number after `mark` in a file of /proc, 0 if not known, 1 if it is 0. In small pieces, because a thread's stack
 * may be a page. `mark` has its first character but once. */
static uint64_t number_in(const char *path, const char *mark)
{
    char text[64];
    uint64_t number = 0;
    bool begun = false;
    int kept = errno, got = 0, at = 0,
        fd = pp_forbids(PP_FORBIDDEN_METRICS | PP_FORBIDDEN_LOOKS) ? -1 : pp_open(path, O_RDONLY | O_CLOEXEC, 0);
    for (const char *next = mark; fd >= 0; at++) {
        if (at == got) {
            at = 0;
            got = (int)pp_read(fd, text, sizeof text);
            if (got <= 0)
                break;
        }
        if (*next)
            next = text[at] == *next ? next + 1 : mark + (text[at] == *mark);
        else if (text[at] >= '0' && text[at] <= '9')
            number = number * 10 + (uint64_t)(text[at] - '0'), begun = true;
        else if (begun || (text[at] != '\t' && text[at] != ' '))
            break;
    }
    if (fd >= 0)
        pp_close(fd);
    errno = kept;
    return begun && !number ? 1 : number;
}

/* How long the thread was ready to run but did not, the second number of its schedstat. 0: not known. */
static uint64_t delay_read(uint32_t tid, bool first)
{
    char path[48] = "/proc/self/schedstat"; /* the first thread's, for half the price */
    if (!first)
        snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", tid);
    return number_in(path, " ");
}

/* An exec leaves ru_maxrss as it was, of an interpreter for one. Until it grows, a file is asked at the end, for 15 us.
 * Not before, since the kernel adds that to what the program's stages read. 0: not known. */
static uint64_t peak_kb(const struct rusage *usage, bool ends)
{
    uint64_t peak = (uint64_t)usage->ru_maxrss;
    if (peak == before.peak_kb) {
        if (!ends)
            return 0;
        sigset_t saved;
        pp_signals_block(&saved); /* one that cancels this thread would leave the descriptor open */
        peak = number_in("/proc/self/status", "\nVmHWM:");
        pp_signals_restore(&saved);
    }
    return peak;
}

void pp_cpu_start(void)
{
    struct rusage usage;
    if (!usage_read(&usage, &before.user_ns, &before.system_ns))
        before.user_ns = before.system_ns = 0;
    else
        before.switches = switches_of(&usage), before.peak_kb = (uint64_t)usage.ru_maxrss;
    before.delay_ns = delay_read(0, true);
}

void pp_cpu_fork_child(void) { memset(&before, 0, sizeof before); } /* the child's clocks begin at 0 */

void pp_cpu_delay(struct pp_thread *thread)
{
    struct pp_thread_row *row = pp_private(thread)->row;
    if (!row || row->cpu_ns < DELAY_CPU_NS || !pp_on(PP_COLLECTOR_CPU))
        return;
    bool first = row->tid == pp_run.header->pid;
    uint64_t ns = delay_read(row->tid, first), earlier = first ? before.delay_ns : 0;
    if (ns && ns >= earlier) /* 0 would say that it is not known, and on an idle machine it never waited */
        atomic_store_explicit((_Atomic uint64_t *)&row->delay_ns, (ns - earlier) | 1, memory_order_relaxed);
}

static void header_store(uint64_t *at, uint64_t value)
{
    atomic_store_explicit((_Atomic uint64_t *)at, value, memory_order_relaxed);
}

void pp_cpu_usage(struct pp_header *header)
{
    struct rusage usage;
    uint64_t user_ns, system_ns;
    if (pp_forbids(PP_FORBIDDEN_METRICS) || !usage_read(&usage, &user_ns, &system_ns))
        return;
    /* Relaxed, because each is a number of its own; another process reads them. */
    header_store(&header->user_ns, user_ns > before.user_ns ? user_ns - before.user_ns : 0);
    header_store(&header->system_ns, system_ns > before.system_ns ? system_ns - before.system_ns : 0);
    header_store(&header->before_ns, before.user_ns + before.system_ns);
    header_store(&header->switches, switches_of(&usage) - before.switches);
    uint64_t peak = pp_run.header ? peak_kb(&usage, header->exit_kind != PP_EXIT_UNKNOWN) : 0; /* not at the start */
    if (peak)
        header_store(&header->peak_rss_bytes, peak * 1024u);
}

bool pp_cpu_used(uint64_t *ns)
{
    struct rusage usage;
    uint64_t user_ns, system_ns, earlier = before.user_ns + before.system_ns;
    if (pp_forbids(PP_FORBIDDEN_METRICS) || !usage_read(&usage, &user_ns, &system_ns))
        return false;
    *ns = user_ns + system_ns > earlier ? user_ns + system_ns - earlier : 0;
    return true;
}

static void row_set(struct pp_thread *thread, uint64_t ns)
{
    struct pp_thread_row *row = pp_private(thread)->row;
    uint64_t earlier = pp_run.header && (uint32_t)pp_private(thread)->tid == pp_run.header->pid
                           ? before.user_ns + before.system_ns
                           : 0;
    ns = ns > earlier ? ns - earlier : 0;
    if (row && ns)
        atomic_store_explicit((_Atomic uint64_t *)&row->cpu_ns, ns, memory_order_relaxed);
}

uint64_t pp_cpu_own(void) { return pp_forbids(PP_FORBIDDEN_METRICS) ? 0 : clock_ns(CLOCK_THREAD_CPUTIME_ID); }

__attribute__((cold)) uint64_t pp_cpu_off(struct pp_thread *thread, uint64_t now_ns, bool ticked)
{
    struct pp_private *p = pp_private(thread);
    struct pp_off *off = &p->off;
    struct rusage usage;
    int kept = errno;
    bool known = !pp_forbids(PP_FORBIDDEN_METRICS) && getrusage(RUSAGE_THREAD, &usage) == 0;
    errno = kept;
    uint64_t losses = known ? (uint64_t)usage.ru_nivcsw + (uint64_t)usage.ru_nvcsw : 0;
    if (!known || (!ticked && losses == off->losses))
        return 0;
    uint64_t at_ns = *(volatile uint64_t *)&off->at_ns, on_ns = pp_cpu_own() + p->stall.waited_ns,
             since_ns = at_ns + on_ns - off->on_ns, off_ns = at_ns && now_ns > since_ns ? now_ns - since_ns : 0;
    if (now_ns < at_ns || *(volatile uint64_t *)&off->at_ns != at_ns)
        return 0; /* a signal came meanwhile, and found it */
    off->at_ns = now_ns;
    off->on_ns = on_ns;
    off->losses = losses;
    return off_ns;
}

uint64_t pp_cpu_note(struct pp_thread *thread)
{
    uint64_t ns = pp_cpu_own();
    row_set(thread, ns);
    return ns;
}

static void cpu_death(struct pp_thread *thread) { pp_cpu_note(thread); }

/* The kernel's encoding of another thread's CPU clock. For a thread that ended it gives an error, and the row stays as
 * it is. */
void pp_cpu_row(struct pp_thread *thread)
{
    row_set(thread, clock_ns((clockid_t)(~(unsigned)pp_private(thread)->tid << 3 | 4u | 2u)));
}

static void cpu_start(void) { pp_run.header->metrics_measured |= UINT64_C(1) << PP_METRIC_CPU; }

static void cpu_read(struct pp_thread *thread, uint64_t *values)
{
    uint64_t ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    values[PP_METRIC_CPU] = ns;
    row_set(thread, ns);
}

const struct pp_metric_source pp_source_cpu = {
    .name = "cpu",
    .collector = PP_COLLECTOR_CPU,
    .metrics = 1u << PP_METRIC_CPU,
    .start = cpu_start,
    .death = cpu_death,
    .read = cpu_read,
};
