/* SPDX-License-Identifier: MIT */
/* report_ticks.c: samples at the kernel's ticks, of threads that waited for a CPU, have larger errors the more of them
 * there are, since the program may keep step with the ticks. Others have not. */
#include "report_analysed.h"

#include <math.h>
#include <string.h>

#include "model/model.h"

static char path[] = "/tmp/report_ticks_XXXXXX";

/* The printed error of a function with a quarter of the samples. */
static double error(uint32_t source, uint64_t delay_ns, uint64_t signals)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "rest", "rest", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 1 },
    };
    const struct pp_node node[] = { { .number = 0 },
                                    { .number = 1, .key = 4, .calls = 1, .timed_calls = 1 },
                                    { .number = 2, .key = 2, .calls = 1, .timed_calls = 1 } };
    struct pp_sample sample[] = { { .address = 0x10, .module = 1, .node = 1, .count = 3 * signals },
                                  { .address = 0x20, .module = 1, .node = 2, .count = signals } };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    row.delay_ns = delay_ns;
    for (unsigned i = 0; i < 2; i++) { /* each signal stands for four samples */
        sample[i].excess = (uint32_t)(3 * sample[i].count);
        sample[i].ns = sample[i].count * 1000000;
    }
    h->sample_source = source;
    h->sample_signals = signals;
    h->user_ns = 4 * signals * 1000000;
    h->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, 3);
    report_file_samples(&file, 1, sample, 2);
    report_file_threads(&file, &row, 1);
    struct model *m = report_analysed(&file, path);
    double percent = NAN;
    for (size_t i = 0; i < m->function_count; i++)
        if (strcmp(m->function[i].name, "f") == 0)
            percent = value_error_percent(m->function[i].self);
    bool said = false;
    for (size_t i = 0; i < m->notice_count; i++)
        said = said || strstr(m->notice[i], "the kernel's ticks");
    CHECK(said == (source == PP_SAMPLE_TIMER && delay_ns), "it is said where it is so");
    model_free(m);
    return percent;
}

static double clocked_percent; /* the error of what clocked() returned */

/* The CPU time of f, of which samples say a quarter, and clocks a half: wall time, less what it had no CPU.
 * unknown_ns: what its clocks have besides. */
static double clocked(uint32_t source, uint64_t delay_ns, uint64_t features, uint64_t off_ns, unsigned samples,
                      uint64_t unknown_ns)
{
    const uint64_t second = 1000000000;
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "rest", "rest", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 1 },
    };
    struct pp_node node[] = { { .number = 0 },
                              { .number = 1, .key = 4, .calls = 1, .timed_calls = 1 },
                              { .number = 2, .key = 2, .parent = 1, .calls = 9, .timed_calls = 9 } };
    struct pp_sample sample[] = { { .address = 0x10, .module = 1, .node = 1, .count = 3000, .ns = 3 * second },
                                  { .address = 0x20, .module = 1, .node = 2, .count = 1000, .ns = second } };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    node[1].self_ns = 4 * second;
    node[1].off_ns = 2 * second;
    node[2].self_ns = 2 * second + off_ns + unknown_ns;
    node[2].off_ns = off_ns;
    row.delay_ns = delay_ns;
    h->sample_source = source;
    h->sample_signals = 1000;
    h->features_ignorable = features;
    h->user_ns = 4 * second;
    h->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, 3);
    sample[0].ns = (samples == 1 ? 4 : 3) * second;
    report_file_samples(&file, 1, sample, samples);
    report_file_threads(&file, &row, 1);
    struct model *m = report_analysed(&file, path);
    double ns = NAN, total = 0;
    for (size_t i = 0; i < m->function_count; i++) {
        total += m->function[i].self.ns;
        if (strcmp(m->function[i].name, "f") == 0) {
            ns = m->function[i].self.ns;
            clocked_percent = value_error_percent(m->function[i].self);
        }
    }
    CHECK(fabs(total - 4e9) < 1e6, "all functions have the CPU time: %f", total);
    model_free(m);
    return ns / 1e9;
}

