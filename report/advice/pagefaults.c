/* SPDX-License-Identifier: MIT */
/* pagefaults.c: memory that is given back to the kernel and asked for again, so that its pages are cleared and entered
 * anew each time. Kernel time outside of calls is that of page faults, as far as these were so many. A fault takes at
 * most fault_most_ns(), so that much time is many pages; more of them than the program ever had at once were the same
 * ones again. */
#include <math.h>
#include <string.h>

#include "advice/library.h"

#define LEAST_AGAIN 0.08
#define LEAST_AGAIN_NS 10e6 /* a fork, the start and the profile itself take some milliseconds of the kernel */
#define LEAST_FRESH_NS 20e6
#define LEAST_FRESH 0.25        /* where it may be that each page was needed once */
#define LEAST_PLACE 0.17        /* of the faults, at one line */
#define LEAST_FRESH_PLACE 0.33  /* and in its function: large data that many functions fill are needed at once */
#define LEAST_LARGE (128 << 10) /* bytes of a block, in the mean: its pages may go back when it is freed */
#define LEAST_KEPT_BLOCKS 100   /* of one line, not freed */
#define LEAST_KEPT 0.8          /* of the blocks that it allocated */
#define LEAST_KEPT_PART 0.4     /* of the memory that the program had */
#define LEAST_QUEUED_BLOCKS 100 /* of one line, at once */
#define LEAST_FREED 0.9         /* of them, before the end */
#define MOST_QUEUED 0.95        /* of all its bytes: more is data that is kept to the end */
#define FAULT_NS 2000.0         /* with clearing the page, */
#define SLOW_FAULT_NS 4000.0    /* or at most, where the first ones took so long */
#define HUGE_NS 400e3           /* the same of a page of 2 MB, */
#define HUGE_RSS 8e6            /* which a smaller program has no use for, */
#define HUGE_BYTES 2e6          /* as many as its memory has, at most, */
#define SWITCH_NS 10e3          /* and for which other work of the kernel is no reason: a switch of threads */
#define PAGE_BYTES 4096
#define BESIDE 1.15        /* of the data: a stack, the allocator and the profiler have pages, too */
#define NEAR_MOST 0.85     /* of the most that is saved: no more is told as the least */
#define LEAST_PART 0.84    /* of the most that may be saved: less would say little */
#define SURE 1.2           /* a time that may be larger by more than this is told as from and to */
#define LEAST_RETURNED 0.1 /* of the time for pages: else it is not spoken of */
#define AGAIN 3            /* times all memory that the program had at its peak */
#define HUGE_FAULT 10      /* times the longest of a small page: a fault of a large one */
#define LEAST_KNOWN 0.5    /* of the faults: by first touches of blocks it is known which pages came again, */
#define LEAST_USED 0.25    /* of a line's bytes: else few looks met them, or a block that grew has what it had, */
#define SIGMAS 2           /* and that much less is sure */

/* Kernel time of calls that are known, without those that map memory. */
static double calls_ns(const struct advice *a)
{
    double ns = 0;
    for (size_t i = 0; i < a->model->operation_count; i++)
        if (operation_is_call(a->model->operation[i].kind) && a->model->operation[i].kind != PP_OPERATION_MEMORY)
            ns += (double)a->model->operation[i].sum.cpu_ns;
    return ns;
}

/* Of calls that map memory, and of those that give it back. */
static double memory_ns(const struct advice *a)
{
    double ns = 0;
    for (size_t i = 0; i < a->model->operation_count; i++)
        if (a->model->operation[i].kind == PP_OPERATION_MEMORY)
            ns += (double)a->model->operation[i].sum.cpu_ns;
    return ns;
}

/* A line's kernel time without that of calls; or that of its page faults, if their places are known: these may be in a
 * function that it calls, too. */
