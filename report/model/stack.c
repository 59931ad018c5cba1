/* SPDX-License-Identifier: MIT */
/* stack.c: see stack.h. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "store/map.h"

#define STACK_COST(name, unit, how, meaning) \
    static double name##_of(const struct model_stack *s) { return how; }
STACK_COSTS(STACK_COST)
#undef STACK_COST

const struct stack_cost stack_costs[] = {
#define STACK_COST(name, unit, how, meaning) { #name, #unit, meaning, name##_of },
    STACK_COSTS(STACK_COST)
#undef STACK_COST
    { NULL, NULL, NULL, NULL },
};
const char stack_cost_names[] = "one of:"
#define STACK_COST(name, unit, how, meaning) " " #name
    STACK_COSTS(STACK_COST)
#undef STACK_COST
    ;

const struct stack_cost *stack_cost_find(const char *name)
{
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static const struct model_function *function_of(const struct model *model, uint32_t frame)
{
    uint32_t f = model->frame[frame].function;
    return f == MODEL_NONE ? NULL : &model->function[f];
}

const char *frame_name(const struct model *model, uint32_t frame)
{
    const struct model_function *f = function_of(model, frame);
    if (model->frame[frame].name || !f)
        return model->frame[frame].name ? model->frame[frame].name : model->run.program;
    return f->name;
}

const char *frame_file(const struct model *model, uint32_t frame)
{
    const struct model_function *f = function_of(model, frame);
    uint32_t line = model->frame[frame].line;
    return line != MODEL_NONE ? model->line[line].file : f ? f->file : "";
}

uint32_t frame_line(const struct model *model, uint32_t frame)
{
    uint32_t line = model->frame[frame].line;
    return line != MODEL_NONE ? model->line[line].line : 0;
}

const char *frame_home(const struct model *model, uint32_t frame)
{
    const struct model_function *f = function_of(model, frame);
    return f && f->file ? f->file : frame_file(model, frame);
}

uint32_t frame_start(const struct model *model, uint32_t frame)
{
    const struct model_function *f = function_of(model, frame);
    return f ? f->line : 0;
}

uint32_t frame_functions(const struct model *model, uint32_t **of)
{
    struct map names = { 0 };
    uint32_t *function = memory_zeroed(model->function_count, sizeof *function), count = 0;
    *of = memory_zeroed(model->frame_count, sizeof **of);
    for (uint32_t i = 1; i < model->frame_count; i++) {
        const struct model_frame *f = &model->frame[i];
        uint32_t *at = f->name ? map_at_text(&names, f->name) : &function[f->function];
        if (*at == (f->name ? MAP_FRESH : 0))
            *at = ++count;
        (*of)[i] = *at;
    }
    free(function);
    map_free(&names);
    return count;
}

uint32_t frame_places(const struct model *model, const uint32_t *of_function, uint32_t **of)
{
    struct map places = { 0 };
    uint32_t count = 0;
    *of = memory_zeroed(model->frame_count, sizeof **of);
    for (uint32_t i = 1; i < model->frame_count; i++) {
        uint32_t key[2] = { of_function[i], frame_line(model, i) }, *at = map_at(&places, key, sizeof key);
        if (*at == MAP_FRESH)
            *at = ++count;
        (*of)[i] = *at;
    }
    map_free(&places);
    return count;
}
