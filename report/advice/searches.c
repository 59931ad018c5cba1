/* SPDX-License-Identifier: MIT */
/* searches.c: a loop that looks for an element one by one, and in which most of the time goes; or one that goes down a
 * tree which has become a list. A hash table or a sorted array finds it in a few steps. Where calls are known, what
 * they would still take is left in the time. Where the elements of a list are counted, they tell a long list from a
 * good chain of a hash table, whatever it costs. */
#include <math.h>
#include <string.h>

#include "advice/library.h"
#include "advice/loops.h"

#define LEAST_CALLS 100
#define FOUND_LEAST_NS 8 /* what finding it takes otherwise: computing a hash and one or two accesses, at least */
#define FOUND_MOST_NS 60 /* and at most, with a miss of the caches and a comparison of text */
#define LEAST_PER_CALL 120
#define LEAST_PER_CALL_LIST 200 /* a good chain has an element or two, and each may be a miss of the caches */
#define LEAST_PER_CALL_FAR 600  /* the same where memory is large: each element and its key come from far away */
#define FAR_BYTES (32 << 20)    /* of the process: more than caches hold beside what else runs */
#define LEAST_ELEMENTS 6        /* of a list, in a search: a full table has one or two, a careless one three or four */
#define FOUND_MOST_STEPS 4      /* of those, what a good chain still takes at most */
#define LEAST_ENTRY 40          /* where it has most of the time: two elements or more in the mean */
#define SURE_SIGMA 2            /* a few samples in a short run may fall on a good chain by chance */
#define LEAST_SHARE_UNCOUNTED 0.2
#define LEAST_SHARE_LIST 0.6 /* a chain of a hash table may be short, and its misses of the cache stay */
#define LEAST_SHARE_TEXT 0.4 /* the same where it compares texts: what takes long is not the miss, but many of them */

#define LEAST_ORDERED 16.0 /* elements, in the mean: bisection of fewer is no faster */
#define LEAST_SHARE_ORDERED 0.1
#define BISECTED_NS 2.0 /* for each element that bisection looks at, at least: half of the guesses are wrong */
#define LEAST_SHARE_LETTERS 0.1
#define AROUND 1.25       /* what comes next waits for what a short search finds */
#define LEAST_LETTERS 0.7 /* of the time: those in front are found soon */

#define DEEPEST 64 /* levels: no balanced tree is that deep */
#define LEAST_PER_CALL_TREE 1000
#define LEAST_SHARE_TREE 0.1
#define LEVELS 25        /* of a balanced tree of 30 million, or less */
#define TREE_MOST_NS 400 /* what a search in it takes: a level may be a wrong guess and a miss of a cache */

/* The line at which a function of a library compares for most of the loop's time, or MODEL_NONE. The time is there on
 * whatever CPU: at other lines of a loop that depends. */
static uint32_t compare_line(const struct advice *a, const struct library_use *compare, const struct advice_loop *loop)
{
    const struct model_remark *r = loop->remark;
    for (size_t i = 0; i < compare->count; i++) {
        const struct model_line *line = &a->model->line[compare->line[i].line];
        if (line->line >= r->loop_first && line->line <= r->loop_last && !strcmp(line->file, r->file) &&
            compare->line[i].ns > 0.5 * loop->cpu_ns)
            return compare->line[i].line;
    }
    return MODEL_NONE;
}

/* Whether the expression can be read as the source has it: a name, a field or an element, and no signs before it. */
static bool is_plain(const char *text)
{
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_->.[]")] &&
           !strstr(text, "...");
}

static const char *search_text(struct advice *a, const struct model_remark *search, const char *through)
{
    if (strcmp(search->why, "null") == 0)
        return "going through a list to its end";
    if (strcmp(search->why, "counted") == 0)
        return "going through a list to the element that has a number";
    if (strcmp(search->why, "length") == 0)
        return "going through a list to its end, to count its elements";
    if (!is_plain(search->detail))
        return arena_print(&a->model->arena, "going through %s, one element after the other", through);
    return arena_print(&a->model->arena, "going through %s until %s is %s", through, search->detail,
                       is_plain(search->why) ? search->why : "found");
}

