/* SPDX-License-Identifier: MIT */
/* homes.c: see homes.h. */
#include "advice/homes.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CALLED 0.8 /* of a function's time, below the one that destroys what it fills */

static const char *node_name(const struct model *model, const struct model_node *node)
{
    return node->function != MODEL_NONE ? model->function[node->function].name : "";
}

/* Whether what the node calls fills an object of the destructor's class, such as std::vector<int>::~vector, and does
 * not destroy one. */
static bool fills(const struct model *model, uint32_t node, const char *destructor)
{
    size_t bytes = (size_t)(strstr(destructor, "::~") - destructor) + 2;
    bool found = false;
    for (size_t i = 1; i < model->node_count; i++) {
        const char *name = node_name(model, &model->node[i]);
        if (model->node[i].parent != node || strncmp(name, destructor, bytes) != 0)
            continue;
        if (name[bytes] == '~')
            return false;
        found = true;
    }
    return found;
}

static bool destroys(const struct model *model, const struct model_node *node)
{
    const char *name = node_name(model, node);
    return strstr(name, "::~") && library_has(LIBRARY_OBJECT, name);
}

/* Whether the function that calls the node's destroys what that fills. */
static bool is_filled_for(const struct model *model, uint32_t node)
{
    uint32_t caller = model->node[node].parent;
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (caller && n->parent == caller && destroys(model, n) && fills(model, node, node_name(model, n)))
            return true;
    }
    return false;
}

double homes_regrown_ns(const struct model *model, uint32_t caller, uint32_t function)
{
    double ns = 0;
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        const char *name = node_name(model, n);
        uint32_t up = n->parent;
        bool grows = strstr(name, "::_M_realloc_"), ends = model->node[up].function == caller && strstr(name, "::~");
        while (grows && up && model->node[up].function != function)
            up = model->node[up].parent;
        if ((grows && up) || (ends && library_has(LIBRARY_OBJECT, name)))
            ns += n->below.ns;
    }
    return ns;
}

uint32_t *homes_make(const struct advice *a, const struct library_use *use)
{
    struct model *model = a->model;
    uint32_t *home = arena_take(&model->arena, (model->function_count + 1) * sizeof *home);
    bool *ends = memory_zeroed(model->node_count + 1, sizeof *ends); /* by node: it calls a destructor. Few do */
    for (uint32_t f = 0; f < model->function_count; f++)
        home[f] = f;
    for (size_t i = 1; i < model->node_count; i++)
        if (destroys(model, &model->node[i]))
            ends[model->node[i].parent] = true;
    for (size_t i = 0; i < use->count; i++) {
        uint32_t function = model->line[use->line[i].line].function, caller = MODEL_NONE;
        double all = 0, filled = 0;
        for (uint32_t n = 1; n < model->node_count && function != MODEL_NONE; n++) {
            if (model->node[n].function != function)
                continue;
            all += model->node[n].below.ns;
            uint32_t up = model->node[n].parent, by = model->node[up].function;
            if (!ends[up] || by == function || (caller != MODEL_NONE && by != caller) || !is_filled_for(model, n))
                continue;
            caller = by;
            filled += model->node[n].below.ns;
        }
        if (caller != MODEL_NONE && filled >= MOST_CALLED * all)
            home[function] = caller;
    }
    free(ends);
    return home;
}
