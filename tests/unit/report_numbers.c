/* SPDX-License-Identifier: MIT */
/* report_numbers.c: the program's own numbers, and throughput by windows of time: of several threads, complete,
 * interrupted, and in files whose names were lost. */
#include "report_analysed.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "estimate/analyse.h"
#include "merge/between.h"
#include "read/profile.h"

static char path[] = "/tmp/report_numbers_XXXXXX";

static struct model *model_of(struct report_file *file) { return report_analysed(file, path); }

/* Two threads record the same number in the same stage. Their windows differ in width, and one thread was interrupted
 * while its windows were merged. */
static void test_numbers(void)
{
    static const struct report_site site[] = { { PP_SITE_STAGE, PP_MODE_TIMED, PP_CATEGORY_IO, PP_REASON_STAGE, "load",
                                                 NULL, "l.c", "load", 3 } };
    struct report_file f = report_file_start();
    report_file_module(&f, 1, "/somewhere/pipeline", 1);
    report_file_sites(&f, 1, site, 1);
    report_file_number(&f, 1, PP_NUMBER_COUNT, "hits");
    report_file_number(&f, 2, PP_NUMBER_GAUGE, "depth");
    for (uint32_t thread = 1; thread <= 3; thread++) {
        struct pp_stage *stage = calloc(2, sizeof *stage);
        struct pp_tally tally[3] = { { 0 } };
        struct pp_node node[] = { { .number = 0 }, { .number = 1, .key = 1, .stage = 1 } };
        stage[1] = (struct pp_stage){ .key = 1, .kind = PP_SITE_STAGE, .number = 1 };
        report_file_activation(&stage[1], 500000000, 0);
        for (unsigned k = 0; k < PP_WINDOWS / thread; k++)
            stage[1].windows[PP_WINDOW_ITEMS].count[k] = 100 * thread + k % 2;
        stage[1].windows[PP_WINDOW_ITEMS].shift = thread - 1;
        stage[1].windows[PP_WINDOW_ITEMS].turn = thread == 3;
        for (int i = 0; i < 10; i++) {
            report_file_say(&tally[0], INT64_MAX);
            report_file_say(&tally[1], -i * (int)thread);
        }
        report_file_say(&tally[2], 1);
        report_file_nodes(&f, thread, 0, node, 2);
        report_file_stages(&f, thread, 0, stage, 2);
        report_file_tallies(&f, thread, 1, 1, tally, 3);
        report_file_tallies(&f, thread, 0, 2, tally + 1, 1);
        free(stage);
    }
    struct model *m = model_of(&f);
    CHECK(m->stage_count == 1 && m->number_count == 3, "%zu stages, %zu numbers", m->stage_count, m->number_count);
    const struct model_tally *t = m->stage[0].tally;
    CHECK(t && t[0].count == 30 && t[0].sum == (__int128)INT64_MAX * 30 && t[0].min == INT64_MAX &&
              t[0].max == INT64_MAX,
          "hits");
    CHECK(t[1].count == 30 && t[1].sum == -45 * 6 && t[1].min == -27 && t[1].max == 0, "depth");
    CHECK(!strcmp(m->number[2].name, "(number 3)") && t[2].count == 3, "a number whose name was lost: %s",
          m->number[2].name);
    CHECK(m->outside && !m->outside[0].count && m->outside[1].count == 30 && m->outside[1].sum == t[1].sum, "outside");
    struct throughput p = stage_throughput(&m->stage[0]);
    uint64_t first = 64 * 100 + 32, second = 32 * 200 + 16;
    CHECK(!strcmp(p.unit, "items") && p.handled == first + second, "%s %" PRIu64, p.unit, p.handled);
    CHECK(p.windows->shift == 1 && p.windows->count[0] == 100 + 101 + 200 && p.windows->count[31] == 100 + 101 + 201,
          "as wide as the widest");
    double scale = 1e9 / (double)p.window_ns;
    CHECK(p.window_ns == UINT64_C(2) << PP_WINDOW_BITS && p.window_count == 30, "%u windows", p.window_count);
    CHECK(p.min == 401 * scale && p.max == 402 * scale && p.median == 401.5 * scale, "%g to %g", p.min, p.max);
    CHECK(p.per_second == 1e9 * (double)(first + second) / 1.5e9, "%g a second", p.per_second);
    model_free(m);
}

/* Differences of the pipeline's two snapshots, computed by hand, and scaled if a part was read. */
static void test_snapshots(void)
{
    struct report_file f = report_file_pipeline();
    struct model *m = model_of(&f);
    struct between d;
    char why[256];
    CHECK(m->snapshot_count == 2 && !strcmp(m->snapshot[1].label, "late"), "%zu snapshots", m->snapshot_count);
    CHECK(between_make(&d, m, "warm", "#2", why), "%s", why);
    CHECK(d.wall_ns == 600000000 && d.cpu_known && d.cpu_ns == 520000000 && d.rss_known && d.rss_bytes == -(1 << 20),
          "the process");
    CHECK(d.heap_known && blocks_live_bytes(&d.heap) == -2000000 && d.heap.alloc_bytes == 4000000, "the heap: %" PRId64,
          blocks_live_bytes(&d.heap));
    CHECK(d.stage_count == 2 && !strcmp(m->stage[d.stage[0].stage].name, "batches") &&
              d.stage[0].moment.iterations == 6 && !d.stage[0].moment.calls,
          "the loop");
    const struct model_moment *decode = &d.stage[1].moment;
    CHECK(!strcmp(m->stage[d.stage[1].stage].name, "decode") && decode->calls == 6 && decode->wall_ns == 610000000,
          "decode");
    CHECK(decode->metric[PP_METRIC_CPU] == 600000000 - 90000000 && decode->metric[PP_METRIC_ALLOC_BYTES] == 0,
          "%g: scaled by entries", decode->metric[PP_METRIC_CPU]);
    CHECK(d.sites_known && d.site_count == 1 && d.site[0].blocks.alloc_blocks == 600 &&
              blocks_live_bytes(&d.site[0].blocks) == -2900000,
          "%zu sites", d.site_count);
    between_free(&d);
    CHECK(between_make(&d, m, "start", "warm", why) && d.site_count == 1 && d.site[0].blocks.alloc_blocks == 201 &&
              d.from.at_ns == 0 && d.stage[1].moment.calls == 2,
          "from the start");
    CHECK(!d.rss_known && d.heap_known && d.heap.alloc_bytes == 5000000, "nobody looked at the start");
    between_free(&d);
    CHECK(between_make(&d, m, "late", "end", why) && d.stage[1].moment.calls == 2 && d.stage[0].moment.calls == 1,
          "to the end");
    between_free(&d);
    CHECK(!between_make(&d, m, "late", "warm", why) && strstr(why, "was taken after"), "%s", why);
    CHECK(!between_make(&d, m, "late", "nosuch", why) && strstr(why, "one of warm, late"), "%s", why);
    model_free(m);
}

int main(void)
{
    int file = mkstemp(path);
    CHECK(file >= 0, "no temporary file");
    close(file);
    test_numbers();
    test_snapshots();
    unlink(path);
    return 0;
}
