/* SPDX-License-Identifier: MIT */
/* CPU time between two samples that no sample can see, on the test's own processor clock. */
#include "metric/cpu.h"
#include "sample/unseen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(held, ...) \
    ((held) ? (void)0 : (printf("%d: not so: %s: ", __LINE__, #held), printf(__VA_ARGS__), puts(""), exit(1)))
#define INTERVAL_NS 1000000u /* an event's, or a tick's */
#define HANDLED_NS 20000u    /* what each sample takes */

static uint64_t now_ns; /* the thread's CPU clock. 0: it may not be asked */
uint64_t pp_cpu_own(void) { return now_ns; }
uint64_t pp_cpu_note(struct pp_thread *thread)
{
    (void)thread;
    return now_ns;
}

static struct pp_thread thread;

static void begin(uint64_t interval_ns)
{
    memset(&thread, 0, sizeof thread);
    now_ns = 7 * INTERVAL_NS;
    pp_unseen_begin(&thread, NULL, interval_ns);
}

/* The thread has CPU time, of which calls have a part, and then a sample comes that stands for user_ns. */
static void sample(uint64_t cpu_ns, uint64_t called_ns, uint64_t user_ns, int64_t unseen_ns, uint64_t expected_called)
{
    uint64_t called, interval_ns = pp_private(&thread)->unseen.interval_ns;
    now_ns += cpu_ns;
    pp_private(&thread)->busy.waited_ns += called_ns;
    int64_t unseen = pp_unseen_take(&thread, user_ns, &called);
    CHECK(unseen == unseen_ns, "%lld, expected %lld", (long long)unseen, (long long)unseen_ns);
    CHECK(called == expected_called, "%llu, expected %llu", (unsigned long long)called,
          (unsigned long long)expected_called);
    now_ns += HANDLED_NS;
    pp_unseen_resume(&thread, HANDLED_NS, interval_ns);
}

/* The thread ends: the last sample's row has what came after it. */
static void ends(uint64_t interval_ns, uint64_t cpu_ns, uint64_t user_ns, int64_t unseen_ns)
{
    struct pp_sample row = { .unseen_ns = 5, .called_ns = 7 };
    begin(interval_ns);
    now_ns += cpu_ns;
    pp_private(&thread)->busy.waited_ns += 30;
    pp_unseen_end(&thread, NULL, user_ns, 1);
    pp_private(&thread)->unseen.row = (uint64_t)(uintptr_t)&row;
    pp_unseen_end(&thread, NULL, user_ns, 1);
    pp_unseen_end(&thread, NULL, user_ns, 1); /* a process that ends in a thread that has ended */
    CHECK(row.unseen_ns == 5 + unseen_ns && row.called_ns == 37, "%lld, %llu", (long long)row.unseen_ns,
          (unsigned long long)row.called_ns);
}

static void events(void)
{
    begin(INTERVAL_NS);
    for (int i = 0; i < 10; i++) /* each interval ends in user code; a signal may come a little late */
        sample(INTERVAL_NS + (uint64_t)i * 1000, 0, INTERVAL_NS, 0, 0);
    for (uint64_t k = 2; k < 9; k++) /* k - 1 intervals ended in the kernel */
        sample(k * INTERVAL_NS, 0, INTERVAL_NS, (int64_t)((k - 1) * INTERVAL_NS), 0);
    sample(3 * INTERVAL_NS, 1700000, INTERVAL_NS, 2 * INTERVAL_NS, 1700000); /* and calls were there meanwhile */
    sample(INTERVAL_NS, 0, INTERVAL_NS, 0, 0);
    sample(INTERVAL_NS / 2, 0, INTERVAL_NS, 0, 0); /* the event had been armed before, in the last sample */
}

static void unknown(void)
{
    begin(INTERVAL_NS);
    sample(5 * INTERVAL_NS, 300, 0, 0, 0); /* what the sample stands for is not known */
    sample(2 * INTERVAL_NS, 300, INTERVAL_NS, INTERVAL_NS, 300);
    now_ns = 0; /* a filter forbids the clock */
    sample(0, 300, INTERVAL_NS, 0, 0);
}

static void timers(void)
{
    begin(0);
    sample(4 * INTERVAL_NS, 0, 4 * INTERVAL_NS, 0, 0);
    sample(10 * INTERVAL_NS, 2500000, 4 * INTERVAL_NS, 6 * INTERVAL_NS, 2500000);
    sample(3 * INTERVAL_NS, 0, 4 * INTERVAL_NS, -(int64_t)INTERVAL_NS, 0); /* so that the mean is right */
}

/* While samples are switched off, signals come and are not taken: what the thread does then is in no sample. */
static void forgotten(void)
{
    for (uint64_t interval_ns = 0; interval_ns <= INTERVAL_NS; interval_ns += INTERVAL_NS) {
        begin(interval_ns);
        sample(INTERVAL_NS, 0, INTERVAL_NS, 0, 0);
        for (int i = 0; i < 50; i++) {
            now_ns += INTERVAL_NS + HANDLED_NS;
            pp_private(&thread)->busy.waited_ns += 400;
            pp_unseen_forget(&thread);
            pp_unseen_resume(&thread, HANDLED_NS, interval_ns);
        }
        sample(INTERVAL_NS, 0, INTERVAL_NS, 0, 0); /* the first one again begins the account anew */
        sample(2 * INTERVAL_NS, 100, INTERVAL_NS, INTERVAL_NS, 100);
    }
}

static uint32_t faults(long minor, long major)
{
    struct rusage usage = { .ru_minflt = minor, .ru_majflt = major };
    return pp_unseen_faults(&thread, &usage);
}

/* Page faults between two samples, by what the kernel counts for the thread. */
static void faulted(void)
{
    struct rusage first = { .ru_minflt = 100 }, last = { .ru_minflt = 1000, .ru_majflt = 10 };
    struct pp_sample row = { .faults = 5 };
    memset(&thread, 0, sizeof thread);
    pp_unseen_begin(&thread, &first, INTERVAL_NS);
    CHECK(faults(103, 0) == 3, "since the beginning");
    CHECK(faults(103, 0) == 0, "none");
    CHECK(faults(104, 5) == 6, "both kinds");
    CHECK(pp_unseen_faults(&thread, NULL) == 0 && faults(900, 5) == 0, "the kernel was not asked between");
    CHECK(faults(910, 5) == 10, "and now it is again");
    pp_unseen_forget(&thread);
    CHECK(faults(950, 5) == 0 && faults(950, 6) == 1, "samples were switched off");
    CHECK(faults(950 + (1L << 33), 6) == UINT32_MAX, "as many as there is room for");
    memset(&thread, 0, sizeof thread);
    pp_unseen_begin(&thread, &first, INTERVAL_NS);
    pp_private(&thread)->unseen.row = (uint64_t)(uintptr_t)&row;
    pp_unseen_end(&thread, &last, INTERVAL_NS, 1);
    CHECK(row.faults == 5 + 910, "%u, those after the last sample are its own", row.faults);
    pp_unseen_fault(&row, UINT32_MAX - 4);
    CHECK(row.faults == PP_SAMPLE_FAULTS - 1, "%u", row.faults);
}

int main(void)
{
    faulted();
    ends(INTERVAL_NS, 3 * INTERVAL_NS + 400000, INTERVAL_NS, 3 * INTERVAL_NS);
    ends(INTERVAL_NS, 400000, INTERVAL_NS, 0);
    ends(0, 9 * INTERVAL_NS, 2 * INTERVAL_NS, 7 * INTERVAL_NS);
    ends(0, INTERVAL_NS, 2 * INTERVAL_NS, 0);
    events();
    unknown();
    timers();
    forgotten();
    return 0;
}
