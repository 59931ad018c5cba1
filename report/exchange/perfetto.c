/* SPDX-License-Identifier: MIT */
/* perfetto.c: a Perfetto trace in protocol buffers (perfetto.dev/docs/reference/trace-packet-proto), a packet for each
 * event. One process is the run as it was in time; in the other calls lie beside one another, as wide as they cost. */
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "trace/protobuf.h"
#include "trace/tracks.h"
#include "words/quote.h"

/* field numbers of trace.proto, trace_packet.proto, track_descriptor.proto, track_event.proto, interned_data.proto */
enum {
    TRACE_PACKET = 1,
    PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT, PACKET_INTERNED, PACKET_FLAGS, PACKET_TRACK = 60,
    TRACK_ID = 1, TRACK_NAME, TRACK_PROCESS, TRACK_THREAD, TRACK_PARENT, TRACK_COUNTER = 8,
    PROCESS_ID = 1, PROCESS_NAME = 6,
    THREAD_PROCESS = 1, THREAD_ID, THREAD_NAME = 5,
    COUNTER_UNIT = 3, COUNTER_UNIT_BYTES = 3,
    EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_NAME, EVENT_TRACK, EVENT_CATEGORY = 22, EVENT_VALUE = 30,
    NOTE_UNSIGNED = 3, NOTE_TEXT = 6, NOTE_NAME = 10,
    INTERNED_NAME = 2, NAME_ID = 1, NAME_TEXT,
    SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER_VALUE,
    SEQUENCE_CLEARED = 1, SEQUENCE_NEEDED,
};

struct writer {
    FILE *out;
    const struct model *model;
    struct map names; /* of events: each is written once, and has a number from 1 */
    uint32_t name_count;
    uint64_t track_count; /* tracks have numbers from 1 */
    struct message packet, outer, inner, extra;
};

static void packet_begin(struct writer *w)
{
    bool first = !w->packet.capacity;
    message_clear(&w->packet);
    message_clear(&w->outer);
    message_number(&w->packet, PACKET_SEQUENCE, 1);
    message_number(&w->packet, PACKET_FLAGS, first ? SEQUENCE_CLEARED : SEQUENCE_NEEDED);
}

static void packet_end(struct writer *w, unsigned field)
{
    message_inner(&w->packet, field, &w->outer);
    message_print(w->out, TRACE_PACKET, &w->packet);
}

/* `kind`: what is in w->inner, a TRACK_*; 0: nothing. */
static uint64_t track_print(struct writer *w, const char *name, uint64_t parent, unsigned kind)
{
    packet_begin(w);
    message_number(&w->outer, TRACK_ID, ++w->track_count);
    message_text(&w->outer, TRACK_NAME, name);
    message_number(&w->outer, TRACK_PARENT, parent);
    if (kind)
        message_inner(&w->outer, kind, &w->inner);
    packet_end(w, PACKET_TRACK);
    return w->track_count;
}

static uint64_t process_print(struct writer *w, uint32_t pid, const char *name)
{
    message_clear(&w->inner);
    message_number(&w->inner, PROCESS_ID, pid);
    message_text(&w->inner, PROCESS_NAME, name);
    return track_print(w, name, 0, TRACK_PROCESS);
}

static uint64_t thread_print(struct writer *w, uint32_t pid, uint64_t tid, const char *name)
{
    message_clear(&w->inner);
    message_number(&w->inner, THREAD_PROCESS, pid);
    message_number(&w->inner, THREAD_ID, tid);
    message_text(&w->inner, THREAD_NAME, name);
    return track_print(w, name, 0, TRACK_THREAD);
}

static uint64_t counter_print(struct writer *w, uint64_t parent, const char *name, unsigned unit)
{
    message_clear(&w->inner);
    message_number(&w->inner, COUNTER_UNIT, unit);
    return track_print(w, name, parent, TRACK_COUNTER);
}

