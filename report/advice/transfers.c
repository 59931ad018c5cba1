/* SPDX-License-Identifier: MIT */
/* transfers.c: see transfers.h. A system call costs about the same for ten bytes as for a few thousand. So what goes is
 * all calls but one for each piece of a buffer; copying to and from the buffer remains. */
#include "advice/transfers.h"
#include "advice/library.h"

#include <math.h>
#include <string.h>

#define LEAST_CALLS 100
#define SMALL_BYTES 512.0 /* stdio transfers 4096 bytes, and a database its pages with small heads between them */
#define DRIBBLE_BYTES 16.0 /* on pipes and sockets */
#define LEAST_DRIBBLE 1000
#define LEAST_POURED 5000
#define EACH_WAY 1000.0 /* on each connection */
#define MOST_APART_NS 50e3 /* between two of them: nobody waits for one so long that a few more could not come first */
#define LEAST_ANSWERED 0.5
#define ANSWERED_SELDOM 0.01
#define PIECE_BYTES 65536.0
#define MORE 1.7        /* what the line takes, of what its calls do: more is something else */
#define MOST_STAY 0.5  /* of the calls: each file takes some of its own, however it is read */
#define EACH_READ 2.0  /* calls that stay for each open: one that reads, and one that finds the end */
#define SEQUENTIAL 0.5 /* of the calls: less, and a buffer would be filled for nothing */
#define FILL_CALLS 25.0 /* small reads take as long as to fill such a buffer, most of it in vain after a jump */
#define COPY_NS 15.0   /* for each call that becomes a copy: what stdio takes for a short record */
#define SIGMAS 2.0     /* of a line's CPU time: by so many it must be less than the calls' own time to be believed */
/* Of two sends the one that remains wakes the other side, and that is what takes longest. */
#define LEAST_WOKEN 0.4
#define MOST_WOKEN 0.9

/* Bytes one by one from a pipe or socket. What comes in larger pieces there may be how the other side sends it. */
static bool is_dribble(const struct model_operations *sum, double calls)
{
    return calls >= LEAST_DRIBBLE && (double)sum->bytes <= DRIBBLE_BYTES * calls;
}

/* Does the other side answer most of what is written to it? Then each piece waits for the one before, whatever its
 * size. */
static bool is_dialogue(struct model *model, uint32_t target)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    operations_of_target(model, target, sum);
    return (double)sum[PP_OPERATION_RESPONSE].calls >=
           LEAST_ANSWERED * (double)(sum[PP_OPERATION_SEND].calls + sum[PP_OPERATION_WRITE].calls) &&
           sum[PP_OPERATION_RESPONSE].calls;
}

/* Little pieces that are sent one right after the other, and that nobody answers: larger ones than a dribble, too. A
 * datagram is a message by itself. */
static bool is_poured(const struct advice *a, const struct advice_use *use, double calls)
{
    const struct model_target *target = &a->model->target[use->target];
    bool writes = use->kind == PP_OPERATION_SEND || use->kind == PP_OPERATION_WRITE;
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    if (!writes || calls < LEAST_POURED || a->run_ns > MOST_APART_NS * calls ||
        (target->kind != PP_TARGET_PIPE && strncmp(target->name, "tcp", 3) != 0))
        return false;
    operations_of_target(a->model, use->target, sum);
    /* what was accepted may be many clients, each of whom gets a message */
    double ways = (double)sum[PP_OPERATION_CONNECT].calls;
    if (target->kind != PP_TARGET_PIPE && (ways < 1 || calls < EACH_WAY * ways))
        return false;
    return (double)sum[PP_OPERATION_RESPONSE].calls + (double)sum[PP_OPERATION_SERVED].calls < ANSWERED_SELDOM * calls;
}

/* A question or an answer takes a call, however small it is; and so does it to find a connection's end. */
static double dialogues(const struct model *model, bool reads)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        enum pp_operation_kind kind = model->operation[i].kind;
        if (kind == PP_OPERATION_SERVED || kind == PP_OPERATION_RESPONSE ||
            (reads && (kind == PP_OPERATION_ACCEPT || kind == PP_OPERATION_CONNECT)))
            calls += (double)(model->operation[i].sum.calls - model->operation[i].sum.errors);
    }
    return calls;
}

/* The part of the reads of a file, from whatever line, that do not go on where the last one ended: what one line reads
 * may go on where another one, which jumps, has read a head. */
static double jumps_part(struct model *model, uint32_t target)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    double calls = 0, jumps = 0;
    operations_of_target(model, target, sum);
    for (unsigned kind = 0; kind < PP_OPERATION_COUNT; kind++)
        if (operation_account(kind) == 1 && sum[kind].calls > sum[kind].errors) {
            calls += (double)(sum[kind].calls - sum[kind].errors);
            jumps += fmax(0, (double)(sum[kind].calls - sum[kind].errors) - (double)sum[kind].sequential);
        }
    return calls > 0 ? jumps / calls : 0;
}

