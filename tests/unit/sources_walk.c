/* SPDX-License-Identifier: MIT */
/* sources_walk.c: what a sample finds when it unwinds only what has changed since the last one, against unwinding all of
 * the stack at the same instant. The stacks are of random recursions that change in the middle: callers that take
 * turns with frames of one size, frames found by their base pointer, callbacks of the C library, longjmp, coroutines,
 * handlers on an alternate stack, threads with small stacks.
 *   argument: cost DEPTH same|turn|all, for callgrind, which counts what measured() takes: 100 walks from a stack so
 *   deep, where nothing changed, or the innermost caller, or with all unwound */
#define _GNU_SOURCE
#include "stack/lastwalk.h"
#include "stack/modules.h"
#include "stack/path.h"
#include "stack/walk.h"
#include "system/state.h"
#include "sources_core.h"

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define LONGEST 130
static volatile uint64_t sink;

/* A thread's two blocks: one for walks that remember, one for walks that do not. */
struct looker { struct pp_thread *with, *without; uint64_t frames, random; };
static __thread struct looker *self;
static uint64_t looks, reused, known, longest, ends[4];
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

static uint32_t draw(uint32_t below)
{
    self->random = self->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((self->random >> 33) % below);
}

NOINLINE static uint32_t walk_once(struct pp_walk *walk, struct pp_thread *thread, uint64_t *frames, const void *context)
{
    struct pp_unwind unwind;
    if (!pp_unwind_start(&unwind, context)) exit(77);
    pp_walk_bound(&unwind, thread);
    pp_walk_calls(walk, &unwind, &pp_private(thread)->trail, frames);
    return pp_walk_book(walk, thread, 1);
}

static void tell(const struct pp_thread *thread, uint32_t path)
{
    for (; path; path = core_path(thread, path)->parent)
        fprintf(stderr, " %lx:%u", core_path(thread, path)->address, core_path(thread, path)->module);
    fprintf(stderr, "\n");
}

static void on_look(int number, siginfo_t *info, void *context)
{
    struct pp_walk walk = { 0 }, whole = { 0 };
    uint32_t path = walk_once(&walk, self->with, &self->frames, context), all = walk_once(&whole, self->without, NULL, context), p = path, q = all, n = 0;
    for (; p && q; n++) {
        const struct pp_path *a = core_path(self->with, p), *b = core_path(self->without, q);
        if (a->address != b->address || a->module != b->module || (!a->parent && !b->parent && a->end != b->end)) break;
        if (!a->parent) __atomic_fetch_add(&ends[a->end & 3], 1, __ATOMIC_RELAXED);
        p = a->parent;
        q = b->parent;
    }
    if (p || q || walk.address != whole.address || walk.module != whole.module || walk.library != whole.library || walk.found != whole.found) {
        pthread_mutex_lock(&telling);
        fprintf(stderr, "they differ at call %u: at %lx of %u, and %lx of %u, by\n", n, walk.address, walk.module, whole.address, whole.module);
        tell(self->with, path);
        tell(self->without, all);
        exit(1);
    }
    struct pp_lastwalk *last = (struct pp_lastwalk *)(uintptr_t)self->frames;
    __atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&reused, last->low && last->closed && !last->barred, __ATOMIC_RELAXED);
    last->low = 0;
    __atomic_fetch_add(&known, walk.path != 0, __ATOMIC_RELAXED);
    if (n > longest) longest = n;
}

/* ---- the stacks ---- */

