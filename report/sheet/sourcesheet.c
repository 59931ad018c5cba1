/* SPDX-License-Identifier: MIT */
/* sourcesheet.c: the sources that the page has: functions that cost or wait or have a finding, with the lines around,
 * then those that were reached, as far as there is room. One block a file, inflated when somebody opens it. See
 * sheet.h. */
#include "sheet/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/packing.h"
#include "show/source.h"
#include "words/quote.h"

/* AROUND: lines before and after one with costs. ROOM_BYTES: of all sources, before they are packed to a quarter. */
enum { AROUND = 6, ROOM_BYTES = 6 << 20 };

struct piece { /* a line that is wanted, with what is around it */
    const char *file;
    uint32_t line;
};
struct pieces {
    struct piece *item;
    size_t count, capacity;
};

static int piece_order(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void piece_add(struct pieces *p, const char *file, uint32_t line)
{
    if (file && file[0] && line)
        *ARRAY_PUSH(p->item, p->count, p->capacity) = (struct piece){ file, line };
}

static bool line_costs(const struct model_line *l)
{
    return l->self.ns > 0 || l->total.ns > 0 || traffic_wait_ns(&l->traffic) || l->blocks.alloc_blocks ||
           l->traffic.reads || l->traffic.writes;
}

/* Every line of a function that costs, or with a finding; of others those that were reached if `reached`. */
static struct pieces pieces_find(const struct model *model, bool reached)
{
    struct pieces p = { 0 };
    bool *wanted = memory_zeroed(model->function_count + 1, sizeof *wanted);
    for (size_t i = 0; i < model->line_count; i++)
        if (line_costs(&model->line[i]) && model->line[i].function != MODEL_NONE)
            wanted[model->line[i].function] = true;
    for (size_t i = 0; i < model->advice_count; i++) {
        piece_add(&p, model->advice[i].file, model->advice[i].at);
        if (model->advice[i].function != MODEL_NONE)
            wanted[model->advice[i].function] = true;
    }
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        bool whole = l->function != MODEL_NONE && wanted[l->function];
        if (whole || line_costs(l) || (reached && l->hits))
            piece_add(&p, l->file, l->line);
    }
    for (size_t i = 0; i < model->function_count; i++)
        if (wanted[i] && model->function[i].kind <= PP_SITE_STAGE)
            piece_add(&p, model->function[i].file, model->function[i].line);
    for (size_t i = 0; i < model->stage_count; i++)
        piece_add(&p, model->stage[i].file, model->stage[i].line);
    if (p.count)
        qsort(p.item, p.count, sizeof *p.item, piece_order);
    free(wanted);
    return p;
}

/* The next range of lines of the file of piece `*at`; false: no more. */
static bool range_next(const struct pieces *p, size_t *at, const char *file, uint32_t lines, uint32_t *first,
                       uint32_t *last)
{
    if (*at >= p->count || strcmp(p->item[*at].file, file) != 0 || p->item[*at].line > lines)
        return false;
    *first = p->item[*at].line > AROUND ? p->item[*at].line - AROUND : 1;
    do
        *last = p->item[*at].line + AROUND;
    while (++*at < p->count && strcmp(p->item[*at].file, file) == 0 && p->item[*at].line <= lines &&
           p->item[*at].line <= *last + AROUND + 2);
    *last = *last < lines ? *last : lines;
    return true;
}

/* A line as people may read it; tabs stay. */
static void line_add(struct bytes *to, const char *text)
{
    struct arena arena = { 0 };
    for (size_t part; *text; text += part) {
        part = strcspn(text, "\t");
        const char *plain = quote_plain(&arena, arena_print(&arena, "%.*s", (int)part, text));
        bytes_add(to, plain, strlen(plain));
        if (text[part] == '\t') {
            bytes_add(to, "\t", 1);
            part++;
        }
    }
    bytes_add(to, "\n", 1);
    arena_free(&arena);
}

static size_t pieces_bytes(const struct pieces *p)
{
    size_t sum = 0;
    for (size_t at = 0; at < p->count;) {
        const char *file = p->item[at].file;
        const struct source *source = source_get(file);
        uint32_t first, last, lines = source ? (uint32_t)source_line_count(source) : 0;
        while (range_next(p, &at, file, lines, &first, &last))
            for (uint32_t i = first; i <= last; i++)
                sum += strlen(source_line(source, i, false)) + 1;
        while (at < p->count && strcmp(p->item[at].file, file) == 0)
            at++;
    }
    return sum;
}

/* How many ranges, first line and count of each, then the lines. Returns how many lines. */
static uint32_t source_block(struct book *book, const struct pieces *p, size_t at, const char *file, size_t number)
{
    const struct source *source = source_get(file);
    uint32_t first, last, lines = source ? (uint32_t)source_line_count(source) : 0, count = 0, ranges = 0;
    struct bytes head = { 0 }, text = { 0 };
    while (range_next(p, &at, file, lines, &first, &last)) {
        bytes_number(&head, first);
        bytes_number(&head, last - first + 1);
        for (uint32_t i = first; i <= last; i++)
            line_add(&text, source_line(source, i, false));
        count += last - first + 1;
        ranges++;
    }
    if (ranges) {
        struct bytes length = { 0 };
        fprintf(book->out, "<script type=\"application/octet-stream\" data-source=\"%zu\">", number);
        struct packing *packing = book->packing;
        bytes_number(&length, ranges);
        packing_add(packing, length.byte, length.count);
        packing_add(packing, head.byte, head.count);
        packing_add(packing, text.byte, text.count);
        packing_end(packing);
        fputs("</script>\n", book->out);
        free(length.byte);
    }
    free(head.byte);
    free(text.byte);
    return count;
}

void sheet_sources(struct book *book)
{
    const struct model *model = book->model;
    struct pieces p = pieces_find(model, true);
    if (pieces_bytes(&p) > ROOM_BYTES) {
        free(p.item);
        p = pieces_find(model, false);
    }
    struct sheet *s = sheet_begin(book, "sources");
    size_t number = 0;
    for (size_t at = 0; at < p.count; number++) {
        const char *file = p.item[at].file;
        const struct source *source = source_get(file);
        sheet_text(s, "file", file);
        sheet_number(s, "lines", source ? source_line_count(source) : 0);
        sheet_number(s, "newer", source && source_changed_ns(source) > model->run.start_realtime_ns);
        sheet_number(s, "kept", source ? source_block(book, &p, at, file, number) : 0);
        sheet_row(s);
        while (at < p.count && strcmp(p.item[at].file, file) == 0)
            at++;
    }
    sheet_end(s);
    free(p.item);
}