/* How many elements of a list each search looks at; negative: not counted. */
static double elements(const struct advice_loop *loop)
{
    return loop->remark->is_counted && loop->entries > 0 && loop->steps > 0 ? loop->steps / loop->entries : -1;
}

/* What a search still takes at most in a good table: where each is short, its first elements are a good part of it. */
static double found_most_ns(double each, double looked_at)
{
    return looked_at > 0 ? each * fmax(FOUND_MOST_STEPS / looked_at, fmin(0.25, FOUND_MOST_NS / each)) : FOUND_MOST_NS;
}

/* The expression without what the compiler has no name for. */
static const char *field_of(const char *text) { return strncmp(text, "...->", 5) == 0 ? text + 5 : text; }

/* A search tree that no rotation or chance keeps flat, into which elements came in their order. */
static void trees_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *fork = loop_remark(a, &loop, PP_REMARK_FORK);
        double deep = fork ? elements(&loop) : -1, each = deep > 0 ? loop.cpu_ns / loop.entries : 0;
        if (deep < DEEPEST || each < LEAST_PER_CALL_TREE || loop.share < LEAST_SHARE_TREE || loop.entries < LEAST_CALLS)
            continue;
        double most = fmax(TREE_MOST_NS, LEVELS * each / deep);
        struct model_advice *to = loop_add(a, ADVICE_searches, &loop, fork, loop.cpu_ns - most * loop.entries,
                                           loop.cpu_ns - FOUND_MOST_NS * loop.entries);
        char count[FIGURE_BYTES], time[FIGURE_BYTES], levels[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, loop.line), "goes down a tree that has become a list");
        to->evidence =
            arena_print(&a->model->arena,
                        "%s, going on to %s or to %s. %s searches, %s each, of %s levels in the mean; a "
                        "balanced tree of a million elements has about 20.",
                        loop_time(a, &loop), field_of(fork->detail), field_of(fork->why),
                        figure_count(count, loop.entries), figure_time(time, each), figure_count(levels, round(deep)));
        to->action = "use a tree that keeps itself balanced (tsearch of <search.h>, std::set or std::map in C++), or a "
                     "hash table; where all elements are there at the start, insert them in random order";
        to->before = "for (i = 0; i < n; i++) root = insert(root, sorted[i]);";
        to->after = "shuffle(sorted, n);\nfor (i = 0; i < n; i++) root = insert(root, sorted[i]);";
        advice_figure(to, "searches", loop.entries);
        advice_figure(to, "levels", deep);
    }
}

/* The first element that is not below a number is looked for from the start. Whether all are in order is not known. */
static void ordered_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *ordered = loop_remark(a, &loop, PP_REMARK_ORDERED);
        double looked_at = ordered ? elements(&loop) : -1;
        if (looked_at < LEAST_ORDERED || loop.share < LEAST_SHARE_ORDERED || loop.entries < LEAST_CALLS)
            continue;
        double left = loop.entries * BISECTED_NS * log2(2 * looked_at);
        struct model_advice *to = loop_add(a, ADVICE_searches, &loop, ordered, 0, loop.cpu_ns - left);
        char count[FIGURE_BYTES];
        if (!to)
            continue;
        to->low_ns = 0;
        to->kind = SAVING_BOUND;
        advice_title(a, to, advice_subject(a, loop.line), "looks for a place in an array from its start");
        to->evidence = arena_print(&a->model->arena,
                                   "%s. It %s: %s searches, of %.0f elements in the mean. Where the elements are in "
                                   "order, bisection looks at %.0f.",
                                   loop_time(a, &loop), ordered->text, figure_count(count, loop.entries), looked_at,
                                   ceil(log2(2 * looked_at)));
        to->action =
            "where the elements are in order, find the place by bisection (std::upper_bound in C++); where they "
            "are at equal distances, compute it";
        to->before = "for (i = 0; i < n && x >= edge[i]; i++) ;";
        to->after = "for (i = 0, end = n; i < end;) {\n    mid = (i + end) / 2;\n"
                    "    if (x >= edge[mid]) i = mid + 1; else end = mid;\n}";
        advice_figure(to, "searches", loop.entries);
        advice_figure(to, "elements", looked_at);
    }
}