enum kind { LEFT, RIGHT, SIZED, WIDE, SORTED, JUMPING, TAIL, KINDS };
static __thread uint8_t script[LONGEST + 1];
static __thread unsigned deepest;
NOINLINE static void go(unsigned at);
static void look(void) { raise(SIGUSR1); sink++; }
NOINLINE static void left(unsigned at) { go(at + 1); sink++; }
NOINLINE static void right(unsigned at) { sink += 3; go(at + 1); sink++; }
NOINLINE static void sized(unsigned at)
{
    char *room = alloca(16 * (1 + script[at] / KINDS % 3));
    memset(room, (int)at, 16);
    go(at + 1);
    sink += (unsigned char)room[3];
}
NOINLINE static void wide(unsigned at) { char room[1000]; memset(room, (int)at, sizeof room); go(at + 1); sink += (unsigned char)room[7]; }
static __thread unsigned sorted_at, sorted_once;
static int compare(const void *a, const void *b)
{
    if (sorted_once) { sorted_once = 0; go(sorted_at + 1); }
    return *(const int *)a - *(const int *)b;
}
NOINLINE static void sorted(unsigned at)
{
    int few[5] = { 3, 1, 2, 5, 4 };
    sorted_at = at;
    sorted_once = 1;
    qsort(few, 5, sizeof *few, compare);
    sink += (uint64_t)few[0];
}
static __thread jmp_buf *nearest;
NOINLINE static void jumping(unsigned at)
{
    jmp_buf here, *volatile outer = nearest;
    nearest = &here;
    if (!setjmp(here)) go(at + 1);
    else if (at + 1 < deepest) { nearest = outer; right(at + 1); }
    nearest = outer;
    sink++;
}
NOINLINE static void tail(unsigned at) { sink++; go(at + 1); }       /* at -O2 it jumps, and has no frame */

NOINLINE static void go(unsigned at)
{
    if (at >= deepest) {
        for (unsigned i = draw(3); i < 3; i++) look();
        if (nearest && !draw(3)) longjmp(*nearest, 1);
        return;
    }
    switch (script[at] % KINDS) {
    case LEFT: left(at); break;
    case RIGHT: right(at); break;
    case SIZED: sized(at); break;
    case WIDE: wide(at); break;
    case SORTED: sorted(at); break;
    case JUMPING: jumping(at); break;
    default: tail(at); return;
    }
    if (!draw(6)) look();
    sink++;
}

static void begin(void)              /* with empty trees of paths, which have an end */
{
    self->without = core_birth();
    self->with = core_birth();
    self->frames = 0;
}

static void mixed(unsigned rounds, unsigned longest_script)
{
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 160 == 0) begin();
        if (round % 16 == 0) {
            deepest = 1 + draw(longest_script);
            /* some of left and right alone, whose frames have one size; the other kinds are rarer in deep ones */
            uint32_t few = draw(3);
            for (unsigned i = 0; i < deepest; i++) script[i] = (uint8_t)(few ? draw(2) + (few == 2 && !draw(8) ? KINDS + draw(200) : 0) : draw(250));
        } else {
            script[draw(deepest)] = (uint8_t)draw(round % 2 ? 2 : 250);
        }
        go(0);
    }
}

/* The same stack pointer within, by way of other frames: a word of the frame that is gone is left where the new one has
 * room that it never writes. Only the base pointer tells them apart. */
NOINLINE static void bystander(void) { look(); sink++; }
NOINLINE static void second(unsigned size) { char *room = alloca(16 * size); room[0] = 1; if (size > 8) sink += (uint64_t)room; bystander(); sink += (unsigned char)room[0]; }
NOINLINE static void first(unsigned size, unsigned other, bool late)
{
    char *room = alloca(16 * size);
    room[0] = 1;
    if (late) { sink += 7; second(other); sink += 5; }
    else second(other);
    sink += (unsigned char)room[0];
}
static void pairs(void)
{
    for (unsigned i = 0; i < 64; i++) first(i % 2 ? 7 : 1, i % 2 ? 1 : 7, i % 2);
}

static ucontext_t outside, within[2];
static char stacks[2][64 << 10];
static void coroutine(int which)
{
    for (unsigned i = 0;; i++) {
        if (which) left(deepest - 1 - i % 3);
        else right(deepest - 1 - i % 3);
        swapcontext(&within[which], &outside);
    }
}
static void coroutines(void)
{
    deepest = 20;
    for (int i = 0; i < 2; i++) {
        getcontext(&within[i]);
        within[i].uc_stack.ss_sp = stacks[i];
        within[i].uc_stack.ss_size = sizeof stacks[i];
        makecontext(&within[i], (void (*)(void))coroutine, 1, i);
    }
    for (unsigned i = 0; i < 60; i++) {
        swapcontext(&outside, &within[i % 3 % 2]);
        look();
    }
}
static void on_other(int number) { unsigned kept = deepest; deepest = 12; go(2); deepest = kept; sink++; }

