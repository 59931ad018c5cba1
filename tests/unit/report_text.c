/* SPDX-License-Identifier: MIT */
/* report_text.c: the report's text and its JSON, of models made for it: each figure has its own name, nothing is shown
 * that is not there, and legends explain only what is shown. */
#include "report_analysed.h"

#include <math.h>
#include <string.h>

#include "export/export.h"
#include "section/section.h"
#include "show/changes.h"
#include "show/screen.h"

static char path[] = "/tmp/report_text_XXXXXX";

static char *shown(const struct model *m, void (*show)(FILE *, const struct model *, const struct view *), int width)
{
    static char *text;
    size_t bytes;
    free(text);
    FILE *out = open_memstream(&text, &bytes);
    show(out, m, &(struct view){ .width = width });
    fclose(out);
    return text;
}

#define HAS(text, part) CHECK(strstr(text, part), "no '%s' in: %s", part, text)
#define LACKS(text, part) CHECK(!strstr(text, part), "'%s' in: %s", part, text)

static struct model *model_start(void)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    m->run = (struct model_run){ .program = "p",
                                 .path = "p.profplug",
                                 .wall_ns = 1000000000,
                                 .user_ns = 500000000,
                                 .self_ns = 172000000,
                                 .self_most_ns = 172100000,
                                 .budget_permille = 20,
                                 .exit_kind = MODEL_EXIT_EXIT,
                                 .sealed = true,
                                 .thread_count = 1,
                                 .memory_note = "",
                                 .sample_note = "",
                                 .directory = "",
                                 .host = "",
                                 .cpu_model = "",
                                 .clock_name = "",
                                 .compiler = "" };
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) =
        (struct model_node){ .function = MODEL_NONE, .stage = MODEL_NONE };
    return m;
}

/* Functions that ran while calls were not recorded: only their samples are known. */
static void test_uncounted(bool counted)
{
    enum {
#define PP_COLLECTOR(id, key, level, available, help) COLLECTOR_##id,
#include <profplug/abi/options.def>
    };
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "plain_function", NULL, "f.c", NULL, 1 },
        { PP_SITE_STAGE, PP_MODE_TIMED, 0, PP_REASON_STAGE, "stage_function", NULL, "f.c", "s", 5 }
    };
    struct pp_node node[] = { { .number = 0 },
                              { .number = 1,
                                .key = 1,
                                .calls = 3,
                                .timed_calls = 3,
                                .timed_ns = 9000000,
                                .self_ns = 9000000,
                                .function_ns = 9000000 } };
    struct pp_sample sample = { .address = 0x10, .module = 1, .node = 1, .count = 9, .ns = 9000000 };
    uint64_t counter[3] = { 0, 0, 7 };
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    h->collectors = counted ? h->collectors | 1u << COLLECTOR_CALLTREE : h->collectors & ~(1u << COLLECTOR_CALLTREE);
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 2, site, 2);
    report_file_counters(&file, 1, counter, 3);
    report_file_nodes(&file, 1, 0, node, 2);
    report_file_samples(&file, 1, &sample, 1);
    struct model *m = report_analysed(&file, path);
    bool found = false;
    for (size_t i = 0; i < m->function_count; i++) {
        const struct model_function *f = &m->function[i];
        found = found || strcmp(f->name, "plain_function") == 0;
        if (strcmp(f->name, "plain_function") == 0)
            CHECK(f->calls_known == counted && f->calls == (counted ? 7 : 0), "calls %d %llu", f->calls_known,
                  (unsigned long long)f->calls);
        if (strcmp(f->name, "stage_function") == 0)
            CHECK(f->calls_known && f->calls == 3, "a stage's are recorded: %llu", (unsigned long long)f->calls);
    }
    CHECK(found, "the function");
    model_free(m);
    m = model_start();
    m->coverage.sampled_ns = 9e6;
    for (int i = 0; i < 2; i++)
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
            (struct model_function){ .name = i ? "g" : "f",
                                     .key = i ? "g" : "f",
                                     .symbol = "",
                                     .file = "f.c",
                                     .line = 1,
                                     .calls_known = i,
                                     .calls = i,
                                     .samples = 9,
                                     .total_samples = 20,
                                     .wall_known = i,
                                     .timed_calls = (uint64_t)i,
                                     .wall_ns = 7000000,
                                     .total = { 20e6, 1e12 },
                                     .self = { 9e6, 1e12 },
                                     .stage = MODEL_NONE };
    HAS(shown(m, text_functions, 1000), "wall: inclusive, where every call was timed");
    HAS(shown(m, text_functions, 1000), " 7.00 ms ");
    HAS(shown(m, export_json, 160), "\"wall_total_ns\":\t7000000");
    m->function_count = 1;
    LACKS(shown(m, text_functions, 1000), " 7.00 ms "); /* no clock measured each call */
    LACKS(shown(m, export_json, 160), "wall_total_ns");
    HAS(shown(m, export_json, 160), "\"cpu_total_ns\":\t20000000");
    HAS(shown(m, export_json, 160), "\"self_ns\":\t9000000");
    LACKS(shown(m, export_json, 160), "wait_total_ns");
    LACKS(shown(m, text_functions, 30), "% CPU: self"); /* there is no room for it */
    m->function[0].stalled = (struct value){ 400e6, 0 }; /* it waited 20 times as long as it had the CPU: two numbers */
    HAS(shown(m, text_functions, 1000), " 20.0 ms ");
    HAS(shown(m, text_functions, 1000), " 400 ms   40.0% "); /* of the second that the one thread was there */
    for (int i = 0; i < 2; i++)
        *ARRAY_PUSH(m->thread, m->thread_count, m->thread_capacity) =
            (struct model_thread){ .id = 1, .name = "t", .wall_ns = 800000000, .started_line = MODEL_NONE, .joined_line = MODEL_NONE };
    HAS(shown(m, text_functions, 1000), " 400 ms   25.0% "); /* of two threads' */
    HAS(shown(m, text_functions, 1000), "% time: waits, of the 1.60 s of all threads");
    struct model_stage both = { .times.wall_ns = 1600000000 };
    CHECK(fabs(stage_share(m, &both) - 1) < 1e-9, "a stage in both threads: %f", stage_share(m, &both));
    HAS(shown(m, export_json, 160), "\"wait_total_ns\":\t400000000");
    HAS(shown(m, export_json, 160), "\"cpu_total_ns\":\t20000000");
    model_free(m);
}

