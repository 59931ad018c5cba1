/* SPDX-License-Identifier: MIT */
/* sheet.c: see sheet.h. A block begins with the number of rows and that of columns. Each column has its name, a letter
 * for its kind, and how many bytes its numbers take. docs/page.md describes the format. */
#include "sheet/sheet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/packing.h"
#include "words/quote.h"

enum { COLUMNS_MOST = 64 };

struct sheet_column {
    const char *name;
    char kind;
    bool wide; /* a value has more than 32 bits */
    uint32_t before;
    const char *text; /* the last one, and its number: neighbours often share theirs */
    uint32_t text_number;
    struct bytes numbers;
};
struct sheet {
    struct book *book;
    const char *name;
    size_t rows, columns, at;
    struct sheet_column column[COLUMNS_MOST];
};
struct text_slot {
    const char *text; /* as it was given */
    uint32_t number;
};

/* ---- texts ---- */

static size_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        hash = (hash ^ *at) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

static struct text_slot *text_find(struct book *b, const char *text)
{
    size_t at = text_hash(text) & (b->slot_room - 1);
    while (b->slot[at].text && strcmp(b->slot[at].text, text) != 0)
        at = (at + 1) & (b->slot_room - 1);
    return &b->slot[at];
}

static uint32_t text_number(struct book *b, const char *text)
{
    if (b->text_count * 2 >= b->slot_room) {
        struct text_slot *old = b->slot;
        size_t room = b->slot_room;
        b->slot_room = room ? room * 2 : 1024;
        b->slot = memory_zeroed(b->slot_room, sizeof *b->slot);
        for (size_t i = 0; i < room; i++)
            if (old[i].text)
                *text_find(b, old[i].text) = old[i];
        free(old);
    }
    struct text_slot *slot = text_find(b, text);
    if (!slot->text) {
        slot->text = text;
        slot->number = (uint32_t)b->text_count;
        *ARRAY_PUSH(b->text, b->text_count, b->text_room) = quote_plain(&b->arena, text);
    }
    return slot->number;
}

/* ---- columns ---- */

static struct sheet_column *column_next(struct sheet *s, const char *name, char kind)
{
    assert(s->at < COLUMNS_MOST);
    struct sheet_column *c = &s->column[s->at++];
    if (s->at > s->columns) {
        assert(s->rows == 0);
        s->columns = s->at;
        c->name = name;
        c->kind = kind;
    }
    assert(strcmp(c->name, name) == 0 && c->kind == kind);
    return c;
}

static void column_add(struct sheet_column *c, uint64_t value)
{
    c->wide = c->wide || value > UINT32_MAX;
    bytes_number(&c->numbers, value);
}

void sheet_number(struct sheet *s, const char *column, uint64_t value)
{
    column_add(column_next(s, column, 'u'), value);
}

void sheet_known(struct sheet *s, const char *column, bool known, uint64_t value)
{
    column_add(column_next(s, column, 'o'), known ? value + (value < UINT64_MAX) : 0);
}

void sheet_signed(struct sheet *s, const char *column, int64_t value)
{
    column_add(column_next(s, column, 'z'), (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void sheet_time(struct sheet *s, const char *column, double ns)
{
    column_add(column_next(s, column, 'u'), ns > 0 ? (uint64_t)llround(fmin(ns, 9.2e18)) : 0);
}

void sheet_delta(struct sheet *s, const char *column, uint32_t value)
{
    struct sheet_column *c = column_next(s, column, 'd');
    int64_t step = (int64_t)value - c->before;
    column_add(c, (uint64_t)step << 1 ^ (step < 0 ? UINT64_MAX : 0));
    c->before = value;
}

void sheet_percent(struct sheet *s, const char *column, bool known, double percent)
{
    bool sane = known && percent >= 0 && isfinite(percent);
    column_add(column_next(s, column, 'c'), sane ? (uint64_t)llround(fmin(percent, 1e12) * 100) + 1 : 0);
}

void sheet_index(struct sheet *s, const char *column, uint32_t index)
{
    sheet_known(s, column, index != MODEL_NONE, index);
}

void sheet_text(struct sheet *s, const char *column, const char *text)
{
    struct sheet_column *c = column_next(s, column, 's');
    if (!text)
        text = "";
    if (text != c->text)
        c->text_number = text_number(s->book, text);
    c->text = text;
    column_add(c, c->text_number);
}

void sheet_error(struct sheet *s, const char *column, const struct value *value)
{
    sheet_percent(s, column, value->ns > 0, value_error_percent(*value));
}

/* ---- sheets ---- */

struct sheet *sheet_begin(struct book *book, const char *name)
{
    struct sheet *s = memory_zeroed(1, sizeof *s);
    s->book = book;
    s->name = name;
    return s;
}

void sheet_row(struct sheet *s)
{
    assert(s->at == s->columns);
    s->at = 0;
    s->rows++;
}

void sheet_end(struct sheet *s)
{
    struct bytes head = { 0 };
    fprintf(s->book->out, "<script type=\"application/octet-stream\" data-sheet=\"%s\">", s->name);
    struct packing *packing = s->book->packing;
    bytes_number(&head, s->rows);
    bytes_number(&head, s->columns);
    for (size_t i = 0; i < s->columns; i++) {
        struct sheet_column *c = &s->column[i];
        bytes_number(&head, strlen(c->name));
        bytes_add(&head, c->name, strlen(c->name));
        bytes_add(&head, c->kind == 'u' && c->wide ? "w" : &c->kind, 1);
        bytes_number(&head, c->numbers.count);
        packing_add(packing, head.byte, head.count);
        packing_add(packing, c->numbers.byte, c->numbers.count);
        head.count = 0;
        free(c->numbers.byte);
    }
    packing_add(packing, head.byte, head.count);
    packing_end(packing);
    fputs("</script>\n", s->book->out);
    free(head.byte);
    free(s);
}

/* All texts: how many, the bytes of each, then themselves. */
static void texts_write(struct book *b)
{
    struct bytes head = { 0 };
    fputs("<script type=\"application/octet-stream\" data-sheet=\"texts\">", b->out);
    struct packing *packing = b->packing;
    bytes_number(&head, b->text_count);
    for (size_t i = 0; i < b->text_count; i++)
        bytes_number(&head, strlen(b->text[i]));
    packing_add(packing, head.byte, head.count);
    for (size_t i = 0; i < b->text_count; i++)
        packing_add(packing, b->text[i], strlen(b->text[i]));
    packing_end(packing);
    fputs("</script>\n", b->out);
    free(head.byte);
}

void book_write(FILE *out, const struct model *model, const struct view *view)
{
    struct book book = { .out = out, .model = model, .view = view, .packing = packing_make(out) };
#define SHEET(name) sheet_##name(&book);
#include "sheet/sheets.def"
    texts_write(&book);
    packing_free(book.packing);
    arena_free(&book.arena);
    free(book.slot);
    free(book.text);
}