static void clocks_tell(void)
{
    const uint64_t second = 1000000000, known = PP_IGNORABLE_OFF;
    for (uint64_t off_ns = 0; off_ns <= 9 * second; off_ns += 3 * second) {
        double ticks = clocked(PP_SAMPLE_TIMER, 100 * second, known, off_ns, 2, 0);
        CHECK(fabs(ticks - 2) < 0.01, "clocks tell: %f s", ticks);
        /* of two halves of the time, each known to 3 %, one gains what the other loses; as of 256 ticks it was 3.6 */
        CHECK(clocked_percent > 1 && clocked_percent < 3, "their error, not that of ticks: %f %%", clocked_percent);
    }
    double old = clocked(PP_SAMPLE_TIMER, 100 * second, 0, 0, 2, 0),
           events = clocked(PP_SAMPLE_PERF, 100 * second, known, 0, 2, 0),
           alone = clocked(PP_SAMPLE_TIMER, 0, known, 0, 2, 0);
    CHECK(fabs(old - 1) < 0.01 && fabs(events - 1) < 0.01 && fabs(alone - 1) < 0.01,
          "an older file, events, and no other programs: %f, %f, %f s", old, events, alone);
    double unmet = clocked(PP_SAMPLE_TIMER, 100 * second, known, 3 * second, 1, 0),
           empty = clocked(PP_SAMPLE_TIMER, 0, known, 3 * second, 1, 0),
           waited = clocked(PP_SAMPLE_TIMER, 100 * second, known, 3 * second, 1, 10 * second);
    CHECK(fabs(unmet - 2) < 0.01 && empty == 0, "ticks never met it: %f s, and without other programs %f", unmet,
          empty);
    CHECK(waited == 0, "clocks that have waits in them, which nobody knows, tell nothing: %f s", waited);
}

/* How many times larger the variance of a node's ticks is taken. `met`: the ticks of five nodes, of which clocks say
 * that all take as long. The first one has some. */
static double widened(const uint64_t met[5])
{
    enum { NODES = 5 };
    const uint64_t second = 1000000000;
    static const struct report_site site = { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 9 };
    struct pp_node node[NODES + 1] = { { .number = 0 } };
    struct pp_sample sample[NODES] = { { 0 } };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    h->sample_signals = 0;
    size_t samples = 0;
    for (uint32_t i = 0; i < NODES; i++) { /* each calls the next */
        node[i + 1] = (struct pp_node){ .number = i + 1, .key = 4, .parent = i, .calls = 1, .timed_calls = 1 };
        node[i + 1].self_ns = second;
        if (met[i])
            sample[samples++] = (struct pp_sample){
                .address = 0x10, .module = 1, .node = i + 1, .count = met[i], .ns = met[i] * 1000000
            };
        h->sample_signals += met[i];
    }
    row.delay_ns = 100 * second;
    h->sample_source = PP_SAMPLE_TIMER;
    h->features_ignorable = PP_IGNORABLE_OFF;
    h->user_ns = NODES * second;
    h->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, &site, 1);
    report_file_nodes(&file, 1, 0, node, NODES + 1);
    report_file_samples(&file, 1, sample, samples);
    report_file_threads(&file, &row, 1);
    struct model *m = report_analysed(&file, path);
    CHECK(m->sample_count == NODES, "%zu samples, with what clocks alone tell", m->sample_count);
    double times = ((double)m->sample[0].count + m->sample[0].excess) / (double)m->sample[0].count;
    model_free(m);
    return times;
}