static void event_begin(struct writer *w, unsigned type, uint64_t track, uint64_t at)
{
    packet_begin(w);
    message_always(&w->packet, PACKET_TIME, at);
    message_number(&w->outer, EVENT_TYPE, type);
    message_number(&w->outer, EVENT_TRACK, track);
}

static void event_end(struct writer *w) { packet_end(w, PACKET_EVENT); }

static void name_put(struct writer *w, const char *name)
{
    uint32_t *found = map_at_text(&w->names, name);
    if (*found == MAP_FRESH) {
        *found = ++w->name_count;
        message_clear(&w->inner);
        message_number(&w->inner, NAME_ID, *found);
        message_text(&w->inner, NAME_TEXT, name);
        message_clear(&w->extra);
        message_inner(&w->extra, INTERNED_NAME, &w->inner);
        message_inner(&w->packet, PACKET_INTERNED, &w->extra);
    }
    message_number(&w->outer, EVENT_NAME, *found);
}

static void number_note(struct writer *w, const char *key, uint64_t value)
{
    message_clear(&w->inner);
    message_text(&w->inner, NOTE_NAME, key);
    message_always(&w->inner, NOTE_UNSIGNED, value);
    message_inner(&w->outer, EVENT_NOTE, &w->inner);
}

static void text_note(struct writer *w, const char *key, const char *text)
{
    message_clear(&w->inner);
    message_text(&w->inner, NOTE_NAME, key);
    message_text(&w->inner, NOTE_TEXT, text);
    message_inner(&w->outer, EVENT_NOTE, &w->inner);
}

static void instant_print(struct writer *w, uint64_t track, uint64_t at_ns, const char *name)
{
    event_begin(w, INSTANT, track, at_ns);
    name_put(w, name);
    event_end(w);
}

static void value_print(struct writer *w, uint64_t track, uint64_t at_ns, int64_t value)
{
    event_begin(w, COUNTER_VALUE, track, at_ns);
    message_always(&w->outer, EVENT_VALUE, (uint64_t)value);
    event_end(w);
}

static void slices_end(struct writer *w, struct track_slices *open, uint64_t track, uint64_t until_ns)
{
    for (struct track_slice ended; track_slice_end(open, until_ns, &ended);) {
        event_begin(w, SLICE_END, track, ended.end);
        event_end(w);
    }
}

static void slice_begin(struct writer *w, struct track_slices *open, uint64_t track, uint64_t start, uint64_t length)
{
    slices_end(w, open, track, start);
    track_slice_begin(open, 0, start + length);
    event_begin(w, SLICE_BEGIN, track, start);
}

static void span_print(struct writer *w, struct track_slices *open, uint64_t track, const struct model_span *s)
{
    struct arena arena = { 0 };
    slice_begin(w, open, track, s->start_ns, s->wall_ns);
    name_put(w, track_span_name(&arena, w->model, s));
    message_text(&w->outer, EVENT_CATEGORY, track_span_kind(s));
    if (s->kind != SPAN_WAIT)
        number_note(w, "index", s->index);
    else if (track_span_place(&arena, w->model, s)[0])
        text_note(w, "at", track_span_place(&arena, w->model, s));
    if (s->stage != MODEL_NONE)
        text_note(w, "stage", w->model->stage[s->stage].key);
    if (s->open)
        number_note(w, "open", 1);
    event_end(w);
    arena_free(&arena);
}

/* The spans of one thread from *at on, a lane after the other. */
static void spans_print(struct writer *w, const uint32_t *lane_of, size_t from, size_t to, uint64_t thread)
{
    const struct model_timeline *t = &w->model->timeline;
    struct track_slices open = { .open = NULL };
    uint32_t most = 0;
    for (uint32_t lane = 0; lane <= most; lane++) {
        uint64_t track = lane ? track_print(w, "overlapping", thread, 0) : thread;
        for (size_t i = from; i < to; i++) {
            if (lane_of[i] == lane)
                span_print(w, &open, track, &t->span[i]);
            else if (lane_of[i] != MODEL_NONE && lane_of[i] > most)
                most = lane_of[i];
        }
        slices_end(w, &open, track, UINT64_MAX);
    }
    free(open.open);
}

