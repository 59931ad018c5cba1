/* SPDX-License-Identifier: MIT */
/* report_model.c: what the model makes of thread blocks: sums, moments, percentiles, paths, open activations, estimates
 * and their errors. Expected values are computed here from the single activations, or by hand. */
#define _GNU_SOURCE
#include "report_analysed.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "estimate/analyse.h"
#include "words/figure.h"
#include "read/profile.h"

static char path[] = "/tmp/report_model_XXXXXX";

static struct model *model_of(struct report_file *file) { return report_analysed(file, path); }

static const struct model_function *function_named(const struct model *model, const char *name)
{
    for (size_t i = 0; i < model->function_count; i++)
        if (strcmp(model->function[i].name, name) == 0)
            return &model->function[i];
    CHECK(0, "no function %s", name);
    return NULL;
}

static const struct model_stage *stage_named(const struct model *model, const char *key)
{
    for (size_t i = 0; i < model->stage_count; i++)
        if (strcmp(model->stage[i].key, key) == 0)
            return &model->stage[i];
    CHECK(0, "no stage %s", key);
    return NULL;
}

static int near(double a, double b, double part) { return fabs(a - b) <= part * fabs(b); }

static void test_pipeline(void)
{
    struct report_file file = report_file_pipeline();
    struct model *m = model_of(&file);
    const struct model_function *main_ = function_named(m, "main"), *tone = function_named(m, "tone"), *curve = function_named(m, "curve");
    CHECK(strcmp(main_->file, "/somewhere/main.c") == 0 && main_->line == 12, "%s:%u", main_->file, main_->line);
    CHECK(main_->calls == 1 && main_->wall_known && main_->wall_ns == 990000000, "%llu", (unsigned long long)main_->wall_ns);
    CHECK(curve->calls_known && curve->calls == 1023, "the clone's calls are the function's: %llu", (unsigned long long)curve->calls);
    CHECK(!function_named(m, "quiet")->calls_known, "left out: no calls");
    CHECK(tone->calls == 500 && !tone->wall_known, "timed 20 of 500");
    CHECK(near(tone->total.ns, 500e6, 1e-9), "samples of its subtree: %f", tone->total.ns);
    /* 500 of 800 samples: sqrt(5/8 * 3/8 / 800) of 5/8 is 2.74 %. The scale: 800 samples are right within sqrt(800) = 28.3 ms, the kernel's ticks within
     * sqrt(4 * 50) = 14.1 ms, both together within 12.6 ms, and half a tick: 12.8 of 800 ms, 1.6 %. Both errors: 3.17 %. */
    CHECK(near(value_error_percent(tone->self), 3.171, 3e-3), "%f", value_error_percent(tone->self));
    CHECK(near(tone->self.ns, 500e6, 1e-9) && near(tone->library_ns, 100e6, 1e-9), "%f %f", tone->self.ns, tone->library_ns);
    CHECK(!value_is_vague((struct value){ 1e6, 1.000001e12 }) && value_is_vague((struct value){ 1e6, 1.00002e12 }), "an error that is printed as 100 is not above 100");

    const struct model_stage *loop = stage_named(m, "batches"), *decode = stage_named(m, "batches/decode");
    CHECK(decode->parent != MODEL_NONE && &m->stage[decode->parent] == loop, "an iteration is its loop");
    CHECK(loop->iteration.calls == 10 && loop->loop_runs == 1 && loop->trips_max == 10, "iterations");
    CHECK(decode->times.wall_ns == 900000000 && decode->times.min_ns == 45000000 && decode->times.max_ns == 135000000, "decode");
    CHECK(near(decode->times.mean_ns, 90e6, 1e-12), "%f", decode->times.mean_ns);
    /* ten values 10 ms apart: population variance (100 - 1) / 12 * 1e14 */
    CHECK(near(times_deviation_ns(&decode->times), 10e6 * sqrt(99.0 / 12), 1e-9), "%f", times_deviation_ns(&decode->times));
    CHECK(near(times_percentile(&decode->times, 0.5), 85e6, 0.01), "%f", times_percentile(&decode->times, 0.5));
    CHECK(near(times_percentile(&decode->times, 0.99), 135e6, 0.01), "%f", times_percentile(&decode->times, 0.99));
    CHECK(decode->times.slowest_count == 10 && decode->times.slowest[0].index == 9, "slowest first");
    CHECK(near(stage_off_cpu_ns(decode), 100e6, 1e-9), "%f", stage_off_cpu_ns(decode));
    CHECK(decode->samples == 800 && loop->samples == 800, "samples of stages are inclusive");
    CHECK(m->coverage.samples == 800 && m->coverage.library == 100 && m->coverage.no_debug == 700, "coverage");
    CHECK(near(m->coverage.kernel_ns, 50e6, 1e-9), "%f", m->coverage.kernel_ns);
    CHECK(!m->empty_reason, "%s", m->empty_reason);
    CHECK(m->notice_count == 1 && strstr(m->notice[0], "/somewhere/pipeline"), "the missing binary is said once");
    model_free(m);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The same stage in three threads gives the same result as if one thread had done all of it. */
static void test_moments(void)
{
    enum { THREADS = 3, EACH = 2000, ALL = THREADS * EACH };
    static uint64_t value[ALL];
    static const struct report_site site[] = { { PP_SITE_STAGE, PP_MODE_TIMED, PP_CATEGORY_IO, PP_REASON_STAGE, "f", NULL, "f.c", "s", 1 } };
    struct report_file file = report_file_start();
    struct pp_stage *stage = calloc(2, sizeof *stage);
    uint64_t random = 12345;
    report_file_sites(&file, 1, site, 1);
    for (uint32_t t = 0; t < THREADS; t++) {
        memset(stage, 0, 2 * sizeof *stage);
        stage[1] = (struct pp_stage){ .key = 1, .kind = PP_SITE_STAGE, .number = 1 };
        for (uint32_t i = 0; i < EACH; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint64_t v = (random >> 40) >> (random >> 33 & 15);      /* many sizes, small ones, too */
            value[t * EACH + i] = v;
            report_file_activation(&stage[1], v, i);
        }
        report_file_stages(&file, t + 1, 0, stage, 2);
    }
    free(stage);
    struct model *m = model_of(&file);
    const struct model_times *times = &stage_named(m, "s")->times;
    double sum = 0, squares = 0;
    for (int i = 0; i < ALL; i++)
        sum += (double)value[i];
    for (int i = 0; i < ALL; i++)
        squares += ((double)value[i] - sum / ALL) * ((double)value[i] - sum / ALL);
    qsort(value, ALL, sizeof *value, by_value);
    CHECK(m->stage_count == 1 && times->calls == ALL, "one row");
    CHECK(near(times->mean_ns, sum / ALL, 1e-9) && near(times_deviation_ns(times), sqrt(squares / ALL), 1e-9), "moments");
    CHECK(times->min_ns == value[0] && times->max_ns == value[ALL - 1], "extremes");
    for (int k = 1; k < 100; k++) {
        double want = (double)value[(ALL * k + 99) / 100 - 1], got = times_percentile(times, k / 100.0);
        CHECK(fabs(got - want) <= 0.01 * want + 0.5, "percentile %d: %f, sorted values say %f", k, got, want);
    }
    for (int i = 0; i < PP_SLOWEST; i++)
        CHECK(times->slowest[i].wall_ns == value[ALL - 1 - i], "slowest %d", i);
    model_free(m);
}

/* f calls itself through a stage: its second node is below its first, and counts once. */
static void test_recursion(void)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", NULL, "f.c", NULL, 1 },
        { PP_SITE_STAGE, PP_MODE_TIMED, 0, PP_REASON_STAGE, "g", NULL, "f.c", "s", 5 },
    };
    struct report_file file = report_file_start();
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 2, .calls = 3, .timed_calls = 3, .timed_ns = 700, .self_ns = 100, .function_ns = 700 },
        { .number = 2, .parent = 1, .key = 1, .calls = 3, .timed_calls = 3, .timed_ns = 600, .self_ns = 200, .function_ns = 600 },
        { .number = 3, .parent = 2, .key = 2, .calls = 4, .timed_calls = 4, .timed_ns = 400, .self_ns = 400 },
    };
    report_file_sites(&file, 2, site, 2);
    report_file_nodes(&file, 1, 0, node, 2);
    report_file_nodes(&file, 1, 2, node + 2, 2);         /* a block's nodes come in several extents */
    struct model *m = model_of(&file);
    const struct model_function *f = function_named(m, "f");
    CHECK(f->calls == 7 && f->wall_known && f->wall_ns == 700, "%llu %llu", (unsigned long long)f->calls, (unsigned long long)f->wall_ns);
    CHECK(function_named(m, "g")->wall_ns == 600, "g");
    model_free(m);
}

