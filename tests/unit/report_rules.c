/* SPDX-License-Identifier: MIT */
/* report_rules.c: each rule reports a finding on a model made for it. It is silent one step below its threshold, or
 * without its cause. */
#include "report_file.h"

#include <string.h>

#include "rule/judge.h"
#include "merge/merge.h"

static struct model *model_start(void)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    m->run.wall_ns = 10000000000;
    m->coverage.sampled_ns = 10e9;
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) =
        (struct model_node){ .function = MODEL_NONE, .stage = MODEL_NONE };
    return m;
}

static uint32_t function_add(struct model *m, const char *name)
{
    *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
        (struct model_function){ .id = (uint32_t)m->function_count,
                                 .name = name,
                                 .key = name,
                                 .symbol = name,
                                 .file = "/s/f.c",
                                 .line = 7,
                                 .stage = MODEL_NONE };
    return (uint32_t)m->function_count - 1;
}

static struct model_stage *stage_add(struct model *m, const char *name, enum pp_category category, uint32_t parent)
{
    struct model_stage *s = ARRAY_PUSH(m->stage, m->stage_count, m->stage_capacity);
    *s = (struct model_stage){ .id = (uint32_t)m->stage_count,
                               .parent = parent,
                               .key = name,
                               .name = name,
                               .category = category,
                               .kind = PP_SITE_STAGE,
                               .file = "/s/s.c",
                               .function = name,
                               .line = 3 };
    for (int i = 0; i < PP_METRIC_COUNT; i++)
        s->metric_known[i] = true;
    return s;
}

static void activation(struct model_times *t, uint64_t wall_ns, uint64_t count)
{
    struct pp_stage *one = calloc(1, sizeof *one);
    for (uint64_t i = 0; i < count; i++)
        report_file_activation(one, wall_ns, t->calls + i);
    struct model_times more = { .calls = count,
                                .timed_calls = count,
                                .outer_calls = count,
                                .wall_ns = one->wall_ns,
                                .self_ns = one->self_ns,
                                .min_ns = one->min_ns,
                                .max_ns = one->max_ns,
                                .mean_ns = (double)wall_ns,
                                .histogram = one->histogram };
    for (int i = 0; i < PP_SLOWEST; i++)
        if (one->slowest[i].wall_ns)
            more.slowest[more.slowest_count++] =
                (struct model_slow){ one->slowest[i].index, one->slowest[i].wall_ns, 0, 1 };
    times_add(t, &more);
    free(one);
}

/* How many findings the rule made, with the last one in *found. The model is freed. */
static size_t run(struct model *m, void (*rule)(struct model *), struct model_finding *found)
{
    rule(m);
    size_t count = m->finding_count;
    if (count && found) {
        *found = m->finding[count - 1];
        CHECK(found->text[0] && !strchr(found->text, '\n'), "a text of one line");
        static char text[512];
        snprintf(text, sizeof text, "%s", found->text);
        found->text = text;
    }
    model_free(m);
    return count;
}

#define FIRES(m, rule) CHECK(run(m, rule, &found) == 1, "%s is silent", #rule)
#define SILENT(m, rule) CHECK(run(m, rule, NULL) == 0, "%s fires", #rule)

static struct model *with_cpu(double own_ns, double child_ns)
{
    struct model *m = model_start();
    stage_add(m, "outer", PP_CATEGORY_CUSTOM, MODEL_NONE)->metric[PP_METRIC_CPU] = own_ns + child_ns;
    if (child_ns > 0)
        stage_add(m, "inner", PP_CATEGORY_CUSTOM, 0)->metric[PP_METRIC_CPU] = child_ns;
    return m;
}

