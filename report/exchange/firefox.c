/* SPDX-License-Identifier: MIT */
/* firefox.c: a profile of profiler.firefox.com, in its processed format of version 63 (docs-developer/ of its sources).
 * A thread for each cost holds the calls; the run's own threads hold stages, iterations and waits as markers. What
 * threads share stands at the end, as strings are collected on the way. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "trace/tracks.h"
#include "words/quote.h"

enum { VERSION = 63, GECKO_VERSION = 32, PHASE_INSTANT = 0, PHASE_INTERVAL };
enum category { OTHER, PROGRAM, LIBRARY, UNKNOWN, WAITING };

struct writer {
    FILE *out;
    const struct model *model;
    struct map strings, files;
    struct arena arena;
    const char **string, **file;
    size_t string_count, string_capacity, file_count, file_capacity;
};

static uint32_t string_number(struct writer *w, const char *text)
{
    uint32_t *found = map_at_text(&w->strings, text);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)w->string_count;
        *ARRAY_PUSH(w->string, w->string_count, w->string_capacity) = arena_copy(&w->arena, text);
    }
    return *found;
}

static uint32_t file_number(struct writer *w, const char *file)
{
    uint32_t *found = map_at_text(&w->files, file);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)w->file_count;
        *ARRAY_PUSH(w->file, w->file_count, w->file_capacity) = file;
    }
    return *found;
}

/* Times are in ms. */
static void time_print(FILE *out, uint64_t ns) { fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000); }

/* A column of a table of `count` rows, all alike. */
static void column_print(FILE *out, const char *key, const char *value, size_t count)
{
    fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%s" : "%s", value);
    putc(']', out);
}

static void meta_print(struct writer *w)
{
    const struct model_run *run = &w->model->run;
    double period_ms = run->sample_period_ns ? (double)run->sample_period_ns / 1e6 : 1;
    fprintf(w->out, "{\"meta\":{\"interval\":%.6f,\"startTime\":%.3f,\"processType\":0,\"product\":", period_ms,
            (double)run->start_realtime_ns / 1e6);
    quote_prose(w->out, run->program);
    fprintf(w->out,
            ",\"importedFrom\":\"profplug\",\"stackwalk\":1,\"version\":%d,\"preprocessedProfileVersion\":%d,"
            "\"symbolicated\":true,\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
            "\"keepProfileThreadOrder\":true,\"initialSelectedThreads\":[0],\"platform\":\"Linux\",\"CPUName\":",
            GECKO_VERSION, VERSION);
    quote_prose(w->out, run->cpu_model ? run->cpu_model : "");
    fputs(",\"categories\":["
          "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
          "{\"name\":\"Program\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
          "{\"name\":\"Library\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
          "{\"name\":\"No function\",\"color\":\"lightred\",\"subcategories\":[\"Other\"]},"
          "{\"name\":\"Wait\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}],"
          "\"markerSchema\":[", w->out);
    static const char *const kind[] = { "stage", "iteration", "wait", "snapshot" };
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        fprintf(w->out,
                "%s{\"name\":\"%s\",\"tooltipLabel\":\"{marker.name}\",\"tableLabel\":\"{marker.data.at}\","
                "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
                "\"fields\":[{\"key\":\"at\",\"label\":\"Where\",\"format\":\"string\"},"
                "{\"key\":\"stage\",\"label\":\"Stage\",\"format\":\"string\"},"
                "{\"key\":\"index\",\"label\":\"Number in its thread\",\"format\":\"integer\"},"
                "{\"key\":\"open\",\"label\":\"Had not ended\",\"format\":\"string\"}]}",
                i ? "," : "", kind[i]);
    fputs("]},\n\"libs\":[],\"threads\":[", w->out);
}

static void thread_begin(struct writer *w, const char *name, const char *process, uint32_t pid, uint64_t tid,
                         bool is_main)
{
    fputs("{\"processType\":\"default\",\"processName\":", w->out);
    quote_prose(w->out, process);
    fputs(",\"name\":", w->out);
    quote_prose(w->out, name);
    fprintf(w->out, ",\"pid\":\"%" PRIu32 "\",\"tid\":%" PRIu64 ",\"isMainThread\":%s,\"pausedRanges\":[]", pid, tid,
            is_main ? "true" : "false");
}

static void life_print(struct writer *w, uint64_t start_ns, uint64_t end_ns)
{
    fputs(",\"processStartupTime\":0,\"processShutdownTime\":", w->out);
    time_print(w->out, w->model->run.wall_ns);
    fputs(",\"registerTime\":", w->out);
    time_print(w->out, start_ns);
    fputs(",\"unregisterTime\":", w->out);
    time_print(w->out, end_ns ? end_ns : w->model->run.wall_ns);
}