static void ticks_agree(void)
{
    double even = widened((uint64_t[]){ 1000, 1000, 1000, 1000, 1000 }),
           near = widened((uint64_t[]){ 1000, 1050, 970, 1020, 960 }),
           some = widened((uint64_t[]){ 1000, 1200, 900, 1000, 900 }),
           step = widened((uint64_t[]){ 1000, 3000, 100, 800, 100 }),
           unmet = widened((uint64_t[]){ 1250, 1250, 1250, 1250, 0 });
    CHECK(even < 1.5 && near < 4, "ticks are where clocks say: %f, %f times", even, near);
    CHECK(some > 10 && some < 20, "chi-square is 60 with four degrees of freedom: %f times", some);
    CHECK(fabs(step - 5000.0 / 256) < 0.1, "ticks keep step, and are as good as 256: %f times", step);
    CHECK(fabs(unmet - 5000.0 / 256) < 0.1, "so they do where they never met a node: %f times", unmet);
}

/* Seconds of a function of 10,000 calls, of which 1,000 were timed and took that long. No tick met it, all met its
 * caller. */
static double untimed(uint64_t timed_ns)
{
    const uint64_t second = 1000000000;
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "caller", "caller", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 1 },
    };
    struct pp_node node[] = { { .number = 0 },
                              { .number = 1, .key = 4, .calls = 1, .timed_calls = 1 },
                              { .number = 2, .key = 2, .parent = 1, .calls = 10000, .timed_calls = 1000 } };
    struct pp_sample sample = { .address = 0x10, .module = 1, .node = 1, .count = 4000, .ns = 4 * second };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    node[1].self_ns = 4 * second - timed_ns;
    node[2].self_ns = timed_ns;
    row.delay_ns = 100 * second;
    h->sample_source = PP_SAMPLE_TIMER;
    h->sample_signals = 4000;
    h->features_ignorable = PP_IGNORABLE_OFF;
    h->user_ns = 4 * second;
    h->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, 3);
    report_file_samples(&file, 1, &sample, 1);
    report_file_threads(&file, &row, 1);
    struct model *m = report_analysed(&file, path);
    double ns = 0, total = 0;
    for (size_t i = 0; i < m->function_count; i++) {
        total += m->function[i].self.ns;
        ns += strcmp(m->function[i].name, "f") == 0 ? m->function[i].self.ns : 0;
    }
    CHECK(fabs(total - 4e9) < 1e6 && fabs(m->node[2].below.ns - ns) < 1, "the CPU time, and the tree has it: %f",
          total);
    model_free(m);
    return ns / 1e9;
}

static void calls_tell(void)
{
    double most = untimed(100000000), few = untimed(10000000), early = untimed(1000000000);
    CHECK(fabs(most - 1) < 0.1, "1,000 calls took 0.1 s, 10,000 take 1 s: %f", most);
    CHECK(fabs(few - 0.09) < 0.02, "those that were not timed take more than a tick's part, the others do not: %f",
          few);
    CHECK(fabs(early - 1) < 0.02, "if all took as long, that were more than their caller has: %f", early);
}

int main(void)
{
    clocks_tell();
    calls_tell();
    ticks_agree();

    const uint64_t second = 1000000000;
    for (uint64_t signals = 1024; signals <= 16384; signals *= 4) {
        double usual = error(PP_SAMPLE_TIMER, 0, signals), events = error(PP_SAMPLE_PERF, 100 * second, signals),
               delayed = error(PP_SAMPLE_TIMER, 100 * second, signals);
        CHECK(fabs(usual - events) < 1e-9, "without delays, or by events: %f and %f", usual, events);
        CHECK(fabs(delayed / usual - sqrt((double)signals / 256)) < 0.02 * delayed / usual, "%f %% for %f %%", delayed,
              usual);
    }
    double few = error(PP_SAMPLE_TIMER, 100 * second, 200), usual = error(PP_SAMPLE_TIMER, 0, 200);
    CHECK(fabs(few - usual) < 1e-9, "few ticks: %f and %f", few, usual);
    puts("errors beside other programs, by ticks");
    return 0;
}