/* A table in which keys are far from where their hash says: it is nearly full, or the hash does not spread. */
static void tables_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *probe = loop_remark(a, &loop, PP_REMARK_PROBE);
        double looked_at = probe ? elements(&loop) : -1;
        if (looked_at < LEAST_ELEMENTS || loop.entries < LEAST_CALLS)
            continue;
        double each = loop.cpu_ns / loop.entries;
        struct model_advice *to =
            loop_add(a, ADVICE_searches, &loop, probe, loop.cpu_ns - loop.entries * found_most_ns(each, looked_at),
                     AROUND * loop.cpu_ns);
        char count[FIGURE_BYTES], time[FIGURE_BYTES];
        if (!to)
            continue;
        if (a->model->run.peak_rss_bytes >= FAR_BYTES) { /* the first place may take as long as many others */
            to->low_ns = 0;
            to->kind = SAVING_BOUND;
        }
        advice_title(a, to, advice_subject(a, loop.line), "looks at many places of a table for each key");
        to->evidence =
            arena_print(&a->model->arena, "%s. It %s: %s searches, %s each, of %.0f places.", loop_time(a, &loop),
                        probe->text, figure_count(count, loop.entries), figure_time(time, each), looked_at);
        to->action =
            "let the hash spread: multiply the key by a large odd number and take the upper bits; and give the "
            "table twice as many places as there are keys";
        to->before = "at = key % SIZE;";
        to->after = "at = key * 2654435769u >> (32 - BITS); /* SIZE is 1 << BITS */";
        advice_figure(to, "searches", loop.entries);
        advice_figure(to, "elements", looked_at);
    }
}

/* A character is looked for among those of a text that never changes, such as an alphabet. */
static void alphabets_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *search = loop_remark(a, &loop, PP_REMARK_SEARCH);
        if (!search || search->value <= 0 || loop.share < LEAST_SHARE_LETTERS)
            continue;
        struct model_advice *to =
            loop_add(a, ADVICE_searches, &loop, search, LEAST_LETTERS * loop.cpu_ns, AROUND * loop.cpu_ns);
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, loop.line), "looks for characters in a text that never changes");
        to->evidence = arena_print(&a->model->arena, "%s, going through %lld characters until one is the one wanted.",
                                   loop_time(a, &loop), (long long)search->value);
        to->action = "make a table of 256 entries once, with the place of each character, and look there";
        to->before = "for (i = 0; i < 64; i++) if (alphabet[i] == c) return i;";
        to->after = "for (i = 0; i < 64; i++) place[(unsigned char)alphabet[i]] = i; /* once */\n"
                    "return place[(unsigned char)c];";
    }
}

