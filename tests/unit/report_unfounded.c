/* SPDX-License-Identifier: MIT */
/* report_unfounded.c: advice that would be wrong or promise too much, beside the same where it is right. */
#include "advice/loops.h"
#include "report_file.h"

/* A run of 100 ms of CPU time in one thread, with what a test puts into it. */
struct case_of {
    struct model model;
    struct advice advice;
    struct model_line line[4];
    struct model_remark remark[4];
};

static void case_begin(struct case_of *c)
{
    *c = (struct case_of){ .advice = {
                               .run_ns = 100e6, .cpu_ns = 100e6, .threads_ns = 100e6, .stretch = 1, .abreast = 1 } };
    c->model.line = c->line;
    c->model.remark = c->remark;
    c->model.coverage.sampled_ns = 100e6;
    c->model.coverage.samples = c->model.run.sample_signals = 100;
    c->advice.model = &c->model;
}

static void case_end(struct case_of *c)
{
    free(c->model.advice);
    arena_free(&c->model.arena);
}

/* ---- a division beside a call of a library ---- */

static bool division_is_told(double line_ns, double library_ns)
{
    static struct case_of c;
    case_begin(&c);
    c.line[0] = (struct model_line){
        .file = "d.c", .line = 2, .function = MODEL_NONE, .self = { .ns = line_ns }, .library_ns = library_ns
    };
    c.model.line_count = 1;
    c.remark[0] = (struct model_remark){
        .kind = PP_REMARK_LOOP, .file = "d.c", .line = 1, .loop_first = 1, .loop_last = 3, .self_ns = line_ns
    };
    c.remark[1] = (struct model_remark){ .kind = PP_REMARK_DIVISION,
                                         .file = "d.c",
                                         .line = 2,
                                         .loop_first = 1,
                                         .loop_last = 3,
                                         .detail = "sum",
                                         .why = "",
                                         .text = "divides by sum" };
    c.model.remark_count = 2;
    advice_divisions(&c.advice);
    bool told = c.model.advice_count > 0;
    case_end(&c);
    return told;
}

static void test_divisions(void)
{
    CHECK(division_is_told(60e6, 0), "a line that divides");
    CHECK(division_is_told(60e6, 40e6), "one that calls a library, too");
    CHECK(!division_is_told(60e6, 59e6), "one whose time is the library's: it prints a quotient");
}

int main(void)
{
    test_divisions();
    return 0;
}