/* a, b, then a on another path: the tree does not show that a is open, but the runtime's own word does. */
static void test_mutual(void)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "a", NULL, "f.c", NULL, 1 },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "b", NULL, "f.c", NULL, 5 },
    };
    struct report_file file = report_file_start();
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 2, .calls = 1, .timed_calls = 1, .timed_ns = 900000000, .self_ns = 100000000, .function_ns = 900000000 },
        { .number = 2, .parent = 0, .key = 1, .calls = 1, .timed_calls = 1, .timed_ns = 800000000, .self_ns = 100000000, .function_ns = 800000000 },
        { .number = 3, .parent = 2, .key = 2, .calls = 5, .timed_calls = 5, .timed_ns = 700000000, .self_ns = 700000000 },
    };
    report_file_sites(&file, 2, site, 2);
    report_file_nodes(&file, 1, 0, node, 4);
    struct model *m = model_of(&file);
    CHECK(function_named(m, "a")->wall_known && function_named(m, "a")->wall_ns == 900000000, "a");
    CHECK(function_named(m, "b")->wall_ns == 800000000, "b");
    model_free(m);
}

/* main is open, since it ends through exit(). One call of work in a hundred was timed, and the thread had no CPU in one
 * of these; leaf was called by work in that one, and no sample met it. CPU time is that of the samples, and no clock's. */
