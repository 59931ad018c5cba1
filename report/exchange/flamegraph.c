/* SPDX-License-Identifier: MIT */
/* flamegraph.c: a flame graph (Gregg, "The Flame Graph", CACM 59(6), 2016) as one SVG: callers below, functions merged
 * by name. Without scripts it shows everything with titles; with them a click enlarges and a search marks. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "words/figure.h"
#include "words/quote.h"

enum { WIDTH = 1200, ROW = 17, HEAD = 44, FOOT = 26, LETTER = 7 };
#define LEAST_WIDTH 0.3 /* pixels: narrower boxes are left out and counted */

struct box {
    uint32_t parent, depth, frame; /* frame: any that has its function; a box stands after its parent */
    uint32_t function;
    double own, total, left; /* left: where it begins, in units of the cost */
};

struct graph {
    const struct model *model;
    struct box *box;
    size_t count, capacity;
    double *used; /* by box: where its next child begins */
    uint32_t depth;
};

static void boxes_make(struct graph *g, const struct stack_cost *cost)
{
    const struct model *model = g->model;
    uint32_t *of, *box = memory_zeroed(model->frame_count, sizeof *box);
    struct map known = { 0 };
    frame_functions(model, &of);
    *ARRAY_PUSH(g->box, g->count, g->capacity) = (struct box){ .frame = 0 };
    for (uint32_t i = 1; i < model->frame_count; i++) {
        uint32_t key[2] = { box[model->frame[i].parent], of[i] }, *found = map_at(&known, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)g->count;
            uint32_t depth = g->box[key[0]].depth + 1;
            *ARRAY_PUSH(g->box, g->count, g->capacity) =
                (struct box){ .parent = key[0], .depth = depth, .frame = i, .function = of[i] };
        }
        box[i] = *found;
    }
    for (size_t i = 0; i < model->stack_count; i++)
        g->box[box[model->stack[i].frame]].own += cost->of(&model->stack[i]);
    for (size_t i = g->count; i-- > 0;) {
        g->box[i].total += g->box[i].own;
        if (i)
            g->box[g->box[i].parent].total += g->box[i].total;
    }
    map_free(&known);
    free(of);
    free(box);
}

static const struct graph *sorted;

static int by_name(const void *a, const void *b)
{
    const struct box *x = &sorted->box[*(const uint32_t *)a], *y = &sorted->box[*(const uint32_t *)b];
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    int names = strcmp(frame_name(sorted->model, x->frame), frame_name(sorted->model, y->frame));
    return names ? names : x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Siblings stand in the order of their names, so that two graphs can be compared. */
static uint32_t *boxes_place(struct graph *g)
{
    uint32_t *order = memory_zeroed(g->count, sizeof *order);
    g->used = memory_zeroed(g->count, sizeof *g->used);
    for (uint32_t i = 0; i < g->count; i++)
        order[i] = i;
    sorted = g;
    qsort(order, g->count, sizeof *order, by_name);
    for (size_t i = 1; i < g->count; i++) {
        struct box *b = &g->box[order[i]];
        b->left = g->used[b->parent];
        g->used[b->parent] += b->total;
        g->used[order[i]] = b->left;
        if (b->total / g->box[0].total * WIDTH >= LEAST_WIDTH && b->depth > g->depth)
            g->depth = b->depth;
    }
    return order;
}

/* XML 1.0 has no control characters. What is for people has none, either. At most `room` bytes, whole characters. */
static void xml_print(FILE *out, const char *text, size_t room)
{
    struct arena arena = { 0 };
    const char *plain = quote_plain(&arena, text);
    for (const char *c = plain; *c && ((size_t)(c - plain) < room || (*c & 0xc0) == 0x80); c++)
        switch (*c) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: putc(*c, out);
        }
    arena_free(&arena);
}

static const char *cost_figure(char to[FIGURE_BYTES], const struct stack_cost *cost, double value)
{
    return cost->unit[0] == 'n'   ? figure_time(to, value)
           : cost->unit[0] == 'b' ? figure_size(to, value)
                                  : figure_count(to, value);
}