static struct model_stage *stage_add(struct model *m, uint64_t io, uint64_t lock)
{
    struct model_stage *s = ARRAY_PUSH(m->stage, m->stage_count, m->stage_capacity);
    *s =
        (struct model_stage){ .id = 1,
                              .parent = MODEL_NONE,
                              .key = "s",
                              .name = "s",
                              .file = "",
                              .function = "",
                              .kind = PP_SITE_STAGE,
                              .times = { .calls = 1, .timed_calls = 1, .wall_ns = 1000000000, .self_ns = 1000000000 } };
    s->metric_known[PP_METRIC_CPU] = s->metric_exact[PP_METRIC_CPU] = true;
    s->metric[PP_METRIC_CPU] = 100000000;
    s->traffic.wait_ns[PP_WAIT_IO] = io;
    s->traffic.wait_ns[PP_WAIT_LOCK] = lock;
    m->has_operations = true;
    return s;
}

static void test_waits(void)
{
    static const struct {
        uint64_t io, lock;
        const char *text, *json_io, *json_lock;
    } rows[] = {
        { 1500000000, 0, " io 90%", "\"io_wait_ns\":\t900000000",
          "\"lock_wait_ns\":\t0" }, /* an estimate, of 900 ms off the CPU */
        { 1500000000, 300000000, "io 60%, lock 30%", "\"io_wait_ns\":\t600000000", "\"lock_wait_ns\":\t300000000" },
        { 300000000, 300000000, "io 30%, lock 30%", "\"io_wait_ns\":\t300000000", "\"lock_wait_ns\":\t300000000" },
        { 300000000, 950000000, "lock 95%", "\"io_wait_ns\":\t0",
          "\"lock_wait_ns\":\t950000000" }, /* as it was measured */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct model *m = model_start();
        stage_add(m, rows[i].io, rows[i].lock);
        HAS(shown(m, text_stages, 160), rows[i].text);
        HAS(shown(m, export_json, 160), rows[i].json_io);
        HAS(shown(m, export_json, 160), rows[i].json_lock);
        model_free(m);
    }
}