static void test_callers(void)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "main", NULL, "f.c", NULL, 1 },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "work", NULL, "f.c", NULL, 5 },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "leaf", NULL, "f.c", NULL, 9 },
    };
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 3, .calls = 1, .active = 1 },
        { .number = 2, .parent = 1, .key = 2, .calls = 1000, .timed_calls = 10, .timed_ns = 50000000, .self_ns = 50000000, .function_ns = 50000000 },
        { .number = 3, .parent = 2, .key = 1, .calls = 1000, .timed_calls = 1, .timed_ns = 40000000, .self_ns = 40000000, .function_ns = 40000000 },
    };
    struct pp_sample sample[] = {
        { .address = 0x10, .module = 1, .node = 1, .count = 30, .ns = 30000000 },
        { .address = 0x20, .module = 1, .node = 2, .count = 60, .ns = 60000000 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    h->user_ns = 90000000;
    h->system_ns = 0;
    struct pp_frame frame[] = { { .start_ns = h->start_ns + 100, .node_number = 1 }, { 0 } };
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 3, site, 3);
    report_file_nodes(&file, 1, 0, node, 4);
    report_file_samples(&file, 1, sample, 2);
    report_file_frames(&file, 1, frame, 2);
    struct model *m = model_of(&file);
    const struct model_function *main_ = function_named(m, "main"), *work = function_named(m, "work"), *leaf = function_named(m, "leaf");
    CHECK(near(main_->total.ns, 90e6, 1e-9) && near(main_->self.ns, 30e6, 1e-9), "main: %f, self %f", main_->total.ns, main_->self.ns);
    CHECK(near(work->total.ns, 60e6, 1e-9) && work->total.ns == work->self.ns && work->total.variance == work->self.variance, "work: %f", work->total.ns);
    /* 60 of 90: sqrt(1/3 * 2/3 / 90) of 2/3 is 7.5 %; the whole is right within half a tick and the mean of sqrt(90) ms and 4 ms. */
    CHECK(near(value_error_percent(work->total), 100 * sqrt(1.0 / 180 + (4 + 1 / (1 / 90.0 + 1 / 16.0)) / 8100), 0.02), "%f", value_error_percent(work->total));
    CHECK(leaf->total.ns == 0 && leaf->self.ns == 0 && !leaf->total_samples, "leaf: %f", leaf->total.ns);
    CHECK(main_->wall_known && main_->wall_ns == m->run.wall_ns - 100 && !work->wall_known && !leaf->wall_known, "clocks of each call: main's alone");
    const struct value *of_main = &m->node[1].below, *of_work = &m->node[2].below;
    CHECK(near(of_main->ns, main_->total.ns, 1e-9) && near(of_work->ns, work->total.ns, 1e-9),
          "the call tree has the same");
    CHECK(near(of_main->variance, main_->total.variance, 1e-9) && near(of_work->variance, work->total.variance, 1e-9),
          "with the same errors");
    model_free(m);
}

/* 850 of 900 ms were not sampled, and may all be one function's own. */
static void test_gap(void)
{
    static const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "work", NULL, "f.c", NULL, 1 } };
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 1, .calls = 1, .timed_calls = 1, .timed_ns = 900000000, .self_ns = 900000000, .function_ns = 900000000 },
    };
    struct pp_sample sample = { .address = 0x10, .module = 1, .node = 1, .count = 50, .ns = 50000000 };
    struct report_file file = report_file_start();
    report_file_header(&file)->user_ns = 900000000;
    report_file_header(&file)->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 1, site, 1);
    report_file_nodes(&file, 1, 0, node, 2);
    report_file_samples(&file, 1, &sample, 1);
    struct model *m = model_of(&file);
    CHECK(value_error_percent(function_named(m, "work")->self) > 100 * 846.0 / 50, "%f", value_error_percent(function_named(m, "work")->self));
    CHECK(value_error_percent(function_named(m, "work")->total) > 100 * 846.0 / 50, "%f", value_error_percent(function_named(m, "work")->total));
    model_free(m);
}

