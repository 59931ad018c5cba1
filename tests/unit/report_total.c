/* SPDX-License-Identifier: MIT */
/* report_total.c: the inclusive time of a function of which some calls were timed. The numbers can be checked by
 * hand. */
#include "report_file.h"
#include "estimate/total.h"

#include <math.h>
#include <stdlib.h>

#define REST (1 - 116.0 / 10000) /* share of the calls about which nothing is known */

static struct model *model;
static struct model_function *work;

/* Of 10,000 calls the first 16 were timed, and 100 more, each of which represents 100, at 1,000 ns: 10 ms. */
static void begin(void)
{
    static struct model_function function;
    static struct model whole;
    function = (struct model_function){ .calls = 10000,
                                        .timed_calls = 116,
                                        .booked_calls = 10000,
                                        .weighted_ns = 10000000,
                                        .node_calls = 10000,
                                        .total_known = true };
    whole = (struct model){ .function = &function, .function_count = 1, .run = { .user_ns = 40000000 } };
    model = &whole;
    work = &function;
}

static void sampled(double ns, double error_percent)
{
    model->coverage.samples = 40;
    model->coverage.sampled_ns = 40e6;
    work->total = work->total_sampled = (struct value){ ns, ns * ns * error_percent * error_percent / 1e4 };
}

static void expect(double ns, double error_ns, const char *what)
{
    totals_find(model, NULL);
    double error = sqrt(work->total.variance);
    CHECK(work->total_known && fabs(work->total.ns - ns) <= 1e-3 * ns && fabs(error - error_ns) <= 0.01 * error_ns,
          "%s: %.0f +- %.0f, expected %.0f +- %.0f", what, work->total.ns, error, ns, error_ns);
}

int main(void)
{
    /* Without samples. If all timed calls were alike, the error is that of one more that differs by the mean: 1 % of
     * the total, without the known part. */
    begin();
    expect(10e6, 100e3 * sqrt(REST), "all alike");
    begin();
    work->squares_ns2 = 100.0 * 50000 * 50000; /* each differs by 500 ns, and represents 100 */
    expect(10e6, sqrt((100.0 / 99 * 100 * 50000.0 * 50000.0 + 1e10) * REST), "spread");
    begin();
    model->run.frame_ns = 120; /* each includes reading the clock and a return with cold caches: twice that */
    expect(10e6, sqrt(1e10 * REST + 2400e3 * 2400e3), "with the clock's reading");
    begin();
    work->booked_calls = 5000; /* the other half came after the last timed call */
    work->weighted_ns = 5000000;
    work->squares_ns2 = 50.0 * 50000 * 50000;
    expect(10e6, sqrt((100.0 / 99 * 4 * 50 * 50000.0 * 50000.0 + 1e10) * REST), "half of them not yet stood for");

    /* Threads waited 20 ms for a CPU. The function has a fourth of the CPU time, and its timed calls met no such
     * delay. */
    begin();
    model->run.delay_ns = 20000000;
    expect(15e6, sqrt(1e10 * REST + 25e12 / 3), "a busy machine");

    /* Samples that agree; that give more; that give less, as they do for a function that waits. */
    begin();
    sampled(10e6, 10);
    expect(10e6, 100e3 * sqrt(REST), "samples agree");
    begin();
    sampled(20e6, 10);
    expect(20e6, 2e6, "long calls that no clock met");
    begin();
    sampled(11e6, 10); /* by 1 ms, with an error of 1.1 */
    double both = 1.1e6 * 1.1e6 + 1e10 * REST;
    expect(10e6, sqrt(1e10 * REST + 1e12 * (1e12 / (both + 1e12))), "perhaps such calls");
    begin();
    sampled(2e6, 10);
    expect(10e6, 100e3 * sqrt(REST), "calls that wait");

    /* Waits in the function itself are known, and not sampled. */
    begin();
    sampled(10e6, 10);
    work->stalled.ns = 20e6;
    expect(30e6, 1e6, "waiting that no clock met");

    /* Few timed calls with very different durations, and few samples: both are used. */
    begin();
    sampled(12e6, 25);
    work->squares_ns2 = 100.0 * 500000 * 500000;
    totals_find(model, NULL);
    CHECK(work->total.ns >= 12e6 && sqrt(work->total.variance) < 3e6, "%.0f +- %.0f", work->total.ns,
          sqrt(work->total.variance));

    /* For calls of less than a microsecond samples decide, if there are any. */
    begin();
    sampled(1e6, 10);
    work->weighted_ns = 9000000;
    expect(1e6, 1e5, "short calls");

    /* The total is unknown: the timed calls of a recursive function count time more than once, and there are no
     * samples. */
    begin();
    work->recursive = true;
    work->total = (struct value){ 3e6, 0 }; /* the time of the timed calls */
    totals_find(model, NULL);
    CHECK(!work->total_known, "%.0f", work->total.ns);

    /* All were timed: exact. */
    begin();
    work->total_exact = true;
    work->timed_calls = 10000;
    work->function_ns = 9999999;
    totals_find(model, NULL);
    CHECK(work->total_known && work->total.ns == 9999999 && work->total.variance == 0, "%.0f", work->total.ns);
    puts("14 totals as by hand");
    return 0;
}