static void test_processor(void)
{
    struct model_finding found;
    FIRES(with_cpu(100e6, 0), rule_processor);
    CHECK(found.severity == SEVERITY_WARNING && found.priority == PRIORITY_LOW, "100 ms of 10 s: warning, low");
    FIRES(with_cpu(2e9, 0), rule_processor);
    CHECK(found.severity == SEVERITY_CRITICAL && found.priority == PRIORITY_HIGH, "2 s of 10 s: critical, high");
    SILENT(with_cpu(99e6, 0), rule_processor);
    FIRES(with_cpu(10e6, 500e6), rule_processor);
    CHECK(found.subject == 1 && found.priority == PRIORITY_MEDIUM,
          "the time of an enclosed stage is not the outer one's");
    struct model *m = model_start();
    function_add(m, "f");
    m->function[0].self = (struct value){ 150e6, 1e12 };
    m->function[0].samples = 150;
    FIRES(m, rule_processor);
    CHECK(!found.is_stage && strcmp(found.file, "/s/f.c") == 0 && found.line == 7, "where it is");
    m = with_cpu(150e6, 0); /* the same time, as a stage and as its function */
    function_add(m, "outer");
    m->function[0].file = m->stage[0].file;
    m->function[0].self = (struct value){ 150e6, 1e12 };
    m->function[0].samples = 150;
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) =
        (struct model_node){ .function = MODEL_NONE, .stage = MODEL_NONE };
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .function = 0, .stage = 0 };
    *ARRAY_PUSH(m->sample, m->sample_count, m->sample_capacity) = (struct model_sample){
        .node = 2, .function = 0, .line = MODEL_NONE, .count = 150
    };
    FIRES(m, rule_processor);
    CHECK(found.is_stage, "said once, of the stage");
    m = model_start();
    function_add(m, "f");
    m->function[0].self = (struct value){ 150e6, 1e15 };
    m->function[0].samples = 2; /* two long samples prove nothing */
    SILENT(m, rule_processor);
}

static struct model *with_wait(double cpu, uint64_t voluntary, uint64_t involuntary)
{
    struct model *m = model_start();
    struct model_stage *s = stage_add(m, "s", PP_CATEGORY_DATA_LOADING, MODEL_NONE);
    activation(&s->times, 100000000, 10);
    s->metric[PP_METRIC_CPU] = cpu;
    s->metric[PP_METRIC_SWITCHES_VOLUNTARY] = (double)voluntary;
    s->metric[PP_METRIC_SWITCHES_INVOLUNTARY] = (double)involuntary;
    return m;
}

static void test_waiting(void)
{
    struct model_finding found;
    FIRES(with_wait(300e6, 10, 0), rule_waiting);
    CHECK(found.severity == SEVERITY_WARNING && strstr(found.text, "70.0%"), "%s", found.text);
    SILENT(with_wait(950e6, 10, 0), rule_waiting);  /* 5 % of the stage */
    SILENT(with_wait(300e6, 0, 500), rule_waiting); /* others had the CPU */
    FIRES(with_wait(200e6, 30, 10), rule_waiting);  /* 800 ms off the CPU, a quarter of it because others had the CPU */
    CHECK(found.evidence[0].value == 600e6 && found.evidence[1].value == 200e6 && found.evidence[2].value == 800e6,
          "wait, preempted, off: %f %f %f", found.evidence[0].value, found.evidence[1].value, found.evidence[2].value);
    struct model *m = with_wait(10e6, 10, 30); /* 990 ms off the CPU, of which operations waited 900 */
    m->stage[0].traffic.wait_ns[PP_WAIT_NETWORK] = 900000000;
    FIRES(m, rule_waiting);
    CHECK(found.evidence[0].value == 900e6 && found.evidence[1].value == 90e6 &&
              strstr(found.text, "900 ms waiting, 90.0%"),
          "%s", found.text);
    m = with_wait(10e6, 10, 30);
    m->stage[0].traffic.wait_ns[PP_WAIT_NETWORK] = 2000000000; /* an estimate: no more than the stage was off the CPU */
    FIRES(m, rule_waiting);
    CHECK(found.evidence[0].value == 990e6 && found.evidence[1].value == 0, "%s", found.text);
    m = with_wait(10e6, 10, 30);
    m->stage[0].traffic.wait_ns[PP_WAIT_NETWORK] = 900000000;
    struct model_stage *inner = stage_add(m, "inner", PP_CATEGORY_CUSTOM, 0);
    activation(&inner->times, 500000000, 1);
    inner->traffic.wait_ns[PP_WAIT_NETWORK] = 500000000;
    rule_waiting(m);
    CHECK(m->finding_count >= 1, "the outer one's own");
    for (size_t i = 0; i < m->finding_count; i++)
        if (m->finding[i].subject == 0)
            CHECK(m->finding[i].evidence[0].value == 400e6 && m->finding[i].evidence[1].value == 90e6,
                  "less what the inner one waited: %f", m->finding[i].evidence[0].value);
    model_free(m);
}