bool transfers_are_small(const struct advice *a, const struct advice_use *use, double *low_ns, double *high_ns)
{
    struct model_operations sum = use->sum;
    double calls = (double)(sum.calls - sum.errors), bytes = (double)sum.bytes;
    if (sum.calls <= sum.errors || calls < LEAST_CALLS || bytes / calls > SMALL_BYTES || !sum.wall_ns ||
        use->target == MODEL_NONE)
        return false;
    enum pp_target_kind kind = a->model->target[use->target].kind;
    bool reads = use->kind == PP_OPERATION_RECEIVE || use->kind == PP_OPERATION_READ;
    bool file = kind == PP_TARGET_FILE, stream = kind == PP_TARGET_PIPE || kind == PP_TARGET_SOCKET;
    bool poured = is_poured(a, use, calls) && !advice_is_exchange(a, use->target);
    if (!(file && (double)sum.sequential >= SEQUENTIAL * calls) && !poured &&
        !(stream && is_dribble(&sum, calls) && !is_dialogue(a->model, use->target) &&
          !advice_is_exchange(a, use->target)))
        return false;
    if (stream) { /* who waits for the other side does so in large pieces, too */
        sum.wall_ns -= sum.wait_ns < sum.wall_ns ? sum.wait_ns : sum.wall_ns;
        sum.wait_ns = 0;
        sum.first_wall_ns = (uint64_t)((double)sum.wall_ns * advice_first_part(&use->sum));
    }
    /* A clock around a call cannot tell when the CPU was taken away; the line's CPU time does not have that. */
    const struct value *self = &a->model->line[use->line].self;
    double self_ns = self->ns, wait_ns = fmin((double)sum.wait_ns, (double)sum.wall_ns);
    double in_calls = (double)sum.wall_ns - wait_ns, most_ns = self_ns + SIGMAS * sqrt(self->variance);
    if (self_ns > 0 && most_ns < in_calls) {
        double first = advice_first_part(&sum);
        sum.wall_ns = (uint64_t)(wait_ns + most_ns);
        sum.first_wall_ns = (uint64_t)((wait_ns + most_ns) * first);
    }
    double each_ns = (double)sum.wall_ns / (double)sum.calls;
    double each_open = operation_account(use->kind) == 1 ? EACH_READ : 1;
    double stays = (bytes / PIECE_BYTES + advice_opens(a, use, each_open)) / calls, copies = COPY_NS / each_ns;
    if (file && operation_account(use->kind) == 1)
        stays += FILL_CALLS * jumps_part(a->model, use->target);
    if (file && stays > MOST_STAY)
        return false;
    if (kind == PP_TARGET_SOCKET)
        stays = fmax(stays, dialogues(a->model, reads) / calls);
    double part = 1 - stays - copies;
    if (part <= 0)
        return false;
    advice_gain_part(a, &sum, part, low_ns, high_ns);
    /* What the C library and the return to the program take is not in the time of calls, but in that of the line, which
     * may do more than that. */
    double more = in_calls > 0 ? fmin(MORE, fmax(1, self_ns / in_calls)) : 1;
    *low_ns *= 0.75 * sqrt(more);
    *high_ns *= fmax(1.3, more);
    if (self_ns > 0) /* the rest of the CPU time is no shorter for it */
        *high_ns = fmax(*low_ns, fmin(*high_ns, advice_faster(a, fmin(most_ns, a->cpu_ns))));
    if (kind == PP_TARGET_SOCKET && !poured && !reads) {
        *low_ns *= LEAST_WOKEN;
        *high_ns *= MOST_WOKEN;
    }
    return true;
}

bool transfers_join(const struct advice *a, size_t first, transfers_are *are, struct transfers *t)
{
    const struct advice_use *of = &a->use[first];
    uint32_t function = a->model->line[of->line].function;
    *t = (struct transfers){ .line = of->line };
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        bool alike = i == first || (function != MODEL_NONE && a->model->line[use->line].function == function &&
                                    use->target == of->target);
        double low, high;
        if (!alike || !are(a, use, &low, &high))
            continue;
        if (i < first)
            return false;
        operations_add(&t->sum, &use->sum);
        t->low_ns += low;
        t->high_ns += high;
        t->lines++;
        if (use->sum.wall_ns > t->most_ns) {
            t->most_ns = use->sum.wall_ns;
            t->line = use->line;
        }
    }
    return t->lines > 0;
}