/* If a sample hits the runtime, it belongs to no line and no function. It is part of the
 * cost. */
static void test_profiler(void)
{
    static const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", NULL, "f.c", NULL, 1 } };
    struct report_file file = report_file_start();
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 1, .calls = 1000, .timed_calls = 10, .timed_ns = 1000000, .self_ns = 1000000, .function_ns = 1000000 },
    };
    struct pp_sample sample[] = {
        { .address = 0x10, .module = 1, .node = 1, .count = 60, .ns = 60000000 },
        { .address = 0x10, .module = 1, .library = 1, .node = 1, .count = 30, .ns = 30000000 },      /* the runtime in the program */
        { .address = 0x10, .module = 2, .library = 1, .node = 1, .count = 10, .ns = 10000000 },      /* called by another object */
    };
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_module(&file, 2, "/somewhere/object.so", 1);
    report_file_sites(&file, 1, site, 1);
    report_file_nodes(&file, 1, 0, node, 2);
    report_file_samples(&file, 1, sample, 3);
    struct pp_header *h = report_file_header(&file);
    h->user_ns = 100000000;
    h->system_ns = 0;
    h->self_ns = 5000000;
    struct model *m = model_of(&file);
    const struct model_function *f = function_named(m, "f");
    CHECK(m->coverage.profiler == 40 && m->coverage.library == 0, "%llu", (unsigned long long)m->coverage.profiler);
    CHECK(near(f->self.ns, 60e6, 1e-9) && f->library_ns == 0, "self: %f, libraries: %f", f->self.ns, f->library_ns);
    CHECK(near(f->total.ns, 100e6, 1e-9), "total: %f", f->total.ns);
    CHECK(m->run.self_ns < 45000000 && m->run.self_most_ns > 50000000, "what samples see is in the cost: %llu to %llu ns", (unsigned long long)m->run.self_ns, (unsigned long long)m->run.self_most_ns);
    model_free(m);
}

/* 3 samples of 1 ms in a function that took 2 ms, and every sample of the run. */
static void test_short(void)
{
    static const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", NULL, "f.c", NULL, 1 } };
    struct report_file file = report_file_start();
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 1, .calls = 1, .timed_calls = 1, .timed_ns = 2000000, .self_ns = 2000000, .function_ns = 2000000 },
    };
    struct pp_sample sample = { .address = 0x10, .module = 1, .node = 1, .count = 3, .ns = 3000000 };
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 1, site, 1);
    report_file_nodes(&file, 1, 0, node, 2);
    report_file_samples(&file, 1, &sample, 1);
    report_file_header(&file)->user_ns = 9000000;            /* by ticks of 4 ms or longer */
    report_file_header(&file)->system_ns = 0;
    struct model *m = model_of(&file);
    const struct model_function *f = function_named(m, "f");
    CHECK(f->self.ns == 3e6 && f->total.ns == 3e6 && f->wall_ns == 2000000, "a clock of wall time does not cut it: %f", f->self.ns);
    CHECK(value_error_percent(f->self) >= 57, "1 / sqrt(3): %f", value_error_percent(f->self));
    CHECK(m->coverage.scale == 1, "ticks say less than samples: %f", m->coverage.scale);
    model_free(m);
    file = report_file_start();
    report_file_samples(&file, 1, &sample, 1);
    report_file_header(&file)->user_ns = 1000000;
    report_file_header(&file)->system_ns = 500000;
    m = model_of(&file);
    CHECK(near(m->coverage.sampled_ns, 1.5e6, 1e-9), "no more CPU time than there was: %f", m->coverage.sampled_ns);
    model_free(m);
}