static void test_entry(void)
{
    struct model_finding found;
    static const struct {
        enum pp_category category;
        uint64_t wall_ns;
        int severity;
    } rows[] = {
        { PP_CATEGORY_DATA_LOADING, 499000000, -1 },
        { PP_CATEGORY_DATA_LOADING, 500000000, SEVERITY_NOTE },
        { PP_CATEGORY_DATA_LOADING, 1000000000, SEVERITY_WARNING },
        { PP_CATEGORY_DATA_LOADING, 5000000000, SEVERITY_CRITICAL },
        { PP_CATEGORY_PREPROCESSING, 199000000, -1 },
        { PP_CATEGORY_PREPROCESSING, 200000000, SEVERITY_NOTE },
        { PP_CATEGORY_PREPROCESSING, 500000000, SEVERITY_WARNING },
        { PP_CATEGORY_INFERENCE, 1990000000, -1 },
        { PP_CATEGORY_INFERENCE, 2000000000, SEVERITY_WARNING },
        { PP_CATEGORY_INFERENCE, 10000000000, SEVERITY_CRITICAL },
        { PP_CATEGORY_TRAINING, 10000000000, SEVERITY_WARNING },
        { PP_CATEGORY_TRAINING, 30000000000, SEVERITY_CRITICAL },
        { PP_CATEGORY_CUSTOM, 30000000000, -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct model *m = model_start();
        activation(&stage_add(m, "s", rows[i].category, MODEL_NONE)->times, rows[i].wall_ns, 1);
        size_t count = run(m, rule_entry, &found);
        CHECK(count == (rows[i].severity >= 0) && (!count || (int)found.severity == rows[i].severity), "row %zu", i);
    }
}

static struct model *with_loop(uint64_t fast_ns, uint64_t fast, uint64_t slow_ns, uint64_t slow)
{
    struct model *m = model_start();
    struct model_stage *s = stage_add(m, "batches", PP_CATEGORY_CUSTOM, MODEL_NONE);
    s->kind = PP_SITE_LOOP;
    activation(&s->iteration, fast_ns, fast);
    if (slow)
        activation(&s->iteration, slow_ns, slow);
    return m;
}

static void test_batch(void)
{
    struct model_finding found;
    FIRES(with_loop(100000000, 5, 0, 0), rule_batch);
    SILENT(with_loop(99000000, 5, 0, 0), rule_batch);
}

static void test_tail(void)
{
    struct model_finding found;
    FIRES(with_loop(20000000, 20, 400000000, 2), rule_tail);
    CHECK(found.severity == SEVERITY_WARNING && strstr(found.text, "slowest iteration (number 2"), "%s", found.text);
    SILENT(with_loop(20000000, 20, 50000000, 2), rule_tail); /* x2.5 */
    SILENT(with_loop(20000000, 4, 400000000, 1), rule_tail); /* too few for a median */
    SILENT(with_loop(1000, 20, 100000, 2), rule_tail);       /* microseconds are not worth a finding */
    struct model *busy = with_loop(20000000, 20, 400000000, 2);
    busy->stage[0].times.wall_ns = 1200000000;
    busy->stage[0].metric[PP_METRIC_CPU] = 400e6;
    busy->stage[0].metric[PP_METRIC_SWITCHES_INVOLUNTARY] = 50;
    SILENT(busy, rule_tail); /* 800 ms that others had the CPU */
    struct model *m = with_loop(20000000, 20, 400000000, 2);
    struct model_stage *inner = stage_add(m, "decode", PP_CATEGORY_DATA_LOADING, 0);
    activation(&inner->times, 10000000, 20);
    activation(&inner->times, 390000000, 2);
    FIRES(m, rule_tail);
    CHECK(found.subject == 1, "the stage inside has the tail");
}

static struct model *with_metrics(enum pp_metric a, double first, enum pp_metric b, double second,
                                  enum pp_category category)
{
    struct model *m = model_start();
    struct model_stage *s = stage_add(m, "s", category, MODEL_NONE);
    activation(&s->times, 1000000, 10);
    s->metric[a] = first;
    s->metric[b] = second;
    return m;
}

static void test_reads(void)
{
    struct model_finding found;
    FIRES(with_metrics(PP_METRIC_READS, 1000, PP_METRIC_READ_BYTES, 4000, PP_CATEGORY_IO), rule_tinyreads);
    SILENT(with_metrics(PP_METRIC_READS, 1000, PP_METRIC_READ_BYTES, 4096000, PP_CATEGORY_IO), rule_tinyreads);
    SILENT(with_metrics(PP_METRIC_READS, 999, PP_METRIC_READ_BYTES, 4000, PP_CATEGORY_IO), rule_tinyreads);
    FIRES(with_metrics(PP_METRIC_READ_BYTES, 30 << 20, PP_METRIC_WRITE_BYTES, 20 << 20, PP_CATEGORY_DATA_LOADING),
          rule_traffic);
    SILENT(with_metrics(PP_METRIC_READ_BYTES, 29 << 20, PP_METRIC_WRITE_BYTES, 20 << 20, PP_CATEGORY_DATA_LOADING),
           rule_traffic);
    SILENT(with_metrics(PP_METRIC_READ_BYTES, 30 << 20, PP_METRIC_WRITE_BYTES, 20 << 20, PP_CATEGORY_CUSTOM),
           rule_traffic);
}

static uint32_t line_add(struct model *m, uint32_t line, uint32_t function)
{
    *ARRAY_PUSH(m->line, m->line_count, m->line_capacity) =
        (struct model_line){ .file = "/s/s.c", .line = line, .function = function };
    return (uint32_t)m->line_count - 1;
}

static void operation_add(struct model *m, enum pp_operation_kind kind, uint32_t stage, uint32_t line, uint64_t calls,
                          uint64_t bytes, uint64_t wait_ns)
{
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = kind,
                                  .stage = stage,
                                  .line = line,
                                  .function = line == MODEL_NONE ? MODEL_NONE : m->line[line].function,
                                  .target = MODEL_NONE,
                                  .attributed = true,
                                  .sum = { .calls = calls, .bytes = bytes, .wall_ns = wait_ns, .wait_ns = wait_ns } };
}

