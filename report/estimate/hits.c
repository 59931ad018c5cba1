/* SPDX-License-Identifier: MIT */
/* hits.c: computes hits of lines from counters of edges. See hits.h.
 *
 * What flows into a block flows out of it. The edges without a counter are a spanning tree, so there is always a block
 * with one unknown edge left, until all are known. Block 0 is the outside, and need not balance. Folds are solved
 * first, because their blocks tell what the counters of functions would have counted.
 *
 * A line is hit when control comes to it from elsewhere. Its hits are the edges into its blocks from another line's,
 * and the iterations of a loop that is entirely on the line. Each block belongs to one line, its highest. Another line
 * in it without a block of its own is hit as often as the block. */
#include "estimate/hits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- edges by block ---- */

struct graph {
    const struct profile_flow *flow;
    uint32_t *in_first, *in, *out_first,
        *out; /* edges into and out of block b: in[in_first[b]] .. in[in_first[b + 1]) */
    uint64_t *count;
    uint64_t *inflow; /* of blocks */
    bool *has_lines;
    uint32_t *reached; /* blocks of a line, from which the search continues */
    uint32_t *mark;    /* for each block, which line was examined last */
    uint32_t stamp;
};

static void graph_open(struct graph *g, const struct profile_flow *flow)
{
    *g = (struct graph){ .flow = flow };
    uint32_t n = flow->block_count, edges = (uint32_t)flow->edge_count;
    g->in_first = memory_zeroed(n + 2, sizeof *g->in_first);
    g->out_first = memory_zeroed(n + 2, sizeof *g->out_first);
    g->in = memory_zeroed(edges + 1, sizeof *g->in);
    g->out = memory_zeroed(edges + 1, sizeof *g->out);
    g->count = memory_zeroed(edges + 1, sizeof *g->count);
    g->inflow = memory_zeroed(n + 1, sizeof *g->inflow);
    g->has_lines = memory_zeroed(n + 1, sizeof *g->has_lines);
    g->reached = memory_zeroed(n + 1, sizeof *g->reached);
    for (size_t i = 0; i < flow->place_count; i++)
        g->has_lines[flow->place[i].block] = true;
    g->has_lines[0] = true;
    g->mark = memory_zeroed(n + 1, 2 * sizeof *g->mark);
    for (uint32_t i = 0; i < edges; i++) {
        g->in_first[flow->edge[i].to + 2]++;
        g->out_first[flow->edge[i].from + 2]++;
    }
    for (uint32_t b = 2; b < n + 2; b++) {
        g->in_first[b] += g->in_first[b - 1];
        g->out_first[b] += g->out_first[b - 1];
    }
    for (uint32_t i = 0; i < edges; i++) {
        g->in[g->in_first[flow->edge[i].to + 1]++] = i;
        g->out[g->out_first[flow->edge[i].from + 1]++] = i;
    }
}

static void graph_close(struct graph *g)
{
    free(g->in_first);
    free(g->in);
    free(g->out_first);
    free(g->out);
    free(g->count);
    free(g->inflow);
    free(g->has_lines);
    free(g->reached);
    free(g->mark);
}

/* ---- the edges without a counter ---- */

static uint32_t unknown_left(const struct graph *g, const bool *known, uint32_t block, uint32_t *edge)
{
    uint32_t left = 0;
    for (uint32_t i = g->in_first[block]; i < g->in_first[block + 1]; i++)
        if (!known[g->in[i]]) {
            *edge = g->in[i];
            left++;
        }
    for (uint32_t i = g->out_first[block]; i < g->out_first[block + 1]; i++)
        if (!known[g->out[i]]) {
            *edge = g->out[i];
            left++;
        }
    return left;
}