static void test_header(void)
{
    struct model *m = model_start();
    m->run.self_most_ns = 200000000;
    HAS(shown(m, text_whole, 160), "   overhead 59.6 % (52.4 to 66.7; budget 2.0 %)   "); /* of the rest */
    HAS(shown(m, export_json, 160), "\"overhead_percent\":\t59.5");
    HAS(shown(m, export_json, 160), "\"overhead_most_percent\":\t66.6");
    LACKS(shown(m, export_json, 160), "overhead_reason");
    m->run.cost_unknown = "a reason";
    HAS(shown(m, text_whole, 160), "   overhead not measured (a reason; `profplug overhead` measures it)   ");
    HAS(shown(m, export_json, 160), "\"overhead_percent\":\tnull,\n\t\t\t\"overhead_reason\":\t\"a reason\"");
    LACKS(shown(m, export_json, 160), "overhead_most_percent");
    m->run.cost_unknown = NULL;
    m->run.exit_kind = MODEL_EXIT_KILLED;
    m->run.peak_rss_bytes = 3 << 20;
    HAS(shown(m, export_json, 160), "\"cpu_note\":");
    HAS(shown(m, export_json, 160), "\"peak_note\":");
    HAS(shown(m, text_whole, 160), ", at least 3.00 MiB peak ");
    m->run.exit_kind = MODEL_EXIT_EXIT;
    LACKS(shown(m, export_json, 160), "_note");
    m->run.user_ns = 1400000;
    m->run.self_ns = 650000;
    m->run.self_most_ns = 690000;
    HAS(shown(m, text_whole, 160), "   overhead 670 us (650 us to 690 us; the run is too short for a percentage)   ");
    m->run.user_ns = 0;
    HAS(shown(m, text_whole, 160), " wall, cpu unknown, 1 thread");
    struct model_child child = { .pid = 7, .path = "c", .readable = true, .wall_ns = 5 };
    m->run.child = &child;
    m->run.child_count = 1;
    HAS(shown(m, text_whole, 160), "7  5 ns wall, cpu unknown, ");
    model_free(m);
}

static void operation_add(struct model *m, enum pp_operation_kind kind, uint32_t target)
{
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = kind,
                                  .target = target,
                                  .stage = MODEL_NONE,
                                  .line = MODEL_NONE,
                                  .function = MODEL_NONE,
                                  .module = MODEL_NONE,
                                  .library = MODEL_NONE,
                                  .attributed = true,
                                  .sum = { .calls = 1, .wall_ns = 1000 } };
    m->has_operations = true;
}

static void test_operations(void)
{
    static const struct model_target target[] = { { PP_TARGET_SOCKET, "tcp used", { NULL } },
                                                  { PP_TARGET_SOCKET, "tcp idle", { NULL } },
                                                  { PP_TARGET_FILE, "/opened", { NULL } },
                                                  { PP_TARGET_FILE, "/idle", { NULL } },
                                                  { PP_TARGET_SOCKET, "tcp closed", { NULL } } };
    struct model *m = model_start();
    for (size_t i = 0; i < sizeof target / sizeof *target; i++)
        *ARRAY_PUSH(m->target, m->target_count, m->target_capacity) = target[i];
    operation_add(m, PP_OPERATION_CONNECT, 0);
    operation_add(m, PP_OPERATION_OPEN, 2);
    operation_add(m, PP_OPERATION_CLOSE, 4);
    const char *text = shown(m, text_io, 160), *ends = strstr(text, "ENDPOINTS"),
               *files = strstr(text, "FILES");
    CHECK(ends && files, "%s", text);
    HAS(ends, "tcp used");
    HAS(files, "/opened");
    LACKS(text, "idle");
    LACKS(ends, "tcp closed");
    LACKS(text, "locks and semaphores");
    LACKS(text, "in order:"); /* no such column */
    LACKS(text, "last_write:");
    LACKS(text, "response:");
    LACKS(ends, "answer in:");
    operation_add(m, PP_OPERATION_READ, 2);
    operation_add(m, PP_OPERATION_LOCK, MODEL_NONE);
    operation_add(m, PP_OPERATION_RESPONSE, 0);
    operation_add(m, PP_OPERATION_LAST_WRITE, 2);
    text = shown(m, text_io, 200);
    HAS(text, "in order: calls that start");
    HAS(text, "locks and semaphores: only calls");
    HAS(text, "response: time");
    HAS(text, "last_write: stdio buffers");
    HAS(text, "connect: mean; answer in: mean time from the last byte");
    model_free(m);
}