void transfers_tell_joined(struct advice *a, struct model_advice *to, const struct advice_use *use,
                           const struct transfers *t, const char *noun)
{
    struct advice_use all = *use;
    all.sum = t->sum;
    all.line = t->lines > 1 ? MODEL_NONE : t->line;
    transfers_tell(a, to, &all, noun);
    if (t->lines > 1)
        to->evidence = arena_print(&a->model->arena, "%s They are made at %zu lines of this function.", to->evidence,
                                   t->lines);
}

void transfers_tell(struct advice *a, struct model_advice *to, const struct advice_use *use, const char *noun)
{
    char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES], used[FIGURE_BYTES];
    double calls = (double)use->sum.calls, bytes = (double)use->sum.bytes, took = (double)use->sum.wall_ns;
    double cpu = use->line == MODEL_NONE ? 0 : a->model->line[use->line].self.ns;
    const char *here = "";
    if (cpu > 0)
        here = arena_print(&a->model->arena, " by the clock around them (%s of CPU time at this line)",
                           figure_time(used, cpu));
    to->evidence =
        arena_print(&a->model->arena, "%s %s of %s each took %s%s, one after the other.", figure_count(count, calls),
                    noun, figure_size(each, bytes / calls), figure_time(time, took), here);
    advice_figure(to, "calls", calls);
    advice_figure(to, "bytes", bytes);
    advice_figure(to, "wall_ns", took);
    advice_figure(to, "wait_ns", (double)use->sum.wait_ns);
    if (use->sum.sequential > 0)
        advice_rule_out(a, to, "%.0f %% of them go on where the last one ended",
                        100 * (double)use->sum.sequential / calls);
}

/* The function of stdio by which most of the line's calls are made, as samples tell; NULL: none. */
static const char *stdio_of(const struct advice *a, uint32_t line)
{
    const struct model_line *l = &a->model->line[line];
    const char *name = l->callee_count ? a->model->callee[l->callee].name : NULL;
    for (uint32_t i = 0; i < l->callee_count; i++) { /* flushed, it is written whatever buffer there is */
        const char *other = a->model->callee[l->callee + i].name;
        if (other && strncmp(other, "fflush", 6) == 0)
            return NULL;
    }
    return name && library_has(LIBRARY_STDIO, name) ? name : NULL;
}

/* What took a stream its buffer: in the line's function, else in its file, else anywhere. */
static const struct model_remark *unbuffered(const struct advice *a, uint32_t line)
{
    const struct model_line *l = &a->model->line[line];
    const struct model_remark *best = NULL;
    int nearest = -1;
    for (size_t i = 0; i < a->model->remark_count; i++) {
        const struct model_remark *r = &a->model->remark[i];
        int near = r->kind != PP_REMARK_UNBUFFERED   ? -1
                   : strcmp(r->file, l->file) != 0   ? 0
                   : r->function != l->function      ? 1
                                                     : 2;
        if (near > nearest) {
            nearest = near;
            best = r;
        }
    }
    return best;
}

bool transfers_buffer(struct advice *a, struct model_advice *to, const struct advice_use *use)
{
    const char *name = stdio_of(a, use->line);
    const struct model_remark *r = name ? unbuffered(a, use->line) : NULL;
    bool reads = operation_account(use->kind) == 1, file = a->model->target[use->target].kind == PP_TARGET_FILE;
    if (!name || (!r && !(file && reads)))
        return false;
    struct arena *arena = &a->model->arena;
    if (!r) {
        to->evidence = arena_print(arena, "%s They go through stdio (%s): the stream has no buffer, or a very small "
                                          "one.", to->evidence, name);
        to->action = "give the stream a buffer of 64 KiB: look for the setvbuf or setbuf that took it away";
    } else {
        const char *slash = strrchr(r->file, '/');
        const char *at = arena_print(arena, "%s:%u", slash ? slash + 1 : r->file, r->line);
        const char *stream = r->why[0] ? arena_print(arena, "the stream %s", r->why) : "a stream";
        to->evidence = arena_print(arena, "%s They go through stdio, and %s at %s leaves %s without a buffer.",
                                   to->evidence, r->detail, at, stream);
        to->action = arena_print(arena, "take out that call of %s (%s), or give the stream a buffer of 64 KiB there",
                                 r->detail, at);
    }
    to->before = reads ? "setvbuf(in, NULL, _IONBF, 0);\nwhile ((c = fgetc(in)) != EOF) use(c);"
                       : "setvbuf(out, NULL, _IONBF, 0);\nfor (i = 0; i < n; i++) fputc(c[i], out);";
    to->after = reads ? "while ((c = fgetc(in)) != EOF) use(c);" : "for (i = 0; i < n; i++) fputc(c[i], out);";
    return true;
}
