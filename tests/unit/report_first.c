/* SPDX-License-Identifier: MIT */
/* report_first.c: the first screen of models made by chance: at most 40 lines within the width, no finding that is
 * shown is cut, and what is left out is counted. */
#include "report_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "first/first.h"
#include "words/columns.h"

enum { ROUNDS = 500, LINES = 40 };

static unsigned draw(unsigned below) { return below ? (unsigned)rand() % below : 0; }

/* Words of letters, `bytes` long in all, which end with `end`. */
static char *words_make(struct arena *arena, unsigned bytes, const char *end)
{
    char *text = arena_take(arena, bytes + 16);
    for (unsigned i = 0, length = 0; i < bytes; i++, length++) {
        bool gap = length > 3 + draw(40) / 4;
        text[i] = gap && i + 1 < bytes ? ' ' : (char)('a' + draw(26));
        length = gap ? 0 : length;
    }
    strcat(text, end);
    return text;
}

static const char *name_make(struct arena *arena, const char *begin)
{
    char *text = words_make(arena, 1 + draw(60), "");
    for (char *p = text; *p; p++)
        *p = *p == ' ' ? '_' : *p;
    return arena_print(arena, "%s%s", begin, text);
}

static void findings_make(struct model *m, unsigned count, unsigned accepted)
{
    struct arena *arena = &m->arena;
    for (unsigned i = 0; i < count + accepted; i++) {
        struct model_advice *a = ARRAY_PUSH(m->advice, m->advice_count, m->advice_capacity);
        double low = draw(90);
        *a = (struct model_advice){ .id = arena_print(arena, "rule@f%u", i),
                                    .rule = "rule",
                                    .title = words_make(arena, 10 + draw(90), ""),
                                    .line = draw(2) && m->line_count ? draw((unsigned)m->line_count) : MODEL_NONE,
                                    .function = MODEL_NONE,
                                    .file = draw(5) ? "/src/pipeline/decode.c" : "",
                                    .at = 1 + draw(9999),
                                    .evidence = words_make(arena, draw(200), "."),
                                    .action = words_make(arena, 10 + draw(150), ""),
                                    .section = draw(2) ? "io" : "waits",
                                    .kind = draw(2) ? SAVING_MEASURED : SAVING_BOUND,
                                    .low_percent = low,
                                    .high_percent = low + draw(10) };
        a->accepted = i >= count ? words_make(arena, 30, "") : NULL;
    }
}

static void stages_make(struct model *m, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct model_stage *s = ARRAY_PUSH(m->stage, m->stage_count, m->stage_capacity);
        uint32_t parent = i && draw(2) ? draw(i) : MODEL_NONE;
        *s = (struct model_stage){
            .id = i + 1,
            .parent = parent,
            .depth = parent == MODEL_NONE ? 0 : m->stage[parent].depth + 1,
            .name = name_make(&m->arena, "s"),
            .key = "s",
            .file = "",
            .function = "",
            .kind = draw(3) ? PP_SITE_STAGE : PP_SITE_LOOP,
            .times = { .calls = draw(100000000), .timed_calls = draw(3), .wall_ns = draw(1000000000) },
            .iteration = { .calls = draw(1000), .timed_calls = draw(3) }
        };
    }
}

static void lines_make(struct model *m, unsigned count)
{
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
        (struct model_function){ .name = "f", .key = "f", .symbol = "f", .file = "", .stage = MODEL_NONE };
    for (unsigned i = 0; i < count; i++) {
        struct model_line *l = ARRAY_PUSH(m->line, m->line_count, m->line_capacity);
        double ns = draw(100000000) / (1.0 + draw(9));
        *l = (struct model_line){ .file = name_make(&m->arena, "/nosuch/"),
                                  .line = 1 + draw(99999),
                                  .hits_known = draw(2),
                                  .hits = draw(1000000000),
                                  .samples = draw(100),
                                  .self = { ns, draw(2) ? ns * ns / 100 : 0 },
                                  .total = { ns, 0 },
                                  .system_ns = draw(2) ? ns / 2 : 0 };
        l->traffic.wait_ns[PP_WAIT_IO] = draw(3) ? 0 : draw(200000000);
    }
}