static void test_gauge(void)
{
    struct model *m = model_start();
    struct model_tally tally = { .count = 2, .sum = 999999, .min = 0, .max = 999999 };
    *ARRAY_PUSH(m->number, m->number_count, m->number_capacity) = (struct model_number){ "depth", PP_NUMBER_GAUGE };
    m->outside = &tally;
    HAS(shown(m, text_numbers, 160), " 500000 ");
    tally.count = 1;
    HAS(shown(m, text_numbers, 160), " 999999 ");
    tally = (struct model_tally){ .count = 4, .sum = 5, .min = 0, .max = 5 };
    HAS(shown(m, text_numbers, 160), " 1.25 ");
    m->outside = NULL;
    model_free(m);
}

/* Singular and plural are used correctly, and if nothing represents what is missing, the text does not say so. */
static void test_words(void)
{
    struct model *m = model_start();
    m->run.events_counted = m->run.events_timed = 1;
    m->coverage.samples = m->run.sample_signals = 1;
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        m->run.losses[i] = 1;
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        m->run.given_up[i] = 1;
    struct model_stage *s = stage_add(m, 0, 0);
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){ .name = "f",
                                                                                                 .key = "f",
                                                                                                 .symbol = "",
                                                                                                 .file = "",
                                                                                                 .calls_known = true,
                                                                                                 .calls = 1,
                                                                                                 .timed_calls = 1,
                                                                                                 .stage = MODEL_NONE };
    operation_add(m, PP_OPERATION_READ, MODEL_NONE);
    const char *text = shown(m, text_whole, 4000);
    HAS(text, "1 call counted, 1 timed, 1 sample");
    LACKS(text, "1 samples");
    HAS(text, " 1 piece of the data file");
    HAS(text, " 1 operation without file or line");
    HAS(text, " 1 sample for which there was no room");
    HAS(text, " 1 sample was skipped: errors are larger; ");
    HAS(text, " 1 call of a function was not timed: randomly chosen calls stand for it; ");
    HAS(text, " 1 entry of a stage was recorded without CPU time");
    HAS(text, " 1 iteration was not timed one by one; ");
    HAS(text, " 1 call that moves bytes was not timed: randomly chosen calls stand for it; ");
    LACKS(text, "{");
    HAS(shown(m, export_json, 160), "\"lost: 1 piece of the data file");
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        m->run.losses[i] = 2;
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        m->run.given_up[i] = 2;
    m->coverage.samples = m->run.sample_signals = 2;
    text = shown(m, text_whole, 4000);
    HAS(text, "1 timed, 2 samples");
    HAS(text, " 2 pieces of the data file");
    HAS(text, " 2 samples were skipped: errors are larger; ");
    HAS(text, " 2 calls of functions were not timed: randomly chosen calls stand for them; ");
    HAS(text,
        " 2 entries of stages were recorded without CPU time, bytes and faults: randomly chosen entries stand for them; ");
    m->coverage.samples = 0;
    m->function[0].timed_calls = 0;
    s->metric_known[PP_METRIC_CPU] = false;
    m->operation[0].sum.untimed = m->operation[0].sum.calls;
    text = shown(m, text_whole, 4000);
    HAS(text, " 2 samples were skipped; ");
    HAS(text, " 2 calls of functions were not timed; ");
    HAS(text, " 2 entries of stages were recorded without CPU time, bytes and faults; ");
    LACKS(text, "stand for");
    m->coverage.samples = 1089;
    m->run.sample_signals = 195;
    m->run.sample_period_ns = 1000000;
    text = shown(m, text_whole, 4000);
    HAS(text, "195 samples (one every 1.00 ms of CPU time was due; 894 skipped)");
    HAS(shown(m, export_json, 160), "\"events_sampled\":\t195");
    HAS(shown(m, export_json, 160), "\"events_skipped\":\t894");
    m->run.sample_signals = 1089;
    HAS(shown(m, text_whole, 4000), "1 089 samples (one every 1.00 ms of CPU time)");
    m->coverage.samples = 0;
    m->run.sample_signals = 9;
    HAS(shown(m, text_whole, 4000), "no samples: there was no room for the 9 that were taken");
    model_free(m);
}