static bool graph_solve(struct graph *g)
{
    const struct profile_flow *flow = g->flow;
    bool *known = memory_zeroed(flow->edge_count + 1, sizeof *known);
    uint32_t *degree = memory_zeroed(flow->block_count, sizeof *degree),
             *stack = memory_zeroed(flow->block_count + 1, sizeof *stack);
    uint32_t depth = 0, unknown = 0;
    for (size_t i = 0; i < flow->edge_count; i++) {
        const struct profile_edge *e = &flow->edge[i];
        known[i] = e->counter != 0;
        if (known[i])
            continue;
        unknown++;
        degree[e->from]++;
        degree[e->to]++;
    }
    for (uint32_t b = 1; b < flow->block_count; b++)
        if (degree[b] == 1)
            stack[depth++] = b;
    while (depth) {
        uint32_t block = stack[--depth], edge = 0;
        if (unknown_left(g, known, block, &edge) != 1)
            continue;
        uint64_t in = 0, out = 0;
        for (uint32_t i = g->in_first[block]; i < g->in_first[block + 1]; i++)
            in += known[g->in[i]] ? g->count[g->in[i]] : 0;
        for (uint32_t i = g->out_first[block]; i < g->out_first[block + 1]; i++)
            out += known[g->out[i]] ? g->count[g->out[i]] : 0;
        bool into = flow->edge[edge].to == block;
        uint32_t other = into ? flow->edge[edge].from : flow->edge[edge].to;
        g->count[edge] = into ? out - in : in - out;
        known[edge] = true;
        unknown--;
        if (other && --degree[other] == 1)
            stack[depth++] = other;
    }
    free(known);
    free(degree);
    free(stack);
    for (size_t i = 0; i < flow->edge_count; i++) /* a difference that wrapped around below 0 */
        if (g->count[i] >> 63)
            g->count[i] = 0;
    for (size_t i = 0; i < flow->edge_count; i++)
        g->inflow[flow->edge[i].to] += g->count[i];
    return !unknown;
}

/* ---- lines ---- */

/* Iterations of loops within the marked blocks: how often edges lead back to a block that is on the current path of the
 * search. */
static uint64_t turns(struct graph *g, const struct profile_place *place, size_t n, uint32_t marked)
{
    struct step {
        uint32_t block, next;
    } *stack = memory_zeroed(marked + 1, sizeof *stack);
    uint32_t *state =
        /* stamp * 2: on the current path; + 1: done. An earlier line's stamp: new */
        g->mark + g->flow->block_count + 1;
    uint64_t sum = 0;
    /* First from where control enters, so that a loop is entered at its header. */
    for (unsigned round = 0; round < 2; round++)
        for (size_t k = 0; k < n; k++) {
            uint32_t start = place[k].block;
            bool entered = round == 1;
            if (g->mark[start] != g->stamp || state[start] >= g->stamp * 2)
                continue;
            for (uint32_t i = g->in_first[start]; i < g->in_first[start + 1] && !entered; i++)
                entered = g->mark[g->flow->edge[g->in[i]].from] != g->stamp;
            if (!entered)
                continue;
            size_t depth = 0;
            stack[depth++] = (struct step){ start, g->out_first[start] };
            state[start] = g->stamp * 2;
            while (depth) {
                struct step *s = &stack[depth - 1];
                if (s->next == g->out_first[s->block + 1]) {
                    state[s->block] = g->stamp * 2 + 1;
                    depth--;
                    continue;
                }
                uint32_t edge = g->out[s->next++], to = g->flow->edge[edge].to;
                if (g->mark[to] != g->stamp)
                    continue;
                if (state[to] == g->stamp * 2) {
                    sum += g->count[edge];
                } else if (state[to] < g->stamp * 2) {
                    state[to] = g->stamp * 2;
                    stack[depth++] = (struct step){ to, g->out_first[to] };
                }
            }
        }
    free(stack);
    return sum;
}

/* A block without a line belongs to the line if control comes to it from that line alone. Returns how many blocks are
 * marked. */
static uint32_t line_spread(struct graph *g, const struct profile_place *place, size_t n)
{
    const struct profile_flow *flow = g->flow;
    uint32_t count = 0;
    for (size_t k = 0; k < n; k++)
        if (place[k].is_main)
            g->reached[count++] = place[k].block;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t o = g->out_first[g->reached[i]]; o < g->out_first[g->reached[i] + 1]; o++) {
            uint32_t to = flow->edge[g->out[o]].to;
            bool only = !g->has_lines[to] && g->mark[to] != g->stamp && g->in_first[to + 1] - g->in_first[to] < 64;
            for (uint32_t e = g->in_first[to]; e < g->in_first[to + 1] && only; e++)
                only = g->mark[flow->edge[g->in[e]].from] == g->stamp;
            if (only) {
                g->mark[to] = g->stamp;
                g->reached[count++] = to;
            }
        }
    return count;
}