static struct model *model_make(void)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    static const char *arguments[] = { "p", "--first", "second argument", "third-argument-that-is-long", "x" };
    m->run = (struct model_run){ .program = name_make(&m->arena, "/bin/"),
                                 .path = "p.profplug",
                                 .argument = arguments,
                                 .argument_count = 1 + draw(5),
                                 .wall_ns = 1000000000,
                                 .user_ns = draw(900000000),
                                 .self_ns = 17200000,
                                 .self_most_ns = 18000000,
                                 .peak_rss_bytes = draw(1000000000),
                                 .sample_period_ns = 1000000,
                                 .sample_signals = draw(100),
                                 .cost_unknown = draw(2) ? "no" : NULL,
                                 .exit_kind = (enum model_exit)draw(6),
                                 .exit_status = (int)draw(16),
                                 .thread_count = 1 + draw(3),
                                 .memory_note = "",
                                 .sample_note = draw(4) ? "" : words_make(&m->arena, 90, ""),
                                 .directory = "" };
    m->coverage.samples = m->run.sample_signals;
    m->coverage.sampled_ns = (double)m->run.user_ns;
    m->run.losses[draw(PP_LOSS_COUNT)] = draw(2) * 7;
    m->run.losses[draw(PP_LOSS_COUNT)] = draw(2);
    if (draw(2))
        model_doubt(m, DOUBT_TIMES, "%s", words_make(&m->arena, 30 + draw(100), ""));
    static struct model_child child[2] = { { .pid = 1, .path = "one.profplug", .readable = true, .cpu_ns = 7000000 },
                                           { .pid = 2, .path = "two.profplug", .complaint = "gone" } };
    m->run.child = child;
    m->run.child_count = draw(3);
    lines_make(m, draw(4) ? draw(60) : 0);
    stages_make(m, draw(4) ? draw(40) : 0);
    findings_make(m, draw(3) ? draw(9) : 0, draw(3) ? 0 : draw(3));
    return m;
}

/* The text with each stretch of white space as one blank, as it was before it was wrapped. */
static char *unwrapped(struct arena *arena, const char *text)
{
    char *to = arena_copy(arena, text), *end = to;
    for (const char *p = text; *p; p++)
        if ((*p != ' ' && *p != '\n') || (end > to && end[-1] != ' '))
            *end++ = *p == '\n' ? ' ' : *p;
    *end = 0;
    return to;
}

static void screen_check(const struct model *m, int width)
{
    char *text = NULL;
    size_t bytes, lines = 0;
    struct arena arena = { 0 };
    FILE *out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = width });
    fclose(out);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        const char *one = arena_print(&arena, "%.*s", (int)(end - line), line);
        CHECK(text_columns(one) <= width || strstr(one, "profplug report") || strstr(one, "profplug annotate"),
              "a line of %d columns, not %d: %s", text_columns(one), width, one);
        CHECK(end == line || end[-1] != ' ', "a blank at the end of: '%s'", one);
    }
    CHECK(lines <= LINES, "%zu lines of %d columns:\n%s", lines, width, text);
    const char *whole = unwrapped(&arena, text);
    unsigned open = 0, shown = 0;
    for (size_t i = 0; i < m->advice_count; i++) {
        const struct model_advice *a = &m->advice[i];
        open += !a->accepted;
        bool has = !a->accepted && strstr(whole, unwrapped(&arena, a->title));
        shown += has;
        CHECK(!a->accepted || !strstr(whole, a->title), "an accepted finding is among the others:\n%s", text);
        CHECK(!has || strstr(whole, unwrapped(&arena, a->action)), "a remedy is cut, '%s' in:\n%s", a->action, text);
        CHECK(!has || strstr(whole, unwrapped(&arena, a->evidence)), "evidence is cut, '%s' in:\n%s", a->evidence,
              text);
    }
    CHECK(!open || shown, "no finding is shown of %u:\n%s", open, text);
    CHECK(shown == open || strstr(whole, arena_print(&arena, "and %u more, %sat most ", open - shown,
                                                     open - shown > 1 ? "each " : "")),
          "%u findings are left out without a word:\n%s", open - shown, text);
    CHECK(strstr(text, "\nmore: profplug report --all "), "what more there is:\n%s", text);
    CHECK(open < 2 || shown > 1 || lines > 20, "one of %u findings in %zu lines:\n%s", open, lines, text);
    arena_free(&arena);
    free(text);
}

