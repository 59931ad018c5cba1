/* SPDX-License-Identifier: MIT */
/* report_stalls.c: waits by the calls that led there, summed over functions, lines and the call tree. The numbers can
 * be checked by hand. */
#include "report_file.h"
#include "merge/stalls.h"

#include <math.h>

#define MS 1e6

enum { MAIN, LOAD, READ_IN, FUNCTIONS };
enum { LINE_MAIN, LINE_LOAD, LINE_AGAIN, LINE_READ, LINES };
enum { ROOT, NODE_MAIN, NODE_LOAD, NODES };

static struct model_function function[FUNCTIONS];
static struct model_line line[LINES];
static struct model_node node[NODES];
static struct model_operation operation[2];
static struct model_stall stall[3];
static struct model model;

/* main calls load, which calls itself and then read_in. Each call has a place of its own. */
static struct locate_step step[] = {
    { MAIN, LINE_MAIN, 0 }, { LOAD, LINE_LOAD, 0 }, { LOAD, LINE_AGAIN, 0 }, { READ_IN, LINE_READ, 0 }
};
static struct locate_place place[] = {
    { .first = 0, .count = 1 }, { .first = 1, .count = 1 }, { .first = 2, .count = 1 }, { .first = 3, .count = 1 }
};
static uint32_t of_path[] = { MODEL_NONE, 0, 1, 2, 3, 1 };
static struct model_path path[] = { { .parent = 0 }, { .parent = 0 }, { .parent = 1 },
                                    { .parent = 2 }, { .parent = 3 }, { .parent = 1 } };
enum { PATH_READ = 4, PATH_LOAD = 5 }; /* read_in < load < load < main; load < main */

static void begin(double waited_ns)
{
    for (int i = 0; i < FUNCTIONS; i++)
        function[i] = (struct model_function){ .has_site = true };
    for (int i = 0; i < LINES; i++)
        line[i] = (struct model_line){ .function = 0 };
    node[NODE_MAIN] = (struct model_node){ .function = MAIN, .stage = MODEL_NONE };
    node[NODE_LOAD] = (struct model_node){ .parent = NODE_MAIN, .function = LOAD, .stage = MODEL_NONE };
    node[ROOT] = (struct model_node){ .function = MODEL_NONE, .stage = MODEL_NONE };
    operation[0] = (struct model_operation){ .kind = PP_OPERATION_READ,
                                             .line = MODEL_NONE,
                                             .sum = { .calls = 9, .wait_ns = (uint64_t)waited_ns } };
    model = (struct model){ .function = function,
                            .function_count = FUNCTIONS,
                            .line = line,
                            .line_count = LINES,
                            .node = node,
                            .node_count = NODES,
                            .operation = operation,
                            .operation_count = 1,
                            .stall = stall,
                            .path = path,
                            .path_count = 6 };
}

/* Another row, which makes the waits of both lines known. */
static void known(uint32_t first, double first_ns, uint32_t second, double second_ns)
{
    operation[0].line = first;
    operation[0].sum.wait_ns = (uint64_t)first_ns;
    operation[1] = operation[0];
    operation[1].line = second;
    operation[1].sum.wait_ns = (uint64_t)second_ns;
    model.operation_count = 2;
}

static void wait(uint32_t where, uint32_t in, double ns, double stands_for_ns)
{
    stall[model.stall_count++] = (struct model_stall){ .kind = PP_OPERATION_READ,
                                                       .path = where,
                                                       .node = in,
                                                       .time = { ns + stands_for_ns, stands_for_ns * stands_for_ns } };
}

static void sum(void)
{
    uint32_t of_wait[3] = { MODEL_NONE, MODEL_NONE, MODEL_NONE };
    for (size_t i = 0; i < model.stall_count; i++)
        of_wait[i] = of_path[stall[i].path];
    stalls_sum(
        &model,
        &(struct locations){
            .place = place, .place_count = 4, .step = step, .step_count = 4, .of_path = of_path, .of_wait = of_wait });
}

static void expect(struct value got, double ns, double error_ns, const char *what)
{
    double error = sqrt(got.variance);
    CHECK(fabs(got.ns - ns) <= 1 && fabs(error - error_ns) <= 1, "%s: %.0f +- %.0f, expected %.0f +- %.0f", what,
          got.ns, error, ns, error_ns);
}

