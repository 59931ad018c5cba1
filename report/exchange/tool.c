/* SPDX-License-Identifier: MIT */
/* tool.c: see tool.h. It must not know how a format is written. */
#include "exchange/tool.h"

const struct export_tool export_tools[] = {
#define EXPORT_TOOL(name) { #name, export_##name },
#include "exchange/tools.def"
    { NULL, NULL },
};
const char export_tool_names[] = "one of:"
#define EXPORT_TOOL(name) " " #name
#include "exchange/tools.def"
    ;

double export_sum(const struct model *model, const struct stack_cost *cost)
{
    double sum = 0;
    for (size_t i = 0; i < model->stack_count; i++)
        sum += cost->of(&model->stack[i]);
    return sum;
}

const struct stack_cost *export_cost(const struct model *model, const struct export_request *request)
{
    if (request->cost)
        return request->cost;
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_sum(model, c) > 0)
            return c;
    return stack_costs;
}

bool export_cost_held(const struct model *model, const struct export_request *request, const struct stack_cost *cost)
{
    return request->cost ? cost == request->cost : cost == stack_costs || export_sum(model, cost) > 0;
}

bool export_time_held(const struct model *model, const struct export_request *request, const struct stack_cost *cost)
{
    return export_cost_held(model, request, cost) &&
           (request->cost || cost == stack_costs || cost == stack_cost_find("wait"));
}

double *export_totals(const struct model *model, const struct stack_cost *cost)
{
    double *total = memory_zeroed(model->frame_count, sizeof *total);
    for (size_t i = 0; i < model->stack_count; i++)
        total[model->stack[i].frame] += cost->of(&model->stack[i]);
    for (size_t i = model->frame_count; i-- > 1;)
        total[model->frame[i].parent] += total[i];
    return total;
}
