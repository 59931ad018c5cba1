/* SPDX-License-Identifier: MIT */
/* match.c: see match.h. Sequences of lines are aligned by dynamic programming (Needleman and Wunsch 1970). */
#include "difference/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between programs that have little in common, code that moved to other functions is not looked for. */
enum { CELLS_MOST = 1 << 26, LEFT_LEAST = 3, STRAYS_MOST = 200 };
/* Likeness of two lines from which they are taken for the same: at first only if they surely are, so that lines that
 * moved to another function are not paired with what replaced them; in the end if anything speaks for it. */
enum { LIKENESS_SURE = 6, LIKENESS_FAIR = 4, LIKENESS_ANY = 1 };

struct matching {
    struct observed_program *program[ARMS];
    uint32_t *first[ARMS], *line[ARMS]; /* lines of function f: line[first[f]] .. line[first[f + 1]), as they stand */
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void pair_make(struct matching *m, uint32_t old, uint32_t new)
{
    m->program[ARM_OLD]->site[old].partner = new;
    m->program[ARM_NEW]->site[new].partner = old;
}

/* ---- by names ---- */

enum way { BY_KEY, BY_BASE, BY_SYMBOL, BY_SHAPE, WAYS };

/* What sites without a partner are matched by; false: not by that. */
static bool identity(const struct observed_site *s, enum way way, char *to, size_t room)
{
    /* lines come later, but for those without a function */
    if (s->partner != DIFFERENCE_NONE ||
        (s->kind == DIFFERENCE_LINE && (way != BY_KEY || s->owner != DIFFERENCE_NONE)) ||
        (way != BY_KEY && site_is_total(s->key)))
        return false;
    switch (way) {
    case BY_KEY: snprintf(to, room, "%s", s->key); return true;
    case BY_BASE: snprintf(to, room, "%d:%s:%s", s->kind, base_name(s->file), s->symbol); return true;
    case BY_SYMBOL: snprintf(to, room, "%d:%s", s->kind, s->symbol); return true;
    default:
        snprintf(to, room, "%llu:%llu", (unsigned long long)s->shape, (unsigned long long)s->code_bytes);
        return s->kind == DIFFERENCE_FUNCTION && s->shape && s->code_bytes;
    }
}

/* Pairs those that alone have an identity on both sides. */
static void pairs_by(struct matching *m, enum way way)
{
    enum { SEVERAL = UINT32_MAX - 1 };
    struct map found[ARMS] = { { 0 }, { 0 } };
    char name[4700];
    for (int arm = 0; arm < ARMS; arm++)
        for (uint32_t i = 0; i < m->program[arm]->site_count; i++) {
            const struct observed_site *s = &m->program[arm]->site[i];
            if (!identity(s, way, name, sizeof name))
                continue;
            uint32_t *at = map_at_text(&found[arm], name);
            *at = *at == MAP_FRESH ? i : (uint32_t)SEVERAL;
        }
    for (uint32_t i = 0; i < m->program[ARM_OLD]->site_count; i++) {
        const struct observed_site *s = &m->program[ARM_OLD]->site[i];
        if (!identity(s, way, name, sizeof name))
            continue;
        uint32_t other = map_get(&found[ARM_NEW], name, strlen(name));
        if (map_get(&found[ARM_OLD], name, strlen(name)) == i && other < SEVERAL)
            pair_make(m, i, other);
    }
    map_free(&found[ARM_OLD]);
    map_free(&found[ARM_NEW]);
}

/* ---- lines ---- */

static const struct observed_program *sorted_program; /* qsort has no room for it */
static int line_order(const void *a, const void *b)
{
    const struct observed_site *x = &sorted_program->site[*(const uint32_t *)a],
                               *y = &sorted_program->site[*(const uint32_t *)b];
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void lines_sort(struct matching *m, enum difference_arm arm)
{
    struct observed_program *p = m->program[arm];
    uint32_t count = 0;
    m->line[arm] = memory_zeroed(p->site_count + 1, sizeof **m->line);
    m->first[arm] = memory_zeroed(p->site_count + 2, sizeof **m->first);
    for (uint32_t i = 0; i < p->site_count; i++)
        if (p->site[i].kind == DIFFERENCE_LINE && p->site[i].owner != DIFFERENCE_NONE) {
            m->line[arm][count++] = i;
            m->first[arm][p->site[i].owner + 1]++;
        }
    sorted_program = p;
    qsort(m->line[arm], count, sizeof **m->line, line_order);
    for (size_t i = 1; i <= p->site_count; i++)
        m->first[arm][i] += m->first[arm][i - 1];
}

struct sequence {
    const struct observed_program *program;
    uint32_t *site, count;
    uint32_t head; /* line of the function */
};

static uint64_t hits_of(const struct observed_site *s)
{
    return s->run_capacity && s->run[0] ? s->run[0]->count[COUNTER_HITS] : 0;
}

/* How much two lines look alike. */
static int likeness(const struct sequence *a, uint32_t i, const struct sequence *b, uint32_t k)
{
    const struct observed_site *x = &a->program->site[a->site[i]], *y = &b->program->site[b->site[k]];
    int score = 0;
    if (x->shape && y->shape)
        score += x->shape == y->shape ? 4 : -2;
    if (x->callee && y->callee)
        score += strcmp(x->callee, y->callee) == 0 ? 4 : -2;
    score += x->line - a->head == y->line - b->head ? 1 : 0;
    score += hits_of(x) && hits_of(x) == hits_of(y) ? 2 : 0;
    return score;
}

/* Pairs lines of the two sequences in their order, so that the sum of likenesses is largest. */
static void sequences_align(struct matching *m, const struct sequence *a, const struct sequence *b, int least)
{
    uint32_t start = 0, n = a->count, k = b->count;
    while (start < n && start < k && likeness(a, start, b, start) > LIKENESS_FAIR)
        pair_make(m, a->site[start], b->site[start]), start++;
    while (n > start && k > start && likeness(a, n - 1, b, k - 1) >= LIKENESS_SURE)
        n--, k--, pair_make(m, a->site[n], b->site[k]);
    size_t rows = n - start, columns = k - start;
    if (!rows || !columns || rows * columns > CELLS_MOST)
        return;
    int *best = memory_zeroed(2 * (columns + 1), sizeof *best), *before = best, *now = best + columns + 1;
    unsigned char *from = memory_zeroed((rows + 1) * (columns + 1), 1); /* 1: both, 2: row left out, 3: column */
    for (size_t i = 1; i <= rows; i++) {
        now[0] = 0;
        for (size_t j = 1; j <= columns; j++) {
            int alike = likeness(a, start + (uint32_t)i - 1, b, start + (uint32_t)j - 1);
            int both = alike >= least ? before[j - 1] + alike : -1;
            now[j] = both;
            unsigned char way = 1;
            if (before[j] > now[j])
                now[j] = before[j], way = 2;
            if (now[j - 1] > now[j])
                now[j] = now[j - 1], way = 3;
            from[i * (columns + 1) + j] = way;
        }
        int *swap = before;
        before = now, now = swap;
    }
    size_t i = rows, j = columns, gap_row = rows, gap_column = columns;
    while (i && j) {
        unsigned char way = from[i * (columns + 1) + j];
        if (way != 1) {
            *(way == 2 ? &i : &j) -= 1;
            continue;
        }
        /* as many lines on both sides between two pairs: they were edited */
        for (size_t g = 0; least == LIKENESS_ANY && gap_row - i == gap_column - j && g < gap_row - i; g++)
            pair_make(m, a->site[start + i + g], b->site[start + j + g]);
        i--, j--;
        pair_make(m, a->site[start + i], b->site[start + j]);
        gap_row = i, gap_column = j;
    }
    for (size_t g = 0; least == LIKENESS_ANY && gap_row == gap_column && g < gap_row; g++)
        pair_make(m, a->site[start + g], b->site[start + g]);
    free(from);
    free(best);
}

/* Lines of a function that have no partner. The caller frees `site`. */
static struct sequence sequence_left(const struct matching *m, enum difference_arm arm, uint32_t function)
{
    const struct observed_program *p = m->program[arm];
    uint32_t first = m->first[arm][function], end = m->first[arm][function + 1];
    struct sequence s = { .program = p, .head = p->site[function].line };
    s.site = memory_zeroed(end - first + 1, sizeof *s.site);
    for (uint32_t i = first; i < end; i++)
        if (p->site[m->line[arm][i]].partner == DIFFERENCE_NONE)
            s.site[s.count++] = m->line[arm][i];
    return s;
}

static void functions_align(struct matching *m, uint32_t old, uint32_t new, int least)
{
    struct sequence a = sequence_left(m, ARM_OLD, old), b = sequence_left(m, ARM_NEW, new);
    sequences_align(m, &a, &b, least);
    free(a.site);
    free(b.site);
}

/* What is left of two functions, between the lines that are paired already. */
static void gaps_align(struct matching *m, uint32_t old, uint32_t new)
{
    const struct observed_program *p = m->program[ARM_OLD], *q = m->program[ARM_NEW];
    struct sequence a = sequence_left(m, ARM_OLD, old), b = sequence_left(m, ARM_NEW, new);
    uint32_t at = m->first[ARM_NEW][new], end = m->first[ARM_NEW][new + 1];
    a.count = b.count = 0;
    for (uint32_t i = m->first[ARM_OLD][old]; i <= m->first[ARM_OLD][old + 1]; i++) {
        bool is_last = i == m->first[ARM_OLD][old + 1];
        uint32_t line = is_last ? 0 : m->line[ARM_OLD][i], partner = is_last ? 0 : p->site[line].partner;
        if (!is_last && partner == DIFFERENCE_NONE) {
            a.site[a.count++] = line;
            continue;
        }
        if (!is_last && q->site[partner].owner != new)
            continue;
        for (; at < end && (is_last || m->line[ARM_NEW][at] != partner); at++)
            if (q->site[m->line[ARM_NEW][at]].partner == DIFFERENCE_NONE)
                b.site[b.count++] = m->line[ARM_NEW][at];
        sequences_align(m, &a, &b, LIKENESS_ANY);
        a.count = b.count = 0;
    }
    free(a.site);
    free(b.site);
}

/* How many lines of `less` have a line in `more` of the same shape and as many hits. */
static uint32_t lines_in_common(const struct sequence *less, const struct sequence *more)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < less->count; i++) {
        const struct observed_site *x = &less->program->site[less->site[i]];
        bool found = false;
        for (uint32_t k = 0; k < more->count && !found; k++) {
            const struct observed_site *y = &more->program->site[more->site[k]];
            found = x->shape && x->shape == y->shape && hits_of(x) == hits_of(y);
        }
        count += found;
    }
    return count;
}