/* A stage whose samples are all at line 50, and whose operations are elsewhere. */
static struct model *with_place(struct model *m)
{
    uint32_t function = function_add(m, "hot"), other = function_add(m, "callee");
    line_add(m, 50, function);
    line_add(m, 60, other);
    line_add(m, 70, other);
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .function = function, .stage = 0 };
    *ARRAY_PUSH(m->sample, m->sample_count, m->sample_capacity) = (struct model_sample){
        .node = 1, .function = 0, .line = 0, .count = 150
    };
    return m;
}

static void test_places(void)
{
    struct model_finding found;
    struct model *m = with_place(with_metrics(PP_METRIC_READS, 1100, PP_METRIC_READ_BYTES, 4400, PP_CATEGORY_IO));
    operation_add(m, PP_OPERATION_READ, 0, 1, 100, 400, 0);
    operation_add(m, PP_OPERATION_READ, 0, 2, 500, 2000, 0);
    operation_add(m, PP_OPERATION_READ, 0, 2, 500, 2000, 0);
    operation_add(m, PP_OPERATION_READ, MODEL_NONE, 1, 900, 3600, 0);
    operation_add(m, PP_OPERATION_WRITE, 0, 0, 5000, 20000, 0);
    FIRES(m, rule_tinyreads);
    CHECK(found.line == 70 && strcmp(found.file, "/s/s.c") == 0 && strstr(found.text, "most in callee"), "line %u: %s",
          found.line, found.text);
    m = with_place(with_metrics(PP_METRIC_WRITES, 1100, PP_METRIC_WRITE_BYTES, 4400, PP_CATEGORY_IO));
    operation_add(m, PP_OPERATION_WRITE, 0, 1, 1000, 4000, 0);
    operation_add(m, PP_OPERATION_READ, 0, 2, 5000, 5000, 0);
    FIRES(m, rule_tinywrites);
    CHECK(found.line == 60 && found.severity == SEVERITY_WARNING && strstr(found.text, "1 100 writes of 4 B each"),
          "line %u: %s", found.line, found.text);
    m = with_place(with_metrics(PP_METRIC_WRITES, 1100, PP_METRIC_WRITE_BYTES, 4400, PP_CATEGORY_IO));
    operation_add(m, PP_OPERATION_WRITE, 0, 1, 1000, 4000, 3000000);
    FIRES(m, rule_tinywrites);
    CHECK(found.cost_ns == 3e6 && strstr(found.text, "3.00 ms in all"),
          "what the writes took, not what the stage did: %f, %s", found.cost_ns, found.text);
    SILENT(with_metrics(PP_METRIC_WRITES, 1000, PP_METRIC_WRITE_BYTES, 4096000, PP_CATEGORY_IO), rule_tinywrites);
    SILENT(with_metrics(PP_METRIC_WRITES, 999, PP_METRIC_WRITE_BYTES, 4000, PP_CATEGORY_IO), rule_tinywrites);
    m = with_place(model_start()); /* no stage at all */
    m->node[1].stage = MODEL_NONE;
    operation_add(m, PP_OPERATION_WRITE, MODEL_NONE, 1, 1000, 4000, 0);
    operation_add(m, PP_OPERATION_WRITE, MODEL_NONE, 2, 999, 4000, 0);
    operation_add(m, PP_OPERATION_WRITE, MODEL_NONE, 0, 9999, 40000000, 0);
    FIRES(m, rule_tinywrites);
    CHECK(!found.is_stage && found.line == 60 && found.subject == 1 && strstr(found.text, "4 B each"), "line %u: %s",
          found.line, found.text);
    m = with_place(with_metrics(PP_METRIC_READ_BYTES, 60 << 20, PP_METRIC_WRITE_BYTES, 0, PP_CATEGORY_DATA_LOADING));
    operation_add(m, PP_OPERATION_READ, 0, 1, 10, 60 << 20, 0);
    operation_add(m, PP_OPERATION_READ, 0, 2, 1000, 1000, 0);
    FIRES(m, rule_traffic);
    CHECK(found.line == 60, "line %u: %s", found.line, found.text);
    m = with_place(with_wait(300e6, 10, 0));
    operation_add(m, PP_OPERATION_LOCK, 0, 2, 10, 0, 500000000);
    operation_add(m, PP_OPERATION_SLEEP, 0, 1, 10, 0, 200000000);
    operation_add(m, PP_OPERATION_RESPONSE, 0, 0, 10, 0, 900000000); /* no call */
    FIRES(m, rule_waiting);
    CHECK(found.line == 70 && strstr(found.text, "500 ms of it in callee"), "line %u: %s", found.line, found.text);
    m = with_place(with_wait(300e6, 10, 0));
    operation_add(m, PP_OPERATION_LOCK, 0, 2, 10, 0, 1000000); /* what waited is no operation */
    FIRES(m, rule_waiting);
    CHECK(found.line == 3, "line %u: %s", found.line, found.text);
}

