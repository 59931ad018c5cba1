/* SPDX-License-Identifier: MIT */
/* sources_sampler.c: the CPU time of known pieces of work, in the program and in libraries it calls, against the
 * samples. Blocked calls must not be interrupted. Truth from outside: the thread's own CPU clock around each piece, and
 * the addresses of the functions that make the calls. With timers it is the kernel's clock of the thread's user time,
 * at its ticks. On a busy machine few ticks meet the thread, and nobody knows what they miss.
 *   argument: perf | timer (as if perf_event_open were refused), or empty */
#define _GNU_SOURCE
#include "system/clock.h"
#include "system/state.h"
#include "stack/modules.h"
#include "sources_core.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;
static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static clockid_t seen_clock = CLOCK_THREAD_CPUTIME_ID;
static uint64_t seen_ns(void)            /* what a perfect sampler would see */
{
    struct timespec t;
    clock_gettime(seen_clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each piece stands in a section of its own, so that its range is known without asking a symbolizer. */
#define PIECE(name) __attribute__((noinline, section("code_" #name))) 
#define RANGE(name) extern const char __start_code_##name[], __stop_code_##name[];
RANGE(spin) RANGE(sort) RANGE(copy) RANGE(nest)

PIECE(spin) static void piece_spin(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) sink += i * i;
}
static int compare(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int data[200000];
static char from[1 << 16], to[1 << 16];
PIECE(sort) static void piece_sort(void)
{
    for (unsigned i = 0; i < 20000; i++) data[i] = (int)(i * 2654435761u);
    qsort(data, 20000, sizeof *data, compare);
    sink += (uint64_t)data[1];           /* or the call is a jump, and its caller the user's line */
}
PIECE(copy) static void piece_copy(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        void *(*volatile copy)(void *, const void *, size_t) = memcpy;
        copy(to, from, sizeof to);
        sink += (unsigned char)to[i & 0xffff];
    }
}
PIECE(nest) static void piece_nest(unsigned rounds)      /* two libraries' frames deep: printf's own callees */
{
    char text[400];
    for (unsigned i = 0; i < rounds; i++) sink += (uint64_t)snprintf(text, sizeof text, "%.40f %s", (double)i / 7, "x");
}

struct piece { const char *name, *start, *stop; uint64_t cpu_ns, samples, in_library; };
static struct piece pieces[] = {
    { "spin", __start_code_spin, __stop_code_spin, 0, 0, 0 }, { "sort", __start_code_sort, __stop_code_sort, 0, 0, 0 },
    { "copy", __start_code_copy, __stop_code_copy, 0, 0, 0 }, { "nest", __start_code_nest, __stop_code_nest, 0, 0, 0 },
};
static uint64_t elsewhere, no_caller;

static void visit(const struct pp_sample *sample, void *context)
{
    (void)context;
    struct pp_module *module = core_module(sample->module);
    CHECK(module, "a sample names module %u, which no record describes", sample->module);
    CHECK(sample->ns == sample->count * pp_run.header->sample_period_ns, "ns of a sample");
    if (!module->instrumented) { no_caller += sample->count; return; }
    const char *address = (const char *)(uintptr_t)(sample->address + module->bias);
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (address >= pieces[i].start && address < pieces[i].stop) {
            pieces[i].samples += sample->count;
            if (sample->library) pieces[i].in_library += sample->count;
            return;
        }
    elsewhere += sample->count;
}

static void blocked_calls(void)
{
    int ep = epoll_create1(0);
    uint64_t refused = 0, calls = 0, start = pp_now_ns();
    struct epoll_event event;
    while (pp_now_ns() - start < 1500000000u) {
        struct timespec little = { 0, 1000 }, none = { 0, 100 };
        struct timeval tv = { 0, 10 };
        refused += nanosleep(&little, NULL) != 0;
        refused += poll(NULL, 0, 0) < 0;
        refused += ppoll(NULL, 0, &none, NULL) < 0;
        refused += select(0, NULL, NULL, NULL, &tv) < 0;
        refused += epoll_wait(ep, &event, 1, 0) < 0;
        calls += 5;
        piece_spin(2000);
    }
    CHECK(refused == 0, "%lu of %lu short waits were interrupted", refused, calls);
    printf("%lu short waits, none interrupted\n", calls);
}

/* As containers do it. */
static void refuse_perf(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof code / sizeof *code, code };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp: %m");
}