/* A function without a partner in `arm`: where did its lines come from, or go? To the function in the other program
 * that lost as many like them. */
static void strays_align(struct matching *m, enum difference_arm arm, uint32_t function)
{
    enum difference_arm other = arm == ARM_OLD ? ARM_NEW : ARM_OLD;
    struct sequence own = sequence_left(m, arm, function);
    uint32_t best = DIFFERENCE_NONE, most = 0;
    for (uint32_t f = 0; own.count && f < m->program[other]->site_count; f++) {
        if (m->program[other]->site[f].kind != DIFFERENCE_FUNCTION)
            continue;
        struct sequence left = sequence_left(m, other, f);
        uint32_t common = left.count >= LEFT_LEAST || left.count >= own.count ? lines_in_common(&own, &left) : 0;
        if (common > most)
            most = common, best = f;
        free(left.site);
    }
    free(own.site);
    if (best != DIFFERENCE_NONE && 2 * most >= own.count)
        functions_align(m, arm == ARM_OLD ? function : best, arm == ARM_OLD ? best : function, LIKENESS_FAIR);
}

void match_programs(struct observed_program *old, struct observed_program *new)
{
    struct matching m = { .program = { old, new } };
    for (enum way way = BY_KEY; way < WAYS; way++)
        pairs_by(&m, way);
    lines_sort(&m, ARM_OLD);
    lines_sort(&m, ARM_NEW);
    for (uint32_t f = 0; f < old->site_count; f++)
        if (old->site[f].kind == DIFFERENCE_FUNCTION && old->site[f].partner != DIFFERENCE_NONE)
            functions_align(&m, f, old->site[f].partner, LIKENESS_SURE);
    for (int arm = 0; arm < ARMS; arm++)
        for (uint32_t f = 0, strays = 0; f < m.program[arm]->site_count && strays < STRAYS_MOST; f++)
            if (m.program[arm]->site[f].kind == DIFFERENCE_FUNCTION &&
                m.program[arm]->site[f].partner == DIFFERENCE_NONE && ++strays)
                strays_align(&m, (enum difference_arm)arm, f);
    for (uint32_t f = 0; f < old->site_count; f++)
        if (old->site[f].kind == DIFFERENCE_FUNCTION && old->site[f].partner != DIFFERENCE_NONE)
            gaps_align(&m, f, old->site[f].partner);
    for (int arm = 0; arm < ARMS; arm++) {
        free(m.first[arm]);
        free(m.line[arm]);
    }
}
