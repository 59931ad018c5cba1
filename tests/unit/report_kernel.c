/* SPDX-License-Identifier: MIT */
/* report_kernel.c: whose the kernel's time between samples is. Expected values are computed by hand. */
#define _GNU_SOURCE
#include "estimate/kernel.h"
#include "estimate/reconcile.h"
#include "report_analysed.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/report_kernel_XXXXXX";

static struct model *model_of(struct report_file *file) { return report_analysed(file, path); }

static int near(double a, double b, double part) { return fabs(a - b) <= part * fabs(b); }

/* Of three places none has kernel time beyond twice its error, and all together have. What then lacks of the CPU time
 * goes to each by its variance: 30 samples of user time, 10.5 ms between them, and an interval at the end. */
static void test_kernel(void)
{
    struct pp_sample sample[3];
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    for (unsigned i = 0; i < 3; i++)
        sample[i] = (struct pp_sample){ .address = 0x10 * (i + 1), .module = 1, .count = 10, .ns = 10000000, .unseen_ns = 3500000 };
    h->user_ns = 42000000;
    h->system_ns = 0;
    h->self_ns = 500000;
    h->sample_period_ns = 1000000;
    report_file_samples(&file, 1, sample, 3);
    struct model *m = model_of(&file);
    double all = 30 + 10.5 + (double)m->thread_count;
    CHECK(near(m->coverage.sampled_ns, 30e6 + 1e6 * 30 / all, 1e-9), "%f", m->coverage.sampled_ns);
    CHECK(near(m->coverage.placed_ns, 10.5e6 + 1e6 * 10.5 / all, 1e-9) && near(m->coverage.toll_ns, 500000, 1e-6), "%f at lines, %f the profiler's", m->coverage.placed_ns,
          m->coverage.toll_ns);
    model_free(m);
    file = report_file_start();
    h = report_file_header(&file);
    for (unsigned i = 0; i < 3; i++)
        sample[i].unseen_ns = 300000; /* 0.9 ms with an error of 0.95: by samples alone nobody's, but the clock has them */
    h->user_ns = 31400000;
    h->system_ns = 0;
    h->self_ns = 500000;
    report_file_samples(&file, 1, sample, 3);
    m = model_of(&file);
    CHECK(near(m->coverage.placed_ns, 0.9e6, 1e-9) && near(m->coverage.sampled_ns, 30e6, 1e-9), "%f at lines, %f", m->coverage.placed_ns, m->coverage.sampled_ns);
    CHECK(near(m->coverage.kernel_ns - m->coverage.toll_ns, 0.9e6, 1e-9), "on no line: %f", m->coverage.kernel_ns - m->coverage.toll_ns);
    model_free(m);
}

/* All that the clock has beyond is shared out: what sums of doubles leave of it by rounding is no line's, where it would
 * be shown as 0.00 ns. The third sample may be in the kernel, but nothing says that it is. */
static void test_kernel_rounding(void)
{
    for (unsigned i = 0; i < 40; i++) {
        struct model_sample sample[3] = { { .call = true, .system = { 1e6 + 7 * i, 3e9 } }, { .call = true, .system = { 3e5, 1e9 / 3 } }, { .doubt = { 2e6, 0 } } };
        struct model m = { .sample = sample, .sample_count = 3, .coverage = { .placed_ns = 1.3e6 + 7 * i, .unseen_known = 1 } };
        kernel_settle(&m, 9e4 + 13 * i, 7e9 / 3, 0);
        CHECK(sample[2].system.ns == 0, "%u: %g ns", i, sample[2].system.ns);
    }
}

/* A line calls the runtime, which works in the kernel: the line's two samples do not get the runtime's hundred. */
uintptr_t __profplug_of_a_test(void); /* where it returns to; without debug information, as the runtime */
uintptr_t wrapper_of_a_test(void);    /* the same, as one of the C library's functions that the runtime wraps */
__asm__(".text\n.type wrapper_of_a_test, %function\nwrapper_of_a_test:\n"
#ifdef __x86_64__
        "mov (%rsp), %rax\n"
#else
        "mov x0, x30\n"
#endif
        "ret\n.size wrapper_of_a_test, . - wrapper_of_a_test\n");
__asm__(".text\n.type __profplug_of_a_test, %function\n__profplug_of_a_test:\n"
#ifdef __x86_64__
        "mov (%rsp), %rax\n"
#else
        "mov x0, x30\n"
#endif
        "ret\n.size __profplug_of_a_test, . - __profplug_of_a_test\n");
__attribute__((noinline)) static uintptr_t line_that_calls(uintptr_t value) { return __profplug_of_a_test() - value; }
__attribute__((noinline)) static uintptr_t line_that_reads(uintptr_t value) { return wrapper_of_a_test() - value; }