static const char no_markers[] =
    ",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}";

/* Samples have no time: they are spread over the run, in the order of calls. */
static void calls_print(struct writer *w, const struct stack_cost *cost, bool is_main, uint64_t tid)
{
    struct arena arena = { 0 };
    const struct model *model = w->model;
    bool is_time = cost->unit[0] == 'n', is_size = cost->unit[0] == 'b';
    size_t count = 0, at = 0;
    double *own = memory_zeroed(model->frame_count, sizeof *own);
    for (size_t i = 0; i < model->stack_count; i++)
        own[model->stack[i].frame] += cost->of(&model->stack[i]);
    for (uint32_t i = 1; i < model->frame_count; i++)
        count += own[i] > 0;
    thread_begin(w, arena_print(&arena, "%s: all threads, not in the order of time", cost->meaning),
                 "calls by what they cost", TRACK_CALLS_PROCESS, tid, is_main);
    life_print(w, 0, model->run.wall_ns);
    fprintf(w->out, ",\"samples\":{\"weightType\":\"%s\",\"stack\":[",
            is_time ? "tracing-ms" : is_size ? "bytes" : "samples");
    for (uint32_t i = 1; i < model->frame_count; i++)
        if (own[i] > 0)
            fprintf(w->out, "%s%" PRIu32, at++ ? "," : "", i - 1);
    fputs("],\"weight\":[", w->out);
    at = 0;
    for (uint32_t i = 1; i < model->frame_count; i++)
        if (own[i] > 0)
            fprintf(w->out, "%s%.15g", at++ ? "," : "", is_time ? own[i] / 1e6 : own[i]);
    fputs("],\"time\":[", w->out);
    for (at = 0; at < count; at++) {
        fputs(at ? "," : "", w->out);
        time_print(w->out, number_whole((double)model->run.wall_ns * (double)at / (double)count));
    }
    fprintf(w->out, "],\"length\":%zu}%s}", count, no_markers);
    free(own);
    arena_free(&arena);
}

static void marker_print(struct writer *w, const struct model_span *s)
{
    struct arena arena = { 0 };
    fprintf(w->out, "{\"type\":\"%s\"", track_span_kind(s));
    if (s->kind == SPAN_WAIT) {
        fputs(",\"at\":", w->out);
        quote_prose(w->out, track_span_place(&arena, w->model, s));
    } else {
        fprintf(w->out, ",\"index\":%" PRIu64, s->index);
    }
    if (s->stage != MODEL_NONE) {
        fputs(",\"stage\":", w->out);
        quote_prose(w->out, w->model->stage[s->stage].key);
    }
    fputs(s->open ? ",\"open\":\"yes\"}" : "}", w->out);
    arena_free(&arena);
}

enum column { DATA, NAME, START, END, PHASE, CATEGORY, COLUMNS };
static const char *const column_key[COLUMNS] = { "data", "name", "startTime", "endTime", "phase", "category" };

static void cell_print(struct writer *w, enum column column, const struct model_span *s)
{
    struct arena arena = { 0 };
    switch (column) {
    case DATA: marker_print(w, s); break;
    case NAME: fprintf(w->out, "%" PRIu32, string_number(w, track_span_name(&arena, w->model, s))); break;
    case START: time_print(w->out, s->start_ns); break;
    case END: time_print(w->out, s->start_ns + s->wall_ns); break;
    case PHASE: fprintf(w->out, "%d", PHASE_INTERVAL); break;
    default: fprintf(w->out, "%d", s->kind == SPAN_WAIT ? WAITING : PROGRAM);
    }
    arena_free(&arena);
}

static void snapshot_cell_print(struct writer *w, enum column column, const struct model_snapshot *s)
{
    switch (column) {
    case DATA: fputs("{\"type\":\"snapshot\"}", w->out); break;
    case NAME: fprintf(w->out, "%" PRIu32, string_number(w, s->label)); break;
    case START: time_print(w->out, s->at_ns); break;
    case END: fputs("null", w->out); break;
    default: fprintf(w->out, "%d", column == PHASE ? PHASE_INSTANT : OTHER);
    }
}

/* Spans from..to, and the snapshots with the first thread. */
static void markers_print(struct writer *w, size_t from, size_t to, bool snapshots)
{
    size_t length = 0;
    fputs(",\"markers\":{", w->out);
    for (enum column c = DATA; c < COLUMNS; c++) {
        length = 0;
        fprintf(w->out, "\"%s\":[", column_key[c]);
        for (size_t i = from; i < to; i++)
            if (stage_is_within(w->model, w->model->timeline.span[i].stage)) {
                fputs(length++ ? "," : "", w->out);
                cell_print(w, c, &w->model->timeline.span[i]);
            }
        for (size_t i = 0; snapshots && i < w->model->snapshot_count; i++) {
            fputs(length++ ? "," : "", w->out);
            snapshot_cell_print(w, c, &w->model->snapshot[i]);
        }
        fputs("],", w->out);
    }
    fprintf(w->out, "\"length\":%zu}", length);
}