static double own_system_ns(const struct model *model, const struct model_line *line)
{
    double ns = line->system_ns;
    for (uint32_t i = 0; i < line->callee_count; i++) {
        const char *name = model->callee[line->callee + i].name;
        bool touches = name && (strcmp(name, "memset") == 0 || strcmp(name, "memcpy") == 0 ||
                                strcmp(name, "memmove") == 0 || strcmp(name, "calloc") == 0);
        ns -= touches ? 0 : model->callee[line->callee + i].system_ns;
    }
    return fmax(ns, line->faults.ns);
}

static double function_system_ns(const struct model *model, uint32_t function)
{
    double ns = 0;
    for (uint32_t i = 0; i < model->line_count; i++)
        ns += model->line[i].function == function ? own_system_ns(model, &model->line[i]) : 0;
    return ns;
}

/* Of what was asked for: a block that grows is asked for anew, and has what it had. */
static double used_bytes(const struct model_blocks *b)
{
    double all = (double)b->alloc_bytes;
    return b->touched_bytes ? fmin(all, (double)b->touched_bytes) : all;
}

/* The line with more than `*bytes` in blocks of more than `block` bytes in the mean, the most of all; else `best`. */
static uint32_t largest_line(const struct model_allocation *from, size_t count, uint64_t block, double *bytes,
                             uint32_t best)
{
    for (size_t i = 0; i < count; i++) {
        const struct model_blocks *b = &from[i].blocks;
        if (from[i].line != MODEL_NONE && used_bytes(b) > *bytes && b->alloc_bytes > block * b->alloc_blocks) {
            *bytes = used_bytes(b);
            best = from[i].line;
        }
    }
    return best;
}

/* The line that asks for the memory: of the allocator's lines and of mappings the one with most of the kernel's time;
 * MODEL_NONE: none was seen. */
static uint32_t asking_line(const struct advice *a, double least_ns)
{
    static const char *const gives_back[] = { "free",   "cfree",   "operator delete", "operator delete[]",
                                              "_ZdlPv", "_ZdlPvm", "_ZdaPv",          "_ZdaPvm" };
    struct library_use use = library_use(a, LIBRARY_HEAP);
    uint32_t best = MODEL_NONE;
    double most = least_ns;
    for (size_t i = 0; i < use.count; i++) {
        bool gives = false;
        for (size_t k = 0; k < sizeof gives_back / sizeof *gives_back; k++)
            gives = gives || strcmp(use.line[i].name, gives_back[k]) == 0;
        if (!gives && use.line[i].system_ns > most) {
            most = use.line[i].system_ns;
            best = use.line[i].line;
        }
    }
    double bytes = least_ns / FAULT_NS * PAGE_BYTES * AGAIN;
    best = largest_line(a->model->mapping, a->model->mapping_count, 0, &bytes, best);
    /* the heap itself was given back, and grown again */
    return largest_line(a->model->allocation, a->model->allocation_count, LEAST_LARGE, &bytes, best);
}

static double bytes_at(const struct model *model, uint32_t line)
{
    double bytes = 0;
    for (size_t i = 0; i < model->allocation_count; i++)
        bytes += model->allocation[i].line == line ? used_bytes(&model->allocation[i].blocks) : 0;
    for (size_t i = 0; i < model->mapping_count; i++)
        bytes += model->mapping[i].line == line ? used_bytes(&model->mapping[i].blocks) : 0;
    return bytes;
}

static double live_bytes(const struct model_allocation *m)
{
    return (double)(int64_t)(m->blocks.alloc_bytes - m->blocks.free_bytes);
}

/* The line whose blocks were never freed, if they are most of what the program had; NULL: there is none. A few large
 * blocks that live to the end are data, not a habit. */
static const struct model_allocation *keeper_of(const struct model *model)
{
    const struct model_allocation *most = NULL;
    for (size_t i = 0; model->has_blocks && i < model->allocation_count; i++) {
        const struct model_allocation *m = &model->allocation[i];
        uint64_t live = m->blocks.alloc_blocks - m->blocks.free_blocks;
        if (m->line != MODEL_NONE && m->blocks.alloc_blocks > m->blocks.free_blocks && live >= LEAST_KEPT_BLOCKS &&
            (double)live >= LEAST_KEPT * (double)m->blocks.alloc_blocks && (!most || live_bytes(m) > live_bytes(most)))
            most = m;
    }
    return most && live_bytes(most) >= LEAST_KEPT_PART * (double)model->run.peak_rss_bytes ? most : NULL;
}

