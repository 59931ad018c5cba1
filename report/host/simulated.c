/* SPDX-License-Identifier: MIT */
/* simulated.c: see simulated.h. */
#include "host/simulated.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words/diag.h"

enum { BYTES_MOST = 64 << 20 };

static char *text_read(const char *path)
{
    size_t used = 0, got;
    char *text = NULL;
    FILE *file = fopen(path, "re");
    do {
        char *more = file ? realloc(text, used + 65537) : NULL;
        got = more ? fread(more + used, 1, 65536, file) : 0;
        text = more ? more : text;
        used += got;
        if (more)
            text[used] = 0;
    } while (got && used < BYTES_MOST);
    if (file)
        fclose(file);
    return text;
}

/* A number of the object, within limits; otherwise false. */
static bool number_take(const cJSON *from, const char *name, double least, double most, double *value)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(from, name);
    *value = cJSON_IsNumber(number) ? number->valuedouble : least - 1;
    return *value >= least && *value <= most;
}

static bool stage_take(const cJSON *target, struct arena *arena, struct simulation_stage *stage)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(target, "name"), *point;
    if (!cJSON_IsString(name))
        return false;
    stage->name = arena_copy(arena, name->valuestring);
    cJSON_ArrayForEach(point, cJSON_GetObjectItemCaseSensitive(target, "points"))
    {
        const cJSON *saving = cJSON_GetObjectItemCaseSensitive(point, "saving_percent");
        size_t i = stage->point_count++;
        double before = i ? stage->percent[i - 1] : 0;
        if (i == SIMULATION_POINTS || !number_take(point, "percent", before, 100, &stage->percent[i]) ||
            stage->percent[i] <= before || !number_take(saving, "low", -1e9, 100, &stage->low[i]) ||
            !number_take(saving, "high", stage->low[i], 100, &stage->high[i]))
            return false;
    }
    return stage->point_count;
}

static bool document_take(const cJSON *root, struct arena *arena, struct simulation *simulation)
{
    const cJSON *targets = cJSON_GetObjectItemCaseSensitive(root, "targets"), *target,
                *schema = cJSON_GetObjectItemCaseSensitive(root, "schema"),
                *progress =
                    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "progress"), "name");
    if (!cJSON_IsString(schema) || strcmp(schema->valuestring, "profplug-causal/1") || !cJSON_IsArray(targets))
        return false;
    simulation->progress = cJSON_IsString(progress) ? arena_copy(arena, progress->valuestring) : NULL;
    simulation->stage = arena_take(arena, ((size_t)cJSON_GetArraySize(targets) + 1) * sizeof *simulation->stage);
    cJSON_ArrayForEach(
        target, targets) if (!stage_take(target, arena, &simulation->stage[simulation->stage_count++])) return false;
    return true;
}

int simulated_read(const char *path, struct arena *arena, struct simulation *simulation)
{
    *simulation = (struct simulation){ .stage_count = 0 };
    errno = 0;
    char *text = text_read(path);
    if (!text)
        return diag_error(path, "%s; expected what `profplug causal --format json` writes", strerror(errno));
    cJSON *root = cJSON_Parse(text);
    free(text);
    bool taken = document_take(root, arena, simulation);
    cJSON_Delete(root);
    return taken ? 0 : diag_error(path, "not profplug-causal/1; expected what `profplug causal --format json` writes");
}