int main(int count, char **argument)
{
    bool timer = count > 1 && !strcmp(argument[1], "timer");
    if (timer) refuse_perf();
    if (timer) seen_clock = (clockid_t)(~(unsigned)gettid() << 3 | 4u | 1u);       /* the kernel's encoding: thread, VIRT */
    core_start(1000);
    pp_modules_instrumented((const void *)main);
    struct pp_thread *thread = core_birth();
    uint64_t begin = cpu_ns(), seen = seen_ns();
    while (cpu_ns() - begin < 50000000u) piece_spin(300000);    /* a thread gets its event at the first tick of its CPU time */
    core_samples(thread, visit, NULL);
    int64_t warm = (int64_t)pieces[0].samples, expected_warm = (int64_t)((seen_ns() - seen) / pp_run.header->sample_period_ns);
    CHECK(warm >= (expected_warm - (timer ? 12 : 0)) / 3 && warm <= expected_warm * 2 + (timer ? 12 : 0),      /* the first ticks arm it */ "%ld samples of %ld while it warmed up", warm, expected_warm);
    if (pp_run.header->sample_source == PP_SAMPLE_NONE || (!timer && pp_run.header->sample_source == PP_SAMPLE_TIMER)) {
        printf("skipped: %s\n", pp_run.header->sample_note);
        return 77;
    }
    if (timer) CHECK(pp_run.header->sample_source == PP_SAMPLE_TIMER, "perf_event_open was not refused");
    if (timer) CHECK(pp_run.header->sample_note[0], "no note says why");
    pieces[0].samples = elsewhere = 0;
    pieces[0].cpu_ns = seen_ns() - seen;
    for (unsigned round = 0; round < (timer ? 60u : 30u); round++) {
        uint64_t t0 = seen_ns(), t;
        piece_spin(40000000); t = seen_ns(); pieces[0].cpu_ns += t - t0; t0 = t;
        for (unsigned i = 0; i < 10; i++) piece_sort();
        t = seen_ns(); pieces[1].cpu_ns += t - t0; t0 = t;
        piece_copy(6000); t = seen_ns(); pieces[2].cpu_ns += t - t0; t0 = t;
        piece_nest(30000); t = seen_ns(); pieces[3].cpu_ns += t - t0;
    }
    uint64_t taken = core_samples(thread, visit, NULL);
    CHECK(taken == pp_run.header->events_sampled && taken == pp_private(thread)->row->samples, "three counts of the samples differ");
    double tick = timer ? 4 : 1;         /* at the kernel's tick a signal stands for several periods: the error is a tick's */
    printf("%s\n", pp_run.header->sample_note);
    printf("%-6s %9s %8s %8s  source %u, %lu elsewhere, %lu without caller\n", "piece", "cpu ms", "samples", "library",
           pp_run.header->sample_source, elsewhere, no_caller);
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct piece *p = &pieces[i];
        double expected = (double)p->cpu_ns / pp_run.header->sample_period_ns, sigma = sqrt((expected + tick) * tick) + expected * 0.01;
        printf("%-6s %9.1f %8lu %8lu\n", p->name, (double)p->cpu_ns / 1e6, p->samples, p->in_library);
        /* qsort calls back into compare, which is the program's own code: those samples stand elsewhere */
        if (i == 1) CHECK(expected < 20 * tick || (p->samples > 0 && p->in_library > 0), "no time of qsort at its caller");
        else CHECK(fabs((double)p->samples - expected) < 5 * sigma, "%s: %lu samples, %.0f expected", p->name, p->samples, expected);
        if (i == 2 || i == 3) CHECK(p->samples < 20 * tick || p->in_library > p->samples / 2, "%s: only %lu samples in the library", p->name, p->in_library);
    }
    CHECK(no_caller <= taken / 100 + (uint64_t)tick, "%lu samples found no caller", no_caller);
    CHECK(pp_private(thread)->row->cpu_ns > 0 && pp_private(thread)->row->cpu_ns <= cpu_ns(), "the row's CPU time");
    blocked_calls();
    core_death();
    uint64_t before = core_samples(thread, NULL, NULL);
    piece_spin(50000000);
    CHECK(core_samples(thread, NULL, NULL) == before, "samples after the thread's retirement");
    printf("self %.2f %% of CPU time\n", 100.0 * (double)pp_run.header->self_ns / (double)cpu_ns());
    return 0;
}