/* Whether the function was seen in one thread alone. */
static bool is_of_one_thread(const struct model *model, uint32_t function)
{
    uint32_t thread = MODEL_NONE;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->function != function || s->call || s->thread == MODEL_NONE)
            continue;
        if (thread != MODEL_NONE && thread != s->thread)
            return false;
        thread = s->thread;
    }
    return thread != MODEL_NONE;
}

/* The line whose blocks wait in a queue that grows: one thread makes them, all are freed elsewhere, and many were there
 * at once though far from all. They are most of what the program had. NULL: there is none. */
static const struct model_allocation *queued_of(const struct model *model)
{
    for (size_t i = 0; model->has_blocks && model->has_peak && i < model->allocation_count; i++) {
        const struct model_blocks *b = &model->allocation[i].blocks;
        double all = (double)b->alloc_bytes, peak = (double)b->peak_bytes;
        if (model->allocation[i].line != MODEL_NONE && model->thread_count > 1 &&
            b->peak_blocks >= LEAST_QUEUED_BLOCKS && (double)b->free_blocks >= LEAST_FREED * (double)b->alloc_blocks &&
            peak <= MOST_QUEUED * all && peak >= LEAST_KEPT_PART * (double)model->run.peak_rss_bytes &&
            is_of_one_thread(model, model->line[model->allocation[i].line].function))
            return &model->allocation[i];
    }
    return NULL;
}

static void queued_tell(struct advice *a, struct model_advice *to, const struct model_allocation *queued)
{
    char blocks[FIGURE_BYTES], bytes[FIGURE_BYTES], all[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena,
                               "%s, of which %s blocks (%s) from here were not yet used up: one thread got about %s "
                               "and another one freed them later.",
                               to->evidence, figure_count(blocks, (double)queued->blocks.peak_blocks),
                               figure_size(bytes, (double)queued->blocks.peak_bytes),
                               figure_count(all, (double)queued->blocks.alloc_blocks));
    advice_title(a, to, advice_subject(a, to->line), "puts more into a queue than is taken out, without a bound");
    to->action = "give the queue a bound: who puts in waits while it holds, say, 64 pieces, so that few blocks are "
                 "there and their pages are used again";
    to->before = "lock(&q); queue_put(&q, piece); signal(&q.filled); unlock(&q);";
    to->after = "lock(&q);\nwhile (q.count == 64) wait(&q.taken, &q);\nqueue_put(&q, piece); signal(&q.filled); "
                "unlock(&q);";
    advice_figure(to, "queued_blocks", (double)queued->blocks.peak_blocks);
    advice_figure(to, "queued_bytes", (double)queued->blocks.peak_bytes);
}

static void keeper_tell(struct advice *a, struct model_advice *to, const struct model_allocation *keeper)
{
    char live[FIGURE_BYTES], all[FIGURE_BYTES], bytes[FIGURE_BYTES];
    figure_count(live, (double)(keeper->blocks.alloc_blocks - keeper->blocks.free_blocks));
    figure_count(all, (double)keeper->blocks.alloc_blocks);
    to->evidence = arena_print(&a->model->arena,
                               "%s. The program got about %s blocks here, and at the end %s (%s) were not freed.",
                               to->evidence, all, live, figure_size(bytes, live_bytes(keeper)));
    advice_title(a, to, advice_subject(a, to->line), "allocates memory that nobody frees");
    to->action = "free each block when it is no longer needed, so that the next one takes its pages; where all are "
                 "needed to the end, make them smaller: two rows in place of a whole table, or narrower elements";
    to->before = "for (i = 0; i < n; i++) { p = read_all(name[i]); sum += count(p); }";
    to->after = "for (i = 0; i < n; i++) { p = read_all(name[i]); sum += count(p); free(p); }";
    advice_figure(to, "live_bytes", live_bytes(keeper));
}

