/* SPDX-License-Identifier: MIT */
/* faulting.c: see faulting.h. A thread that takes many page faults gets an event that raises a signal at some of them.
 * How many go by is drawn anew each time: equal steps would keep step with a loop that takes ten faults a turn. Each
 * signal stands for the faults up to it. While the event is open a fault takes 4 to 6 % longer, and a signal 24 us. So
 * steps follow the rate of faults, and once there were many signals the event counts in a part of the intervals between
 * samples only, drawn by chance, which stand for all. */
#include "sample/faulting.h"
#include "metric/cpu.h"
#include "sample/event.h"
#include "sample/samplerow.h"
#include "system/clock.h"
#include "system/descriptor.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#define MEAN_ONE 256u            /* pp_faulting.mean of one fault at a sample */
#define MEAN_PART 8u             /* it decays over about so many samples */
#define WORTH (4 * MEAN_ONE)     /* the event is opened with so many, */
#define AT_FIRST (64 * MEAN_ONE) /* and before SETTLED samples with so many: each program's start takes hundreds, */
#define SETTLED 8u               /* and a short one is over then */
#define STEP_MOST 65536u
#define NEAR_NS 3000000ull /* CPU time between signals: the step doubles below this, */
#define FAR_NS 12000000ull /* and is halved above this */
#define MANY 1024u         /* signals: then the event counts in one interval of PART */
#define PART 4u
#define TOOK_MOST_NS 300000u /* opening that seems to take longer was preempted */

/* From 1 to twice the mean, less 1. */
static uint32_t gap_draw(struct pp_private *p)
{
    return 1 + (uint32_t)((pp_random(p) >> 32) * (2 * (uint64_t)p->faulting.step - 1) >> 32);
}

void pp_faulting_begin(struct pp_thread *thread, int number)
{
    pp_private(thread)->faulting = (struct pp_faulting){ 0 };
    pp_faulting_close(thread->id, number, false); /* left by an earlier owner of the block */
}

void pp_faulting_close(uint32_t id, int number, bool inherited)
{
    _Atomic int *event = &pp_numbered[id].faults;
    int fd = *event ? atomic_exchange_explicit(event, 0, memory_order_relaxed) - 1 : -1;
    if (fd < 0 || pp_forbids(PP_FORBIDDEN_EVENTS))
        return;
    if (!inherited)
        pp_event_close(fd, number, 0);
    else if (pp_event_owned(fd, number, 0))
        pp_close(fd);
}

/* What the first touch of a page takes, the least of some trials: each may be preempted. */
static void fault_price(struct pp_header *header)
{
    enum { TRIALS = 4, PAGES = 8 };
    uint64_t bytes = TRIALS * PAGES * pp_run.page_bytes, least = UINT32_MAX;
    /* not by the wrappers, which would book it */
    long mapped = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile char *at = (volatile char *)mapped;
    if (mapped == -1)
        return;
    for (unsigned trial = 0, page = 0; trial < TRIALS; trial++) {
        uint64_t begun_ns = pp_now_ns(), took_ns;
        for (unsigned k = 0; k < PAGES; k++)
            at[page++ * pp_run.page_bytes] = 1;
        took_ns = (pp_now_ns() - begun_ns) / PAGES;
        least = took_ns < least ? took_ns : least;
    }
    syscall(SYS_munmap, mapped, bytes);
    header->fault_ns = (uint32_t)least;
}

static void event_begin(struct pp_thread *thread, int number)
{
    static atomic_flag priced = ATOMIC_FLAG_INIT;
    struct pp_faulting *f = &pp_private(thread)->faulting;
    uint64_t step = f->mean / MEAN_ONE;
    if (!atomic_flag_test_and_set(&priced))
        fault_price(pp_run.header);
    f->step = step > STEP_MOST ? STEP_MOST : (uint32_t)step;
    f->gap = gap_draw(pp_private(thread));
    f->weight = 1;
    f->row = 0;
    f->cpu_ns = pp_cpu_note(thread);
    int fd = pp_event_count_faults((int)pp_private(thread)->tid, number, f->gap);
    f->fd = (uint32_t)fd + 1;
    f->refused = fd < 0;
    atomic_store_explicit(&pp_numbered[thread->id].faults, fd + 1, memory_order_relaxed);
}

