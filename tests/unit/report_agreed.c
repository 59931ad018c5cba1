/* SPDX-License-Identifier: MIT */
/* report_agreed.c: user and kernel time were made to agree with the CPU time. A function with all of that time then has
 * nearly no error, and one with a part of it has a smaller error than its sources tell. */
#include "report_analysed.h"

#include <math.h>
#include <string.h>

#include "model/model.h"

static char path[] = "/tmp/report_agreed_XXXXXX";
enum { SAMPLES = 400 };

static const struct model_function *named(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->function_count; i++)
        if (strcmp(m->function[i].name, name) == 0)
            return &m->function[i];
    CHECK(false, "%s is there", name);
    return NULL;
}

/* main calls f, which has a quarter of the samples, and as much of the kernel time. The CPU time is as much more than
 * what samples found. */
static struct model *model_with(uint64_t more_ns)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "main", "main", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f", "f.c", NULL, 1 },
    };
    const struct pp_node node[] = { { .number = 0 },
                                    { .number = 1, .key = 4, .calls = 1, .timed_calls = 1 },
                                    { .number = 2, .parent = 1, .key = 2, .calls = 1, .timed_calls = 1 } };
    struct pp_sample sample[] = { { .address = 0x10, .module = 1, .node = 1, .count = SAMPLES * 3 / 4 },
                                  { .address = 0x20, .module = 1, .node = 2, .count = SAMPLES / 4 } };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    for (unsigned i = 0; i < 2; i++) {
        sample[i].ns = sample[i].count * 1000000;
        sample[i].unseen_ns = (int64_t)sample[i].ns;
    }
    h->sample_period_ns = 1000000;
    h->user_ns = SAMPLES * UINT64_C(1000000);
    h->system_ns = SAMPLES * UINT64_C(1000000) + more_ns;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, 3);
    report_file_samples(&file, 1, sample, 2);
    report_file_threads(&file, &row, 1);
    return report_analysed(&file, path);
}

int main(void)
{
    struct model *agreed = model_with(4000000), *apart = model_with(400000000);
    const struct value whole = named(agreed, "main")->total, part = named(agreed, "f")->self;
    CHECK(fabs(whole.ns - 804e6) < 6e6, "main has the CPU time: %f ms", whole.ns / 1e6);
    /* half a sample in and half out, of 400 */
    CHECK(value_error_percent(whole) < 0.3, "and an error of half a sample: %f %%", value_error_percent(whole));
    /* A sample more is 1 ms of user and 1 ms of kernel time more, so both err together: by sqrt(100 * 3/4) * 2 ms at most,
     * and by more than 8.66 ms of the one and 10 ms of the other would, if they were independent. */
    CHECK(sqrt(part.variance) > 13.23e6 && sqrt(part.variance) < 17.4e6, "a quarter: %f ms", sqrt(part.variance) / 1e6);
    CHECK(value_error_percent(named(apart, "main")->total) > 2, "not where they do not agree: %f %%",
          value_error_percent(named(apart, "main")->total));
    model_free(agreed);
    model_free(apart);
    puts("errors of what agrees with the CPU time");
    return 0;
}