static void heap_print(struct writer *w, uint64_t process)
{
    const struct model_timeline *t = &w->model->timeline;
    uint64_t track = 0;
    for (size_t i = 0; i < t->span_count; i++)
        if (t->span[i].live_bytes) {
            track = track ? track : counter_print(w, process, "heap in use", COUNTER_UNIT_BYTES);
            value_print(w, track, t->span[i].start_ns + t->span[i].wall_ns, (int64_t)t->span[i].live_bytes - 1);
        }
}

static void run_print(struct writer *w)
{
    const struct model *model = w->model;
    const struct model_timeline *t = &model->timeline;
    uint32_t *lane = track_lanes(model);
    uint64_t process = process_print(w, model->run.pid, model->run.program);
    for (size_t i = 0; i < model->snapshot_count; i++)
        instant_print(w, process, model->snapshot[i].at_ns, model->snapshot[i].label);
    for (uint32_t i = 0, from = 0, to; i < model->thread_count; i++, from = to) {
        uint64_t track = thread_print(w, model->run.pid, model->thread[i].id, model->thread[i].name);
        for (to = from; to < t->span_count && t->span[to].thread == i;)
            to++;
        instant_print(w, track, model->thread[i].start_ns, "thread begins");
        spans_print(w, lane, from, to, track);
        if (model->thread[i].end_ns)
            instant_print(w, track, model->thread[i].end_ns, "thread ends");
    }
    size_t lost = t->span_count;
    while (lost && t->span[lost - 1].thread == MODEL_NONE)
        lost--;
    if (lost < t->span_count)
        spans_print(w, lane, lost, t->span_count, track_print(w, "[thread not known]", process, 0));
    free(lane);
    heap_print(w, process);
    uint64_t track = 0;
    for (size_t i = 0; i < t->reading_count; i++) {
        if (!i || t->reading[i].number != t->reading[i - 1].number)
            track = counter_print(w, process, model->number[t->reading[i].number].name, 0);
        value_print(w, track, t->reading[i].at_ns, t->reading[i].value);
    }
}

static void calls_print(struct writer *w, const struct stack_cost *cost, uint64_t tid)
{
    size_t count;
    struct track_call *call = track_calls(w->model, cost, &count);
    uint64_t track = thread_print(w, TRACK_CALLS_PROCESS, tid, cost->meaning);
    struct track_slices open = { .open = NULL };
    for (size_t i = 0; i < count; i++) {
        if (!call[i].cost)
            continue; /* rounded: in Perfetto's order of events it would lie beside its caller */
        slice_begin(w, &open, track, call[i].start, call[i].cost);
        name_put(w, frame_name(w->model, call[i].frame));
        message_text(&w->outer, EVENT_CATEGORY, "calls");
        number_note(w, cost->name, call[i].cost);
        if (frame_file(w->model, call[i].frame)[0])
            text_note(w, "file", frame_file(w->model, call[i].frame));
        if (frame_start(w->model, call[i].frame))
            number_note(w, "line", frame_start(w->model, call[i].frame));
        event_end(w);
    }
    slices_end(w, &open, track, UINT64_MAX);
    free(open.open);
    free(call);
}

void export_perfetto(FILE *out, const struct model *model, const struct export_request *request)
{
    struct writer w = { .out = out, .model = model };
    uint64_t tid = TRACK_CALLS_PROCESS;
    track_timeline_warn(model, "perfetto");
    run_print(&w);
    process_print(&w, TRACK_CALLS_PROCESS, "calls, as wide as they cost: not when they were");
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_time_held(model, request, c))
            calls_print(&w, c, tid++);
    map_free(&w.names);
    free(w.packet.byte);
    free(w.outer.byte);
    free(w.inner.byte);
    free(w.extra.byte);
}
