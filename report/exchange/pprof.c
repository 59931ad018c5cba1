/* SPDX-License-Identifier: MIT */
/* pprof.c: stacks as pprof's profile.proto (github.com/google/pprof, proto/profile.proto), not compressed. All costs
 * are sample types; the stage is a label. Strings are as for people: valid UTF-8. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "trace/protobuf.h"
#include "words/quote.h"

/* field numbers of profile.proto */
enum {
    PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING,
    PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT,
    TYPE_TYPE = 1, TYPE_UNIT,
    SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL,
    LABEL_KEY = 1, LABEL_STRING,
    MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILD, MAPPING_FUNCTIONS, MAPPING_FILES, MAPPING_LINES, MAPPING_INLINED,
    LOCATION_ID = 1, LOCATION_ADDRESS = 3, LOCATION_LINE,
    LINE_FUNCTION = 1, LINE_NUMBER,
    FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START,
};

struct writer {
    FILE *out;
    const struct model *model;
    struct map strings;
    uint32_t string_count;
    uint32_t *place; /* by frame: its location */
    struct arena arena;
    struct message outer, inner;
};

/* Strings are written as they come: the table's order is theirs. The first is the empty one. */
static uint32_t string_number(struct writer *w, const char *text)
{
    const char *plain = quote_plain(&w->arena, text);
    uint32_t *found = map_at_text(&w->strings, plain);
    if (*found == MAP_FRESH) {
        *found = w->string_count++;
        message_print(w->out, PROFILE_STRING,
                      &(struct message){ .byte = (unsigned char *)plain, .count = strlen(plain) });
    }
    return *found;
}

static void type_print(struct writer *w, unsigned field, const char *type, const char *unit)
{
    message_clear(&w->outer);
    message_number(&w->outer, TYPE_TYPE, string_number(w, type));
    message_number(&w->outer, TYPE_UNIT, string_number(w, unit));
    message_print(w->out, field, &w->outer);
}

static void functions_print(struct writer *w, const uint32_t *of, uint32_t count)
{
    bool *done = memory_zeroed(count + 1, sizeof *done);
    for (uint32_t i = 0; i < w->model->frame_count; i++) {
        if (!i || done[of[i]])
            continue;
        done[of[i]] = true;
        const struct model_frame *f = &w->model->frame[i];
        const struct model_function *function = f->name ? NULL : &w->model->function[f->function];
        message_clear(&w->outer);
        message_number(&w->outer, FUNCTION_ID, of[i]);
        message_number(&w->outer, FUNCTION_NAME, string_number(w, frame_name(w->model, i)));
        message_number(&w->outer, FUNCTION_SYSTEM_NAME,
                       string_number(w, function ? function->symbol : frame_name(w->model, i)));
        message_number(&w->outer, FUNCTION_FILE, string_number(w, function ? function->file : ""));
        message_number(&w->outer, FUNCTION_START, frame_start(w->model, i));
        message_print(w->out, PROFILE_FUNCTION, &w->outer);
    }
    free(done);
}

/* pprof's page of sources goes by addresses. Ours are numbers alone: each location has its own, and none is in a
 * mapping, where pprof would disassemble it. */
static void locations_print(struct writer *w, const uint32_t *of)
{
    uint32_t written = 0;
    frame_places(w->model, of, &w->place);
    for (uint32_t i = 1; i < w->model->frame_count; i++) {
        if (w->place[i] <= written)
            continue;
        message_clear(&w->inner);
        message_number(&w->inner, LINE_FUNCTION, of[i]);
        message_number(&w->inner, LINE_NUMBER, frame_line(w->model, i));
        message_clear(&w->outer);
        message_number(&w->outer, LOCATION_ID, ++written);
        message_number(&w->outer, LOCATION_ADDRESS, written);
        message_bytes(&w->outer, LOCATION_LINE, w->inner.byte, w->inner.count);
        message_print(w->out, PROFILE_LOCATION, &w->outer);
    }
}

static void sample_print(struct writer *w, const struct model_stack *s)
{
    message_clear(&w->outer);
    message_clear(&w->inner);
    for (uint32_t f = s->frame; f; f = w->model->frame[f].parent)
        message_packed(&w->inner, w->place[f]);
    message_bytes(&w->outer, SAMPLE_LOCATION, w->inner.byte, w->inner.count);
    message_clear(&w->inner);
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        message_packed(&w->inner, number_whole(c->of(s) + 0.5));
    message_bytes(&w->outer, SAMPLE_VALUE, w->inner.byte, w->inner.count);
    if (s->stage != MODEL_NONE) {
        message_clear(&w->inner);
        message_number(&w->inner, LABEL_KEY, string_number(w, "stage"));
        message_number(&w->inner, LABEL_STRING, string_number(w, w->model->stage[s->stage].key));
        message_bytes(&w->outer, SAMPLE_LABEL, w->inner.byte, w->inner.count);
    }
    message_print(w->out, PROFILE_SAMPLE, &w->outer);
}

static void number_print(struct writer *w, unsigned field, uint64_t value)
{
    message_clear(&w->outer);
    message_number(&w->outer, field, value);
    fwrite(w->outer.byte, 1, w->outer.count, w->out);
}

static void mapping_print(struct writer *w)
{
    const struct model_module *main = w->model->module_count ? w->model->module : NULL;
    message_clear(&w->outer);
    message_number(&w->outer, MAPPING_ID, 1);
    message_number(&w->outer, MAPPING_FILE, string_number(w, main ? main->path : w->model->run.program));
    message_number(&w->outer, MAPPING_BUILD, string_number(w, main ? main->build_id : ""));
    for (unsigned known = MAPPING_FUNCTIONS; known <= MAPPING_INLINED; known++)
        message_number(&w->outer, known, 1); /* nothing is left to be looked up */
    message_print(w->out, PROFILE_MAPPING, &w->outer);
}

void export_pprof(FILE *out, const struct model *model, const struct export_request *request)
{
    struct writer w = { .out = out, .model = model };
    uint32_t *of, count = frame_functions(model, &of);
    string_number(&w, "");
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        type_print(&w, PROFILE_SAMPLE_TYPE, c->name, c->unit);
    mapping_print(&w);
    functions_print(&w, of, count);
    locations_print(&w, of);
    for (size_t i = 0; i < model->stack_count; i++)
        sample_print(&w, &model->stack[i]);
    number_print(&w, PROFILE_TIME, model->run.start_realtime_ns);
    number_print(&w, PROFILE_DURATION, model->run.wall_ns);
    if (model->run.sample_period_ns) {
        type_print(&w, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
        number_print(&w, PROFILE_PERIOD, model->run.sample_period_ns);
    }
    if (model->blocks_vary > 0)
        number_print(&w, PROFILE_COMMENT,
                     string_number(&w, "blocks and bytes of the heap are estimated from sampled blocks (blocks=exact "
                                       "counts all); profplug report --section allocations shows the errors"));
    number_print(&w, PROFILE_DEFAULT, string_number(&w, export_cost(model, request)->name));
    free(of);
    free(w.place);
    free(w.outer.byte);
    free(w.inner.byte);
    map_free(&w.strings);
    arena_free(&w.arena);
}
