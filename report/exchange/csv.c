/* SPDX-License-Identifier: MIT */
/* csv.c: a table of the report as RFC 4180 has it, with the names of the JSON report's fields. A field that was not
 * measured is empty. */
#include <inttypes.h>
#include <string.h>

#include "exchange/tool.h"
#include "words/quote.h"

struct sheet {
    FILE *out;
    bool begun; /* the row has a field */
};

static void text_put(struct sheet *s, const char *text)
{
    struct arena arena = { 0 };
    const char *plain = quote_plain(&arena, text ? text : "");
    fputs(s->begun ? "," : "", s->out);
    s->begun = true;
    if (!strpbrk(plain, ",\" ")) {
        fputs(plain, s->out);
    } else {
        putc('"', s->out);
        for (const char *c = plain; *c; c++) {
            if (*c == '"')
                putc('"', s->out);
            putc(*c, s->out);
        }
        putc('"', s->out);
    }
    arena_free(&arena);
}

static void number_put(struct sheet *s, bool known, uint64_t value)
{
    fputs(s->begun ? "," : "", s->out);
    s->begun = true;
    if (known)
        fprintf(s->out, "%" PRIu64, value);
}

static void time_put(struct sheet *s, struct value value)
{
    number_put(s, true, number_whole(value.ns + 0.5));
}

static void error_put(struct sheet *s, struct value value)
{
    fprintf(s->out, ",%.3g", value_error_percent(value));
}

static void row_end(struct sheet *s)
{
    fputs("\r\n", s->out);
    s->begun = false;
}

static void blocks_put(struct sheet *s, const struct model *model, const struct model_blocks *b)
{
    number_put(s, model->has_blocks, b->alloc_bytes);
    number_put(s, model->has_blocks, b->alloc_blocks);
    struct blocks_errors error = blocks_errors(b);
    number_put(s, model->has_blocks, number_whole(error.alloc_bytes));
    number_put(s, model->has_blocks, number_whole(error.alloc_blocks));
}

static void lines_print(struct sheet *s, const struct model *model)
{
    fputs("file,line,function,hits,self_ns,error_percent,user_ns,system_ns,wait_ns,total_ns,samples,alloc_bytes,"
          "alloc_blocks,alloc_bytes_error,alloc_blocks_error,read_bytes,write_bytes\r\n", s->out);
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        if (!l->hits && !l->total_samples && l->self.ns <= 0 && l->stalled.ns <= 0 && !l->blocks.alloc_blocks &&
            !l->traffic.reads && !l->traffic.writes)
            continue;
        text_put(s, l->file);
        number_put(s, true, l->line);
        text_put(s, l->function == MODEL_NONE ? "" : model->function[l->function].name);
        number_put(s, l->hits_known, l->hits);
        time_put(s, l->self);
        error_put(s, l->self);
        number_put(s, true, number_whole(l->self.ns - l->system_ns + 0.5));
        number_put(s, true, number_whole(l->system_ns + 0.5));
        time_put(s, l->stalled);
        time_put(s, l->total);
        number_put(s, true, l->samples);
        blocks_put(s, model, &l->blocks);
        number_put(s, model->has_operations, l->traffic.read_bytes);
        number_put(s, model->has_operations, l->traffic.write_bytes);
        row_end(s);
    }
}

static void functions_print(struct sheet *s, const struct model *model)
{
    fputs("name,file,line,calls,self_ns,error_percent,user_ns,system_ns,cpu_total_ns,wait_total_ns,samples,alloc_bytes,"
          "alloc_blocks,alloc_bytes_error,alloc_blocks_error,read_bytes,write_bytes\r\n", s->out);
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind > PP_SITE_STAGE || (!f->calls && !f->total_samples && f->total.ns <= 0 && f->stalled.ns <= 0))
            continue;
        text_put(s, f->name);
        text_put(s, f->file);
        number_put(s, f->line, f->line);
        number_put(s, f->calls_known, f->calls);
        time_put(s, f->self);
        error_put(s, f->self);
        number_put(s, true, number_whole(f->self.ns - f->system_ns + 0.5));
        number_put(s, true, number_whole(f->system_ns + 0.5));
        time_put(s, f->total);
        time_put(s, f->stalled);
        number_put(s, true, f->samples);
        blocks_put(s, model, &f->blocks);
        number_put(s, model->has_operations, f->traffic.read_bytes);
        number_put(s, model->has_operations, f->traffic.write_bytes);
        row_end(s);
    }
}

static void stages_print(struct sheet *s, const struct model *model)
{
    fputs("key,file,line,calls,iterations,wall_total_ns,wall_self_ns,cpu_ns,wall_p50_ns,wall_p95_ns,wall_p99_ns,"
          "wall_max_ns,read_bytes,write_bytes\r\n", s->out);
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *g = &model->stage[i];
        double cpu_ns = stage_cpu_ns(g);
        bool timed = g->times.timed_calls > 0;
        text_put(s, g->key);
        text_put(s, g->file);
        number_put(s, true, g->line);
        number_put(s, true, g->times.calls);
        number_put(s, g->kind == PP_SITE_LOOP, g->iteration.calls);
        number_put(s, timed, g->times.wall_ns);
        number_put(s, timed, g->times.self_ns);
        number_put(s, cpu_ns >= 0, number_whole(cpu_ns + 0.5));
        number_put(s, timed, number_whole(times_percentile(&g->times, 0.50) + 0.5));
        number_put(s, timed, number_whole(times_percentile(&g->times, 0.95) + 0.5));
        number_put(s, timed, number_whole(times_percentile(&g->times, 0.99) + 0.5));
        number_put(s, timed, g->times.max_ns);
        number_put(s, model->has_operations, g->traffic.read_bytes);
        number_put(s, model->has_operations, g->traffic.write_bytes);
        row_end(s);
    }
}

static void threads_print(struct sheet *s, const struct model *model)
{
    fputs("id,name,wall_ns,cpu_ns,wait_ns,samples\r\n", s->out);
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *t = &model->thread[i];
        number_put(s, true, t->id);
        text_put(s, t->name);
        number_put(s, true, t->wall_ns);
        number_put(s, true, t->cpu_ns);
        number_put(s, true, t->wait_ns);
        number_put(s, true, t->samples);
        row_end(s);
    }
}

#define TABLES(TABLE) TABLE(lines) TABLE(functions) TABLE(stages) TABLE(threads)

const char export_table_names[] = "one of:"
#define TABLE(name) " " #name
    TABLES(TABLE)
#undef TABLE
    ;

static const struct {
    const char *name;
    void (*print)(struct sheet *sheet, const struct model *model);
} tables[] = {
#define TABLE(name) { #name, name##_print },
    TABLES(TABLE)
#undef TABLE
};

bool export_table_known(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, name) == 0)
            return true;
    return false;
}

void export_csv(FILE *out, const struct model *model, const struct export_request *request)
{
    struct sheet sheet = { .out = out };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (request->table ? strcmp(tables[i].name, request->table) == 0 : !i)
            tables[i].print(&sheet, model);
}
