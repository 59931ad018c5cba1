/* SPDX-License-Identifier: MIT */
/* sources_path.c: the call path of every sample in known pieces of work, against backtrace() in the same activation:
 * plain calls, a recursion, callbacks of the C library, a handler on a small alternate stack, a coroutine, more calls
 * than are kept.
 *   argument: blind, if the linker omitted the index of call frame information: no path is known then */
#define _GNU_SOURCE
#include "stack/modules.h"
#include "system/state.h"
#include "sources_core.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

static volatile uint64_t sink;
static volatile bool whole = true;       /* the compiler does not know */

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each piece is in a section of its own. All callers do work after the call, otherwise it would become a jump. */
#define DEPTH 400
#define PIECE(name) \
    extern const char __start_code_##name[], __stop_code_##name[]; \
    static struct piece name = { #name, __start_code_##name, __stop_code_##name, { 0 }, 0, 0 }; \
    __attribute__((noinline, noclone, section("code_" #name))) static void name##_work(unsigned ms) \
    { \
        if (!name.count) name.count = backtrace(name.frame, DEPTH); \
        for (uint64_t until = cpu_ns() + ms * 1000000u; cpu_ns() < until;) \
            for (unsigned i = 0; i < 30000; i++) sink += i; \
    }
struct piece { const char *name, *start, *stop; void *frame[DEPTH]; int count; uint64_t samples; };
PIECE(plain) PIECE(twice) PIECE(again) PIECE(tangle) PIECE(sorted) PIECE(handled) PIECE(fiber)
static struct piece *const pieces[] = { &plain, &twice, &again, &tangle, &sorted, &handled, &fiber };
enum { PIECES = sizeof pieces / sizeof *pieces };

#define CALLER __attribute__((noinline, noclone))
CALLER static void inner(unsigned ms) { plain_work(ms); sink++; }
CALLER static void middle(unsigned ms) { char room[300]; memset(room, (int)ms, sizeof room); inner(ms); sink += (uint64_t)room[7]; }
CALLER static void first(unsigned ms) { twice_work(ms * 3); sink++; }
CALLER static void second(unsigned ms) { sink++; first(ms); sink++; }
CALLER static void down(unsigned depth, unsigned ms) { if (depth) down(depth - 1, ms); else again_work(ms); sink++; }
/* Two call sites in the order of the Thue-Morse sequence, by threes. It never repeats itself directly, so nothing of it
 * is folded. */
CALLER static void left(unsigned depth, unsigned ms);
CALLER static void right(unsigned depth, unsigned ms);
CALLER static void turn(unsigned depth, unsigned ms)
{
    unsigned ones = (unsigned)__builtin_popcount(depth + 1) - (unsigned)__builtin_popcount(depth);
    if (!depth) tangle_work(ms);
    else if (ones == 0) { left(depth - 1, ms); sink++; }
    else if (ones == 1) { right(depth - 1, ms); sink++; }
    else { turn(depth - 1, ms); sink++; }
    sink++;
}
CALLER static void left(unsigned depth, unsigned ms) { turn(depth, ms); sink++; }
CALLER static void right(unsigned depth, unsigned ms) { sink++; turn(depth, ms); sink++; }

static int compare(const void *a, const void *b) { sorted_work(3); return *(const int *)a - *(const int *)b; }
CALLER static void sorting(unsigned ms)
{
    int few[2] = { 2, 1 };
    for (unsigned i = 0; i < ms / 3; i++) qsort(few, 2, sizeof *few, compare);
    sink++;
}
static void on_signal(int number) { handled_work(60); sink++; }
static ucontext_t outside, within;
static void coroutine(void) { fiber_work(60); sink++; swapcontext(&within, &outside); }

static uint64_t cut, blind, other;
static bool sightless;
static const struct pp_thread *sampled;

/* Whether the sample's path has exactly the frames, folded or not. */
static bool agrees(const struct pp_sample *sample, const struct piece *piece)
{
    uint32_t number = sample->path;
    int i = 1;                           /* frame 0 is the piece itself */
    for (; number; i++) {
        const struct pp_path *path = core_path(sampled, number);
        uint64_t place = path->address + core_module(path->module)->bias;
        /* an interrupted instruction is no return address; a frame that repeats those before it is folded */
        while (i < piece->count && place + 1 != (uint64_t)(uintptr_t)piece->frame[i] && i > 1 && piece->frame[i] == piece->frame[i - 1]) i++;
        if (i >= piece->count) return false;
        bool interrupted = piece == &handled && place == (uint64_t)(uintptr_t)piece->frame[i];
        if (place + 1 != (uint64_t)(uintptr_t)piece->frame[i] && !interrupted) return false;
        if (!path->parent && path->end == PP_PATH_CUT) { cut += sample->count; return piece == &tangle; }
        if (!path->parent && path->end == PP_PATH_BLIND) { blind += sample->count; return true; }
        number = path->parent;
    }
    while (i < piece->count && piece->frame[i] == piece->frame[i - 1]) i++;
    return i == piece->count;
}

static void visit(const struct pp_sample *sample, void *context)
{
    const char *address = (const char *)(uintptr_t)(sample->address + core_module(sample->module)->bias);
    for (unsigned i = 0; i < PIECES; i++) {
        struct piece *p = pieces[i];
        if (address < p->start || address >= p->stop) continue;
        p->samples += sample->count;
        if (sightless) {
            CHECK(!sample->path, "%s: a path, and nothing to know it by", p->name);
        } else if (!agrees(sample, p)) {
            fprintf(stderr, "%s: %lu samples at %p by\n", p->name, sample->count, (const void *)address);
            for (uint32_t n = sample->path; n; n = core_path(sampled, n)->parent)
                fprintf(stderr, "    %lx, end %u\n", core_path(sampled, n)->address + core_module(core_path(sampled, n)->module)->bias, core_path(sampled, n)->end);
            fprintf(stderr, "  backtrace says\n");
            for (int k = 0; k < p->count; k++) fprintf(stderr, "    %p\n", p->frame[k]);
            exit(1);
        }
        return;
    }
    other += sample->count;
}

int main(int count, char **argument)
{
    static char small[16 << 10], stack[64 << 10];
    sightless = count > 1 && !strcmp(argument[1], "blind");
    core_start(4000);
    pp_modules_instrumented((const void *)main);
    struct pp_thread *thread = core_birth();
    sampled = thread;
    for (unsigned round = 0; round < 4 && whole; round++) {
        middle(60);
        second(20);
        down(150, 60);
        turn(150, 60);
        sorting(60);
        stack_t alternate = { .ss_sp = small, .ss_size = sizeof small };
        sigaltstack(&alternate, NULL);
        struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
        sigaction(SIGUSR1, &action, NULL);
        if (!round) raise(SIGUSR1);
        getcontext(&within);
        within.uc_stack.ss_sp = stack;
        within.uc_stack.ss_size = sizeof stack;
        within.uc_link = &outside;
        makecontext(&within, coroutine, 0);
        if (!round) swapcontext(&outside, &within);
    }
    core_death();
    if (pp_run.header->sample_source == PP_SAMPLE_NONE) {
        printf("skipped: %s\n", pp_run.header->sample_note);
        return 77;
    }
    uint64_t all = core_samples(thread, visit, NULL);
    for (unsigned i = 0; i < PIECES; i++) {
        printf("%-8s %5lu samples, %d frames\n", pieces[i]->name, pieces[i]->samples, pieces[i]->count);
        CHECK(pieces[i]->samples > 0, "no sample in %s", pieces[i]->name);
    }
    printf("%lu samples elsewhere, %lu cut, %lu blind, %u paths, %lu ns of handler a sample\n", other, cut, blind, core_path_count(thread),
           pp_run.header->self_ns / all - 2000);
    /* Too deep a path is cut. A coroutine's first function has no caller, but its call frame information does not say
     * so. */
    if (!sightless) CHECK(cut == tangle.samples && blind == fiber.samples, "%lu and %lu", cut, blind);
    CHECK(core_path_count(thread) < 2000, "%u paths", core_path_count(thread));
    CHECK(pp_run.header->losses[PP_LOSS_PATHS] == 0, "no room");
    return 0;
}
