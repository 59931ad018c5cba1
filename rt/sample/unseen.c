/* SPDX-License-Identifier: MIT */
/* unseen.c: see unseen.h. An event whose interval ends in the kernel raises no signal, and its next interval is as
 * long. So the thread's CPU clock tells how many intervals ended there. Of a thread that only computes that is none,
 * without any error. A timer's signal stands for ticks in user code, and all other time was the kernel's. */
#include "sample/unseen.h"
#include "metric/cpu.h"

void pp_unseen_begin(struct pp_thread *thread, const struct rusage *usage, uint64_t interval_ns)
{
    struct pp_unseen *u = &pp_private(thread)->unseen;
    u->cpu_ns = pp_cpu_own();
    u->called_ns = pp_private(thread)->busy.waited_ns;
    u->interval_ns = interval_ns;
    u->row = u->faults = 0;
    pp_unseen_faults(thread, usage);
    pp_private(thread)->off = (struct pp_off){ 0 }; /* the CPU clock is a new thread's, or a fork's child's */
}

uint32_t pp_unseen_faults(struct pp_thread *thread, const struct rusage *usage)
{
    struct pp_unseen *u = &pp_private(thread)->unseen;
    uint64_t before = u->faults, now = usage ? 1 + (uint64_t)usage->ru_minflt + (uint64_t)usage->ru_majflt : 0, more;
    u->faults = now;
    more = before && now > before ? now - before : 0;
    return more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
}

void pp_unseen_fault(struct pp_sample *row, uint32_t faults)
{
    uint64_t sum = (uint64_t)row->faults + faults;
    row->faults = sum < PP_SAMPLE_FAULTS ? (uint32_t)sum : PP_SAMPLE_FAULTS - 1;
}

int64_t pp_unseen_take(struct pp_thread *thread, uint64_t user_ns, uint64_t *called_ns)
{
    struct pp_unseen *u = &pp_private(thread)->unseen;
    uint64_t cpu_ns = pp_cpu_note(thread), called = pp_private(thread)->busy.waited_ns;
    int64_t unseen_ns = 0;
    *called_ns = 0;
    if (user_ns && u->cpu_ns && cpu_ns > u->cpu_ns) {
        uint64_t elapsed_ns = cpu_ns - u->cpu_ns, interval_ns = u->interval_ns;
        uint64_t ended = interval_ns ? (elapsed_ns + interval_ns / 4) / interval_ns : 0;
        if (!interval_ns)
            unseen_ns = (int64_t)(elapsed_ns - user_ns);
        else if (ended > 1)
            unseen_ns = (int64_t)((ended - 1) * interval_ns);
        *called_ns = called - u->called_ns;
    }
    u->cpu_ns = cpu_ns;
    u->called_ns = called;
    return unseen_ns;
}

void pp_unseen_forget(struct pp_thread *thread)
{
    pp_private(thread)->unseen.cpu_ns = pp_private(thread)->unseen.faults = 0;
}

void pp_unseen_resume(struct pp_thread *thread, uint64_t handled_ns, uint64_t interval_ns)
{
    struct pp_unseen *u = &pp_private(thread)->unseen;
    u->cpu_ns += u->cpu_ns ? handled_ns : 0;
    u->interval_ns = interval_ns;
}

void pp_unseen_end(struct pp_thread *thread, const struct rusage *usage, uint64_t user_ns, uint64_t stands)
{
    struct pp_private *p = pp_private(thread);
    struct pp_unseen *u = &p->unseen;
    struct pp_sample *row = (struct pp_sample *)(uintptr_t)u->row;
    uint64_t cpu_ns = pp_cpu_note(thread);
    if (row)
        pp_unseen_fault(row, pp_unseen_faults(thread, usage) * (uint32_t)stands);
    if (!row || !u->cpu_ns || cpu_ns < u->cpu_ns)
        return;
    uint64_t elapsed_ns = cpu_ns - u->cpu_ns;
    if (u->interval_ns) /* intervals that ended since then all ended in the kernel */
        row->unseen_ns += (int64_t)(elapsed_ns / u->interval_ns * u->interval_ns * stands);
    else if (elapsed_ns > user_ns)
        row->unseen_ns += (int64_t)((elapsed_ns - user_ns) * stands);
    row->called_ns += (p->busy.waited_ns - u->called_ns) * stands;
    u->row = 0;
}