/* The longest that a page fault may take. */
static double fault_most_ns(const struct model *model)
{
    return fmax(FAULT_NS, fmin((double)model->run.fault_ns, SLOW_FAULT_NS));
}

/* What page faults can have taken, where they were counted: else it is what calls are not known to have taken, and the
 * time of calls is an estimate. Samples have half of the faults before the first one, and after the last. Faults that
 * seem to take very long are of large pages, unless threads wait so often that this may be what took the time. */
static double faults_most_ns(const struct model *model, double system_ns)
{
    bool huge = model->fault_ns > FAULT_NS && (double)model->run.peak_rss_bytes >= HUGE_RSS &&
                (double)model->run.switches * SWITCH_NS < system_ns;
    double each = fault_most_ns(model), more = huge ? fmax(0, fmin(model->fault_ns, HUGE_NS) - each) : 0;
    double pages = 2 * model->faults;
    if (model->has_blocks) /* a program may have its parent's peak of resident memory */
        more *= fmin(1, advice_bytes_there(model) / (HUGE_BYTES * fmax(1, pages)));
    return model->faults > 0 ? pages * (each + more) : INFINITY;
}

/* Pages of so much time: no more than were counted, unless these were large ones. */
static double pages_of(const struct model *model, double ns)
{
    double each = fault_most_ns(model), pages = ns / each;
    return model->faults > 0 && model->fault_ns < HUGE_FAULT * each ? fmin(pages, model->faults) : pages;
}

/* What of a line's memory was touched anew: without what it had at once, and a block's worth. */
static double again_of(const struct model_allocation *m)
{
    const struct model_blocks *b = &m->blocks;
    double all = (double)b->alloc_bytes, touched = fmin((double)b->touched_bytes, all);
    if (touched < LEAST_USED * all)
        touched -= SIGMAS * touched_error(b);
    double once = fmax((double)b->peak_bytes, all / fmax(1, (double)b->alloc_blocks));
    return m->line != MODEL_NONE ? fmax(0, touched - once) : 0;
}

struct touches {
    double bytes, again; /* of all lines; of those of one function that were touched anew */
    double variance;     /* of these */
    uint32_t line;       /* that one's with most; MODEL_NONE: no page came again */
    double most;
};

static void touches_add(struct touches *t, const struct model_allocation *of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        t->bytes += (double)of[i].blocks.touched_bytes;
        if (again_of(&of[i]) > t->most) {
            t->most = again_of(&of[i]);
            t->line = of[i].line;
        }
    }
}

static void again_add(const struct model *model, struct touches *t, const struct model_allocation *of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (of[i].line == MODEL_NONE || model->line[of[i].line].function != model->line[t->line].function)
            continue;
        t->again += again_of(&of[i]);
        t->variance += touched_error(&of[i].blocks) * touched_error(&of[i].blocks);
    }
}

/* In mappings of which no page was new, as a file's are not: what the program had of them, at most. */
static double files_bytes(const struct model *model)
{
    double bytes = 0;
    for (size_t i = 0; i < model->mapping_count; i++) {
        const struct model_blocks *b = &model->mapping[i].blocks;
        if (!b->touched_bytes && b->alloc_bytes > LEAST_LARGE * b->alloc_blocks)
            bytes += (double)b->alloc_bytes;
    }
    return fmin(bytes, (double)model->run.peak_rss_bytes);
}

static struct touches touches_of(const struct model *model)
{
    struct touches t = { .line = MODEL_NONE };
    touches_add(&t, model->allocation, model->allocation_count);
    touches_add(&t, model->mapping, model->mapping_count);
    if (t.line != MODEL_NONE) {
        again_add(model, &t, model->allocation, model->allocation_count);
        again_add(model, &t, model->mapping, model->mapping_count);
    }
    return t;
}