static uint64_t line_hits(struct graph *g, const struct profile_place *place, size_t n)
{
    uint64_t within = 0, sum = 0;
    bool ends = false;
    g->stamp++;
    for (size_t k = 0; k < n; k++) {
        within += g->inflow[place[k].block];
        if (place[k].is_main) {
            g->mark[place[k].block] = g->stamp;
            ends = true;
        }
    }
    if (!ends)
        return within;
    uint32_t marked = line_spread(g, place, n);
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = g->in_first[place[k].block]; place[k].is_main && i < g->in_first[place[k].block + 1]; i++)
            if (g->mark[g->flow->edge[g->in[i]].from] != g->stamp && !g->flow->edge[g->in[i]].again)
                sum += g->count[g->in[i]];
    return sum + turns(g, place, n, marked);
}

static int by_line(const void *a, const void *b)
{
    const struct profile_place *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

/* ---- the model ---- */

struct hitting {
    struct model *model;
    struct names *names;
    const struct profile *profile;
    struct map flows, files, lines;
    uint64_t **counters; /* for each flow, the sums over its uses */
};

static void lines_known(struct hitting *h)
{
    char key[4608];
    for (uint32_t i = 0; i < h->model->line_count; i++) {
        const struct model_line *l = &h->model->line[i];
        int n = snprintf(key, sizeof key, "%u:%u:%s", l->line, l->function, l->file);
        *map_at(&h->lines, key, n < (int)sizeof key ? (size_t)n : sizeof key - 1) = i;
    }
}

static struct model_line *line_get(struct hitting *h, const char *file, uint32_t line, uint32_t function)
{
    char key[4608];
    int n = snprintf(key, sizeof key, "%u:%u:%s", line, function, file);
    uint32_t *found = map_at(&h->lines, key, n < (int)sizeof key ? (size_t)n : sizeof key - 1);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)h->model->line_count;
        *ARRAY_PUSH(h->model->line, h->model->line_count, h->model->line_capacity) =
            (struct model_line){ .file = file, .line = line, .function = function };
    }
    return &h->model->line[*found];
}

static int by_key(const void *a, const void *b)
{
    const struct profile_use *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void counters_add(struct hitting *h)
{
    const struct profile *p = h->profile;
    for (uint32_t i = 0; i < p->flow_count; i++) {
        uint32_t *found = map_at(&h->flows, &p->flow[i].id, sizeof p->flow[i].id);
        if (*found != MAP_FRESH)
            continue; /* the same record in two images */
        *found = i;
        h->counters[i] = memory_zeroed(p->flow[i].counter_count + 1, sizeof **h->counters);
    }
    struct profile_use *use = memory_zeroed(p->use_count + 1, sizeof *use);
    for (size_t i = 0; i < p->use_count; i++)
        use[i] = p->use[i];
    qsort(use, p->use_count, sizeof *use, by_key);
    for (size_t i = 0; i < p->counter_count; i++) {
        uint64_t key = p->counter[i].key;
        size_t low = 0, high = p->use_count; /* the last range that begins at or before the key is use[low - 1] */
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (use[middle].key <= key)
                low = middle + 1;
            else
                high = middle;
        }
        if (!low || key - use[low - 1].key >= use[low - 1].counters)
            continue;
        /* what is no line's is a loop's: additions come in pairs, and the second adds more than 1 */
        if (map_get(&h->flows, &use[low - 1].id, sizeof use->id) != MAP_FRESH)
            h->model->run.line_counts += p->counter[i].calls;
        else if (key == use[low - 1].key)
            h->model->run.line_counts += 2 * p->counter[i].calls;
        /* One counter of calls may serve several lines' records. */
        for (size_t k = low; k-- > 0 && use[k].key == use[low - 1].key;) {
            uint32_t flow = map_get(&h->flows, &use[k].id, sizeof use->id);
            if (flow != MAP_FRESH && key - use[k].key < p->flow[flow].counter_count)
                h->counters[flow][key - use[k].key] += p->counter[i].calls;
        }
    }
    free(use);
}

