/* SPDX-License-Identifier: MIT */
/* report_hits.c: flow graphs out of bytes, and hits of lines out of counters. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "hits.h"
#include "report_file.h"

/* A loop: 1 before it, 2 its condition, 3 its body. Counters: the edge into 1, and that from 2 to 3. */
static const unsigned char loop[] = {
    'f', 0, 2, 4, 1, 9, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1,           /* 0 -> 1, counter 0 */
    1, 2, 0,           /* 1 -> 2 */
    2, 3, 2, 0, 0,     /* 2 -> 3, counter 1; 2 -> 0 */
    1, 2, 0,           /* 3 -> 2 */
    0, 1, 0, 10, 1, 0, 12, 2, 0, 14, 0, 1,       /* lines 5; 6; 7 and, behind it, 6 */
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
    struct profile_use use[] = { { 7, 20, 2 }, { 7, 40, 2 } };                  /* two copies of the function */
    struct profile_counter counter[] = { { 20, runs }, { 21, turns }, { 20, 1 }, { 40, 2 }, { 41, 3 }, { 42, 99 }, { 5, 99 } };
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

int main(void)
{
    expect(0, 0);
    expect(2, 1000);
    expect(UINT64_C(1) << 40, (UINT64_C(1) << 52) + 1);       /* no double in between */
    struct arena arena = { 0 };
    for (size_t cut = 0; cut < sizeof loop; cut++) {
        struct profile_flow flow = { 0 };
        CHECK(!flow_read(&arena, &flow, loop, cut), "%zu bytes of it are refused", cut);
        free(flow.edge);
        free(flow.place);
    }
    unsigned char wrong[sizeof loop];
    memcpy(wrong, loop, sizeof loop);
    wrong[14] = 4;                                            /* an edge to a block that is none */
    struct profile_flow flow = { 0 };
    CHECK(!flow_read(&arena, &flow, wrong, sizeof wrong), "a block beyond the last");
    free(flow.edge);
    free(flow.place);
    arena_free(&arena);
    puts("hits of lines follow from counters of edges");
    return 0;
}
