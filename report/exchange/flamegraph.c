/* SPDX-License-Identifier: MIT */
/* flamegraph.c: a flame graph (Gregg, "The Flame Graph", CACM 59(6), 2016) as one SVG: callers below, functions merged
 * by name. Without scripts it shows everything with titles; with them a click enlarges and a search marks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "model/stacktree.h"
#include "words/figure.h"
#include "words/quote.h"

enum { WIDTH = 1200, ROW = 17, HEAD = 44, FOOT = 26, LETTER = 7 };
#define LEAST_WIDTH 0.3 /* pixels: narrower boxes are left out and counted */

struct graph {
    const struct model *model;
    struct stacktree tree;
    double *left, *used; /* by node: where it begins, and where its next child does, in units of the cost */
    uint32_t depth;
};

static const struct graph *sorted;

static int by_name(const void *a, const void *b)
{
    const struct stacktree_node *x = &sorted->tree.node[*(const uint32_t *)a],
                                *y = &sorted->tree.node[*(const uint32_t *)b];
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    int names = strcmp(frame_name(sorted->model, x->frame), frame_name(sorted->model, y->frame));
    return names ? names : x->frame < y->frame ? -1 : x->frame > y->frame;
}

static double share_of(const struct graph *g, const struct stacktree_node *n)
{
    return g->tree.node[0].total[0] > 0 ? n->total[0] / g->tree.node[0].total[0] : 0;
}

/* Siblings stand in the order of their names, so that two graphs can be compared. */
static uint32_t *boxes_place(struct graph *g)
{
    size_t count = g->tree.count;
    uint32_t *order = memory_zeroed(count, sizeof *order);
    g->left = memory_zeroed(count, sizeof *g->left);
    g->used = memory_zeroed(count, sizeof *g->used);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sorted = g;
    qsort(order, count, sizeof *order, by_name);
    for (size_t i = 1; i < count; i++) {
        const struct stacktree_node *n = &g->tree.node[order[i]];
        g->left[order[i]] = g->used[order[i]] = g->used[n->parent];
        g->used[n->parent] += n->total[0];
        if (share_of(g, n) * WIDTH >= LEAST_WIDTH && n->depth > g->depth)
            g->depth = n->depth;
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
static void colour_print(FILE *out, const struct graph *g, uint32_t frame)
{
    uint32_t hash = 2166136261u;
    for (const char *c = frame_name(g->model, frame); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    bool named = frame && g->model->frame[frame].name;
    fprintf(out, "hsl(%" PRIu32 " 75%% %" PRIu32 "%%)", (named ? 195 : 15) + hash % 35, 62 + hash / 64 % 14);
}

static void box_print(FILE *out, const struct graph *g, const struct stack_cost *cost, uint32_t node)
{
    const struct stacktree_node *n = &g->tree.node[node];
    double share = share_of(g, n), left = g->left[node] / g->tree.node[0].total[0];
    uint32_t y = HEAD + (g->depth - n->depth) * ROW;
    char total[FIGURE_BYTES], own[FIGURE_BYTES];
    fprintf(out, "<g class=\"b\" data-x=\"%.9g\" data-w=\"%.9g\" data-d=\"%" PRIu32 "\"><title>", left, share,
            n->depth);
    xml_print(out, frame_name(g->model, n->frame), SIZE_MAX);
    fprintf(out, "\n%s, %.2f %% of all; %s of its own", cost_figure(total, cost, n->total[0]), 100 * share,
            cost_figure(own, cost, n->own[0]));
    fprintf(out, "</title><rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\" rx=\"1\" fill=\"",
            left * WIDTH, y, share * WIDTH, ROW - 1);
    colour_print(out, g, n->frame);
    fprintf(out, "\"/><svg x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\"><text x=\"3\" y=\"12\">",
            left * WIDTH, y, share * WIDTH, ROW - 1);
    if (share * WIDTH >= 3 * LETTER)
        xml_print(out, frame_name(g->model, n->frame), (size_t)(share * WIDTH / LETTER) + 1);
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
    fprintf(out, ": %s, %s in all</text>\n", cost->meaning, cost_figure(all, cost, g->tree.node[0].total[0]));
    fputs("<text x=\"4\" y=\"34\" class=\"u\" id=\"r\">whole</text>"
          "<text x=\"60\" y=\"34\" class=\"u\" id=\"s\">search</text><text x=\"130\" y=\"34\" id=\"m\"></text>\n", out);
}

void export_flamegraph(FILE *out, const struct model *model, const struct export_request *request)
{
    const struct stack_cost *cost = export_cost(model, request);
    struct graph g = { .model = model };
    size_t narrow = 0;
    g.tree = stacktree_make(model, STACKTREE_CALLERS_FIRST, (const struct stack_cost *const[]){ cost, NULL });
    uint32_t *order = boxes_place(&g);
    uint32_t height = HEAD + (g.depth + 1) * ROW + FOOT;
    head_print(out, &g, cost, height);
    for (size_t i = 0; i < g.tree.count; i++) {
        double share = share_of(&g, &g.tree.node[order[i]]);
        bool wide = share * WIDTH >= LEAST_WIDTH;
        narrow += !wide && share > 0;
        if (wide)
            box_print(out, &g, cost, order[i]);
    }
    fprintf(out, "<text x=\"4\" y=\"%" PRIu32 "\">", height - 8);
    if (g.tree.node[0].total[0] <= 0)
        fputs("the run has nothing of this cost", out);
    else if (narrow)
        fprintf(out, "%zu boxes narrower than %.1f pixels are left out", narrow, LEAST_WIDTH);
    fputs("</text>\n", out);
    fputs(script, out);
    fputs("</svg>\n", out);
    stacktree_free(&g.tree);
    free(g.left);
    free(g.used);
    free(order);
}
