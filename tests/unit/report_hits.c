/* SPDX-License-Identifier: MIT */
/* report_hits.c: makes flow graphs of bytes, and hits of lines of counters. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "read/flow.h"
#include "estimate/hits.h"
#include "report_file.h"
#include "estimate/reconcile.h"
#include "section/section.h"

/* A loop: 1 before it, 2 its condition, 3 its body. Counters: the edge into 1, and that from 2 to 3. */
static const unsigned char loop[] = {
    'f', 0, 2, 4,  1, 9, 0,  0, 0, 0,  0, 0, 0, 1, 1, 1, /* 0 -> 1, counter 0 */
    1,   2, 0,                                           /* 1 -> 2 */
    2,   3, 2, 0,  0,                                    /* 2 -> 3, counter 1; 2 -> 0 */
    1,   2, 0,                                           /* 3 -> 2 */
    0,   1, 0, 10, 1, 0, 12, 2, 0, 14, 0, 1,             /* lines 5; 6; 7 and, behind it, 6 */
};

static uint64_t hits_at(const struct model *model, uint32_t line)
{
    for (size_t i = 0; i < model->line_count; i++)
        if (model->line[i].line == line && model->line[i].hits_known)
            return model->line[i].hits;
    return UINT64_MAX;
}

static void expect(uint64_t runs, uint64_t turns)
{
    struct profile profile = { 0 };
    struct names names = { { 0 }, { 0 } };
    struct model *model = memory_zeroed(1, sizeof *model);
    struct profile_flow flow = { .id = 7 };
    struct profile_line_file file = { 9, "/tmp/f.c" };
    struct profile_use use[] = { { 7, 20, 2 }, { 7, 40, 2 } }; /* two copies of the function */
    struct profile_counter counter[] = { { 20, runs }, { 21, turns }, { 20, 1 }, { 40, 2 },
                                         { 41, 3 },    { 42, 99 },    { 5, 99 } };
    CHECK(flow_read(&profile.arena, &flow, loop, sizeof loop), "the graph is read");
    profile.flow = &flow;
    profile.flow_count = 1;
    profile.line_file = &file;
    profile.line_file_count = 1;
    profile.use = use;
    profile.use_count = 2;
    profile.counter = counter;
    profile.counter_count = sizeof counter / sizeof *counter;
    hits_merge(model, &names, &profile);
    CHECK(model->has_hits && !model->hits_broken, "the counters fit");
    CHECK(hits_at(model, 5) == runs + 3, "before the loop: %llu", (unsigned long long)hits_at(model, 5));
    CHECK(hits_at(model, 6) == runs + 3 + turns + 3, "the condition: %llu", (unsigned long long)hits_at(model, 6));
    CHECK(hits_at(model, 7) == turns + 3, "the body: %llu", (unsigned long long)hits_at(model, 7));
    free(flow.edge);
    free(flow.place);
    arena_free(&profile.arena);
    names_free(&names);
    model_free(model);
}

/* Five of fifteen samples are on a line that was never reached: an error of the line table. Their time is booked at the
 * function, but at no line. */
