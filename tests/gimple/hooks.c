/* SPDX-License-Identifier: MIT */
/* hooks.c: an independent runtime for tests of the emitted code. One thread; keeps exact counts, checks that every frame is left
 * in order, and prints the calls of each site at exit, to the file named by PROFPLUG_TEST_OUTPUT. Knows format.h and line.h alone.
 *
 * A line of output: KIND MODE CALLS DEPTH NAME SYMBOL FILE:LINE STAGE CATEGORY REASON; then `balance DEPTH HEALED`.
 * DEPTH is how deep the site's frames ever nested in themselves. */
#define _GNU_SOURCE
#include "profplug/abi/format.h"
#include "profplug/abi/line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 200000u
#define NODES 400000u

static __attribute__((tls_model("initial-exec"))) _Thread_local struct pp_tls words;

static uint64_t counters[SLOTS];
static struct pp_thread thread;
static struct pp_node nodes[NODES];
static uint32_t node_used = 1, key_used = 2;
static uint64_t healed, resyncs, wrong;
static struct pp_object *objects[4096];
static uint32_t object_count;
static uint64_t site_calls[SLOTS];       /* of timed sites, gathered from nodes */

/* Timed frames: a stack of what to go back to. A token is its index * 2 + 1. */
struct frame { struct pp_node *outer, *node; const char *stack; };
static struct frame frames[1 << 20];
static uint64_t depth;

static void print(void);

static struct pp_node *node_of(uint64_t address) { return (struct pp_node *)(uintptr_t)address; }

static void start(void)
{
    static int started;
    words.limit = sizeof counters;
    words.counters = (uintptr_t)counters;
    words.thread = (uintptr_t)&thread;
    if (started++)
        return;
    thread.node = (uintptr_t)&nodes[0];
    atexit(print);
}

static void add(struct pp_object *object)
{
    if (object->end != PP_END_UNREGISTERED)
        return;
    if (object->abi != PP_ABI_VERSION)
        abort();
    key_used += object->slot_count;
    object->tls = (char *)&words - (char *)__builtin_thread_pointer();
    object->end = (uint64_t)key_used * 8;
    objects[object_count++] = object;
}

static void registered(struct pp_object *object)
{
    start();
    if (object->end != PP_END_UNREGISTERED)
        return;
    struct pp_object *first = (struct pp_object *)((char *)object + object->objects_start);
    struct pp_object *stop = (struct pp_object *)((char *)object + object->objects_stop);
    for (; first < stop; first++)
        add(first);
    if (object->end == PP_END_UNREGISTERED) {
        fprintf(stderr, "hooks: an object outside its own image's list\n");
        abort();
    }
}

static const struct pp_site *site_of(struct pp_object *object, uint32_t slot)
{
    const struct pp_site *site = (const struct pp_site *)((char *)object + object->sites);
    for (uint32_t i = 0; i < object->site_count; i++)
        if (site[i].slot == slot && site[i].mode != PP_MODE_LEFT_OUT)
            return &site[i];
    abort();
}

/* The segment's base stays 0 here: an executable's functions that need not look count where the section lies; those that look come to the hooks. */
static uint64_t *segment_of(struct pp_object *object, uint32_t slot)
{
    static uint64_t none[2];
    return object->flags & PP_OBJECT_SEGMENT ? (uint64_t *)((char *)object + object->segment_end) - 1 - slot : &none[1];
}

void __profplug_count(struct pp_object *object, uint32_t slot)
{
    registered(object);
    ++counters[object->end / 8 - 1 - slot];
}

/* Lines are counted beside the calls, and looked at by nobody here. */
uint64_t __profplug_hits(struct pp_object *object)
{
    registered(object);
    return words.counters + object->end;
}

static struct pp_node *child_of(struct pp_node *parent, uint64_t key)
{
    /* a recursion re-enters its first node, as long as the path there is one */
    for (struct pp_node *n = node_of(parent->child); n; n = node_of(n->outer_timed))
        if (n->key == key)
            return n;
    if (node_used == NODES)
        abort();
    struct pp_node *n = &nodes[node_used++];
    n->key = key;
    n->parent = parent - nodes;
    n->outer_timed = parent->child;      /* here: the next child of the same parent */
    parent->child = (uintptr_t)n;
    return n;
}

/* Recursion reuses the activation's own node; so paths stay finite. */
static struct pp_node *enter(struct pp_node *node, uint64_t key)
{
    for (struct pp_node *n = node; n != nodes; n = &nodes[n->parent])
        if (n->key == key)
            return n;
    return child_of(node, key);
}

