/* SPDX-License-Identifier: MIT */
/* report_loops.c: which loops the rules of advice look at: those with 5 % of the CPU time that four samples met. */
#include "advice/loops.h"
#include "report_file.h"

/* A run of 100 ms by so many samples, with a loop that has `self_ns` of it. */
static int is_looked_at(uint64_t samples, double self_ns)
{
    struct model_line line = { .file = "loop.c", .line = 2, .function = MODEL_NONE, .self = { .ns = self_ns } };
    struct model_remark remark = { .kind = PP_REMARK_LOOP, .file = "loop.c", .loop_first = 1, .loop_last = 3, .self_ns = self_ns };
    struct model model = { .line = &line, .line_count = 1, .remark = &remark, .remark_count = 1 };
    struct advice advice = { .model = &model, .cpu_ns = 100e6 };
    struct advice_loop loop;
    size_t next = 0;
    model.coverage.sampled_ns = 100e6;
    model.coverage.samples = model.run.sample_signals = samples;
    return loop_next(&advice, &next, &loop);
}

int main(void)
{
    CHECK(is_looked_at(100, 5.1e6), "a loop with 5 %% of many samples");
    CHECK(!is_looked_at(100, 4.9e6), "one with less");
    CHECK(is_looked_at(20, 21e6), "four of twenty samples");
    CHECK(!is_looked_at(20, 19e6), "three of twenty");
    CHECK(!is_looked_at(0, 90e6), "no sample at all");
    return 0;
}