/* Threads of one name: which is the first, and in which function one began, where samples tell. */
static void test_threads(void)
{
    struct model *m = model_start();
    m->run.pid = 7;
    for (uint32_t i = 0; i < 2; i++) {
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){ .name = i ? "carve" : "plane" };
        *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .function = i, .stage = MODEL_NONE };
    }
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .parent = 1, .function = 1, .stage = MODEL_NONE };
    static const uint32_t at[][2] = { { 0, 1 }, { 1, 1 }, { 1, 3 }, { 2, 1 }, { 2, 2 }, { 3, 2 }, { 3, 0 }, { 4, 1 }, { 4, 0 }, { 6, 1 }, { 6, 2 } };
    for (uint32_t i = 0; i < 7; i++) /* the last three were started by one call */
        *ARRAY_PUSH(m->thread, m->thread_count, m->thread_capacity) =
            (struct model_thread){ .id = 7 + i, .name = "shop", .wall_ns = 1000, .cpu_ns = 900 - i, .started_point = i > 3 ? 5 : 0 };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        *ARRAY_PUSH(m->sample, m->sample_count, m->sample_capacity) =
            (struct model_sample){ .thread = at[i][0], .node = at[i][1], .line = MODEL_NONE, .count = 1 };
    const char *text = shown(m, text_threads, 160);
    HAS(text, "\nshop (main) ");
    HAS(text, "\nshop in plane ");
    HAS(text, "\nshop            9 "); /* its samples differ */
    HAS(text, "\nshop in carve  10 ");
    for (uint32_t i = 4; i < 7; i++) { /* one knows, one has no samples, those of one differ */
        char row[40];
        snprintf(row, sizeof row, "\nshop in plane  %u ", 7 + i);
        HAS(text, row);
    }
    HAS(text, "THREADS: after \"in\" stands");
    for (uint32_t i = 0; i < 2; i++)
        *ARRAY_PUSH(m->timeline.span, m->timeline.span_count, m->timeline.span_capacity) =
            (struct model_span){ .thread = i, .stage = MODEL_NONE, .wall_ns = 1000 };
    m->run.wall_ns = 1000;
    text = shown(m, text_timeline, 160);
    HAS(text, "\nshop (main) |");
    HAS(text, "\nshop        |");
    m->timeline.span_count = 0;
    m->thread[0].id = 17;
    m->sample_count = 0;
    text = shown(m, text_threads, 160);
    LACKS(text, "main");
    LACKS(text, "\"in\"");
    model_free(m);
}

/* Samples in a piece of the file that was refused are lost, like those that found no room in a piece. */
/* A value that rests on hardly a sample has no percentage for an error, in text and in JSON. */
static void test_vague(void)
{
    for (unsigned vague = 0; vague < 2; vague++) {
        struct model *m = model_start();
        struct value self = { 5e6, vague ? 26e12 : 24e12 };
        m->run.sample_signals = 1;
        m->coverage.samples = vague ? 5 : 1;
        m->run.given_up[PP_GIVEN_SAMPLES] = vague ? 4 : 0;
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
            (struct model_function){ .name = "f", .key = "f", .symbol = "", .file = "", .self = self, .samples = 5 };
        *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) =
            (struct model_line){ .file = "f.c", .line = 7, .self = self, .samples = 5 };
        const char *text = shown(m, text_whole, 200), *few = strstr(text, "few samples");
        CHECK((few && strstr(few + 1, "few samples")) == vague && !few == !vague, "not both: %s", text);
        CHECK((strstr(text, "+-98%") == NULL) == vague, "the error in: %s", text);
        const char *taken = strstr(text, "samples: 1 of 5 were taken, to stay cheap, and each also stands for the skipped");
        CHECK((taken != NULL) == vague, "what samples are, in: %s", text);
        text = shown(m, export_json, 160);
        few = strstr(text, "\"few_samples\":\ttrue");
        CHECK((few && strstr(few + 1, "few_samples")) == vague && !few == !vague, "not both: %s", text);
        model_free(m);
    }
}