static void threads_print(struct writer *w)
{
    const struct model *model = w->model;
    const struct model_timeline *t = &model->timeline;
    size_t from = 0, to;
    for (uint32_t i = 0; i <= model->thread_count; i++, from = to) {
        bool known = i < model->thread_count;
        for (to = from; to < t->span_count && t->span[to].thread == (known ? i : MODEL_NONE);)
            to++;
        if (!known && from == to)
            break;
        fputs(",\n", w->out);
        thread_begin(w, known ? model->thread[i].name : "[thread not known]", model->run.program, model->run.pid,
                     known ? model->thread[i].id : 0, !i);
        life_print(w, known ? model->thread[i].start_ns : 0, known ? model->thread[i].end_ns : 0);
        fputs(",\"samples\":{\"weightType\":\"samples\",\"weight\":null,\"stack\":[],\"time\":[],\"length\":0}",
              w->out);
        markers_print(w, from, to, !i);
        putc('}', w->out);
    }
}

/* Counters of the format hold differences. */
static void counter_print(struct writer *w, const char *name, const char *unit, uint32_t thread,
                          const struct model_reading *reading, size_t count)
{
    fputs("\n{\"category\":\"profplug\",\"description\":\"\",\"name\":", w->out);
    quote_prose(w->out, name);
    fprintf(w->out,
            ",\"pid\":\"%" PRIu32 "\",\"mainThreadIndex\":%" PRIu32 ",\"display\":{\"graphType\":\"line-accumulated\","
            "\"unit\":\"%s\",\"color\":\"orange\",\"markerSchemaLocation\":null,\"sortWeight\":50,\"label\":",
            w->model->run.pid, thread, unit);
    quote_prose(w->out, name);
    fprintf(w->out,
            ",\"tooltipRows\":[{\"type\":\"value\",\"source\":\"accumulated\",\"format\":{\"unit\":\"%s\"},"
            "\"label\":\"value\"}]},\"samples\":{\"time\":[",
            unit[0] ? unit : "number");
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", w->out);
        time_print(w->out, reading[i].at_ns);
    }
    fputs("],\"count\":[", w->out);
    for (size_t i = 0; i < count; i++) /* differences of int64 may need 65 bits: they wrap, and so do their sums */
        fprintf(w->out, "%s%" PRId64, i ? "," : "",
                (int64_t)((uint64_t)reading[i].value - (i ? (uint64_t)reading[i - 1].value : 0)));
    fprintf(w->out, "],\"length\":%zu}}", count);
}

static int by_time(const void *a, const void *b)
{
    const struct model_reading *x = a, *y = b;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

/* The heap at the ends of stages. */
static bool heap_print(struct writer *w, uint32_t thread)
{
    const struct model_timeline *t = &w->model->timeline;
    struct model_reading *reading = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < t->span_count; i++)
        if (t->span[i].live_bytes)
            *ARRAY_PUSH(reading, count, capacity) =
                (struct model_reading){ .at_ns = t->span[i].start_ns + t->span[i].wall_ns,
                                        .value = (int64_t)t->span[i].live_bytes - 1 };
    if (count) {
        qsort(reading, count, sizeof *reading, by_time);
        counter_print(w, "heap in use", "bytes", thread, reading, count);
    }
    free(reading);
    return count;
}

static void counters_print(struct writer *w, uint32_t thread)
{
    const struct model_timeline *t = &w->model->timeline;
    size_t to;
    fputs("],\n\"counters\":[", w->out);
    bool any = heap_print(w, thread);
    for (size_t from = 0; from < t->reading_count; from = to) {
        for (to = from; to < t->reading_count && t->reading[to].number == t->reading[from].number;)
            to++;
        fputs(any || from ? "," : "", w->out);
        counter_print(w, w->model->number[t->reading[from].number].name, "", thread, &t->reading[from], to - from);
    }
    fputs("],\n", w->out);
}

static enum category category_of(const struct model *model, uint32_t frame)
{
    const char *name = model->frame[frame].name;
    return !name ? PROGRAM : name[0] == '[' ? UNKNOWN : LIBRARY;
}