static struct model *with_asked(uint64_t first, uint64_t second, bool blocks)
{
    struct model *m =
        with_place(with_metrics(PP_METRIC_ALLOC_BYTES, 1000 << 20, PP_METRIC_FREE_BYTES, 1000 << 20, PP_CATEGORY_IO));
    m->has_blocks = blocks;
    for (uint32_t i = 0; blocks && i < 2; i++)
        *ARRAY_PUSH(m->allocation, m->allocation_count, m->allocation_capacity) =
            (struct model_allocation){ .line = i + 1,
                                       .function = 1,
                                       .module = MODEL_NONE,
                                       .library = MODEL_NONE,
                                       .attributed = true,
                                       .blocks = { .alloc_blocks = 1000,
                                                   .alloc_bytes = (i ? second : first) << 20,
                                                   .free_bytes = (i ? second : first) << 20 } };
    return m;
}

static void test_blocks(void)
{
    struct model_finding found;
    FIRES(with_asked(0, 0, false), rule_allocation);
    CHECK(found.line == 3 && strstr(found.text, "blocks=sampled"), "not where the samples are; line %u: %s", found.line,
          found.text);
    FIRES(with_asked(900, 200, true),
          rule_allocation); /* at least 100 are not the stage's, so 800 of the first line's certainly are */
    CHECK(found.line == 60 && !strstr(found.text, "blocks=sampled"), "line %u: %s", found.line, found.text);
    FIRES(with_asked(1000, 1000, true), rule_allocation); /* each line's may belong to another stage */
    CHECK(found.line == 3, "line %u: %s", found.line, found.text);
    struct model *m = with_asked(900, 1000, true);
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) =
        (struct model_node){ .function = 1, .stage = 0 }; /* but no one else calls it */
    FIRES(m, rule_allocation);
    CHECK(found.line == 70, "line %u: %s", found.line, found.text);
    m = with_asked(900, 1000, true);
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .function = 1, .stage = 0 };
    *ARRAY_PUSH(m->node, m->node_count, m->node_capacity) = (struct model_node){ .function = 1, .stage = MODEL_NONE };
    FIRES(m, rule_allocation);
    CHECK(found.line == 3, "line %u: %s", found.line, found.text);
}

