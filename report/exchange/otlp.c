/* SPDX-License-Identifier: MIT */
/* otlp.c: OpenTelemetry's profiles, signal version v1development (opentelemetry-proto, profiles.proto), as ProfilesData
 * in protocol buffers. The signal is alpha: its messages still change. A profile for each cost; the stage is an
 * attribute of samples. Row 0 of each table is empty, as the format asks. */
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "trace/protobuf.h"

/* field numbers of profiles.proto, common.proto and resource.proto */
enum {
    DATA_RESOURCES = 1, DATA_DICTIONARY,
    DICTIONARY_MAPPING = 1, DICTIONARY_LOCATION, DICTIONARY_FUNCTION, DICTIONARY_LINK, DICTIONARY_STRING,
    DICTIONARY_ATTRIBUTE, DICTIONARY_STACK,
    RESOURCES_RESOURCE = 1, RESOURCES_SCOPES,
    RESOURCE_ATTRIBUTE = 1,
    PAIR_KEY = 1, PAIR_VALUE, PAIR_UNIT, /* of a KeyValue, and of a KeyValueAndUnit */
    ANY_TEXT = 1, ANY_NUMBER = 3,
    SCOPES_SCOPE = 1, SCOPES_PROFILE,
    SCOPE_NAME = 1, SCOPE_VERSION,
    PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_ID,
    TYPE_TYPE = 1, TYPE_UNIT,
    SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4,
    MAPPING_FILE = 4, MAPPING_ATTRIBUTES,
    STACK_LOCATIONS = 1,
    LOCATION_MAPPING = 1, LOCATION_LINE = 3,
    LINE_FUNCTION = 1, LINE_NUMBER,
    FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START,
};

struct writer {
    const struct model *model;
    struct map strings;
    uint32_t string_count, attribute_count, stack_count;
    uint32_t *attribute_of, *stack_of; /* by stage, by frame; 0: it has none yet */
    uint32_t *place;                   /* by frame: its location */
    struct message dictionary, scopes, row, inner, value;
};

static uint32_t string_number(struct writer *w, const char *text)
{
    uint32_t *found = map_at_text(&w->strings, text);
    if (*found == MAP_FRESH) {
        *found = w->string_count++;
        message_text(&w->dictionary, DICTIONARY_STRING, text);
    }
    return *found;
}

static void empty_rows(struct writer *w)
{
    string_number(w, "");
    for (unsigned table = DICTIONARY_MAPPING; table <= DICTIONARY_STACK; table++)
        if (table != DICTIONARY_STRING)
            message_bytes(&w->dictionary, table, "", 0);
    w->attribute_count = w->stack_count = 1;
}

static uint32_t attribute_add(struct writer *w, const char *key, const char *text)
{
    message_clear(&w->row);
    message_clear(&w->value);
    message_number(&w->row, PAIR_KEY, string_number(w, key));
    message_text(&w->value, ANY_TEXT, text);
    message_inner(&w->row, PAIR_VALUE, &w->value);
    message_inner(&w->dictionary, DICTIONARY_ATTRIBUTE, &w->row);
    return w->attribute_count++;
}

static void mapping_add(struct writer *w)
{
    const struct model_module *main = w->model->module_count ? w->model->module : NULL;
    uint32_t build =
        main && main->build_id[0] ? attribute_add(w, "process.executable.build_id.gnu", main->build_id) : 0;
    message_clear(&w->row);
    message_number(&w->row, MAPPING_FILE, string_number(w, main ? main->path : w->model->run.program));
    if (build) {
        message_clear(&w->inner);
        message_packed(&w->inner, build);
        message_inner(&w->row, MAPPING_ATTRIBUTES, &w->inner);
    }
    message_inner(&w->dictionary, DICTIONARY_MAPPING, &w->row);
}

/* Functions have their number in `of`, locations that in w->place. */
static void code_add(struct writer *w)
{
    const struct model *model = w->model;
    uint32_t *of, count = frame_functions(model, &of), *frame = memory_zeroed(count + 1, sizeof *frame);
    for (uint32_t i = 1; i < model->frame_count; i++)
        frame[of[i]] = i;
    for (uint32_t i = 1; i <= count; i++) {
        const struct model_frame *f = &model->frame[frame[i]];
        const char *name = frame_name(model, frame[i]);
        message_clear(&w->row);
        message_number(&w->row, FUNCTION_NAME, string_number(w, name));
        message_number(&w->row, FUNCTION_SYSTEM_NAME,
                       string_number(w, f->name ? name : model->function[f->function].symbol));
        message_number(&w->row, FUNCTION_FILE, string_number(w, frame_file(model, frame[i])));
        message_number(&w->row, FUNCTION_START, frame_start(model, frame[i]));
        message_inner(&w->dictionary, DICTIONARY_FUNCTION, &w->row);
    }
    uint32_t written = 0;
    frame_places(model, of, &w->place);
    for (uint32_t i = 1; i < model->frame_count; i++) {
        if (w->place[i] <= written)
            continue;
        written++;
        message_clear(&w->inner);
        message_number(&w->inner, LINE_FUNCTION, of[i]);
        message_number(&w->inner, LINE_NUMBER, frame_line(model, i));
        message_clear(&w->row);
        message_number(&w->row, LOCATION_MAPPING, 1);
        message_inner(&w->row, LOCATION_LINE, &w->inner);
        message_inner(&w->dictionary, DICTIONARY_LOCATION, &w->row);
    }
    free(of);
    free(frame);
}

