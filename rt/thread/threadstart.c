/* SPDX-License-Identifier: MIT */
/* threadstart.c: wraps the functions that create threads, so that a thread has its own counters before its first
 * function. The kernel starts it with the segment base of its creator (struct pp_segment in emitted.h). Only functions
 * that a thread may start with test that (plugin/ready.cc), but in a pool whose own functions have no probes a thread
 * may call any other first. It must not know what is recorded.
 *
 * Threads that are created in another way start with a function of one argument, void *, which tests it. In a static
 * executable the C library's functions are in effect. */
#define _GNU_SOURCE
#include "operation/operation.h"
#include "process/copies.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/segment.h"
#include "thread/thread.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

#define PLACES 64u /* threads that were created and have not started; each further one has a page meanwhile */

struct birth {
    void *(*start)(void *);
    void *argument;
    uint32_t started; /* callsite; 0: not known */
};

PP_FAR static struct birth place[PLACES];
static _Atomic uint64_t taken; /* a bit for each */

static struct birth *birth_take(void)
{
    uint64_t before = atomic_load_explicit(&taken, memory_order_relaxed);
    while (before != UINT64_MAX)
        if (atomic_compare_exchange_weak_explicit(&taken, &before, before | (before + 1), memory_order_acquire,
                                                  memory_order_relaxed)) /* partner: birth_give */
            return &place[__builtin_ctzll(~before)];
    int kept = errno;
    void *page = pp_map(NULL, sizeof(struct birth), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = kept;
    return page == MAP_FAILED ? NULL : page;
}

static void birth_give(struct birth *birth)
{
    if (birth >= place && birth < place + PLACES)
        atomic_fetch_and_explicit(&taken, ~(UINT64_C(1) << (birth - place)),
                                  memory_order_release); /* partner: birth_take */
    else
        pp_unmap(birth, sizeof *birth);
}

/* By a jump, so that the program finds the same callers as without us. */
static void *begin(void *birth)
{
    struct birth own = *(struct birth *)birth;
    birth_give(birth);
    pp_thread_begin();
    if (own.started)
        pp_thread_started(own.started);
    return own.start(own.argument);
}

static bool is_elected_elsewhere(void)
{
    const struct pp_interface *owner = atomic_load_explicit(&pp_owner, memory_order_acquire);
    return owner && owner != &pp_interface;
}

/* The argument for the new thread. NULL: it starts as the program asked. */
static struct birth *birth_of(void *(*start)(void *), void *argument)
{
    uint32_t state = atomic_load_explicit(&pp_state, memory_order_acquire);
    if (!*pp_fork_generation || (state == PP_STATE_NEW && is_elected_elsewhere()) ||
        (state == PP_STATE_OFF && !pp_segment_is_wasted()))
        return NULL;
    struct birth *birth = birth_take();
    if (birth)
        *birth = (struct birth){ start, argument, 0 };
    return birth;
}

/* Calls the next function from within PP_BOOKED_WORK, whose call is `booked_`: the new thread gets to know where it was
 * started. */
#define BORN(next, ...) (birth->started = pp_call_callsite(&booked_), PP_NEXT_OF(next)(__VA_ARGS__))

PP_WRAPPER PP_BEFORE_ALL int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                                            void *argument)
{
    int result;
    struct birth *birth = birth_of(start, argument);
    if (!birth)
        return PP_NEXT_OF(pthread_create)(thread, attributes, start, argument);
    PP_BOOKED_WORK(START, result, result, BORN(pthread_create, thread, attributes, begin, birth));
    if (result)
        birth_give(birth);
    return result;
}

__attribute__((alias("pthread_create"), visibility("hidden"), nothrow, nonnull(1, 3))) int pp_create_here(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

/* Makes the linker take the C library's function from its archive, which next.c does not do. */
#ifdef PP_HAS_CLOCKED
PP_DRAW(aio_init);
#endif

bool pp_births_are_ours(void)
{
    int (*volatile effective)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
    return effective == pp_create_here;
}

/* Its result is int, which is in the same register as a pointer. */
PP_WRAPPER PP_BEFORE_ALL int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    struct birth *birth = birth_of((void *(*)(void *))(void *)start, argument);
    if (!birth)
        return PP_NEXT_OF(thrd_create)(thread, start, argument);
    int result;
    PP_BOOKED_WORK(START, result, result != thrd_success,
                   BORN(thrd_create, thread, (thrd_start_t)(void *)begin, birth));
    if (result != thrd_success)
        birth_give(birth);
    return result;
}