/* A killed program: open activations count up to the last heartbeat, also as time of their callers. */
static void test_open(void)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "main", NULL, "f.c", NULL, 1 },
        { PP_SITE_STAGE, PP_MODE_TIMED, 0, PP_REASON_STAGE, "g", NULL, "f.c", "s", 5 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    h->end_ns = 0;
    h->exit_kind = PP_EXIT_UNKNOWN;
    h->heartbeat_ns = h->start_ns + 1000;
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 2, .calls = 1, .active = 1 },
        { .number = 2, .parent = 1, .key = 1, .calls = 3, .timed_calls = 2, .timed_ns = 200, .self_ns = 200, .function_ns = 200, .stage = 1, .active = 1 },
    };
    struct pp_stage *stage = calloc(2, sizeof *stage);
    stage[1] = (struct pp_stage){ .key = 1, .kind = PP_SITE_STAGE, .number = 1, .active = 1 };
    report_file_activation(&stage[1], 100, 0);
    report_file_activation(&stage[1], 100, 1);
    stage[1].calls = 3;
    struct pp_frame frame[] = {
        { .start_ns = h->start_ns + 100, .node_number = 1, .child_ns = 200 },
        { .start_ns = h->start_ns + 600, .node_number = 2, .stage = 1 },
        { 0 },
    };
    report_file_sites(&file, 2, site, 2);
    report_file_nodes(&file, 1, 0, node, 3);
    report_file_stages(&file, 1, 0, stage, 2);
    report_file_frames(&file, 1, frame, 3);
    free(stage);
    struct model *m = model_of(&file);
    const struct model_stage *s = stage_named(m, "s");
    CHECK(m->run.wall_ns == 1000, "%llu", (unsigned long long)m->run.wall_ns);
    CHECK(s->times.calls == 3 && s->times.timed_calls == 2 && s->times.open == 1 && s->times.wall_ns == 200 + 400, "stage");
    CHECK(function_named(m, "main")->wall_ns == 900 && m->node[1].self_ns == 900 - 200 - 400, "main");
    CHECK(function_named(m, "g")->wall_ns == 600, "g");
    model_free(m);
}

static void empty_is(struct report_file file, const char *part)
{
    struct model *m = model_of(&file);
    CHECK(m->empty_reason && strstr(m->empty_reason, part), "%s, expected %s", m->empty_reason ? m->empty_reason : "not empty", part);
    model_free(m);
}

static void test_empty(void)
{
    static const struct report_site left_out[] = { { PP_SITE_FUNCTION, PP_MODE_LEFT_OUT, 0, PP_REASON_FILTER, "f", NULL, "f.c", NULL, 1 } };
    static const struct report_site counted[] = { { PP_SITE_FUNCTION, PP_MODE_COUNTED, 0, PP_REASON_SMALL, "f", NULL, "f.c", NULL, 1 } };
    struct report_file file = report_file_start();
    report_file_header(&file)->level = PP_LEVEL_OFF;
    empty_is(file, "level=off");
    empty_is(report_file_start(), "no instrumented function: were the sources compiled");
    file = report_file_start();
    report_file_sites(&file, 1, left_out, 1);
    empty_is(file, "the only function was left out by the selection (excluded by the filter file)");
    file = report_file_start();
    report_file_sites(&file, 1, counted, 1);
    empty_is(file, "the only instrumented function was not called in 1000.000 ms");
}

/* The clock tells how much CPU time the samples share. If the sampler ran for a part of the run, its samples are not
 * scaled up. */
static void test_scale(void)
{
    struct pp_sample sample = { .address = 0x10, .module = 1, .count = 100, .ns = 100000000 };
    struct report_file file = report_file_start();
    report_file_header(&file)->user_ns = 110000000;
    report_file_header(&file)->system_ns = 0;                /* no tick fell into the kernel: all is user time, within a tick of 4 ms; 100 samples +- 10 ms */
    report_file_samples(&file, 1, &sample, 1);
    struct model *m = model_of(&file);
    CHECK(near(m->coverage.sampled_ns, (100e6 / 100 + 110e6 / 16) / (1 / 100.0 + 1 / 16.0), 1e-9) && m->coverage.not_sampled_ns == 0, "%f", m->coverage.sampled_ns);
    model_free(m);
    file = report_file_start();
    report_file_header(&file)->user_ns = 900000000;
    report_file_samples(&file, 1, &sample, 1);
    m = model_of(&file);
    CHECK(near(m->coverage.sampled_ns, 100e6, 1e-9) && near(m->coverage.not_sampled_ns, 800e6, 1e-9), "%f", m->coverage.not_sampled_ns);
    model_free(m);
    file = report_file_start();
    report_file_header(&file)->user_ns = 3200000000;
    report_file_header(&file)->system_ns = 1200000000;
    struct pp_sample many = { .address = 0x10, .module = 1, .count = 4000, .ns = 4000000000 };
    report_file_samples(&file, 1, &many, 1);
    m = model_of(&file);
    CHECK(near(m->coverage.sampled_ns, 4000e6, 1e-9) && near(m->coverage.kernel_ns, 400e6, 1e-9), "ticks that fell into signals: %f",
          m->coverage.kernel_ns);
    model_free(m);
    /* If both agree within chance they are weighted: 400 samples +- 20 ms, the ticks' 380 ms +- sqrt(4 * 20) = 8.94
     * ms. */
    file = report_file_start();
    report_file_header(&file)->user_ns = 380000000;
    report_file_header(&file)->system_ns = 20000000;
    struct pp_sample some = { .address = 0x10, .module = 1, .count = 400, .ns = 400000000 };
    report_file_samples(&file, 1, &some, 1);
    m = model_of(&file);
    CHECK(near(m->coverage.sampled_ns, (400e6 / 400 + 380e6 / 80) / (1 / 400.0 + 1 / 80.0), 1e-9) && m->coverage.not_sampled_ns == 0, "%f",
          m->coverage.sampled_ns);
    CHECK(near(m->coverage.sampled_ns + m->coverage.kernel_ns, 400e6, 1e-9), "the clock's sum stays: %f", m->coverage.kernel_ns);
    model_free(m);
}