static void graph_count(struct hitting *h, struct graph *g, uint32_t index)
{
    graph_open(g, &h->profile->flow[index]);
    for (size_t i = 0; i < g->flow->edge_count; i++)
        if (g->flow->edge[i].counter)
            g->count[i] = h->counters[index][g->flow->edge[i].counter - 1];
    if (!graph_solve(g))
        h->model->hits_broken++;
}

/* Adds what the blocks of a fold tell about the counters of functions. */
static void fold_spread(struct hitting *h, uint32_t index)
{
    const struct profile_flow *fold = &h->profile->flow[index];
    struct graph g;
    graph_count(h, &g, index);
    for (size_t i = 0; i < fold->place_count; i++) {
        const struct profile_place *place = &fold->place[i];
        uint32_t flow = map_get(&h->flows, &fold->file[place->file], sizeof fold->file[place->file]);
        if (flow == MAP_FRESH || h->profile->flow[flow].is_fold || place->line >= h->profile->flow[flow].counter_count)
            h->model->hits_broken++;
        else
            h->counters[flow][place->line] += g.inflow[place->block];
    }
    graph_close(&g);
}

static void flow_merge(struct hitting *h, uint32_t index)
{
    const struct profile_flow *flow = &h->profile->flow[index];
    struct graph g;
    graph_count(h, &g, index);
    const char **file = memory_zeroed(flow->file_count + 1, sizeof *file);
    for (uint32_t i = 0; i < flow->file_count; i++) {
        uint32_t found = map_get(&h->files, &flow->file[i], sizeof flow->file[i]);
        file[i] = found == MAP_FRESH ? "" : path_whole(&h->model->arena, "", h->profile->line_file[found].path);
    }
    const struct profile_place *first = flow->place_count ? &flow->place[0] : NULL;
    uint32_t function =
        first ? names_function(h->model, h->names, flow->symbol, flow->symbol, file[first->file], first->line) : 0;
    struct profile_place *place = memory_zeroed(flow->place_count + 1, sizeof *place);
    if (flow->place_count)
        memcpy(place, flow->place, flow->place_count * sizeof *place);
    qsort(place, flow->place_count, sizeof *place, by_line);
    for (size_t i = 0, end; i < flow->place_count; i = end) {
        for (end = i; end < flow->place_count && place[end].file == place[i].file && place[end].line == place[i].line;
             end++) {}
        uint64_t hits = line_hits(&g, &place[i], end - i);
        if (!file[place[i].file][0])
            continue;
        struct model_line *line = line_get(h, file[place[i].file], place[i].line, function);
        line->hits += hits;
        line->hits_known = true;
    }
    free(place);
    free(file);
    graph_close(&g);
}

void hits_merge(struct model *model, struct names *names, const struct profile *profile)
{
    if (!profile->flow_count)
        return;
    struct hitting h = { .model = model, .names = names, .profile = profile };
    h.counters = memory_zeroed(profile->flow_count, sizeof *h.counters);
    for (uint32_t i = 0; i < profile->line_file_count; i++)
        *map_at(&h.files, &profile->line_file[i].id, sizeof profile->line_file[i].id) = i;
    lines_known(&h);
    counters_add(&h);
    for (uint32_t i = 0; i < profile->flow_count; i++)
        if (h.counters[i] && profile->flow[i].is_fold)
            fold_spread(&h, i);
    for (uint32_t i = 0; i < profile->flow_count; i++)
        if (h.counters[i] && !profile->flow[i].is_fold)
            flow_merge(&h, i);
    model->has_hits = true;
    for (uint32_t i = 0; i < profile->flow_count; i++)
        free(h.counters[i]);
    free(h.counters);
    map_free(&h.flows);
    map_free(&h.files);
    map_free(&h.lines);
}