static uint32_t stack_number(struct writer *w, uint32_t frame)
{
    if (!w->stack_of[frame]) {
        message_clear(&w->inner);
        for (uint32_t f = frame; f; f = w->model->frame[f].parent)
            message_packed(&w->inner, w->place[f]);
        message_clear(&w->row);
        message_inner(&w->row, STACK_LOCATIONS, &w->inner);
        message_inner(&w->dictionary, DICTIONARY_STACK, &w->row);
        w->stack_of[frame] = w->stack_count++;
    }
    return w->stack_of[frame];
}

static void type_put(struct writer *w, struct message *to, unsigned field, const char *type, const char *unit)
{
    message_clear(&w->inner);
    message_number(&w->inner, TYPE_TYPE, string_number(w, type));
    message_number(&w->inner, TYPE_UNIT, string_number(w, unit));
    message_inner(to, field, &w->inner);
}

static void sample_put(struct writer *w, struct message *profile, const struct model_stack *s, uint64_t value)
{
    uint32_t stack = stack_number(w, s->frame), attribute = 0;
    if (s->stage != MODEL_NONE) {
        if (!w->attribute_of[s->stage])
            w->attribute_of[s->stage] = attribute_add(w, "stage", w->model->stage[s->stage].key);
        attribute = w->attribute_of[s->stage];
    }
    message_clear(&w->row);
    message_number(&w->row, SAMPLE_STACK, stack);
    message_clear(&w->inner);
    if (attribute) {
        message_packed(&w->inner, attribute);
        message_inner(&w->row, SAMPLE_ATTRIBUTES, &w->inner);
        message_clear(&w->inner);
    }
    message_packed(&w->inner, value);
    message_inner(&w->row, SAMPLE_VALUES, &w->inner);
    message_inner(profile, PROFILE_SAMPLE, &w->row);
}

/* 16 bytes that no other profile has: when the run began, its process, and the cost. */
static void id_put(struct writer *w, struct message *profile, const struct stack_cost *cost)
{
    const struct model_run *run = &w->model->run;
    unsigned char id[16];
    uint32_t number[2] = { run->pid, (uint32_t)(cost - stack_costs) + 1 };
    memcpy(id, &run->start_realtime_ns, 8);
    memcpy(id + 8, number, 8);
    message_bytes(profile, PROFILE_ID, id, sizeof id);
}

static void profile_put(struct writer *w, const struct stack_cost *cost)
{
    struct message profile = { .byte = NULL };
    const struct model_run *run = &w->model->run;
    double left = 0;
    type_put(w, &profile, PROFILE_TYPE, cost->name, cost->unit);
    for (size_t i = 0; i < w->model->stack_count; i++) {
        double value = cost->of(&w->model->stack[i]) + left;
        uint64_t whole = number_whole(value); /* what is cut off goes to the next: the sum stays */
        left = value - (double)whole;
        if (whole)
            sample_put(w, &profile, &w->model->stack[i], whole);
    }
    message_fixed(&profile, PROFILE_TIME, run->start_realtime_ns);
    message_number(&profile, PROFILE_DURATION, run->wall_ns);
    if (run->sample_period_ns && (strcmp(cost->name, "cpu") == 0 || strcmp(cost->name, "samples") == 0)) {
        type_put(w, &profile, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
        message_number(&profile, PROFILE_PERIOD, run->sample_period_ns);
    }
    id_put(w, &profile, cost);
    message_inner(&w->scopes, SCOPES_PROFILE, &profile);
    free(profile.byte);
}

/* An attribute of the resource: a text, or the number if the text is NULL. */
static void resource_attribute(struct writer *w, struct message *resource, const char *key, const char *text,
                               uint64_t number)
{
    message_clear(&w->value);
    if (text)
        message_text(&w->value, ANY_TEXT, text);
    else
        message_always(&w->value, ANY_NUMBER, number);
    message_clear(&w->row);
    message_text(&w->row, PAIR_KEY, key);
    message_inner(&w->row, PAIR_VALUE, &w->value);
    message_inner(resource, RESOURCE_ATTRIBUTE, &w->row);
}

static void resources_print(struct writer *w, FILE *out)
{
    const struct model_run *run = &w->model->run;
    struct message resource = { .byte = NULL }, resources = { .byte = NULL };
    const char *slash = strrchr(run->program, '/');
    resource_attribute(w, &resource, "service.name", slash && slash[1] ? slash + 1 : run->program, 0);
    resource_attribute(w, &resource, "host.name", run->host ? run->host : "", 0);
    resource_attribute(w, &resource, "process.executable.path", run->program, 0);
    resource_attribute(w, &resource, "process.pid", NULL, run->pid);
    message_inner(&resources, RESOURCES_RESOURCE, &resource);
    message_inner(&resources, RESOURCES_SCOPES, &w->scopes);
    message_print(out, DATA_RESOURCES, &resources);
    free(resource.byte);
    free(resources.byte);
}

void export_otlp(FILE *out, const struct model *model, const struct export_request *request)
{
    struct writer w = { .model = model };
    w.attribute_of = memory_zeroed(model->stage_count + 1, sizeof *w.attribute_of);
    w.stack_of = memory_zeroed(model->frame_count + 1, sizeof *w.stack_of);
    empty_rows(&w);
    mapping_add(&w);
    code_add(&w);
    message_clear(&w.row);
    message_text(&w.row, SCOPE_NAME, "profplug");
    message_text(&w.row, SCOPE_VERSION, PROFPLUG_VERSION);
    message_inner(&w.scopes, SCOPES_SCOPE, &w.row);
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_cost_held(model, request, c))
            profile_put(&w, c);
    resources_print(&w, out);
    message_print(out, DATA_DICTIONARY, &w.dictionary);
    map_free(&w.strings);
    free(w.attribute_of);
    free(w.stack_of);
    free(w.place);
    free(w.dictionary.byte);
    free(w.scopes.byte);
    free(w.row.byte);
    free(w.inner.byte);
    free(w.value.byte);
}