/* Does the line map files, whose pages are there already? */
static bool maps_files(const struct model *model, uint32_t line)
{
    for (size_t i = 0; i < model->mapping_count; i++) {
        const struct model_blocks *b = &model->mapping[i].blocks;
        if (model->mapping[i].line == line && b->alloc_blocks && !b->touched_bytes)
            return true;
    }
    return false;
}

static void files_tell(struct advice *a, struct model_advice *to, uint32_t line)
{
    advice_title(a, to, advice_subject(a, line), "maps parts of files again and again");
    to->action = "map each file once, as a whole, and keep the mapping; or read the parts by pread into one buffer";
    to->before = "for (i = 0; i < n; i++) { p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, at[i]); use(p); "
                 "munmap(p, size); }";
    to->after = "all = mmap(NULL, file_bytes, PROT_READ, MAP_PRIVATE, fd, 0);\n"
                "for (i = 0; i < n; i++) use(all + at[i]);";
}

void advice_pagefaults(struct advice *a)
{
    struct model *model = a->model;
    double other_ns = fmax(0, (double)model->run.system_ns - calls_ns(a)), most = 0, low, high,
           faults_ns = fmin(other_ns, faults_most_ns(model, other_ns));
    uint32_t line = MODEL_NONE;
    for (uint32_t i = 0; i < model->line_count; i++)
        if (own_system_ns(model, &model->line[i]) > most) {
            most = own_system_ns(model, &model->line[i]);
            line = i;
        }
    double pages = pages_of(model, faults_ns);
    /* Pages of libraries, and those that a fork shares, are nobody's memory to keep; nor is time for the disk pages. */
    if ((model->has_blocks || model->mapping_count) && pages * PAGE_BYTES > BESIDE * advice_bytes_there(model))
        return;
    struct touches touches = touches_of(model);
    bool known = model->faults > 0 && touches.bytes >= LEAST_KNOWN * model->faults * PAGE_BYTES;
    double each = model->fault_ns > 0 ? fmin(model->fault_ns, fault_most_ns(model)) : faults_ns / fmax(1, pages);
    double again_ns = known ? fmin(faults_ns, touches.again / PAGE_BYTES * each) : faults_ns;
    double most_ns = faults_ns; /* that may have been for pages that came again */
    bool again = known ? again_ns >= LEAST_AGAIN_NS && library_share(a, again_ns) >= LEAST_AGAIN
                       : pages * PAGE_BYTES >= AGAIN * (double)model->run.peak_rss_bytes;
    if (again && known) {
        most_ns = fmin(most_ns, again_ns * (1 + sqrt(touches.variance) / touches.again));
        faults_ns = again_ns;
        pages = fmin(pages, touches.again / PAGE_BYTES);
    }
    double share = library_share(a, faults_ns);
    if (!again && touches.bytes < LEAST_KNOWN * files_bytes(model))
        return;
    if (line == MODEL_NONE || share < (again ? LEAST_AGAIN : LEAST_FRESH) ||
        faults_ns < (again ? LEAST_AGAIN_NS : LEAST_FRESH_NS) || most < LEAST_PLACE * faults_ns)
        return;
    if (!again && function_system_ns(model, model->line[line].function) < LEAST_FRESH_PLACE * faults_ns)
        return;
    double returned_ns = again ? memory_ns(a) : 0, unused;
    advice_gain(a, line, faults_ns + returned_ns, 0, &low, &unused);
    advice_gain(a, line, most_ns + returned_ns, 0, &unused, &high);
    low = fmax(low, LEAST_PART * high);
    uint32_t touched = line, asking = asking_line(a, 0.02 * faults_ns);
    if (asking != MODEL_NONE && bytes_at(model, asking) > bytes_at(model, touched))
        line = asking; /* else the line asks for what it touches */
    if (again && known) {
        line = touches.line;
        double own = 0;
        for (uint32_t i = 0; i < model->line_count; i++)
            if (model->line[i].function == model->line[line].function &&
                own_system_ns(model, &model->line[i]) > fmax(own, LEAST_PLACE * faults_ns)) {
                own = most = own_system_ns(model, &model->line[i]);
                touched = i;
            }
    }
    const struct model_allocation *keeper = again ? NULL : keeper_of(model);
    const struct model_allocation *queued = again || keeper ? NULL : queued_of(model);
    if (keeper || queued)
        line = keeper ? keeper->line : queued->line;
    /* fresh pages are in no cache: what touches them is slower, too */
    bool known_cause = again || queued; /* else all of the memory may be needed, or needed to the end */
    high = fmin((again ? 1.25 : 1.3) * high, advice_faster(a, faults_ns));
    struct model_advice *to =
        advice_add(a, ADVICE_pagefaults, line, known_cause ? fmin(0.75 * low, NEAR_MOST * high) : 0, high,
                   known_cause ? SAVING_MEASURED : SAVING_BOUND);
    char time[FIGURE_BYTES], bytes[FIGURE_BYTES], peak[FIGURE_BYTES];
    if (!to)
        return;
    to->evidence = most_ns > SURE * faults_ns
                       ? arena_print(&model->arena, "The kernel took %.0f to %.0f %% of the CPU time to hand out pages",
                                     100 * share, 100 * library_share(a, most_ns))
                       : arena_print(&model->arena, "The kernel took %s, %.0f %% of the CPU time, to hand out pages",
                                     figure_time(time, faults_ns), 100 * share);
    /* a line that touches what it asked for itself touches nothing of this one's */
    if (line == touched || !again || !known || bytes_at(model, touched) <= 0)
        to->evidence =
            arena_print(&model->arena, "%s, %s at first touch %s", to->evidence,
                        most >= 0.5 * faults_ns ? "most of them" : "the largest part of them",
                        line == touched ? "here" : arena_print(&model->arena, "in line %u", model->line[touched].line));
    figure_size(peak, (double)model->run.peak_rss_bytes);
    if (again && known) {
        to->evidence = arena_print(&model->arena, "%s: about %s of memory that had been given back.", to->evidence,
                                   figure_size(bytes, pages * PAGE_BYTES));
    } else if (again) {
        to->evidence = arena_print(&model->arena, "%s: about %s, where the program never had more than %s at once.",
                                   to->evidence, figure_size(bytes, pages * PAGE_BYTES), peak);
    } else {
        to->evidence = arena_print(&model->arena, "%s; the program had up to %s at once", to->evidence, peak);
        if (keeper) {
            keeper_tell(a, to, keeper);
        } else if (queued) {
            queued_tell(a, to, queued);
        } else {
            to->evidence = arena_print(&model->arena, "%s.", to->evidence);
            advice_title(a, to, advice_subject(a, line), "spends its time on memory that is new");
            to->action =
                "where not all of it is needed at once, free what is not, or keep one buffer and fill it anew, so that "
                "pages are used again; where all of it is, huge pages may help: madvise(p, bytes, MADV_HUGEPAGE)";
            to->before = "all = malloc(n * size); for (i = 0; i < n; i++) { read_into(all + i * size); sum += "
                         "count(all + i * size); }";
            to->after = "one = malloc(size); for (i = 0; i < n; i++) { read_into(one); sum += count(one); }";
        }
    }
    if (again && !known && maps_files(model, line))
        files_tell(a, to, line);
    if (returned_ns >= LEAST_RETURNED * most_ns)
        to->evidence = arena_print(&model->arena, "%s Mapping it and taking it back took %.0f %% more.", to->evidence,
                                   100 * library_share(a, returned_ns));
    advice_figure(to, again ? ADVICE_PAGES_AGAIN : "system_ns", faults_ns);
    advice_figure(to, "line_system_ns", most);
    advice_figure(to, "peak_rss_bytes", (double)model->run.peak_rss_bytes);
}
