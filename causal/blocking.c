/* SPDX-License-Identifier: MIT */
/* blocking.c: the calls by which threads wait for and wake each other. Before a thread wakes another it pays, so that
 * the other may skip what it waited through. The functions lie before the C library's and behind those of the
 * program's runtime. It must not know what is slowed, or why. */
#include "account.h"
#include "ticker.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

static void *next_find(void *_Atomic *kept, const char *name)
{
    void *found = atomic_load_explicit(kept, memory_order_relaxed);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        atomic_store_explicit(kept, found, memory_order_relaxed);
    }
    return found;
}
#define NEXT(name)                                  \
    ({                                              \
        static void *_Atomic kept;                  \
        (__typeof__(&name))next_find(&kept, #name); \
    })

/* A call that another thread ends where it returns one of two values. */
#define BLOCKS(name, parameters, arguments, done, also)                \
    EXPORTED int name parameters                                       \
    {                                                                  \
        uint64_t before_ns = account_block();                          \
        int status = NEXT(name) arguments;                             \
        account_wake(before_ns, status == (done) || status == (also)); \
        return status;                                                 \
    }
/* A call that may wake another thread. */
#define WAKES(name, parameters, arguments) \
    EXPORTED int name parameters           \
    {                                      \
        account_pay();                     \
        return NEXT(name) arguments;       \
    }

typedef const struct timespec *deadline;

/* A lock that is free blocks nobody: who takes it must not skip anything. */
#define LOCKS(name, try, busy, parameters, arguments, one)        \
    EXPORTED int name parameters                                  \
    {                                                             \
        account_pay();                                            \
        int status = NEXT(try)(one);                              \
        if (status != (busy))                                     \
            return status;                                        \
        uint64_t before_ns = account_block();                     \
        status = NEXT(name) arguments;                            \
        account_wake(before_ns, !status || status == EOWNERDEAD); \
        return status;                                            \
    }
LOCKS(pthread_mutex_lock, pthread_mutex_trylock, EBUSY, (pthread_mutex_t * m), (m), m)
LOCKS(pthread_mutex_timedlock, pthread_mutex_trylock, EBUSY, (pthread_mutex_t * m, deadline t), (m, t), m)
LOCKS(pthread_mutex_clocklock, pthread_mutex_trylock, EBUSY, (pthread_mutex_t * m, clockid_t c, deadline t), (m, c, t),
      m)
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, EBUSY, (pthread_rwlock_t * l), (l), l)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, EBUSY, (pthread_rwlock_t * l), (l), l)
LOCKS(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, EBUSY, (pthread_rwlock_t * l, deadline t), (l, t), l)
LOCKS(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, EBUSY, (pthread_rwlock_t * l, deadline t), (l, t), l)
LOCKS(mtx_lock, mtx_trylock, thrd_busy, (mtx_t * m), (m), m)
LOCKS(mtx_timedlock, mtx_trylock, thrd_busy, (mtx_t * m, deadline t), (m, t), m)
WAKES(pthread_mutex_unlock, (pthread_mutex_t * m), (m))
WAKES(pthread_rwlock_unlock, (pthread_rwlock_t * l), (l))
WAKES(mtx_unlock, (mtx_t * m), (m))

BLOCKS(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m), 0, EOWNERDEAD)
BLOCKS(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, deadline t), (c, m, t), 0, EOWNERDEAD)
BLOCKS(pthread_cond_clockwait, (pthread_cond_t * c, pthread_mutex_t *m, clockid_t k, deadline t), (c, m, k, t), 0,
       EOWNERDEAD)
BLOCKS(cnd_wait, (cnd_t * c, mtx_t *m), (c, m), thrd_success, thrd_success)
BLOCKS(cnd_timedwait, (cnd_t * c, mtx_t *m, deadline t), (c, m, t), thrd_success, thrd_success)
WAKES(pthread_cond_signal, (pthread_cond_t * c), (c))
WAKES(pthread_cond_broadcast, (pthread_cond_t * c), (c))
WAKES(cnd_signal, (cnd_t * c), (c))
WAKES(cnd_broadcast, (cnd_t * c), (c))

EXPORTED int sem_wait(sem_t *s)
{
    account_pay();
    if (!NEXT(sem_trywait)(s))
        return 0;
    uint64_t before_ns = account_block();
    int status = NEXT(sem_wait)(s);
    account_wake(before_ns, !status);
    return status;
}
BLOCKS(sem_timedwait, (sem_t * s, deadline t), (s, t), 0, 0)
BLOCKS(sem_clockwait, (sem_t * s, clockid_t c, deadline t), (s, c, t), 0, 0)
WAKES(sem_post, (sem_t * s), (s))

BLOCKS(pthread_barrier_wait, (pthread_barrier_t * b), (b), 0, PTHREAD_BARRIER_SERIAL_THREAD)
BLOCKS(pthread_join, (pthread_t t, void **v), (t, v), 0, 0)
BLOCKS(pthread_timedjoin_np, (pthread_t t, void **v, deadline d), (t, v, d), 0, 0)
BLOCKS(pthread_clockjoin_np, (pthread_t t, void **v, clockid_t c, deadline d), (t, v, c, d), 0, 0)
BLOCKS(thrd_join, (thrd_t t, int *v), (t, v), thrd_success, thrd_success)

/* ---- threads ---- */

struct birth {
    void *(*start)(void *);
    void *argument;
    uint64_t delay_ns;
};

static pthread_key_t end_key;

static void thread_end(void *unused) { account_end(); }

static void *thread_begin(void *birth)
{
    struct birth own = *(struct birth *)birth;
    free(birth);
    account_begin(own.delay_ns);
    pthread_setspecific(end_key, &end_key);
    return own.start(own.argument);
}

static struct birth *birth_make(void *(*start)(void *), void *argument)
{
    struct pp_causal_account *creator = account_self();
    struct birth *birth = creator ? malloc(sizeof *birth) : NULL;
    account_pay();
    if (birth)
        *birth = (struct birth){ start, argument, creator->delay_ns };
    return birth;
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct birth *birth = birth_make(start, argument);
    int status = birth ? NEXT(pthread_create)(thread, attributes, thread_begin, birth)
                       : NEXT(pthread_create)(thread, attributes, start, argument);
    if (status)
        free(birth);
    return status;
}

/* Its result is int, which is in the same register as a pointer. */
EXPORTED int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    struct birth *birth = birth_make((void *(*)(void *))(void *)start, argument);
    int status = birth ? NEXT(thrd_create)(thread, (thrd_start_t)(void *)thread_begin, birth)
                       : NEXT(thrd_create)(thread, start, argument);
    if (status != thrd_success)
        free(birth);
    return status;
}

__attribute__((constructor)) static void begin(void)
{
    struct pp_causal_request request;
    if (!account_start(&request))
        return;
    pthread_key_create(&end_key, thread_end);
    pthread_atfork(NULL, NULL, account_stop);
    account_begin(0);
    ticker_start(&request);
}