static void test_kernel_profiler(void)
{
    struct pp_sample sample[] = {
        { .module = 1, .library = 1, .count = 100, .ns = 10000000, .unseen_ns = 90000000 },
        { .module = 1, .count = 2, .ns = 200000, .unseen_ns = 1000000 },
        { .address = 0x10, .module = 1, .count = 3000, .ns = 300000000 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    char own[4096] = "";
    Dl_info place;
    CHECK(dladdr((void *)(uintptr_t)line_that_calls, &place) && readlink("/proc/self/exe", own, sizeof own - 1) > 0, "%s", own);
    sample[0].address = sample[1].address = line_that_calls(1) - (uintptr_t)place.dli_fbase;
    h->user_ns = 310000000, h->system_ns = 91000000;
    h->sample_period_ns = 100000;
    report_file_module(&file, 1, own, 1);
    report_file_samples(&file, 1, sample, 3);
    struct model *m = model_of(&file);
    CHECK(m->coverage.profiler == 100, "%llu", (unsigned long long)m->coverage.profiler);
    CHECK(m->coverage.placed_ns < 5e6, "%f at lines", m->coverage.placed_ns);
    model_free(m);
}

__attribute__((noinline)) static uintptr_t line_that_computes(uintptr_t value) { return value * 3 % 7; }

/* A loop computes and calls a library that asks the kernel. By chance the loop's few samples have most of the time
 * between samples. That its program began with a hundred page faults does not explain it: these take microseconds. */
static void test_kernel_own(void)
{
    struct pp_sample sample[] = {
        { .module = 1, .library = 2, .count = 5, .ns = 5000000, .unseen_ns = 16000000, .faults = 41 },
        { .module = 1, .count = 3, .ns = 3000000, .unseen_ns = 65000000, .faults = 62 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    char own[4096] = "";
    Dl_info place;
    CHECK(dladdr((void *)(uintptr_t)line_that_calls, &place) && readlink("/proc/self/exe", own, sizeof own - 1) > 0, "%s", own);
    sample[0].address = line_that_calls(1) - (uintptr_t)place.dli_fbase;
    sample[1].address = (uintptr_t)line_that_computes - (uintptr_t)place.dli_fbase + line_that_computes(0);
    h->user_ns = 8000000, h->system_ns = 81000000;
    h->sample_period_ns = 1000000;
    h->peak_rss_bytes = 4 << 20;
    report_file_module(&file, 1, own, 1);
    report_file_module(&file, 2, "/somewhere/library", 0);
    report_file_samples(&file, 1, sample, 2);
    struct model *m = model_of(&file);
    double computes = 0, calls = 0;
    for (size_t i = 0; i < m->line_count; i++)
        *(strstr(m->function[m->line[i].function].name, "computes") ? &computes : &calls) += m->line[i].system_ns;
    CHECK(calls > 75e6 && calls < 85e6, "%f where it calls", calls);
    CHECK(computes < 2e6, "%f where it computes", computes);
    model_free(m);
}

/* A place touches 80,000 pages and has samples. Later another touches 98,000, without a sample: the last sample of the
 * thread, at a third place, has these faults and that time, and is not among samples that say that the event counted
 * them. The first place keeps its time, the second one gets the third one's. */
static void test_kernel_last_faults(void)
{
    struct pp_sample sample[] = {
        { .address = 0x10, .module = 1, .count = 15, .ns = 15000000, .unseen_ns = 120000000, .faults = 80000 },
        { .address = 0x20, .module = 1, .count = 60, .ns = 60000000, .unseen_ns = 150000000, .faults = 98000 },
        { .address = 0x10, .module = 1, .count = 1, .faults = PP_SAMPLE_FAULTS, .ns = 80000, .unseen_ns = 80000, .called_ns = 3200000, .excess = 50 },
        { .address = 0x40, .module = 1, .count = 1, .faults = PP_SAMPLE_FAULTS, .ns = 98000, .called_ns = 3200000, .excess = 60 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    h->user_ns = 75000000, h->system_ns = 270000000;
    h->sample_period_ns = 1000000;
    h->peak_rss_bytes = 4 << 20;
    h->fault_ns = 1500;
    report_file_samples(&file, 1, sample, 4);
    struct model *m = model_of(&file);
    double at[3] = { 0, 0, 0 };
    for (size_t i = 0; i < m->sample_count; i++)
        at[m->sample[i].address == 0x10 ? 0 : m->sample[i].address == 0x20 ? 1 : 2] += m->sample[i].system.ns;
    CHECK(near(at[0], 120e6, 0.1), "%f where pages are touched, with samples", at[0]);
    CHECK(at[1] < 15e6 && near(at[2], 150e6, 0.1), "%f at the last sample, %f where pages are touched without", at[1], at[2]);
    model_free(m);
}

/* A place touches 98,000 pages without a sample. The samples before and after it are in the runtime, which a line
 * called: by halves that line has the time, and gives it to the place. How long a fault takes is known as that time
 * is. */
static void test_kernel_faults_in_calls(void)
{
    struct pp_sample sample[] = {
        { .module = 1, .library = 1, .count = 2, .ns = 2000000, .unseen_ns = 294000000, .faults = 98000 },
        { .module = 1, .count = 98, .ns = 98000000, .unseen_ns = 1000000 },
        { .module = 1, .library = 1, .faults = PP_SAMPLE_FAULTS, .unseen_ns = 98000 },
        { .address = 0x40, .module = 1, .count = 1, .faults = PP_SAMPLE_FAULTS, .ns = 98000, .excess = 60 },
    };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    char own[4096] = "";
    Dl_info place;
    CHECK(dladdr((void *)(uintptr_t)line_that_reads, &place) && readlink("/proc/self/exe", own, sizeof own - 1) > 0,
          "%s", own);
    for (unsigned i = 0; i < 3; i++)
        sample[i].address = line_that_reads(1) - (uintptr_t)place.dli_fbase;
    h->user_ns = 100000000, h->system_ns = 295000000;
    h->sample_period_ns = 1000000;
    h->peak_rss_bytes = 4 << 20;
    h->fault_ns = 1500;
    report_file_module(&file, 1, own, 1);
    report_file_samples(&file, 1, sample, 4);
    struct model *m = model_of(&file);
    struct value at[2] = { { 0, 0 }, { 0, 0 } };
    for (size_t i = 0; i < m->sample_count; i++) {
        struct value *of = &at[m->sample[i].address == 0x40];
        of->ns += m->sample[i].system.ns;
        of->variance += m->sample[i].system.variance;
    }
    CHECK(at[0].ns < 15e6 && near(at[1].ns, 294e6, 0.1), "%f at the line that reads, %f where pages are touched",
          at[0].ns, at[1].ns);
    CHECK(at[1].variance > 0.9 * 295e6 * 1e6, "all that time lay between samples: %f", sqrt(at[1].variance));
    model_free(m);
}

/* A loop has 400 samples, and by halves all 300 ms of the kernel's time, in which `f` stayed. Clocks have 400 and 300.
 * `met`: f has a sample, too. more_ns: what its clock has besides, which nobody knows. *error: of its time, percent. */
static double stays(bool known, bool met, uint64_t more_ns, double *error)
{
    const uint64_t ms = 1000000;
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "rest", "rest", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 1 },
    };
    struct pp_node node[] = { { .number = 0 },
                              { .number = 1, .key = 4, .calls = 1, .timed_calls = 1, .self_ns = 400 * ms },
                              { .number = 2, .key = 2, .parent = 1, .calls = 9, .timed_calls = 9 } };
    struct pp_sample sample[] = {
        { .address = 0x10, .module = 1, .node = 1, .count = 400, .ns = 400 * ms },
        { .address = 0x20, .module = 1, .node = 2, .count = 1, .ns = ms, .unseen_ns = (int64_t)(6 * ms) },
    };
    node[2].self_ns = 300 * ms + more_ns;
    sample[0].unseen_ns = (int64_t)(met ? 294 * ms : 300 * ms);
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    h->features_ignorable = known ? PP_IGNORABLE_OFF : 0;
    h->sample_source = PP_SAMPLE_PERF;
    h->user_ns = 400 * ms, h->system_ns = 300 * ms;
    h->sample_period_ns = 1000000;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, 3);
    report_file_samples(&file, 1, sample, met ? 2 : 1);
    struct model *m = model_of(&file);
    double ns = NAN, all = 0;
    settle(m);
    for (size_t i = 0; i < m->function_count; i++) {
        const struct model_function *f = &m->function[i];
        all += f->self.ns;
        if (strcmp(f->name, "f"))
            continue;
        ns = f->self.ns, *error = value_error_percent(f->self);
        CHECK(near(f->remainder_ns, ns, 1e-9) && near(f->remainder_system_ns, f->system_ns, 1e-9), "on no line: %f, %f",
              f->remainder_ns, f->remainder_system_ns);
        CHECK(ns == 0 || f->system_ns > 0.98 * ns, "all of it is the kernel's: %f", f->system_ns);
    }
    CHECK(near(all, 700e6, 0.01), "all functions have the CPU time: %f", all);
    model_free(m);
    return ns / 1e6;
}

static void test_kernel_stays(void)
{
    double error, unmet = stays(true, false, 0, &error);
    CHECK(near(unmet, 300, 0.02) && error > 1 && error < 6, "no sample met it: %f ms +-%f %%", unmet, error);
    unmet = stays(true, true, 0, &error);
    CHECK(near(unmet, 300, 0.02) && error > 1 && error < 6, "one sample met it: %f ms +-%f %%", unmet, error);
    CHECK(stays(false, false, 0, &error) == 0, "an older file does not know how long threads had no CPU");
    CHECK(stays(true, false, 600000000, &error) == 0, "clocks that have something else in them tell nothing");
}

int main(void)
{
    test_kernel_stays();
    test_kernel_faults_in_calls();
    test_kernel_last_faults();
    test_kernel();
    test_kernel_rounding();
    test_kernel_profiler();
    test_kernel_own();
    unlink(path);
    return 0;
}