static void test_refused(bool refused)
{
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_node node[] = { { .number = 0 } };
    struct pp_sample sample = { .address = 0x10, .module = 1, .count = 9, .ns = 9000000 };
    h->events_sampled = 29;
    h->losses[PP_LOSS_SAMPLES] = 4;
    h->losses[PP_LOSS_DISK] = refused;
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_nodes(&file, 1, 0, node, 1);
    report_file_samples(&file, 1, &sample, 1);
    struct model *m = report_analysed(&file, path);
    CHECK(m->run.losses[PP_LOSS_SAMPLES] == (refused ? 20 : 4), "29 taken, 9 kept: %llu lost",
          (unsigned long long)m->run.losses[PP_LOSS_SAMPLES]);
    model_free(m);
}

/* If not all calls are timed, their time is an estimate. With the measured time it is at most what the stage had of its
 * own, or the thread outside of stages. Waits are at most what the thread was off the CPU; without that bound they are
 * 60 ms here, and 5 that were measured. */
static void test_bounds(unsigned cpu_ms)
{
    enum { MS = 1000000 };
    const struct pp_thread_row row = {
        .tid = 7, .block = 1, .start_ns = 1000000000, .end_ns = 1000000000 + 100 * MS, .cpu_ns = cpu_ms * MS
    };
    double part = fmin(1, (100.0 - cpu_ms - 5) / 60);
    static const struct pp_callsite point[] = { { .known = 0 }, { .address = 0x10, .module = 1, .known = 1 } };
    const struct pp_operation operation[] = {
        /* in the stage, which had 40 ms of its own: 30 ms measured, and 20 estimated from few calls, half of them
         * waiting */
        { .key = PP_OPERATION_KEY(1, PP_OPERATION_WRITE, 1, 0),
          .timed = 3,
          .wall_ns = 30 * MS,
          .wait_ns = 0,
          .most_ns = 10 * MS },
        { .key = PP_OPERATION_KEY(1, PP_OPERATION_READ, 1, 0),
          .timed = 2,
          .untimed = 8,
          .stood = 8,
          .wall_ns = 20 * MS,
          .wait_ns = 10 * MS,
          .most_ns = 3 * MS,
          .spread = 36ull * MS * MS / 1024 },
        /* outside, where there are 60 ms: 75 estimated from few calls, all of it waiting, and 5 measured */
        { .key = PP_OPERATION_KEY(1, PP_OPERATION_READ, 0, 0),
          .timed = 2,
          .untimed = 8,
          .stood = 8,
          .wall_ns = 75 * MS,
          .wait_ns = 75 * MS,
          .most_ns = 9 * MS,
          .spread = 225ull * MS * MS / 1024 },
        { .key = PP_OPERATION_KEY(1, PP_OPERATION_SPLICE, 0, 0),
          .timed = 1,
          .wall_ns = 5 * MS,
          .wait_ns = 5 * MS,
          .most_ns = 5 * MS },
    };
    struct pp_stage *stage = calloc(2, sizeof *stage);
    stage[1] = (struct pp_stage){ .key = 9,
                                  .kind = PP_SITE_STAGE,
                                  .number = 1,
                                  .calls = 1,
                                  .timed_calls = 1,
                                  .outer_calls = 1,
                                  .wall_ns = 40 * MS,
                                  .self_ns = 40 * MS,
                                  .min_ns = 40 * MS,
                                  .max_ns = 40 * MS };
    struct report_file file = report_file_start();
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_place(&file, 9, PP_SITE_SCOPE, "s", "main", "f.c", 5);
    report_file_threads(&file, &row, 1);
    report_file_stages(&file, 1, 0, stage, 2);
    report_file_points(&file, 0, point, 2, 0);
    report_file_operations(&file, 1, operation, 4);
    free(stage);
    struct model *m = report_analysed(&file, path);
    CHECK(m->operation_count == 4, "%zu", m->operation_count);
    for (size_t i = 0; i < m->operation_count; i++) {
        const struct model_operation *o = &m->operation[i];
        double ms = (double)o->sum.wall_ns / MS, waits = (double)o->sum.wait_ns / MS,
               error = sqrt(o->sum.variance) / MS;
        if (!o->sum.untimed)
            CHECK((ms == 30 || ms == 5) && error == 0, "what is measured stays: %f", ms);
        else if (o->stage != MODEL_NONE)
            CHECK(fabs(ms - 5 - 5 * part) < 0.01 && fabs(waits - 5 * part) < 0.01 && error > 0.1 && error < 6,
                  "10 of the stage's 40 ms are left, and %f of the waits: %f, waiting %f +-%f", part, ms, waits, error);
        else
            CHECK(fabs(ms - 55 * part) < 0.01 && fabs(waits - 55 * part) < 0.01 && error > 0.1 && error < 15,
                  "55 of the thread's 60 ms are left, and %f of the waits: %f, waiting %f +-%f", part, ms, waits, error);
    }
    CHECK(m->stage_count == 1 && (part < 1 || m->stage[0].traffic.wall_ns == 40 * MS), "the stage's, all together");
    model_free(m);
}