/* What is said of two lines that call a library, and the hottest, which does not. */
static void library_said(const char *path, const char *callee, const char *expected, bool spins)
{
    struct model *m = calloc(1, sizeof *m);
    CHECK(m, "no memory");
    m->run = (struct model_run){ .wall_ns = 1000000000, .sample_signals = 1000 };
    m->coverage = (struct model_coverage){ .samples = 1000, .sampled_ns = 1e9 };
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){ .name = "work" };
    *ARRAY_PUSH(m->module, m->module_count, m->module_capacity) =
        (struct model_module){ .id = 5, .path = path };
    *ARRAY_PUSH(m->callee, m->callee_count, m->callee_capacity) = (struct model_callee){ .name = callee };
    static const struct {
        double ns;
        uint64_t samples, in_library;
    } row[] = { { 400e6, 400, 0 }, { 250e6, 250, 250 }, { 350e6, 350, 280 } };
    for (uint32_t i = 0; i < 3; i++) {
        struct model_line *line = ARRAY_PUSH(m->line, m->line_count, m->line_capacity);
        *line = (struct model_line){ .file = "x.c", .line = 10 + i, .samples = row[i].samples, .self.ns = row[i].ns };
        if (row[i].in_library)
            *ARRAY_PUSH(m->sample, m->sample_count, m->sample_capacity) =
                (struct model_sample){ .library = 5, .line = i, .count = row[i].in_library,
                                       .ns = row[i].in_library * 1000000, .function = 0 };
        line->callee_count = row[i].in_library ? 1 : 0;
    }
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    first_calm(out, m, &(struct view){ .width = 200 });
    fclose(out);
    CHECK(strstr(text, expected), "250 of 1000 ms by line 11, 280 by line 12, none by the hottest:\n%s", text);
    CHECK(spins == (strstr(text, "spin for 53 % of the CPU time") != NULL), "threads that wait by spinning:\n%s", text);
    free(text);
    model_free(m);
}

static void library_check(void)
{
    static const char *const z = "53 % of the CPU time is in libz.so, most of it called from x.c:12 in work";
    static const char *const gomp = "53 % of the CPU time is in libgomp.so.1, most of it called from x.c:12 in work";
    library_said("/lib/libz.so", "deflate", z, false);
    library_said("/lib/libgomp.so.1", "GOMP_parallel", gomp, true);
    library_said("/lib/libgomp.so.1", "GOMP_critical_start", gomp, false); /* told as a lock */
}