void advice_searches(struct advice *a)
{
    trees_tell(a);
    ordered_tell(a);
    alphabets_tell(a);
    tables_tell(a);
    struct library_use compare = library_use(a, LIBRARY_COMPARE);
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *search = loop_remark(a, &loop, PP_REMARK_SEARCH);
        bool chases = loop_remark(a, &loop, PP_REMARK_CHASE);
        uint32_t compared = compare_line(a, &compare, &loop);
        bool text = compared != MODEL_NONE && loop_remark(a, &loop, PP_REMARK_TRIPS_UNKNOWN);
        /* The compiler does not say that it walks: it may probe a hash table. */
        bool probes = text && !search && !chases;
        double least = !chases && !probes ? LEAST_SHARE_UNCOUNTED : text ? LEAST_SHARE_TEXT : LEAST_SHARE_LIST;
        double calls = loop.entries > 0 ? loop.entries : loop_calls(a, &loop);
        double each = calls > 0 ? loop.cpu_ns / calls : -1;
        bool is_far = a->model->run.peak_rss_bytes >= FAR_BYTES;
        double least_each = !chases ? LEAST_PER_CALL : is_far ? LEAST_PER_CALL_FAR : LEAST_PER_CALL_LIST;
        bool is_long = calls >= LEAST_CALLS && each - SURE_SIGMA * loop_sigma(&loop) / calls >= least_each;
        /* in a loop of its caller a search is found by its share, too: its calls are the entries of the loop then */
        bool is_most = (calls < 0 || (loop.entries > 0 && each >= LEAST_ENTRY)) && loop.share >= least;
        double looked_at = chases || probes ? elements(&loop) : -1;
        if (looked_at > 0)
            is_long = calls >= LEAST_CALLS && looked_at >= LEAST_ELEMENTS;
        if ((!search && !text) || (!is_long && (!is_most || looked_at > 0)))
            continue;
        /* where memory is large, the first place that is looked at may take as long as many others */
        probes = probes && (looked_at > 0 ? is_far : !is_long || each < LEAST_PER_CALL_FAR);
        loop.line = search ? loop.line : compared;
        double low = 0.55 * loop.cpu_ns, high = loop.cpu_ns;
        if (is_long) {
            low = loop.cpu_ns - calls * found_most_ns(each, looked_at);
            high = loop.cpu_ns - calls * fmax(FOUND_LEAST_NS, looked_at > 0 ? each / looked_at : 0);
        }
        struct model_advice *to = loop_add(a, ADVICE_searches, &loop, search ? search : loop.remark, low, high);
        if (!to)
            continue;
        if (probes) {
            to->low_ns = 0;
            to->kind = SAVING_BOUND;
        }
        if (!search) {
            to->file = a->model->line[compared].file;
            to->at = a->model->line[compared].line;
        }
        char count[FIGURE_BYTES], time[FIGURE_BYTES];
        const char *through = chases ? "a list" : "an array";
        bool to_end = search && strcmp(search->why, "null") == 0;
        const char *took = loop_time(a, &loop);
        to->evidence =
            search ? arena_print(&a->model->arena, "%s, %s.", took, search_text(a, search, through))
                   : arena_print(&a->model->arena, "%s, most of it comparing text, going through %s.", took, through);
        const char *of = looked_at > 0 ? arena_print(&a->model->arena, ", of %.0f elements", looked_at) : "";
        if (calls > 0)
            to->evidence = arena_print(&a->model->arena, "%s %s searches, %s each%s.", to->evidence,
                                       figure_count(count, calls), figure_time(time, each), of);
        if (calls > 0)
            advice_figure(to, "searches", calls);
        if (to_end) {
            advice_title(a, to, advice_subject(a, loop.line), "goes to the end of a list each time");
            to->action = "keep a pointer to the last element, and append there; or put what is new in front";
        } else if (search && strcmp(search->why, "counted") == 0) {
            advice_title(a, to, advice_subject(a, loop.line), "counts through a list to the n-th element");
            to->action = "keep the elements in an array; where they are wanted in turn, go on from the one before; "
                         "else keep pointers to every hundredth or so";
            to->before = "for (i = 0; i < n; i++) sum += list_at(list, i)->value;";
            to->after = "for (p = list; p; p = p->next) sum += p->value;";
        } else if (search && strcmp(search->why, "length") == 0) {
            advice_title(a, to, advice_subject(a, loop.line), "counts the elements of a list each time");
            to->action =
                "keep the count beside the list, and change it where elements come and go; a loop over the list "
                "can go on until its end, without the count";
            to->before = "for (p = list, i = 0; i < list_length(list); i++, p = p->next) sum += p->value;";
            to->after = "for (p = list; p; p = p->next) sum += p->value;";
        } else if (chases)
            to->action = "find it by a hash table or a tree; where the list is a chain of a hash table already, give "
                         "the table more buckets or a hash that spreads";
        else if (text && probes)
            to->action = "where it is a hash table, give it more room or a hash that spreads; else find it by a hash "
                         "table, or by bisection in a sorted array";
        else if (text)
            to->action = "find it by a hash table, or by bisection in a sorted array; where it is a hash table "
                         "already, give it more room or a hash that spreads";
    }
}