/* A tick's signal represents four samples: a quarter as many draws, twice the error. */
static void test_excess(void)
{
    double error[2];
    for (uint32_t each = 1; each <= 4; each += 3) {
        struct pp_sample sample[] = {
            { .address = 0x10, .module = 1, .node = 1, .count = 40, .excess = 40 * (each - 1), .ns = 40000000 },
            { .address = 0x10, .module = 1, .count = 3960, .excess = 3960 * (each - 1), .ns = 3960000000 },
        };
        static const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", NULL, "f.c", NULL, 1 } };
        struct pp_node node[] = { { .number = 0 }, { .number = 1, .key = 1, .calls = 1, .timed_calls = 1, .timed_ns = 40000000, .self_ns = 40000000, .function_ns = 40000000 } };
        struct report_file file = report_file_start();
        report_file_header(&file)->user_ns = 4000000000;
        report_file_header(&file)->system_ns = 0;
        report_file_module(&file, 1, "/somewhere/program", 1);
        report_file_sites(&file, 1, site, 1);
        report_file_nodes(&file, 1, 0, node, 2);
        report_file_samples(&file, 1, sample, 2);
        struct model *m = model_of(&file);
        error[each / 4] = value_error_percent(function_named(m, "f")->self);
        model_free(m);
    }
    CHECK(near(error[0], 100 / sqrt(40), 0.02) && near(error[1], 2 * error[0], 0.05), "%f, with four samples a signal %f", error[0], error[1]);
}

/* Two stages of 500 ms each by their clocks, in a program that was never in the kernel. However the samples fell, each
 * stage's user time is 500 ms, and its lines share it. */
static void test_regions(void)
{
    static const struct report_site site[] = {
        { PP_SITE_STAGE, PP_MODE_TIMED, 0, PP_REASON_STAGE, "a", NULL, "f.c", "a", 1 },
        { PP_SITE_STAGE, PP_MODE_TIMED, 0, PP_REASON_STAGE, "b", NULL, "f.c", "b", 9 },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", NULL, "f.c", NULL, 20 },
    };
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1, .key = 3, .calls = 1, .timed_calls = 1, .timed_ns = 510000000, .self_ns = 510000000, .function_ns = 510000000, .stage = 1 },
        { .number = 2, .key = 2, .calls = 1, .timed_calls = 1, .timed_ns = 510000000, .self_ns = 510000000, .function_ns = 510000000, .stage = 2 },
        { .number = 3, .parent = 2, .key = 1, .calls = 9, .stage = 2 },
    };
    struct pp_sample sample[] = {
        { .address = 0x10, .module = 1, .node = 1, .count = 530, .ns = 530000000 },
        { .address = 0x20, .module = 1, .node = 2, .count = 320, .ns = 320000000 },
        { .address = 0x30, .module = 1, .node = 3, .count = 160, .ns = 160000000 },
    };
    struct pp_stage *stage = calloc(3, sizeof *stage);
    for (uint32_t i = 1; i < 3; i++) {
        stage[i] = (struct pp_stage){ .key = 4 - i, .kind = PP_SITE_STAGE, .number = i };
        report_file_activation(&stage[i], 510000000, 0);
        stage[i].metric[PP_METRIC_CPU] = 500000000;
    }
    struct report_file file = report_file_start();
    report_file_header(&file)->user_ns = 1000000000;
    report_file_header(&file)->system_ns = 0;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 3, site, 3);
    report_file_nodes(&file, 1, 0, node, 4);
    report_file_stages(&file, 1, 0, stage, 3);
    report_file_samples(&file, 1, sample, 3);
    free(stage);
    struct model *m = model_of(&file);
    CHECK(near(stage_named(m, "a")->user.ns, 500e6, 1e-3) && near(stage_named(m, "b")->user.ns, 500e6, 1e-3), "%f %f", stage_named(m, "a")->user.ns,
          stage_named(m, "b")->user.ns);
    CHECK(near(function_named(m, "a")->self.ns, 500e6, 1e-3), "%f", function_named(m, "a")->self.ns);
    const struct model_function *f = function_named(m, "f");
    CHECK(near(f->self.ns, 500e6 / 3, 1e-3), "a third of its stage, whatever the others got: %f", f->self.ns);
    CHECK(near(value_error_percent(f->self), 100 * sqrt(2.0 / 480), 0.02), "sqrt(1/3 * 2/3 / 480) of a third: %f", value_error_percent(f->self));
    double sum = 0;
    for (size_t i = 0; i < m->function_count; i++)
        sum += m->function[i].self.ns;
    CHECK(near(sum, m->coverage.sampled_ns, 1e-9) && near(sum, 1e9, 1e-9), "functions sum to the run: %f", sum);
    model_free(m);
}