static void test_memory(void)
{
    struct model_finding found;
    FIRES(with_metrics(PP_METRIC_ALLOC_BYTES, 100 << 20, PP_METRIC_FREE_BYTES, 100 << 20, PP_CATEGORY_IO),
          rule_allocation);
    CHECK(strstr(found.text, "freed again"), "%s", found.text);
    SILENT(with_metrics(PP_METRIC_ALLOC_BYTES, 99 << 20, PP_METRIC_FREE_BYTES, 0, PP_CATEGORY_IO), rule_allocation);
    SILENT(with_metrics(PP_METRIC_ALLOC_BYTES, 199 << 20, PP_METRIC_FREE_BYTES, 0, PP_CATEGORY_PREPROCESSING),
           rule_allocation);
    FIRES(with_metrics(PP_METRIC_ALLOC_BYTES, 300 << 20, PP_METRIC_FREE_BYTES, 200 << 20, PP_CATEGORY_IO), rule_growth);
    SILENT(with_metrics(PP_METRIC_ALLOC_BYTES, 300 << 20, PP_METRIC_FREE_BYTES, 201 << 20, PP_CATEGORY_IO),
           rule_growth);
    SILENT(with_metrics(PP_METRIC_ALLOC_BYTES, 400 << 20, PP_METRIC_FREE_BYTES, 201 << 20, PP_CATEGORY_PREPROCESSING),
           rule_growth);
}

static void test_order(void)
{
    struct model *m = model_start();
    stage_add(m, "small", PP_CATEGORY_CUSTOM, MODEL_NONE)->metric[PP_METRIC_CPU] = 200e6;
    stage_add(m, "large", PP_CATEGORY_CUSTOM, MODEL_NONE)->metric[PP_METRIC_CPU] = 3e9;
    stage_add(m, "middle", PP_CATEGORY_CUSTOM, MODEL_NONE)->metric[PP_METRIC_CPU] = 900e6;
    judge(m);
    CHECK(m->finding_count == 3 && m->finding[0].subject == 1 && m->finding[1].subject == 2 &&
              m->finding[2].subject == 0,
          "worst first");
    model_free(m);
}

static struct model *with_growth(const struct pp_growth *growth, double kept)
{
    struct model *m = model_start();
    struct model_stage *s = stage_add(m, "load", PP_CATEGORY_CUSTOM, MODEL_NONE);
    s->metric[PP_METRIC_ALLOC_BYTES] = kept;
    s->times.calls = 640;
    s->growth = growth_from(growth, 640);
    return m;
}