static bool is_new(struct pp_thread *thread)
{
    const struct pp_thread_row *row = pp_private(thread)->row;
    return row && row->samples < SETTLED;
}

uint64_t pp_faulting_turn(struct pp_thread *thread, int number, uint32_t faults)
{
    struct pp_faulting *f = &pp_private(thread)->faulting;
    int fd = atomic_load_explicit(&pp_numbered[thread->id].faults, memory_order_relaxed) - 1;
    uint64_t begun_ns, took_ns;
    f->mean += (faults < STEP_MOST ? faults : STEP_MOST) * (MEAN_ONE / MEAN_PART) - f->mean / MEAN_PART;
    if (fd < 0 ? f->refused || f->mean < (is_new(thread) ? AT_FIRST : WORTH) : f->signals < MANY)
        return 0;
    if (pp_forbids(PP_FORBIDDEN_EVENTS))
        return 0;
    begun_ns = pp_now_ns();
    if (fd < 0) {
        event_begin(thread, number);
    } else {
        bool counts = (pp_random(pp_private(thread)) >> 32) % PART == 0;
        if (f->weight != (counts ? PART : 0))
            pp_event_count(fd, counts);
        f->weight = counts ? PART : 0;
    }
    took_ns = pp_now_ns() - begun_ns;
    return took_ns < TOOK_MOST_NS ? took_ns : TOOK_MOST_NS;
}

bool pp_faulting_owns(struct pp_thread *thread, int fd) { return pp_private(thread)->faulting.fd == (uint32_t)fd + 1; }

/* How many faults led to this signal was drawn before they came, so that sums have no bias. */
uint64_t pp_faulting_signal(struct pp_thread *thread)
{
    struct pp_faulting *f = &pp_private(thread)->faulting;
    int fd = atomic_load_explicit(&pp_numbered[thread->id].faults, memory_order_relaxed) - 1;
    if (!f->weight || fd < 0)
        return 0;
    uint64_t faults = (uint64_t)f->gap * f->weight, cpu_ns = pp_cpu_note(thread), elapsed_ns = cpu_ns - f->cpu_ns;
    f->signals++;
    f->cpu_ns = cpu_ns;
    if (elapsed_ns < NEAR_NS * f->gap / f->step && f->step < STEP_MOST)
        f->step *= 2;
    else if (elapsed_ns > FAR_NS * f->gap / f->step && f->step > 1)
        f->step /= 2;
    f->gap = gap_draw(pp_private(thread));
    pp_event_step(fd, f->gap);
    return faults;
}

/* The faults between two signals at one place were there. Between two places nobody knows: that has half the variance
 * for each, as if faults were drawn one by one. */
void pp_faulting_book(struct pp_thread *thread, struct pp_sample *row, uint64_t faults)
{
    struct pp_faulting *f = &pp_private(thread)->faulting;
    struct pp_sample *before = (struct pp_sample *)(uintptr_t)f->row;
    if (!row)
        return;
    row->ns += faults;
    row->excess += row->excess < UINT32_MAX;
    if (row != before) {
        row->called_ns += faults * faults / 2;
        if (before)
            before->called_ns += faults * faults / 2;
    }
    f->row = (uint64_t)(uintptr_t)row;
}

void pp_faulting_halve(struct pp_thread *thread, uint64_t *word, const struct pp_sample *before,
                       const struct pp_sample *row, uint32_t faults)
{
    const struct pp_faulting *f = &pp_private(thread)->faulting;
    const struct pp_sample *place[2] = { before, row };
    if (!pp_numbered[thread->id].faults || !f->weight || !before || !faults)
        return;
    for (unsigned i = 0; i < 2; i++) {
        struct pp_sample *at = pp_samplerow_get(thread, word, place[i], PP_SAMPLE_FAULTS, 0);
        if (at)
            at->unseen_ns += (int64_t)(i ? faults - faults / 2 : faults / 2) * f->weight;
    }
}