/* At each width a number of thousands stands on one line. */
static void test_thousands(void)
{
    for (int width = 12; width < 60; width++) {
        char *text;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        text_wrap(out, "a list of names: 44 988 searches, 12 345, then 7 of 100 and 2 1000 345", 0, 0, width);
        fclose(out);
        HAS(text, "44 988");
        HAS(text, "12 345,");
        CHECK(width > 20 || !strstr(text, "7 of 100 and 2 1000 345"), "width %d: other words are wrapped: %s", width,
              text);
        free(text);
    }
}

/* Times stand as they were measured, and the change may be without what the machine did: then the title says so. */
static const char *changes_shown(bool factor_known, double factor)
{
    static char *text;
    size_t bytes;
    struct difference_site site = { .kind = DIFFERENCE_FUNCTION, .key = "k", .name = "load", .file = { "a.c", "a.c" },
                                    .verdict = VERDICT_SLOWER, .cause = CAUSE_COST, .ratio = 2 };
    struct difference_run run[2] = { { .program = "p", .input = "", .factor = 1 / factor },
                                     { .arm = ARM_NEW, .program = "p", .input = "", .factor = factor } };
    struct difference d = { .limits = { .q = 0.01, .least_effect = 0.03 }, .site = &site, .site_count = 1, .run = run,
                            .run_count = 2, .runs = { 2, 2 }, .factor_known = factor_known, .factor = 1 };
    site.time[CLOCK_CPU] = (struct difference_time){ .ns = { 1e7, 2e7 }, .change = 0.7, .low = 1.5, .high = 3 };
    d.verdict_count[VERDICT_SLOWER] = 1;
    free(text);
    FILE *out = open_memstream(&text, &bytes);
    changes_text(out, &d, &(struct view){ .width = 120 });
    fclose(out);
    return text;
}

static void test_changes(void)
{
    HAS(changes_shown(true, 1.3), "time of a run; change without the machine's; interval at 99 %");
    HAS(changes_shown(false, 1.3), "time of a run; change without the machine's from run to run; interval at 99 %");
    HAS(changes_shown(false, 1), "time of a run; interval at 99 %");
}

int main(void)
{
    test_thousands();
    test_changes();
    test_bounds(20);
    test_bounds(70);
    test_words();
    test_vague();
    test_threads();
    test_refused(true);
    test_refused(false);
    test_uncounted(true);
    test_uncounted(false);
    test_waits();
    test_header();
    test_operations();
    test_gauge();
    return 0;
}
