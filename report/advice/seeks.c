/* SPDX-License-Identifier: MIT */
/* seeks.c: a line that moves the position of a stream after each small piece. stdio then writes what its buffer holds,
 * so that each piece costs a system call or two. Whether the program can do without is not known: a record that is
 * changed in place needs the move. So the saving is a bound. Where it reads, what the buffer has is dropped, and the
 * page around the new position is read again. */
#include "advice/library.h"

#define LEAST_CALLS 1000
#define SMALL_BYTES 512.0
#define PIECE_BYTES 65536.0
#define LEAST_SHARE 0.1     /* of the CPU time, in moves and questions of the functions that read */
#define PAGE_BYTES 4096.0   /* what a move reads: more is the buffer, which is filled again */
#define LEAST_PART 0.8      /* of that time */
#define MOST_PART 1.35      /* what is read in vain goes, too */
#define LEAST_IN_ORDER 0.95 /* of the calls: then nothing is gone back to, and flushes and smallwrites speak */

static const char *mover(const struct model *model, uint32_t index)
{
    const struct model_line *line = &model->line[index];
    const char *name = line->callee_count ? model->callee[line->callee].name : NULL;
    return name && library_has(LIBRARY_SEEK, name) ? name : NULL;
}

/* The reads, or the writes, of the function's lines: 1 or 2. */
static struct model_operations account_of(const struct advice *a, uint32_t function, unsigned account)
{
    struct model_operations all = { 0 };
    for (size_t i = 0; i < a->use_count; i++)
        if (operation_account(a->use[i].kind) == account && a->model->line[a->use[i].line].function == function)
            operations_add(&all, &a->use[i].sum);
    return all;
}

static void reads_tell(struct advice *a)
{
    struct library_use seeks = library_use(a, LIBRARY_SEEK), tells = library_use(a, LIBRARY_TELL);
    for (size_t i = 0; i < seeks.count; i++) {
        const struct library_line *at = &seeks.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = library_function_ns(a, &seeks, function, false, &samples) +
                    library_function_ns(a, &tells, function, false, &samples);
        struct model_operations reads = account_of(a, function, 1);
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &seeks, i) || reads.calls < LEAST_CALLS ||
            (double)reads.bytes > PAGE_BYTES * (double)reads.calls || account_of(a, function, 2).calls >= LEAST_CALLS)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_seeks, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES], count[FIGURE_BYTES], each[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "moves a stream's position before each small piece");
        to->evidence = arena_print(&a->model->arena,
                                   "%s and the like took %s here, %.0f %% of the CPU time: each asks the kernel, and "
                                   "what was read ahead may be read again. There were %s reads of %s each.",
                                   at->name, figure_time(time, ns), 100 * library_share(a, ns),
                                   figure_count(count, (double)reads.calls),
                                   figure_size(each, (double)reads.bytes / (double)reads.calls));
        to->action = "read on where the next piece follows, and count its bytes in place of ftell; where pieces lie "
                     "anywhere, map the file (mmap) or read it as a whole once; of a huge one take each by pread";
        to->before = "fseek(in, start[i], SEEK_SET);\nfread(&head, sizeof head, 1, in);\n"
                     "fseek(in, ftell(in), SEEK_SET);";
        to->after = "fread(&head, sizeof head, 1, in); /* it begins where the last one ended */";
    }
}

void advice_seeks(struct advice *a)
{
    struct model *model = a->model;
    reads_tell(a);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)(use->sum.calls - use->sum.errors), bytes = (double)use->sum.bytes;
        const char *name = operation_account(use->kind) == 2 ? mover(model, use->line) : NULL;
        if (!name || use->sum.calls < use->sum.errors || calls < LEAST_CALLS || bytes > SMALL_BYTES * calls ||
            (double)use->sum.sequential > LEAST_IN_ORDER * calls)
            continue;
        double low, high, stays = (bytes / PIECE_BYTES + 1) / calls;
        advice_gain_part(a, &use->sum, 1 - stays, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_seeks, use->line, 0, high, SAVING_BOUND);
        if (!to)
            continue;
        char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(
            &model->arena, "%s wrote what the stream's buffer held, %s times, %s each. That took %s.", name,
            figure_count(count, calls), figure_size(each, bytes / calls), figure_time(time, (double)use->sum.wall_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "wall_ns", (double)use->sum.wall_ns);
        advice_rule_out(a, to, "%.0f %% of the writes go on where the last one ended",
                        100 * (double)use->sum.sequential / calls);
    }
}
