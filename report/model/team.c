/* SPDX-License-Identifier: MIT */
/* team.c: see team.h. */
#include "model/team.h"

#include <string.h>

bool module_is_team(const struct model_module *module)
{
    const char *slash = strrchr(module->path, '/'), *name = slash ? slash + 1 : module->path;
    return strncmp(name, "libgomp.so", 10) == 0 || strncmp(name, "libomp.so", 9) == 0 ||
           strncmp(name, "libiomp5.so", 11) == 0;
}

bool function_is_region(const struct model_function *function)
{
    return function->symbol && strstr(function->symbol, PP_REGION_MARK);
}

/* Calls in which threads of a team wait for each other. Others of the library are locks, or look for tasks. */
static bool meets(const char *name)
{
    static const char *const calls[] = { "GOMP_parallel", "GOMP_barrier", "GOMP_loop_end", "GOMP_sections_end",
                                         "__kmpc_fork_call", "__kmpc_barrier" };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(name, calls[i], strlen(calls[i])) == 0)
            return true;
    return false;
}

bool sample_is_of_team(const struct model *model, const struct model_sample *sample)
{
    const struct model_line *line = sample->line == MODEL_NONE ? NULL : &model->line[sample->line];
    bool is_inside = false;
    for (size_t i = 0; i < model->module_count && sample->library; i++)
        is_inside = is_inside || (model->module[i].id == sample->library && module_is_team(&model->module[i]));
    if (!is_inside || sample->profiler)
        return false;
    for (uint32_t i = 0; line && i < line->callee_count; i++) {
        const char *name = model->callee[line->callee + i].name;
        if (name && meets(name))
            return true;
    }
    return !line;
}