static void scenes(unsigned rounds, unsigned longest_script)
{
    static __thread char small[24 << 10];
    mixed(rounds, longest_script);
    stack_t alternate = { .ss_sp = small, .ss_size = sizeof small };
    sigaltstack(&alternate, NULL);
    for (unsigned i = 0; i < 40; i++) {
        raise(SIGUSR2);
        if (i % 3) { deepest = 10; go(i % 5); }
    }
}

static void *thread_main(void *seed)
{
    static _Thread_local struct looker own;
    self = &own;
    own.random = (uint64_t)(uintptr_t)seed;
    scenes(60, 30);
    core_death();
    return NULL;
}

/* ---- what it costs ---- */

static uint32_t cost_depth;
static bool cost_turns, cost_all;
NOINLINE static void measured(const void *context)
{
    struct pp_walk walk = { 0 };
    walk_once(&walk, self->with, cost_all ? NULL : &self->frames, context);
}
static void on_cost(int number, siginfo_t *info, void *context) { measured(context); }
NOINLINE static void leaf(void) { raise(SIGUSR1); sink++; }
NOINLINE static void caller(void) { leaf(); sink += 2; }
NOINLINE static void cost_go(unsigned depth)
{
    /* the sequence of Thue and Morse, of which nothing is folded as a recursion */
    if (depth == cost_depth)
        for (unsigned i = 0; i < 102; i++)
            if (cost_turns && i % 2) caller();
            else leaf();
    else if (__builtin_popcount(depth) % 2) { cost_go(depth + 1); sink++; }
    else { sink += 5; cost_go(depth + 1); sink++; }
    sink++;
}

int main(int count, char **argument)
{
    static struct looker own;
    self = &own;
    own.random = 20;
    core_start(0);
    pp_run.header->pid = (uint32_t)getpid();
    pp_modules_instrumented((const void *)main);
    begin();
    bool cost = count == 4 && !strcmp(argument[1], "cost");
    struct sigaction look_action = { .sa_sigaction = cost ? on_cost : on_look, .sa_flags = SA_SIGINFO },
                     other = { .sa_handler = on_other, .sa_flags = SA_ONSTACK };
    sigaction(SIGUSR1, &look_action, NULL);
    sigaction(SIGUSR2, &other, NULL);
    if (cost) {
        cost_depth = (uint32_t)atoi(argument[2]);
        cost_turns = !strcmp(argument[3], "turn");
        cost_all = !strcmp(argument[3], "all");
        cost_go(0);
        return 0;
    }
    scenes(1500, LONGEST);
    coroutines();
    pairs();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 << 10);
    pthread_t thread[3];
    for (uintptr_t i = 0; i < 3; i++) CHECK(!pthread_create(&thread[i], &attributes, thread_main, (void *)(i + 3)), "a thread");
    for (unsigned i = 0; i < 3; i++) pthread_join(thread[i], NULL);
    printf("%lu stacks, up to %lu calls of a path; %lu were known in part, %lu paths at once; %lu whole, %lu cut, %lu blind\n", looks, longest, reused, known, ends[PP_PATH_WHOLE], ends[PP_PATH_CUT], ends[PP_PATH_BLIND]);
    CHECK(pp_run.header->losses[PP_LOSS_PATHS] == 0, "no room for paths");
    CHECK(looks > 3000 && longest > 60, "too little was compared");
    CHECK(reused > looks / 4 && known > looks / 200, "the last walk is hardly used");
    CHECK(ends[PP_PATH_WHOLE] && ends[PP_PATH_CUT] && ends[PP_PATH_BLIND], "an end that never came up");
    return 0;
}