/* Blocks that live at the end are known by line: of a line that allocates at each entry, and of another. */
static struct model *with_lines(const struct pp_growth *growth, double kept, uint64_t blocks, uint64_t live,
                                uint64_t other_blocks, uint64_t other_live)
{
    struct model *m = with_growth(growth, kept);
    m->has_blocks = true;
    *ARRAY_PUSH(m->allocation, m->allocation_count, m->allocation_capacity) = (struct model_allocation){
        .line = MODEL_NONE,
        .function = MODEL_NONE,
        .blocks = { .alloc_blocks = blocks, .alloc_bytes = 10000000, .free_bytes = 10000000 - live }
    };
    if (other_blocks)
        *ARRAY_PUSH(m->allocation, m->allocation_count, m->allocation_capacity) =
            (struct model_allocation){ .line = MODEL_NONE,
                                       .function = MODEL_NONE,
                                       .blocks = { .alloc_blocks = other_blocks, .alloc_bytes = other_live } };
    return m;
}

static void test_leak(void)
{
    struct model_finding found;
    struct pp_growth up = { .shift = 3 }, full, short_one, spiky, odd;
    for (unsigned k = 0; k < PP_FLOORS; k++)
        up.floor[k] = 1000001 + k * 80000;
    FIRES(with_growth(&up, 5040000), rule_leak);
    CHECK(strstr(found.text, "grew at 63 of 63 steps of 8 entries, by 9.77 KiB") && found.severity == SEVERITY_NOTE &&
              found.threshold == 65536,
          "%s", found.text);
    CHECK(found.evidence[2].value == 63 * 80000.0 && found.evidence[3].value == 10000 && found.evidence[4].value < 1e-6,
          "%g an entry", found.evidence[3].value);
    CHECK(strstr(found.text, "by 9.77 KiB per entry, ") && !strstr(found.text, "+-"), "exact, so without an error: %s",
          found.text);
    SILENT(with_growth(&up, 2000000), rule_leak); /* the growth is another stage's */
    full = up;
    for (unsigned k = 40; k < PP_FLOORS; k++)
        full.floor[k] = full.floor[39]; /* a cache that is full */
    SILENT(with_growth(&full, 5040000), rule_leak);
    short_one = up;
    memset(short_one.floor + 15, 0, sizeof short_one.floor - 15 * sizeof *short_one.floor);
    SILENT(with_growth(&short_one, 5040000), rule_leak); /* too few to say */
    spiky = up;
    for (unsigned k = 0; k < PP_FLOORS; k += 4)
        spiky.floor[k] += 500000; /* in larger groups it rises as reliably */
    FIRES(with_growth(&spiky, 5040000), rule_leak);
    CHECK(strstr(found.text, "steps of 16 entries") || strstr(found.text, "steps of 32 entries"), "%s", found.text);
    odd = up;
    odd.turn = 1;
    SILENT(with_growth(&odd, 5040000), rule_leak); /* interrupted while groups were merged */
    for (unsigned k = 0; k < PP_FLOORS; k++)
        up.floor[k] = 6000001 + k * 80000; /* of that, 6 MB were freed after the entry had ended */
    FIRES(with_lines(&up, 5040000, 640, 5040000, 0, 0), rule_leak);
    SILENT(with_lines(&up, 5040000, 640, 2000000, 0, 0), rule_leak); /* most was freed after all */
    SILENT(with_lines(&up, 5040000, 640, 2000000, 1, 6000000),
           rule_leak); /* what else lives was allocated at once */
    for (unsigned k = 0; k < PP_FLOORS; k++)
        up.floor[k] = 1000001 + k * 1000;
    SILENT(with_growth(&up, 63000), rule_leak); /* below the threshold */
}

int main(void)
{
    test_leak();
    test_processor();
    test_waiting();
    test_entry();
    test_batch();
    test_tail();
    test_reads();
    test_memory();
    test_places();
    test_blocks();
    test_order();
    return 0;
}
