/* SPDX-License-Identifier: MIT */
/* clock.c: chooses the clock and takes the counter's rate. See clock.h. */
#define _GNU_SOURCE
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

extern __attribute__((visibility("hidden"))) inline uint64_t pp_clock_ns(void);
extern __attribute__((visibility("hidden"))) inline uint64_t pp_clock_convert(uint64_t ticks, uint64_t from_ticks,
                                                                               uint64_t from_ns, uint64_t mult);

#define FIRST_SPAN_NS 5000000u /* the first rate is taken over this long: 50 ns of reading jitter are 10 millionths */
#define LAST_SPAN_NS UINT64_C(100000000000)

#define COLD __attribute__((cold)) /* for size: these run seldom */

struct pp_clock pp_clock;
static atomic_flag renewing = ATOMIC_FLAG_INIT;

extern void __tsan_init(void) __attribute__((weak));

static uint64_t library_ns(void)
{
    struct timespec t;
    if (pp_forbids(PP_FORBIDDEN_COUNTER) ||
        __tsan_init) /* the C library's reads the counter; ThreadSanitizer's would be a write of the program's */
        pp_clock_read(CLOCK_MONOTONIC, &t);
    else
        clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)
/* Asked when the first rate is due, so that a process that has ended by then has not paid for it: under a hypervisor
 * cpuid alone takes 7 us. */
COLD static bool counter_is_sound(void)
{
    unsigned a, b, c, d;
    __cpuid(0x80000007, a, b, c, d); /* each x86-64 has it */
    if (!(d & 1u << 8) || pp_forbids(PP_FORBIDDEN_LOOKS)) /* invariant TSC */
        return false;
    char name[8] = "";
    int fd = pp_open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    ssize_t got = pp_read(fd, name, sizeof name - 1);
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (thread && got > 0) { /* the kernel adds it to what this thread has read */
        pp_private(thread)->io.own_bytes += (uint64_t)got;
        pp_private(thread)->io.own_calls++;
    }
    pp_close(fd);
    return got >= 3 && !memcmp(name, "tsc", 3) && (got == 3 || name[3] == '\n');
}

/* Reads both clocks at one instant. The tightest of a few tries counts. */
COLD static void read_pair(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = __builtin_ia32_rdtsc(), now = library_ns(), after = __builtin_ia32_rdtsc();
        if (after - before < best) {
            best = after - before;
            *ticks = before + best / 2;
            *ns = now;
        }
    }
}

COLD static uint64_t clock_renew(void)
{
    uint64_t ticks = 0, now = 0;
    read_pair(&ticks, &now);
    if (now - pp_clock.first_ns < FIRST_SPAN_NS || ticks <= pp_clock.first_ticks)
        return now;
    uint64_t span = ticks - pp_clock.first_ticks;
    uint64_t rate = (uint64_t)(((unsigned __int128)(now - pp_clock.first_ns) << PP_CLOCK_SHIFT) / span);
    uint32_t sequence = atomic_load_explicit(&pp_clock.sequence, memory_order_relaxed);
    if (!sequence && !counter_is_sound()) {
        pp_clock.usable = 0;
        return now;
    }
    if (!sequence && pp_run.header)
        memcpy(pp_run.header->clock_name, "tsc", 4);
    uint64_t from_ns = now, mult = rate;
    uint64_t next_span = span * 4;
    uint64_t last_span = (uint64_t)(((unsigned __int128)LAST_SPAN_NS << PP_CLOCK_SHIFT) / rate);
    if (next_span > last_span)
        next_span = last_span;
    if (sequence) { /* go on from the old line */
        from_ns = pp_clock_convert(ticks, atomic_load(&pp_clock.ticks), atomic_load(&pp_clock.ns),
                                   atomic_load(&pp_clock.mult));
        mult = pp_clock_mult(from_ns, now, rate, next_span);
    }
    atomic_store_explicit(&pp_clock.sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); /* partner: pp_clock_ns */
    atomic_store_explicit(&pp_clock.ticks, ticks, memory_order_relaxed);
    atomic_store_explicit(&pp_clock.ns, from_ns, memory_order_relaxed);
    atomic_store_explicit(&pp_clock.mult, mult, memory_order_relaxed);
    atomic_store_explicit(&pp_clock.renew_ticks, ticks + next_span, memory_order_relaxed);
    atomic_store_explicit(&pp_clock.sequence, sequence + 2, memory_order_release);
    return from_ns;
}
#endif

static uint64_t stopped_ns;
static uint32_t was_usable;

COLD void pp_clock_stop(void)
{
    stopped_ns = pp_now_ns();
    was_usable = pp_clock.usable;
    pp_clock.usable = 0;
}

void pp_clock_resume(void) { pp_clock.usable = was_usable; }

COLD static uint64_t slow_ns(void)
{
    if (pp_forbids(PP_FORBIDDEN_CLOCK))
        return stopped_ns;
#if defined(__x86_64__)
    if (pp_clock.usable) {
        sigset_t saved;
        uint64_t now = library_ns();
        if (!atomic_load_explicit(&pp_clock.sequence, memory_order_relaxed) && now - pp_clock.first_ns < FIRST_SPAN_NS)
            return now;
        pp_signals_block(&saved); /* a handler must not read a half-written line of its own thread */
        bool mine = !atomic_flag_test_and_set_explicit(&renewing, memory_order_acquire);
        if (mine) {
            now = clock_renew();
            atomic_flag_clear_explicit(&renewing, memory_order_release);
        } else if (atomic_load(&pp_clock.sequence) > 1) {
            /* Another thread is writing. The old line is used until it has finished, which takes an instant. */
            uint32_t before = 1;
            do {
                before = atomic_load_explicit(&pp_clock.sequence, memory_order_acquire);
                now = pp_clock_convert(__builtin_ia32_rdtsc(),
                                       atomic_load_explicit(&pp_clock.ticks, memory_order_relaxed),
                                       atomic_load_explicit(&pp_clock.ns, memory_order_relaxed),
                                       atomic_load_explicit(&pp_clock.mult, memory_order_relaxed));
                atomic_thread_fence(memory_order_acquire);
            } while (before & 1 || atomic_load_explicit(&pp_clock.sequence, memory_order_relaxed) != before);
        }
        pp_signals_restore(&saved);
        return now;
    }
#endif
    return library_ns();
}

uint64_t pp_clock_slow_ns(void)
{
    int kept = errno;
    uint64_t now = slow_ns();
    errno = kept;
    return now;
}

uint64_t pp_now_ns(void) __attribute__((alias("pp_clock_ns"))); /* for size: the same instructions */

COLD void pp_clock_start(void)
{
#if defined(__x86_64__)
    read_pair(&pp_clock.first_ticks, &pp_clock.first_ns);
    pp_clock.usable = 1;
#endif
}

void pp_clock_fork_child(void)
{
    atomic_flag_clear(&renewing);
    if (atomic_load(&pp_clock.sequence) & 1)
        atomic_store(&pp_clock.sequence, 0);
}

const char *pp_clock_name(void)
{
    return pp_clock.usable && atomic_load(&pp_clock.sequence) ? "tsc" : "clock_gettime";
}