static void figure_is(const char *(*figure)(char *, double), double value, const char *want)
{
    char text[FIGURE_BYTES];
    CHECK(strcmp(figure(text, value), want) == 0, "%s, expected %s", text, want);
}

static void test_figures(void)
{
    figure_is(figure_time, 0, "0");
    figure_is(figure_time, 999, "999 ns");
    figure_is(figure_time, 999.6, "1.00 us");
    figure_is(figure_time, 36.94e6, "36.9 ms");
    figure_is(figure_time, 4.823e9, "4.82 s");
    figure_is(figure_time, 1000e9, "1000 s");
    figure_is(figure_time, -1, "-");
    figure_is(figure_size, 512, "512 B");
    figure_is(figure_size, 1536, "1.50 KiB");
    figure_is(figure_count, 8410, "8 410");
    figure_is(figure_count, 99999, "99 999");
    figure_is(figure_count, 1234567, "1.23 M");
    figure_is(figure_times, 2.456, "2.46");
    figure_is(figure_times, 999.4, "999");
    figure_is(figure_times, 2043, "2 043");
    figure_is(figure_times, 1234567, "1.23 M");
    figure_is(figure_times, 0, "0");
    figure_is(figure_share, 0.977, "97.7%");
}

static void test_names(void)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    struct names names = { 0 };
    uint32_t f = names_function(m, &names, "f.part.0.isra.0", "f.part.0.isra", "/a.c", 3);
    CHECK(strcmp(m->function[f].name, "f") == 0 && strcmp(m->function[f].symbol, "f") == 0, "%s", m->function[f].name);
    CHECK(names_function(m, &names, "f", "f", "/a.c", 3) == f, "a clone is its function");
    CHECK(names_function(m, &names, "f.cold", "f", "", 0) == f, "a symbol table knows no file; only one carries the name");
    uint32_t other = names_function(m, &names, "f", "f", "/b.c", 9);
    CHECK(other != f && names_function(m, &names, "f.constprop.1", "f", "/b.c", 9) == other, "statics of one name in two files");
    uint32_t method = names_function(m, &names, "_ZN1A1mEv", "A::m", "/a.cc", 5);
    CHECK(names_function(m, &names, "_ZN1A1mEv", "A::m", "/a.h", 2) == method, "a method is declared in a header");
    CHECK(symbol_is_part("f.part.0") && symbol_is_part("f.cold") && !symbol_is_part("f.isra.0") && !symbol_is_part("party"), "parts");
    names_free(&names);
    model_free(m);
}