static void strays(bool sealed)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    struct value five = { 5e6, 5e12 }, ten = { 10e6, 10e12 };
    m->has_hits = true;
    m->run.sealed = sealed;
    m->run.exit_kind = sealed ? MODEL_EXIT_EXIT : MODEL_EXIT_KILLED;
    m->coverage.samples = m->coverage.known_line = 15;
    m->coverage.sampled_ns = 15e6;
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) = (struct model_function){
        .name = "f", .symbol = "f", .file = "/tmp/f.c", .line = 1, .samples = 15, .self = { 15e6, 0 }
    };
    for (unsigned i = 0; i < 2; i++)
        *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) =
            (struct model_line){ .file = "/tmp/f.c",
                                 .line = 2 + i,
                                 .hits_known = true,
                                 .hits = i ? 1000 : 0,
                                 .samples = i ? 10 : 5,
                                 .total_samples = i ? 10 : 5,
                                 .self = i ? ten : five,
                                 .total = i ? ten : five };
    settle(m);
    const struct model_line *never = &m->line[0];
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    text_coverage(out, m, &(struct view){ .width = 160 });
    fclose(out);
    if (sealed) {
        CHECK(never->stray_samples == 5 && !never->samples && never->self.ns == 0 && never->total.ns == 0,
              "%f", never->self.ns);
        CHECK(m->coverage.stray == 5 && m->function[0].remainder_ns == 5e6, "%f", m->function[0].remainder_ns);
        CHECK(strstr(text, "66.7% on source lines, 33.3% on lines without hits"), "%s", text);
    } else {
        CHECK(never->samples == 5 && never->self.ns == 5e6 && !m->coverage.stray && m->function[0].remainder_ns == 0,
              "hits may be missing: %f", never->self.ns);
        CHECK(strstr(text, "100.0% on source lines\n"), "%s", text);
    }
    CHECK(m->line[1].samples == 10 && m->line[1].self.ns == 10e6, "the other line keeps its own");
    free(text);
    model_free(m);
}

/* 116 samples in a line that was reached 3000 times belong to the loop before it. In a library or the kernel they may
 * be correct, and a killed run lacks hits. */
static size_t displaced(uint64_t hits, uint64_t samples, double library, double kernel, bool sealed)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    m->has_hits = true;
    m->run.sealed = sealed;
    m->run.exit_kind = sealed ? MODEL_EXIT_EXIT : MODEL_EXIT_KILLED;
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
        (struct model_function){ .name = "f", .symbol = "f", .file = "/tmp/f.c", .line = 1 };
    *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) = (struct model_line){ .file = "/tmp/f.c",
                                                                                 .line = 106,
                                                                                 .hits_known = true,
                                                                                 .hits = hits,
                                                                                 .samples = samples,
                                                                                 .total_samples = samples,
                                                                                 .self = { (double)samples * 1e6, 0 },
                                                                                 .total = { (double)samples * 1e6, 0 },
                                                                                 .library_ns = library,
                                                                                 .system_ns = kernel };
    settle(m);
    size_t told = m->notice_count;
    CHECK(told == 0 || (told == 1 && strstr(m->notice[0], "f.c:106: 116.0 ms of its own in 3000 hits, 38.7 us each")),
          "%s", m->notice[0]);
    CHECK(m->line[0].samples == samples, "the number stays");
    model_free(m);
    return told;
}

int main(void)
{
    CHECK(displaced(3000, 116, 0, 0, true) == 1, "more than a statement takes");
    CHECK(displaced(3000, 116, 115e6, 0, true) == 0, "in a library");
    CHECK(displaced(3000, 116, 15e6, 100e6, true) == 0, "in the kernel, for a library that it calls");
    CHECK(displaced(3000, 116, 0, 0, false) == 0, "cut off");
    CHECK(displaced(30000, 116, 0, 0, true) == 0, "3.9 us may be");
    CHECK(displaced(3, 9, 0, 0, true) == 0, "chance");
    strays(true);
    strays(false);
    expect(0, 0);
    expect(2, 1000);
    expect(UINT64_C(1) << 40, (UINT64_C(1) << 52) + 1); /* no double in between */
    struct arena arena = { 0 };
    for (size_t cut = 0; cut < sizeof loop; cut++) {
        struct profile_flow flow = { 0 };
        CHECK(!flow_read(&arena, &flow, loop, cut), "%zu bytes of it are refused", cut);
        free(flow.edge);
        free(flow.place);
    }
    unsigned char wrong[sizeof loop];
    memcpy(wrong, loop, sizeof loop);
    wrong[14] = 4; /* an edge to a block that is none */
    struct profile_flow flow = { 0 };
    CHECK(!flow_read(&arena, &flow, wrong, sizeof wrong), "a block beyond the last");
    free(flow.edge);
    free(flow.place);
    arena_free(&arena);
    puts("hits of lines follow from counters of edges");
    return 0;
}
