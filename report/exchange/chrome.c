/* SPDX-License-Identifier: MIT */
/* chrome.c: Chrome's trace event format, in JSON, as chrome://tracing, ui.perfetto.dev and speedscope read it. One
 * process is the run as it was in time; in the other calls lie beside one another, as wide as they cost.
 *
 * Slices are pairs of events, as readers that add a start and a length round the sum. Their arguments are few:
 * speedscope takes slices with other arguments for other functions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "trace/tracks.h"
#include "words/quote.h"

#define LANE_IDS 10000000u /* numbers of threads are smaller */

struct trace {
    FILE *out;
    const struct model *model;
    const char *separator;
    uint32_t pid;
    uint64_t last_ns; /* of the last event on the track that is written */
    unsigned last_ps;
};

/* Times of the format are in us. */
static void time_print(struct trace *t, uint64_t ns)
{
    fprintf(t->out, ",\"ts\":%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

/* Readers that sort events find no two of a track at one time: each is 1 ps after the one before it, or later. */
static void slice_time_print(struct trace *t, uint64_t ns)
{
    if (ns > t->last_ns || t->last_ns == UINT64_MAX) {
        t->last_ns = ns;
        t->last_ps = 0;
    } else if (++t->last_ps == 1000) {
        t->last_ns++;
        t->last_ps = 0;
    }
    time_print(t, t->last_ns);
    if (t->last_ps)
        fprintf(t->out, "%03u", t->last_ps);
}

/* The beginning of an event; its arguments follow in braces, and event_end. */
static void event_begin(struct trace *t, char phase, const char *name, uint32_t pid, uint64_t tid)
{
    fprintf(t->out, "%s{\"ph\":\"%c\",\"name\":", t->separator, phase);
    quote_prose(t->out, name);
    fprintf(t->out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu64, pid, tid);
    t->separator = ",\n";
}

static void named_print(struct trace *t, const char *what, uint32_t pid, uint64_t tid, const char *name)
{
    event_begin(t, 'M', what, pid, tid);
    fputs(",\"args\":{\"name\":", t->out);
    quote_prose(t->out, name);
    fputs("}}", t->out);
}

static void instant_print(struct trace *t, const char *name, uint64_t tid, char scope, uint64_t at_ns)
{
    event_begin(t, 'i', name, t->pid, tid);
    time_print(t, at_ns);
    fprintf(t->out, ",\"s\":\"%c\"}", scope);
}

static void threads_print(struct trace *t)
{
    for (size_t i = 0; i < t->model->thread_count; i++) {
        const struct model_thread *thread = &t->model->thread[i];
        named_print(t, "thread_name", t->pid, thread->id, thread->name);
        instant_print(t, "thread begins", thread->id, 't', thread->start_ns);
        if (thread->end_ns)
            instant_print(t, "thread ends", thread->id, 't', thread->end_ns);
    }
    for (size_t i = 0; i < t->model->snapshot_count; i++)
        instant_print(t, t->model->snapshot[i].label, t->model->thread_count ? t->model->thread[0].id : 0, 'p',
                      t->model->snapshot[i].at_ns);
}

static const char *text_argument(struct trace *t, const char *separator, const char *key, const char *text)
{
    fprintf(t->out, "%s\"%s\":", separator, key);
    quote_prose(t->out, text);
    return ",";
}

static void span_print(struct trace *t, char phase, const struct model_span *s, uint32_t lane)
{
    struct arena arena = { 0 };
    uint64_t id = track_thread_id(t->model, s->thread);
    event_begin(t, phase, track_span_name(&arena, t->model, s), t->pid, lane ? id + (uint64_t)lane * LANE_IDS : id);
    fprintf(t->out, ",\"cat\":\"%s\"", track_span_kind(s));
    slice_time_print(t, phase == 'B' ? s->start_ns : s->start_ns + s->wall_ns);
    const char *separator = "";
    fputs(",\"args\":{", t->out);
    if (s->stage != MODEL_NONE)
        separator = text_argument(t, separator, "stage", t->model->stage[s->stage].key);
    if (s->kind == SPAN_WAIT && track_span_place(&arena, t->model, s)[0])
        separator = text_argument(t, separator, "at", track_span_place(&arena, t->model, s));
    if (s->open)
        text_argument(t, separator, "open", "it had not ended");
    fputs("}}", t->out);
    arena_free(&arena);
}

static void counter_print(struct trace *t, const char *name, uint64_t at_ns, int64_t value)
{
    event_begin(t, 'C', name, t->pid, 0);
    time_print(t, at_ns);
    fprintf(t->out, ",\"args\":{\"value\":%" PRId64 "}}", value);
}

/* Threads' further lanes are threads of their own, below them. */
static void lane_name_print(struct trace *t, const struct model_span *s, uint32_t lane)
{
    struct arena arena = { 0 };
    const char *name = s->thread == MODEL_NONE ? "[thread not known]" : t->model->thread[s->thread].name;
    named_print(t, "thread_name", t->pid, track_thread_id(t->model, s->thread) + (uint64_t)lane * LANE_IDS,
                lane ? arena_print(&arena, "%s (overlapping)", name) : name);
    arena_free(&arena);
}

static void spans_end(struct trace *t, struct track_slices *open, uint64_t until_ns, uint32_t lane)
{
    for (struct track_slice ended; track_slice_end(open, until_ns, &ended);)
        span_print(t, 'E', &t->model->timeline.span[ended.which], lane);
}

/* The spans from..to of one thread, a lane after the other. */
static void spans_print(struct trace *t, const uint32_t *lane_of, size_t from, size_t to)
{
    const struct model_timeline *timeline = &t->model->timeline;
    struct track_slices open = { .open = NULL };
    uint32_t most = 0;
    for (uint32_t lane = 0; lane <= most; lane++) {
        t->last_ns = UINT64_MAX;
        if (lane || timeline->span[from].thread == MODEL_NONE)
            lane_name_print(t, &timeline->span[from], lane);
        for (size_t i = from; i < to; i++) {
            const struct model_span *s = &timeline->span[i];
            if (lane_of[i] != MODEL_NONE && lane_of[i] > most)
                most = lane_of[i];
            if (lane_of[i] != lane)
                continue;
            spans_end(t, &open, s->start_ns, lane);
            track_slice_begin(&open, i, s->start_ns + s->wall_ns);
            span_print(t, 'B', s, lane);
        }
        spans_end(t, &open, UINT64_MAX, lane);
    }
    free(open.open);
}

static void timeline_print(struct trace *t)
{
    const struct model_timeline *timeline = &t->model->timeline;
    uint32_t *lane = track_lanes(t->model);
    for (size_t from = 0, to; from < timeline->span_count; from = to) {
        for (to = from; to < timeline->span_count && timeline->span[to].thread == timeline->span[from].thread;)
            to++;
        spans_print(t, lane, from, to);
    }
    free(lane);
    for (size_t i = 0; i < timeline->span_count; i++)
        if (timeline->span[i].live_bytes)
            counter_print(t, "heap in use, bytes", timeline->span[i].start_ns + timeline->span[i].wall_ns,
                          (int64_t)timeline->span[i].live_bytes - 1);
    for (size_t i = 0; i < timeline->reading_count; i++)
        counter_print(t, t->model->number[timeline->reading[i].number].name, timeline->reading[i].at_ns,
                      timeline->reading[i].value);
}

static void call_print(struct trace *t, char phase, const struct track_call *call, uint64_t at, uint32_t tid)
{
    event_begin(t, phase, frame_name(t->model, call->frame), TRACK_CALLS_PROCESS, tid);
    fputs(",\"cat\":\"calls\"", t->out);
    slice_time_print(t, at);
    putc('}', t->out);
}

static void calls_print(struct trace *t, const struct stack_cost *cost, uint32_t tid)
{
    size_t count;
    struct track_call *call = track_calls(t->model, cost, &count);
    struct track_slices open = { .open = NULL };
    struct track_slice ended;
    t->last_ns = UINT64_MAX;
    named_print(t, "thread_name", TRACK_CALLS_PROCESS, tid, cost->meaning);
    for (size_t i = 0; i < count; i++) {
        if (!call[i].cost)
            continue; /* at its caller's end it would lie beside it */
        while (track_slice_end(&open, call[i].start, &ended))
            call_print(t, 'E', &call[ended.which], ended.end, tid);
        track_slice_begin(&open, i, call[i].start + call[i].cost);
        call_print(t, 'B', &call[i], call[i].start, tid);
    }
    while (track_slice_end(&open, UINT64_MAX, &ended))
        call_print(t, 'E', &call[ended.which], ended.end, tid);
    free(open.open);
    free(call);
}

void export_chrome(FILE *out, const struct model *model, const struct export_request *request)
{
    struct trace t = { .out = out, .model = model, .separator = "", .pid = model->run.pid };
    uint32_t tid = 1;
    track_timeline_warn(model, "chrome");
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
    named_print(&t, "process_name", t.pid, 0, model->run.program);
    threads_print(&t);
    timeline_print(&t);
    named_print(&t, "process_name", TRACK_CALLS_PROCESS, 0, "calls, as wide as they cost: not when they were");
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_time_held(model, request, c))
            calls_print(&t, c, tid++);
    fputs("\n],\"otherData\":{\"exporter\":\"profplug\",\"program\":", out);
    quote_prose(out, model->run.program);
    for (unsigned k = 0; k < PP_TIMELINE_KIND_COUNT; k++)
        fprintf(out, ",\"%s\":%" PRIu64, (const char *[]){ "stages_let_go", "waits_let_go", "values_let_go" }[k],
                model->timeline.let_go[k]);
    fputs("}}\n", out);
}