static void test_paths(void)
{
    struct arena arena = { 0 };
    static const struct { const char *directory, *file, *whole; } rows[] = {
        { "/a/b", "c.c", "/a/b/c.c" }, { "/a/b", "../c.c", "/a/c.c" }, { "/a/b", "./x//y/../c.c", "/a/b/x/c.c" },
        { "/a/b", "/c/d.c", "/c/d.c" }, { "", "d/../e.c", "e.c" }, { "", "../e.c", "../e.c" }, { "/", "../../e.c", "/e.c" }, { "/a", "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(strcmp(path_whole(&arena, rows[i].directory, rows[i].file), rows[i].whole) == 0, "%s + %s: %s, expected %s", rows[i].directory,
              rows[i].file, path_whole(&arena, rows[i].directory, rows[i].file), rows[i].whole);
    arena_free(&arena);
}

/* Sums of a point that the file does not have: no place is known for them, and the large number takes no memory. */
static void test_strange_point(void)
{
    static const struct pp_callsite point[] = { { .known = 0 }, { .address = 0x10, .module = 1, .known = 1 } };
    static const struct pp_block own = { .alloc_blocks = 3, .alloc_bytes = 300 }, strange = { .alloc_blocks = 5, .alloc_bytes = 50 };
    struct rlimit limit, narrow;
    struct report_file file = report_file_start();
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_points(&file, 0, point, 2, 0);
    report_file_blocks(&file, 1, 1, &own, 1);
    report_file_blocks(&file, 1, 0xfffffff0u, &strange, 1);
    getrlimit(RLIMIT_AS, &limit);
    narrow = limit;
    narrow.rlim_cur = 1u << 30;
    setrlimit(RLIMIT_AS, &narrow);
    struct model *m = report_analysed(&file, path);
    setrlimit(RLIMIT_AS, &limit);
    CHECK(m->point_count == 2 && m->point[1].blocks.alloc_bytes == 300 && m->point[0].blocks.alloc_bytes == 50, "%zu points", m->point_count);
    model_free(m);
}

/* Whoever ran while a thread was ready: other processes, as far as the other threads had no CPU time for it. */
static void test_delay(uint64_t cpu_ns, uint64_t delay_ns, uint32_t threads, enum pp_sample_source source, const char *said)
{
    struct pp_thread_row row[6] = { { 0 } };
    struct report_file file = report_file_start();
    for (uint32_t i = 0; i < 6; i++)
        row[i] = (struct pp_thread_row){ .tid = 100 + i, .block = i + 1, .start_ns = 5000000000, .end_ns = 6000000000,
                                         .cpu_ns = cpu_ns, .delay_ns = i ? 0 : delay_ns, .name = "work" };
    report_file_threads(&file, row, threads);
    report_file_header(&file)->user_ns = cpu_ns * threads;
    report_file_header(&file)->sample_source = source;
    struct model *m = model_of(&file);
    bool found = false, warned = false;
    for (size_t i = 0; i < m->notice_count; i++) {
        found = found || strstr(m->notice[i], said);
        warned = warned || strstr(m->notice[i], "keep step with the ticks");
    }
    CHECK(warned == (source == PP_SAMPLE_TIMER), "a warning for samples of source %d", (int)source);
    CHECK(m->doubt && strstr(m->doubt, "threads waited for a free CPU") && strstr(m->doubt, "trust CPU times"), "%s", m->doubt);
    CHECK(found, "%s; the first of %zu notices: %s", said, m->notice_count, m->notice_count ? m->notice[0] : "");
    model_free(m);
}

/* The kernel gives the number of a thread that ended to a later one. */
static void test_same_number(void)
{
    struct pp_thread_row row[5] = { { 0 } };
    struct report_file file = report_file_start();
    for (uint32_t i = 0; i < 5; i++)
        row[i] = (struct pp_thread_row){ .tid = i == 3 ? 8 : 7, .block = 1, .start_ns = 5000000000, .end_ns = 6000000000, .name = "work" };
    report_file_threads(&file, row, 5);
    struct model *m = model_of(&file);
    CHECK(m->thread_count == 5 && m->thread[0].id == 7 && m->thread[3].id == 8, "the kernel's number");
    CHECK(m->thread[1].id == 7 + (UINT64_C(1) << 32) && m->thread[4].id == 7 + (UINT64_C(3) << 32), "%llu", (unsigned long long)m->thread[4].id);
    model_free(m);
}

/* The record that names the module found no room on the disk. */
static void test_nameless(void)
{
    static const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "work", NULL, "f.c", NULL, 1 },
                                               { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "more", NULL, "f.c", NULL, 5 } };
    struct report_file file = report_file_start();
    report_file_sites(&file, 2, site, 2);
    struct model *m = model_of(&file);
    CHECK(m->module_count == 1 && m->module[0].id == function_named(m, "work")->module_id, "%zu modules", m->module_count);
    CHECK(strcmp(m->module[0].path, "unknown module") == 0 && m->module[0].complaint, "%s", m->module[0].path);
    model_free(m);
}

int main(void)
{
    int file = mkstemp(path);
    CHECK(file >= 0, "no temporary file");
    close(file);
    test_pipeline();
    test_moments();
    test_recursion();
    test_mutual();
    test_callers();
    test_gap();
    test_profiler();
    test_short();
    test_open();
    test_empty();
    test_scale();
    test_excess();
    test_regions();
    test_figures();
    test_names();
    test_paths();
    test_strange_point();
    test_same_number();
    test_nameless();
    test_delay(100000000, 300000000, 1, PP_SAMPLE_PERF, "other processes ran;");
    test_delay(100000000, 300000000, 3, PP_SAMPLE_PERF, "its own threads or other processes ran (these for 100.0 ms at least);");
    test_delay(100000000, 300000000, 6, PP_SAMPLE_PERF, "its own threads or other processes ran;");
    test_delay(100000000, 300000000, 1, PP_SAMPLE_TIMER, "other processes ran;");
    test_delay(1000000, 300000000, 6, PP_SAMPLE_PERF, "other processes ran;");     /* 5 of 300 ms may be the other threads' */
    unlink(path);
    return 0;
}
