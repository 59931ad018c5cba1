/* SPDX-License-Identifier: MIT */
/* remark.c: finds remarks by line and loop, and puts them into words. See remark.h. */
#include "model/remark.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

static const struct {
    const char *name, *text;
} row[PP_REMARK_KIND_COUNT] = {
#define PP_REMARK(id, name, text) { name, text },
#include <profplug/abi/remark.def>
};

const char *remark_name(unsigned kind) { return kind < PP_REMARK_KIND_COUNT ? row[kind].name : "unknown"; }

bool remark_is_telling(unsigned kind)
{
    return kind != PP_REMARK_DECAY && kind != PP_REMARK_LOOP && kind != PP_REMARK_TRIPS &&
           kind != PP_REMARK_TRIPS_KNOWN && kind != PP_REMARK_TRIPS_UNKNOWN &&
           kind != PP_REMARK_PART_WRITE && kind != PP_REMARK_STRIDE && kind != PP_REMARK_CALL &&
           kind != PP_REMARK_SEARCH && kind != PP_REMARK_COUNTED && kind != PP_REMARK_DIGEST &&
           kind != PP_REMARK_NEST && kind != PP_REMARK_SELDOM && kind != PP_REMARK_PIECE &&
           kind != PP_REMARK_REGULAR && kind != PP_REMARK_ROUNDS && kind != PP_REMARK_UNCOUNTED &&
           kind != PP_REMARK_PACE && kind != PP_REMARK_STDERR && kind != PP_REMARK_LOCKS && kind != PP_REMARK_UNLOCKS &&
           kind != PP_REMARK_SAME_TEXT && kind != PP_REMARK_OTHER_PLACE;
}

/* Index of the first remark that does not stand before this line. */
static size_t remark_first(const struct model *model, const char *file, uint32_t line)
{
    size_t low = 0, high = model->remark_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct model_remark *r = &model->remark[middle];
        int order = strcmp(r->file, file);
        if (order < 0 || (order == 0 && r->line < line))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct model_remark *remark_at_line(const struct model *model, const char *file, uint32_t line, size_t *next)
{
    size_t i = *next ? *next : remark_first(model, file, line);
    const struct model_remark *r = i < model->remark_count ? &model->remark[i] : NULL;
    *next = i + 1;
    return r && r->line == line && strcmp(r->file, file) == 0 ? r : NULL;
}

const struct model_remark *remark_of_loop(const struct model *model, const char *file, uint32_t first, uint32_t last,
                                          unsigned kind, size_t *next)
{
    /* a remark may stand at a line outside its loop, such as that of a macro's definition */
    size_t i = *next ? *next : remark_first(model, file, 0);
    for (; i < model->remark_count && strcmp(model->remark[i].file, file) == 0; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != kind || r->loop_first != first || r->loop_last != last)
            continue;
        *next = i + 1;
        return r;
    }
    *next = i + !i;
    return NULL;
}

const struct model_remark *remark_loop(const struct model *model, const char *file, uint32_t line)
{
    const struct model_remark *best = NULL;
    for (size_t i = remark_first(model, file, 0); i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->line > line || strcmp(r->file, file) != 0)
            break;
        if (r->kind == PP_REMARK_LOOP && r->loop_last >= line &&
            (!best || r->loop_last - r->loop_first < best->loop_last - best->loop_first))
            best = r;
    }
    return best;
}

/* What follows a % in a sentence. */
static const char *word_of(const struct model_remark *r, char which, char number[32])
{
    snprintf(number, 32, "%lld", (long long)r->value);
    return which == 'v' ? number : which == 'd' ? r->detail : r->why;
}

const char *remark_text(struct model *model, const struct model_remark *r)
{
    char text[1024], number[32];
    size_t used = 0;
    bool skips = false;
    if (r->kind >= PP_REMARK_KIND_COUNT)
        return "";
    for (const char *at = row[r->kind].text; *at && used < sizeof text - 1; at++) {
        if (*at == '[') {
            const char *end = strchr(at, ']'), *mark = strchr(at, '%');
            skips = mark && end && mark < end && !*word_of(r, mark[1], number);
        } else if (*at == ']') {
            skips = false;
        } else if (!skips && *at == '%' && at[1]) {
            int n = snprintf(text + used, sizeof text - used, "%s", word_of(r, *++at, number));
            used = n > 0 && (size_t)n < sizeof text - used ? used + (size_t)n : sizeof text - 1;
        } else if (!skips) {
            text[used++] = *at;
        }
    }
    text[used] = 0;
    return arena_copy(&model->arena, text);
}
