/* SPDX-License-Identifier: MIT */
/* report_parts.c: calls of a function whose body GCC split off (f.part.0). Its head was inlined in some callers. The
 * function and the call tree agree, and never have more calls than there were. */
#include <string.h>

#include "report_analysed.h"

static char path[] = "/tmp/report_parts_XXXXXX";

enum { CALLER = 6, HEAD = 4, PART = 2 }; /* keys: a framed function has a second counter below its key */

static void expect(uint8_t head_mode, const uint64_t counter[7], const struct pp_node *node, uint32_t nodes,
                   uint64_t calls, uint64_t timed)
{
    const struct report_site site[] = { { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "caller", "caller", "f.c", NULL, 9 },
                                        { .file = "f.c" },
                                        { PP_SITE_FUNCTION, head_mode, 0, 0, "f", "f", "f.c", NULL, 1 },
                                        { .file = "f.c" },
                                        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "f", "f.part.0", "f.c", NULL, 1 } };
    struct report_file file = report_file_start();
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, CALLER, site, 5);
    report_file_counters(&file, 1, counter, 7);
    report_file_nodes(&file, 1, 0, node, nodes);
    struct model *m = report_analysed(&file, path);
    uint64_t in_tree = 0, timed_in_tree = 0;
    const struct model_function *f = NULL;
    for (size_t i = 0; i < m->function_count; i++)
        f = strcmp(m->function[i].name, "f") == 0 ? &m->function[i] : f;
    CHECK(f, "the function");
    for (size_t i = 1; i < m->node_count; i++)
        if (m->node[i].function != MODEL_NONE && &m->function[m->node[i].function] == f) {
            in_tree += m->node[i].calls;
            timed_in_tree += m->node[i].timed_calls;
            CHECK(!m->node[i].calls == m->node[i].sampled_only, "a node of %llu calls",
                  (unsigned long long)m->node[i].calls);
        }
    CHECK(f->calls_known && f->calls == calls && in_tree == calls, "%llu calls, %llu in the tree; expected %llu",
          (unsigned long long)f->calls, (unsigned long long)in_tree, (unsigned long long)calls);
    CHECK(f->timed_calls == timed && timed_in_tree == timed, "%llu timed, %llu in the tree; expected %llu",
          (unsigned long long)f->timed_calls, (unsigned long long)timed_in_tree, (unsigned long long)timed);
    CHECK(f->has_copies, "%llu calls: some may be of inlined heads, which no counter knows", (unsigned long long)calls);
    model_free(m);
}

#define NODE(where, above, what, count, timed)                                               \
    {                                                                                        \
        .number = where, .parent = above, .key = what, .calls = count, .timed_calls = timed, \
        .timed_ns = 1000 * (timed)                                                           \
    }

int main(void)
{
    /* The head is only counted. Most callers have it inlined. */
    const struct pp_node counted[] = { { .number = 0 }, NODE(1, 0, CALLER, 1, 1), NODE(2, 1, PART, 824, 24) };
    expect(PP_MODE_COUNTED, (const uint64_t[]){ 0, 0, 831, 0, 44, 0, 1 }, counted, 3, 831, 24);
    /* 100 calls of the head make 80 of the part, some of which were timed where the head was not. 30 come from
     * elsewhere, where the head is inlined, and 5 of these from one in the part itself. */
    const struct pp_node framed[] = { { .number = 0 },         NODE(1, 0, CALLER, 1, 1), NODE(2, 1, HEAD, 100, 40),
                                      NODE(3, 2, PART, 50, 5), NODE(4, 1, PART, 35, 4),  NODE(5, 0, PART, 25, 3),
                                      NODE(6, 5, PART, 5, 5) };
    expect(PP_MODE_FRAMED, (const uint64_t[]){ 0, 0, 115, 0, 100, 0, 1 }, framed, 7, 115, 40);
    /* Nothing is inlined. */
    expect(PP_MODE_FRAMED, (const uint64_t[]){ 0, 0, 80, 0, 100, 0, 1 }, framed, 5, 100, 40);
    puts("calls of functions in parts");
    return 0;
}