uint64_t __profplug_enter(struct pp_object *object, uint32_t slot)
{
    registered(object);
    uint64_t key = object->end / 8 - 1 - (slot & ~PP_SLOT_UNCOUNTED);
    struct pp_node *node = node_of(thread.node), *next = enter(node, key);
    ++next->calls;
    if (site_of(object, slot & ~PP_SLOT_UNCOUNTED)->mode != PP_MODE_TIMED) {
        counters[key] += slot >> 31;
        uint64_t *counter = !(slot >> 31) && object->flags & PP_OBJECT_SEGMENT ? segment_of(object, slot) : &counters[key];
        if (next->calls % 4 == 0) {      /* two in the hook, of each five */
            uint64_t calls = counter[0] + counter[-1];
            counter[-1] = calls + 4;
            counter[0] = -UINT64_C(4);
        }
        if (next->calls % 4 != 2) {      /* a token, or none */
            thread.node = (uintptr_t)next;
            return (uintptr_t)node;
        }
        return 0;
    }
    thread.node = (uintptr_t)next;
    const char *here = __builtin_frame_address(0);
    while (depth && frames[depth - 1].stack <= here)     /* passed by longjmp or an exception */
        depth--, healed++;
    frames[depth] = (struct frame){ node, next, here };
    return depth++ * 2 + 1;
}

void __profplug_leave(uint64_t token)
{
    uint64_t index = token >> 1;
    if (token && !(token & 1)) {
        thread.node = token;
        return;
    }
    if (!(token & 1) || index >= depth) {
        fprintf(stderr, "hooks: token %#lx left twice or never entered\n", (long)token);
        wrong++;
        return;
    }
    healed += depth - 1 - index;
    depth = index;
    if (node_of(thread.node) != frames[index].node)
        wrong++, fprintf(stderr, "hooks: a stage was left with another node on top\n");
    thread.node = (uintptr_t)frames[index].outer;
}

/* ---- before a function's first instruction: no register may be another afterwards ---- */
#ifdef __x86_64__
extern const char kept_back[], kept_back_2[], kept_back_4[], kept_back_8[];

__attribute__((used)) static void kept_count(struct pp_object *object, uint32_t slot) { __profplug_count(object, slot); }

__attribute__((used)) static void kept_leave(uint64_t token)
{
    if (token)
        __profplug_leave(token);
}

/* stack: the address of the jump to the body, the function's return address, and where that is ours, behind the arguments that were copied the token
 * of who called the function last. */
__attribute__((used)) static uint64_t kept_enter(struct pp_object *object, uint32_t slot, uint64_t *stack)
{
    const struct { const char *back; int words; } last[] = { { kept_back, 0 }, { kept_back_2, 2 }, { kept_back_4, 4 }, { kept_back_8, 8 } };
    for (int i = 0; i < 4; i++)
        if (stack[1] == (uintptr_t)last[i].back) {
            kept_leave(stack[2 + last[i].words]);
            stack[2 + last[i].words] = __profplug_enter(object, slot);
            return 0;
        }
    return __profplug_enter(object, slot);
}

#define KEEP(room) "sub $" room "+8, %rsp\n push %rbp\n mov %rsp, %rbp\n push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n push %r10\n push %r11\n" \
    "sub $520, %rsp\n and $-16, %rsp\n fxsave (%rsp)\n mov " room "+16(%rbp), %rax\n movslq 5(%rax), %rdi\n lea 5(%rax, %rdi), %rdi\n mov 9(%rax), %esi\n"
#define RESTORE "fxrstor (%rsp)\n lea -72(%rbp), %rsp\n" \
    "pop %r11\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n pop %rbp\n lea 8(%rsp), %rsp\n"
#define ENTER(suffix, room, copy) \
    "__profplug_enter_kept" suffix ":\n.cfi_startproc\n" KEEP(room) "lea " room "+16(%rbp), %rdx\n call kept_enter\n test %rax, %rax\n jne 1f\n" \
    RESTORE "lea " room "(%rsp), %rsp\n ret\n" \
    "1: mov " room "+16(%rbp), %rdx\n" copy "movslq 1(%rdx), %rcx\n lea 5(%rdx, %rcx), %rdx\n mov %rdx, 8(%rbp)\n mov %rax, " room "+16(%rbp)\n" RESTORE \
    ".cfi_def_cfa_offset " room "+16\n call *-8(%rsp)\n" \
    "kept_back" suffix ": push %rax\n push %rdx\n sub $512, %rsp\n fxsave (%rsp)\n mov " room "+528(%rsp), %rdi\n call kept_leave\n fxrstor (%rsp)\n add $512, %rsp\n" \
    "pop %rdx\n pop %rax\n add $" room "+8, %rsp\n ret\n.cfi_endproc\n"
#define COPY(room) "mov 13(%rdx), %ecx\n lea " room "+32(%rbp), %rsi\n lea 16(%rbp), %rdi\n rep movsq\n"
__asm__(".text\n.globl __profplug_count_kept, __profplug_enter_kept, __profplug_enter_kept_2, __profplug_enter_kept_4, __profplug_enter_kept_8\n"
        "__profplug_count_kept:\n" KEEP("0") "call kept_count\n" RESTORE "ret\n"
        ENTER("", "0", "") ENTER("_2", "16", COPY("16")) ENTER("_4", "32", COPY("32")) ENTER("_8", "64", COPY("64")));
#endif

char runtime_is_here __asm__(PP_LINK_RUNTIME);

struct pp_heap_calls __profplug_heap = { malloc, calloc, realloc, free };

