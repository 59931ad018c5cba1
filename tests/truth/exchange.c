/* SPDX-License-Identifier: MIT */
/* exchange.c: eight threads at a time free each other's blocks, while a signal handler allocates its own: totals by
 * line are exact. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "truth.h"

enum { THREADS = 8, ROUNDS = 2, STEPS = 100000, SLOTS = 4096, OWN = __LINE__ + 14, LIBRARY = __LINE__ + 31, HANDLER = __LINE__ + 7 };
static void *_Atomic slot[SLOTS];
static _Atomic uint64_t own_blocks, own_bytes, library_blocks, library_bytes, handled;
static __thread volatile int inside;     /* the handler must not enter the allocator again */

static void handler(int number)
{
    void *volatile block = inside ? NULL : malloc(77);
    handled += number && block;
    free(block);
}

static void *own(size_t size)
{
    void *volatile block = malloc(size);
    own_blocks++;
    own_bytes += size;
    return block;
}

static void *work(void *start)
{
    char text[701];
    uint64_t random = (uint64_t)(uintptr_t)start * 77777 + 1;
    for (int i = 0; i < STEPS; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t size = (random >> 40) % 700;
        memset(text, 'x', size);
        text[size] = 0;
        inside = 1;
        void *block = random >> 33 & 1 ? own(size) :
            strdup(text);
        library_blocks += !(random >> 33 & 1);
        library_bytes += random >> 33 & 1 ? 0 : size + 1;
        free(atomic_exchange(&slot[(random >> 20) % SLOTS], block));
        inside = 0;
        BURN(600);
    }
    return NULL;
}

static void expect(int line, uint64_t blocks, uint64_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "exchange.c:%d", line);
    expect_exact("allocations", name, "alloc_blocks", blocks);
    expect_exact("allocations", name, "alloc_bytes", bytes);
    expect_exact("allocations", name, "free_blocks", blocks);
    expect_exact("allocations", name, "free_bytes", bytes);
}

int main(void)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    struct itimerval each = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
    sigaction(SIGPROF, &action, NULL);
    for (uintptr_t round = 0; round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        setitimer(ITIMER_PROF, &each, NULL);
        inside = 1;
        for (uintptr_t i = 0; i < THREADS; i++)
            pthread_create(&thread[i], NULL, work, (void *)(i + round * THREADS));
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        setitimer(ITIMER_PROF, &never, NULL);
    }
    for (int i = 0; i < SLOTS; i++)
        free(slot[i]);
    expect(OWN, own_blocks, own_bytes);
    expect(LIBRARY, library_blocks, library_bytes);
    expect(HANDLER, handled, handled * 77);
    return 0;
}