static void frames_print(struct writer *w, const uint32_t *of)
{
    const struct model *model = w->model;
    size_t count = model->frame_count ? model->frame_count - 1 : 0;
    fputs("\"shared\":{\"stackTable\":{\"frame\":[", w->out);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "%s%zu", i ? "," : "", i);
    fputs("],\"prefix\":[", w->out);
    for (size_t i = 0; i < count; i++)
        if (model->frame[i + 1].parent)
            fprintf(w->out, "%s%" PRIu32, i ? "," : "", model->frame[i + 1].parent - 1);
        else
            fputs(i ? ",null" : "null", w->out);
    fprintf(w->out, "],\"length\":%zu},\n\"frameTable\":{\"func\":[", count);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "%s%" PRIu32, i ? "," : "", of[i + 1] - 1);
    fputs("],\"category\":[", w->out);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "%s%d", i ? "," : "", (int)category_of(model, (uint32_t)i + 1));
    fputs("],\"line\":[", w->out);
    for (uint32_t i = 0; i < count; i++)
        if (frame_line(model, i + 1))
            fprintf(w->out, "%s%" PRIu32, i ? "," : "", frame_line(model, i + 1));
        else
            fputs(i ? ",null" : "null", w->out);
    putc(']', w->out);
    column_print(w->out, "address", "-1", count);
    column_print(w->out, "inlineDepth", "0", count);
    column_print(w->out, "subcategory", "0", count);
    column_print(w->out, "nativeSymbol", "null", count);
    column_print(w->out, "innerWindowID", "null", count);
    column_print(w->out, "column", "null", count);
    fprintf(w->out, ",\"length\":%zu},\n", count);
}

static void functions_print(struct writer *w, const uint32_t *of, uint32_t count)
{
    uint32_t *frame = memory_zeroed(count + 1, sizeof *frame); /* any that has the function */
    for (uint32_t i = 1; i < w->model->frame_count; i++)
        frame[of[i]] = i;
    fputs("\"funcTable\":{\"name\":[", w->out);
    for (uint32_t i = 1; i <= count; i++)
        fprintf(w->out, "%s%" PRIu32, i > 1 ? "," : "", string_number(w, frame_name(w->model, frame[i])));
    fputs("],\"source\":[", w->out);
    for (uint32_t i = 1; i <= count; i++)
        if (frame_file(w->model, frame[i])[0])
            fprintf(w->out, "%s%" PRIu32, i > 1 ? "," : "", file_number(w, frame_file(w->model, frame[i])));
        else
            fputs(i > 1 ? ",null" : "null", w->out);
    fputs("],\"lineNumber\":[", w->out);
    for (uint32_t i = 1; i <= count; i++)
        if (frame_start(w->model, frame[i]))
            fprintf(w->out, "%s%" PRIu32, i > 1 ? "," : "", frame_start(w->model, frame[i]));
        else
            fputs(i > 1 ? ",null" : "null", w->out);
    putc(']', w->out);
    column_print(w->out, "isJS", "false", count);
    column_print(w->out, "relevantForJS", "false", count);
    column_print(w->out, "resource", "-1", count);
    column_print(w->out, "columnNumber", "null", count);
    fprintf(w->out, ",\"length\":%" PRIu32 "},\n", count);
    free(frame);
}

static void shared_print(struct writer *w)
{
    uint32_t *of, count = frame_functions(w->model, &of);
    frames_print(w, of);
    functions_print(w, of, count);
    fputs("\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]},\n"
          "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]},\n"
          "\"sources\":{\"filename\":[", w->out);
    for (size_t i = 0; i < w->file_count; i++)
        fprintf(w->out, "%s%" PRIu32, i ? "," : "", string_number(w, w->file[i]));
    putc(']', w->out);
    column_print(w->out, "id", "null", w->file_count);
    column_print(w->out, "startLine", "1", w->file_count);
    column_print(w->out, "startColumn", "1", w->file_count);
    column_print(w->out, "sourceMapURL", "null", w->file_count);
    fprintf(w->out, ",\"length\":%zu},\n\"stringArray\":[", w->file_count);
    for (size_t i = 0; i < w->string_count; i++) {
        fputs(i ? ",\n" : "", w->out);
        quote_prose(w->out, w->string[i]);
    }
    fputs("]}}\n", w->out);
    free(of);
}

void export_firefox(FILE *out, const struct model *model, const struct export_request *request)
{
    struct writer w = { .out = out, .model = model };
    uint32_t costs = 0;
    track_timeline_warn(model, "firefox");
    meta_print(&w);
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_cost_held(model, request, c)) {
            fputs(costs ? ",\n" : "\n", out);
            calls_print(&w, c, !costs, TRACK_CALLS_PROCESS + costs);
            costs++;
        }
    threads_print(&w);
    counters_print(&w, costs);
    shared_print(&w);
    map_free(&w.strings);
    map_free(&w.files);
    arena_free(&w.arena);
    free(w.string);
    free(w.file);
}