/* A hue for each function: warm for the program's, blue for libraries and what has no function. */
static void colour_print(FILE *out, const struct graph *g, const struct box *b)
{
    uint32_t hash = 2166136261u;
    for (const char *c = frame_name(g->model, b->frame); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    bool named = b->frame && g->model->frame[b->frame].name;
    fprintf(out, "hsl(%" PRIu32 " 75%% %" PRIu32 "%%)", (named ? 195 : 15) + hash % 35, 62 + hash / 64 % 14);
}

static void box_print(FILE *out, const struct graph *g, const struct stack_cost *cost, const struct box *b)
{
    double all = g->box[0].total, width = b->total / all * WIDTH;
    uint32_t y = HEAD + (g->depth - b->depth) * ROW;
    char total[FIGURE_BYTES], own[FIGURE_BYTES];
    fprintf(out, "<g class=\"b\" data-x=\"%.9g\" data-w=\"%.9g\" data-d=\"%" PRIu32 "\"><title>", b->left / all,
            b->total / all, b->depth);
    xml_print(out, frame_name(g->model, b->frame), SIZE_MAX);
    fprintf(out, "\n%s, %.2f %% of all; %s of its own", cost_figure(total, cost, b->total), 100 * b->total / all,
            cost_figure(own, cost, b->own));
    fprintf(out, "</title><rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\" rx=\"1\" fill=\"",
            b->left / all * WIDTH, y, width, ROW - 1);
    colour_print(out, g, b);
    fprintf(out, "\"/><svg x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\"><text x=\"3\" y=\"12\">",
            b->left / all * WIDTH, y, width, ROW - 1);
    if (width >= 3 * LETTER)
        xml_print(out, frame_name(g->model, b->frame), (size_t)(width / LETTER) + 1);
    fputs("</text></svg></g>\n", out);
}

static const char script[] =
    "<script><![CDATA[\n"
    "const all=[...document.querySelectorAll('g.b')],W=1200;\n"
    "function show(x,w,d){for(const g of all){const gx=+g.dataset.x,gw=+g.dataset.w,gd=+g.dataset.d,\n"
    "above=gx<=x+1e-12&&gx+gw>=x+w-1e-12,inside=gx>=x-1e-12&&gx+gw<=x+w+1e-12;\n"
    "const on=gd<d?above:inside;g.style.display=on?'':'none';if(!on)continue;\n"
    "const l=Math.max(0,(gx-x)/w)*W,r=Math.min(1,(gx+gw-x)/w)*W;\n"
    "for(const e of[g.children[1],g.children[2]]){e.setAttribute('x',l);e.setAttribute('width',Math.max(0,r-l));}\n"
    "g.children[2].children[0].textContent=r-l>=21?g.children[0].textContent.split('\\n')[0]:'';\n"
    "g.style.opacity=gd<d?.55:1;}}\n"
    "for(const g of all){g.tabIndex=0;const go=()=>show(+g.dataset.x,+g.dataset.w,+g.dataset.d);g.onclick=go;\n"
    "g.onkeydown=e=>{if(e.key==='Enter')go();if(e.key==='Escape')show(0,1,0);};}\n"
    "document.getElementById('s').onclick=()=>{const q=(prompt('Functions whose names contain')||'').toLowerCase();\n"
    "let found=0,end=-1;const hit=[];for(const g of all){const is=q&&g.children[0].textContent.split('\\n')[0]\n"
    ".toLowerCase().includes(q);g.classList.toggle('hit',!!is);if(is)hit.push([+g.dataset.x,+g.dataset.w]);}\n"
    "hit.sort((a,b)=>a[0]-b[0]||b[1]-a[1]);for(const[x,w]of hit)if(x>=end-1e-12){found+=w;end=x+w;}\n"
    "document.getElementById('m').textContent=q?'\"'+q+'\": '+(100*found).toFixed(1)+' % of all':'';};\n"
    "document.getElementById('r').onclick=()=>show(0,1,0);\n"
    "]]></script>\n";

static void head_print(FILE *out, const struct graph *g, const struct stack_cost *cost, uint32_t height)
{
    char all[FIGURE_BYTES];
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%" PRIu32 "\" viewBox=\"0 0 %d %" PRIu32 "\" role=\"img\">\n<title>",
            WIDTH, height, WIDTH, height);
    xml_print(out, g->model->run.program, SIZE_MAX);
    fprintf(out, ": %s</title>\n", cost->meaning);
    fputs("<style>svg{background:#fff;font:12px monospace}text{pointer-events:none;fill:#111}.b{cursor:pointer}"
          ".b:hover rect,.b:focus rect{stroke:#111}.b:focus{outline:none}.hit rect{fill:#c3f}.u{cursor:pointer;"
          "text-decoration:underline;pointer-events:all}</style>\n"
          "<text x=\"4\" y=\"16\" style=\"font-size:15px\">", out);
    xml_print(out, g->model->run.program, SIZE_MAX);
    fprintf(out, ": %s, %s in all</text>\n", cost->meaning, cost_figure(all, cost, g->box[0].total));
    fputs("<text x=\"4\" y=\"34\" class=\"u\" id=\"r\">whole</text>"
          "<text x=\"60\" y=\"34\" class=\"u\" id=\"s\">search</text><text x=\"130\" y=\"34\" id=\"m\"></text>\n", out);
}

void export_flamegraph(FILE *out, const struct model *model, const struct export_request *request)
{
    const struct stack_cost *cost = export_cost(model, request);
    struct graph g = { .model = model };
    size_t narrow = 0;
    boxes_make(&g, cost);
    uint32_t *order = boxes_place(&g);
    uint32_t height = HEAD + (g.depth + 1) * ROW + FOOT;
    head_print(out, &g, cost, height);
    for (size_t i = 0; i < g.count; i++) {
        const struct box *b = &g.box[order[i]];
        bool wide = g.box[0].total > 0 && b->total / g.box[0].total * WIDTH >= LEAST_WIDTH;
        narrow += !wide && b->total > 0;
        if (wide)
            box_print(out, &g, cost, b);
    }
    fprintf(out, "<text x=\"4\" y=\"%" PRIu32 "\">", height - 8);
    if (g.box[0].total <= 0)
        fputs("the run has nothing of this cost", out);
    else if (narrow)
        fprintf(out, "%zu boxes narrower than %.1f pixels are left out", narrow, LEAST_WIDTH);
    fputs("</text>\n", out);
    fputs(script, out);
    fputs("</svg>\n", out);
    free(g.box);
    free(g.used);
    free(order);
}