void __profplug_resync(struct pp_object *object, uint32_t slot, uint64_t token)
{
    resyncs++;
    if (!token)
        return;
    uint64_t key = object->end / 8 - 1 - slot;
    if (token & 1) {
        /* what this activation opened itself (its scopes) lies at its own level and stays open */
        const char *here = __builtin_frame_address(0);
        while (depth - 1 > token >> 1 && frames[depth - 1].stack < here)
            depth--, healed++;
        thread.node = (uintptr_t)frames[token >> 1].node;
    } else {
        thread.node = (uintptr_t)enter(node_of(token), key);
    }
}

/* ---- places: loops and scopes ---- */
struct entry { struct profplug_place *place; uint64_t calls, bodies, conditions, open; };
static struct entry entries[256];
static unsigned entry_count;

static struct entry *entry_of(struct profplug_place *place)
{
    start();
    if (!place->key) {
        entries[entry_count].place = place;
        place->key = ++entry_count;
    }
    return &entries[place->key - 1];
}

uint64_t __profplug_scope_enter(struct profplug_place *place)
{
    struct entry *entry = entry_of(place);
    entry->calls++;
    while (depth && frames[depth - 1].stack < (const char *)__builtin_frame_address(0))
        depth--, healed++;
    frames[depth] = (struct frame){ node_of(thread.node), node_of(thread.node), __builtin_frame_address(0) };
    return depth++ * 2 + 1;
}

void __profplug_loop_enter(struct profplug_place *place, struct profplug_loop *loop)
{
    struct entry *entry = entry_of(place);
    memset(loop, 0, sizeof *loop);
    entry->calls++;
    entry->open++;
    loop->token = (uintptr_t)entry;
}

void __profplug_loop_next(struct profplug_loop *loop)
{
    ((struct entry *)loop->token)->conditions++;
    loop->countdown = 0;                 /* each one */
}

void __profplug_loop_leave(struct profplug_loop *loop)
{
    struct entry *entry = (struct entry *)loop->token;
    entry->bodies += loop->bodies;
    entry->open--;
}


static const char *const kinds[] = {
#define PP_SITE_KIND(id, name) name,
#include "profplug/abi/site.def"
};
static const char *const modes[] = {
#define PP_SITE_MODE(id, name, meaning) #id,
#include "profplug/abi/site.def"
};
static const char *const reasons[] = {
#define PP_SITE_REASON(id, text) #id,
#include "profplug/abi/site.def"
};
static const char *const categories[] = {
#define PP_CATEGORY(id, name) name,
#include "profplug/abi/site.def"
};

static void print(void)
{
    const char *path = getenv("PROFPLUG_TEST_OUTPUT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!out)
        return;
    uint64_t open = 0;
    for (struct pp_node *n = node_of(thread.node); n != nodes; n = &nodes[n->parent])
        open++;
    for (uint32_t i = 1; i < node_used; i++)
        site_calls[nodes[i].key] += nodes[i].calls;
    for (uint32_t i = 0; i < object_count; i++) {
        struct pp_object *o = objects[i];
        const struct pp_site *site = (const struct pp_site *)((char *)o + o->sites);
        const char *strings = (const char *)o + o->strings;
        fprintf(out, "object %s %u sites %u slots flags %u %s\n", strings + o->unit, o->site_count, o->slot_count, o->flags, strings + o->compiler);
        for (uint32_t k = 0; k < o->site_count; k++) {
            uint64_t key = o->end / 8 - 1 - site[k].slot;
            uint64_t calls = site[k].mode == PP_MODE_LEFT_OUT ? 0 : site[k].mode == PP_MODE_TIMED ? site_calls[key] : counters[key] + *segment_of(o, site[k].slot) +
                (site[k].mode == PP_MODE_FRAMED ? counters[key - 1] + segment_of(o, site[k].slot)[-1] : 0);
            fprintf(out, "%s\t%s\t%lu\t%s\t%s\t%s:%u\t%s\t%s\t%s\n", kinds[site[k].kind], modes[site[k].mode], (long)calls, strings + site[k].name,
                    strings + site[k].symbol, strings + site[k].file, site[k].line, strings + site[k].stage, categories[site[k].category], reasons[site[k].reason]);
        }
    }
    for (unsigned i = 0; i < entry_count; i++)
        fprintf(out, "place\t%u\t%lu\t%lu\t%lu\t%lu\t%s\t%s\t%s:%u\t%s\n", entries[i].place->kind, (long)entries[i].calls, (long)entries[i].bodies, (long)entries[i].conditions,
                (long)entries[i].open, entries[i].place->name, entries[i].place->category ? entries[i].place->category : "", entries[i].place->file, entries[i].place->line,
                entries[i].place->function);
    /* exit() may stand inside frames; a test that returns from main sees 0 open ones */
    fprintf(out, "balance open %lu timed %lu healed %lu resyncs %lu wrong %lu\n", (long)open, (long)depth, (long)healed, (long)resyncs, (long)wrong);
    fclose(out);
}
