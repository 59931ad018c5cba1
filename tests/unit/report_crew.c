/* SPDX-License-Identifier: MIT */
/* report_crew.c: which threads do less than the others because they were given less, and which because they had no CPU.
 */
#include "advice/facts.h"
#include "report_file.h"

#include <math.h>

/* A region of OpenMP, in which each of two threads works and spins so long in its library. */
struct team_run {
    double work[2], spun[2];
};

static bool teams_speak(struct team_run of)
{
    struct model_function function[2] = {
        { .name = "main", .symbol = "main._omp_fn.0", .file = "t.c", .line = 7, .stage = MODEL_NONE },
        { .name = "main", .symbol = "main", .file = "t.c", .line = 3, .stage = MODEL_NONE }
    };
    struct model_module module[2] = { { .id = 1, .path = "/home/me/t" },
                                      { .id = 2, .path = "/lib/x86_64-linux-gnu/libgomp.so.1" } };
    struct model_callee callee = { .name = "GOMP_parallel" };
    struct model_line line = { .file = "t.c", .line = 7, .function = 1, .callee_count = 1 };
    struct model_node node[2] = { { .function = MODEL_NONE }, { .function = 0 } };
    struct model_thread thread[2] = { { .id = 100 }, { .id = 101 } };
    struct model_sample sample[4];
    for (uint32_t i = 0; i < 2; i++) {
        sample[2 * i] = (struct model_sample){ .module = 1, .node = 1, .function = 0, .line = MODEL_NONE, .thread = i,
                                               .count = 20, .ns = (uint64_t)of.work[i] };
        sample[2 * i + 1] = (struct model_sample){ .module = 2, .library = 2, .line = i ? MODEL_NONE : 0,
                                                   .function = i ? MODEL_NONE : 1, .thread = i, .count = 20,
                                                   .ns = (uint64_t)of.spun[i] };
    }
    double cpu = of.work[0] + of.work[1] + of.spun[0] + of.spun[1];
    struct model model = { .function = function, .function_count = 2, .module = module, .module_count = 2,
                           .line = &line, .line_count = 1, .callee = &callee, .node = node, .node_count = 2,
                           .thread = thread, .thread_count = 2, .sample = sample, .sample_count = 4 };
    struct advice advice = { .model = &model, .run_ns = 200e6, .cpu_ns = cpu, .stretch = 1, .abreast = 1 };
    model.run.cpu_count = 2;
    model.coverage.sampled_ns = cpu;
    advice_teams(&advice);
    bool speaks = model.advice_count > 0;
    if (speaks)
        CHECK(model.advice[0].at == 7 && model.advice[0].high_ns <= 0.65 * (of.work[0] + of.work[1]),
              "at the region, and no more than half of the work and a fifth: %g", model.advice[0].high_ns);
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

static void test_teams(void)
{
    CHECK(teams_speak((struct team_run){ { 30e6, 170e6 }, { 140e6, 1e6 } }), "the first thread spins for the other");
    CHECK(teams_speak((struct team_run){ { 170e6, 30e6 }, { 1e6, 140e6 } }), "the other way round");
    CHECK(!teams_speak((struct team_run){ { 100e6, 100e6 }, { 50e6, 50e6 } }), "both do the same and spin");
    CHECK(!teams_speak((struct team_run){ { 30e6, 170e6 }, { 0, 0 } }), "it sleeps meanwhile, or has no CPU");
    CHECK(!teams_speak((struct team_run){ { 30e6, 170e6 }, { 80e6, 100e6 } }),
          "the busiest spins more: others do less as they have no CPU");
}

/* Two threads that one line starts and main joins, which computed so long; together they were without a CPU for
 * `delay`. */
static bool imbalance_speaks(double one_ns, double other_ns, double delay_ns)
{
    struct model_line line[2] = { { .file = "i.c", .line = 8, .function = MODEL_NONE },
                                  { .file = "i.c", .line = 9, .function = MODEL_NONE } };
    struct model_thread thread[3] = { { .id = 100, .wall_ns = 200000000, .cpu_ns = 1000000 },
                                      { .id = 101, .cpu_ns = (uint64_t)one_ns },
                                      { .id = 102, .cpu_ns = (uint64_t)other_ns } };
    for (size_t i = 1; i < 3; i++) {
        thread[i].end_ns = thread[i].wall_ns = thread[i].cpu_ns + (uint64_t)delay_ns / 2;
        thread[i].delay_ns = (uint64_t)delay_ns / 2;
    }
    double most = fmax(one_ns, other_ns), cpu = one_ns + other_ns;
    struct advice_use use[2] = {
        { .line = 0, .kind = PP_OPERATION_START, .sum = { .calls = 2, .wall_ns = 50000, .first_wall_ns = 50000 } },
        { .line = 1,
          .kind = PP_OPERATION_JOIN,
          .sum = { .calls = 2, .wall_ns = (uint64_t)most, .first_wall_ns = (uint64_t)most, .wait_ns = (uint64_t)most } }
    };
    struct model_node root = { .function = MODEL_NONE };
    struct model model = { .line = line, .line_count = 2, .thread = thread, .thread_count = 3, .node = &root,
                           .node_count = 1 };
    struct advice advice = { .model = &model, .run_ns = 200e6, .cpu_ns = cpu, .stretch = 1 + delay_ns / cpu,
                             .abreast = 2, .first_event_ns = most, .use = use, .use_count = 2 };
    advice.others.threads = 2;
    advice.others.cpu_ns = cpu;
    advice.others.most_cpu_ns = most;
    advice.others.alive_ns = cpu + delay_ns;
    model.run.pid = 100;
    model.run.cpu_count = 2;
    model.run.thread_count = 3;
    model.run.wall_ns = 200000000;
    advice_imbalance(&advice);
    bool speaks = model.advice_count > 0;
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

static void test_imbalance(void)
{
    CHECK(imbalance_speaks(145e6, 55e6, 0), "one has 1.45 times the mean, and nobody was without a CPU");
    CHECK(!imbalance_speaks(134e6, 66e6, 0), "in a single round, equal threads had that where one CPU was slower");
    CHECK(imbalance_speaks(150e6, 50e6, 60e6), "a half more than the mean, on a busy machine");
    CHECK(!imbalance_speaks(120e6, 80e6, 0), "a fifth more");
    CHECK(!imbalance_speaks(130e6, 70e6, 60e6),
          "others had the CPUs for a while: equal work took 35 to 67 ms of CPU time there");
}

int main(void)
{
    test_teams();
    test_imbalance();
    return 0;
}