/* Next to nothing is no figure, and what is known does not hang at the end of a sentence of two lines. */
static void words_check(void)
{
    struct model *m = calloc(1, sizeof *m);
    CHECK(m, "no memory");
    m->run = (struct model_run){ .program = "p",
                                 .path = "p.profplug",
                                 .wall_ns = 9000000000,
                                 .user_ns = 1000000000,
                                 .sample_signals = 1000,
                                 .thread_count = 1,
                                 .cost_unknown = "what a count costs is not known where counts are dense",
                                 .directory = "",
                                 .memory_note = "",
                                 .sample_note = "" };
    m->coverage = (struct model_coverage){ .samples = 1000, .sampled_ns = 1e9 };
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){ .name = "work" };
    for (uint32_t i = 0; i < 60; i++) {
        struct model_line *line = ARRAY_PUSH(m->line, m->line_count, m->line_capacity);
        *line = (struct model_line){ .file = "x.c", .line = 10 + i, .self.ns = i ? 5e6 : 700e6 };
        line->traffic.wait_ns[PP_WAIT_LOCK] = 1;
    }
    m->serves = true;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = 80 });
    fclose(out);
    CHECK(!strstr(text, "1 ns"), "a nanosecond of waiting:\n%s", text);
    CHECK(!strstr(text, "waiting;") && !strstr(text, "of the waits"), "nothing waits:\n%s", text);
    CHECK(strstr(text, " of CPU time is on known lines\n") && !strstr(text, "measures it  "), "two lines:\n%s", text);
    CHECK(strstr(text, "It is a server, which mostly waits"), "a server:\n%s", text);
    CHECK(strstr(text, "profiling cost not measured: what a count"), "no bounds:\n%s", text);
    free(text);
    m->run.cost_is_wide = true; /* 60 and 240 of 1000 ms: of what is left without them */
    m->run.self_ns = 60000000;
    m->run.self_most_ns = 240000000;
    out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = 160 });
    fclose(out);
    CHECK(strstr(text, "profiling cost 6.4 to 32 %: what a count costs is not known"), "between which values:\n%s", text);
    free(text);
    model_free(m);
}

/* A part of the run all of whose time is the kernel's: clocks measured it, no sample fell into it, and none was lost. */
static void part_check(bool narrowed, bool lost)
{
    struct model *m = calloc(1, sizeof *m);
    static const bool within[1];
    CHECK(m, "no memory");
    m->run = (struct model_run){ .program = "p",
                                 .path = "p.profplug",
                                 .wall_ns = 1000000000,
                                 .user_ns = 400000000,
                                 .system_ns = 200000000,
                                 .sample_signals = narrowed ? 85 : 3,
                                 .sample_period_ns = 4000000,
                                 .thread_count = 1,
                                 .directory = "",
                                 .memory_note = "",
                                 .sample_note = "" };
    m->run.losses[PP_LOSS_SAMPLES] = lost;
    m->narrowed = narrowed ? within : NULL;
    m->narrowed_to = narrowed ? "stage load" : NULL;
    m->coverage = (struct model_coverage){ .kernel_ns = 202e6 };
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){ .name = "load" };
    *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) = (struct model_line){
        .file = "x.c", .line = 10, .self = { 200e6, 1e10 }, .system_ns = 200e6, .hits = 40, .hits_known = true
    };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = 160 });
    fclose(out);
    CHECK((strstr(text, "no room") != NULL) == lost, "room is spoken of where samples were lost:\n%s", text);
    CHECK((strstr(text, "no sample fell into this stage") != NULL) == narrowed, "what no sample fell into:\n%s", text);
    CHECK(!narrowed || strstr(text, "202 ms of its CPU time was the kernel's"), "what clocks measured:\n%s", text);
    CHECK(strstr(text, "Most CPU time is at x.c:10 in load: 99 % of 202 ms"), "clocks know the line:\n%s", text);
    CHECK(!strstr(text, "too short") && !strstr(text, "samples in all"), "no sample is needed:\n%s", text);
    CHECK(strstr(text, "1 sigma; its kernel time is the difference of two clock readings, not\nsampled)"), "where the error is from:\n%s", text);
    CHECK((strstr(text, "stage load only; hits") != NULL) == narrowed, "a part:\n%s", text);
    free(text);
    *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) =
        (struct model_line){ .file = "x.c", .line = 20, .self = { 7e6, 4e14 }, .traffic.wait_ns[PP_WAIT_IO] = 900000000 };
    out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = 160 });
    fclose(out);
    CHECK(strstr(text, "cpu of x.c:10 +-"), "the error is that of the line with the most CPU time:\n%s", text);
    m->line_count--;
    free(text);
    out = open_memstream(&text, &bytes);
    m->line[0].system_ns = 0;
    m->coverage = (struct model_coverage){ .samples = 1, .sampled_ns = 40e6 };
    text_report(out, m, &(struct view){ .width = 160 });
    fclose(out);
    CHECK(strstr(text, narrowed ? "1 sample in 40.0 ms of this stage's CPU time" : "1 sample in 600 ms of CPU time"),
          "the CPU time that is shown:\n%s", text);
    CHECK(strstr(text, narrowed ? "This stage is too short to tell" : "The run is too short to tell"),
          "one sample tells no share:\n%s", text);
    free(text);
    model_free(m);
}