int main(void)
{
    /* Long waits are all known: a recursion counts once, and each line once. */
    begin(7 * MS);
    wait(PATH_READ, NODE_LOAD, 4 * MS, 0);
    wait(PATH_LOAD, NODE_LOAD, 3 * MS, 0);
    sum();
    expect(function[MAIN].stalled, 7 * MS, 0, "main");
    expect(function[LOAD].stalled, 7 * MS, 0, "load");
    expect(function[READ_IN].stalled, 4 * MS, 0, "read_in");
    expect(line[LINE_LOAD].stalled, 7 * MS, 0, "the line that calls both");
    expect(line[LINE_AGAIN].stalled, 4 * MS, 0, "the line in the recursion");
    expect(node[NODE_MAIN].stalled, 7 * MS, 0, "the node of main");
    CHECK(stall[0].line == LINE_READ && stall[1].line == LINE_LOAD, "the lines that waited: %u and %u", stall[0].line,
          stall[1].line);

    /* Waits with line, kind and functions in common are one row. The longest comes first. */
    begin(9 * MS);
    wait(PATH_READ, NODE_LOAD, 2 * MS, 0);
    wait(PATH_LOAD, NODE_LOAD, 4 * MS, 0);
    wait(PATH_READ, NODE_LOAD, 3 * MS, 0);
    sum();
    CHECK(model.stall_count == 2 && stall[0].line == LINE_READ && stall[0].time.ns == 5 * MS &&
              stall[1].time.ns == 4 * MS,
          "%zu rows, %f first", model.stall_count, stall[0].time.ns);

    /* Of short waits of 6 ms and 2 ms one each is known, which represents the rest. All were in load, so that is
     * certain. read_in has 36 of 40 parts of the squares, so its share has an error. */
    begin(8 * MS);
    wait(PATH_READ, NODE_LOAD, 0, 6 * MS);
    wait(PATH_LOAD, NODE_LOAD, 0, 2 * MS);
    sum();
    expect(function[LOAD].stalled, 8 * MS, 0, "sure");
    expect(function[READ_IN].stalled, 6 * MS, 6 * MS * sqrt(1 - 36.0 / 40), "drawn");

    /* A line waited more than its rows say. One that was recorded is as it was; those that were drawn have more. */
    begin(10 * MS);
    known(LINE_READ, 10 * MS, LINE_LOAD, 0);
    wait(PATH_READ, NODE_LOAD, 4 * MS, 0);
    wait(PATH_READ, NODE_MAIN, 0, 4 * MS);
    sum();
    expect(node[NODE_LOAD].stalled, 4 * MS, 0, "recorded");
    expect(node[NODE_MAIN].stalled, 10 * MS, 0, "with drawn ones");

    /* As far as chance does not explain it, all have more. */
    begin(20 * MS);
    known(LINE_READ, 20 * MS, LINE_LOAD, 0);
    wait(PATH_READ, NODE_LOAD, 6 * MS, 0);
    wait(PATH_READ, NODE_MAIN, 0, 2 * MS);
    sum();
    expect(node[NODE_LOAD].stalled, 12 * MS, 0, "recorded, and all have more");

    /* Of lines whose waits are known: only who called them is drawn. What has all of a line's waits is
     * certain, as is its row under WAITS. */
    begin(8 * MS);
    known(LINE_READ, 6 * MS, LINE_LOAD, 2 * MS);
    wait(PATH_READ, NODE_LOAD, 0, 6 * MS);
    wait(PATH_LOAD, NODE_LOAD, 0, 2 * MS);
    sum();
    expect(function[READ_IN].stalled, 6 * MS, 0, "its line is known");
    expect(line[LINE_READ].stalled, 6 * MS, 0, "a known line");
    expect(line[LINE_LOAD].stalled, 8 * MS, 0, "a known line, with what it calls");
    expect(node[NODE_LOAD].stalled, 8 * MS, 0, "the node of known lines");
    expect(stall[0].time, 6 * MS, 0, "the row of a known line");
    begin(8 * MS);
    known(LINE_LOAD, 8 * MS, LINE_READ, 0);
    wait(PATH_LOAD, NODE_LOAD, 0, 6 * MS);
    wait(PATH_LOAD, NODE_MAIN, 0, 2 * MS);
    sum();
    expect(line[LINE_LOAD].stalled, 8 * MS, 0, "all of a known line");
    expect(node[NODE_LOAD].stalled, 6 * MS, 3 * MS, "the part of a known line");
    expect(node[NODE_MAIN].stalled, 8 * MS, 0, "the node above");
    expect(stall[0].time, 6 * MS, 3 * MS, "the row of a part");

    /* 3 ms came after the last known wait. They may belong to any function that waits, but to none that does not. */
    begin(10 * MS);
    wait(PATH_LOAD, NODE_LOAD, 7 * MS, 0);
    sum();
    expect(function[LOAD].stalled, 7 * MS, 3 * MS / sqrt(3), "with a rest");
    expect(function[READ_IN].stalled, 0, 0, "never waited");

    /* A function's waits in its own calls are known, whatever was drawn. */
    begin(10 * MS);
    wait(PATH_LOAD, NODE_LOAD, 7 * MS, 0);
    function[LOAD].traffic.wait_ns[PP_WAIT_IO] = 10000000;
    sum();
    expect(function[LOAD].stalled, 10 * MS, 3 * MS / sqrt(3), "its own");

    /* Estimates of operations were limited to the time that was left: half. */
    begin(4 * MS);
    wait(PATH_READ, NODE_LOAD, 4 * MS, 0);
    wait(PATH_LOAD, NODE_LOAD, 0, 4 * MS);
    sum();
    expect(function[MAIN].stalled, 4 * MS, 0, "cut");
    expect(function[READ_IN].stalled, 2 * MS, 0, "cut, a part");

    /* Waits without a path belong to the functions that probes knew. */
    begin(5 * MS);
    wait(0, NODE_LOAD, 5 * MS, 0);
    sum();
    expect(function[LOAD].stalled, 5 * MS, 0, "by its node");
    expect(function[MAIN].stalled, 5 * MS, 0, "by its node's parent");
    expect(line[LINE_LOAD].stalled, 0, 0, "no line");
    return 0;
}