/* A hot brace says whose it is. Where one line has little of a function's time, the function with most is named. */
static void places_said(const char *path, const double *line_ns, const double *function_ns, const char *most)
{
    static const char *const name[] = { "turn", "walk" };
    struct model *m = calloc(1, sizeof *m);
    CHECK(m, "no memory");
    m->run = (struct model_run){ .program = "p",
                                 .path = "p.profplug",
                                 .wall_ns = 1000000000,
                                 .user_ns = 1000000000,
                                 .start_realtime_ns = UINT64_MAX,
                                 .sample_signals = 1000,
                                 .thread_count = 1,
                                 .directory = "",
                                 .memory_note = "",
                                 .sample_note = "" };
    m->coverage = (struct model_coverage){ .samples = 1000, .sampled_ns = 1e9 };
    for (uint32_t i = 0; i < 2; i++)
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
            (struct model_function){
                .name = name[i],
                .file = path,
                .self = { function_ns[i], 1e10 },
                .total = { (1 + i / 2.0) * function_ns[i], 1e10 }
            };
    for (uint32_t i = 0; i < 3; i++)
        *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) = (struct model_line){
            .file = path, .line = 1 + i, .function = i == 2, .self = { line_ns[i], 1e10 }, .samples = 100
        };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    text_report(out, m, &(struct view){ .width = 160 });
    fclose(out);
    CHECK(strstr(text, "  { in turn  ") && strstr(text, "  } in walk  "), "whose brace it is:\n%s", text);
    CHECK(strstr(text, "  x++;  "), "a statement stands alone:\n%s", text);
    for (char *at = text; (at = strstr(at, "\n   "));) /* as one line */
        memmove(at + 1, at + 4, strlen(at + 4) + 1), *at = ' ';
    CHECK(most ? strstr(text, most) != NULL : !strstr(text, "Of functions"), "the function with most:\n%s", text);
    free(text);
    model_free(m);
}

static void places_check(void)
{
    static const double steep[] = { 90e6, 310e6, 80e6 }, flat[] = { 45e6, 40e6, 42e6 };
    static const double one[] = { 320e6, 600e6 }, alike[] = { 320e6, 315e6 };
    char path[] = "/tmp/report_first_XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, "{\n    x++;\n}\n", 13) == 13, "no file");
    close(fd);
    places_said(path, steep, one,
                "in turn: 31 % of 1.00 s. Of functions, walk has most: 60 %, 90 % with what it calls.");
    places_said(path, steep, alike, NULL);
    places_said(path, flat, alike, "than 4.5 % of 1.00 s CPU time. Of functions, turn has most: 32 %.");
    unlink(path);
}

int main(void)
{
    static const int width[] = { 80, 81, 100, 160, 200 };
    srand(7);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct model *m = model_make();
        for (unsigned k = 0; k < sizeof width / sizeof *width; k++)
            screen_check(m, width[k]);
        model_free(m);
    }
    library_check();
    words_check();
    places_check();
    for (unsigned i = 0; i < 4; i++)
        part_check(i & 1, i & 2);
    printf("%d screens\n", ROUNDS);
    return 0;
}
