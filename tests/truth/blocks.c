/* SPDX-License-Identifier: MIT */
/* blocks.c: every entry point of the allocator, one a line, with numbers that follow from the calls; threads that free each other's blocks,
 * a signal's handler that allocates, a fork in the middle, a million live blocks. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define LIVE 1000000
static void *volatile keep;
static void *shared[1000];
static volatile int handled;

static void expect(int line, uint64_t blocks, uint64_t bytes, uint64_t freed, uint64_t freed_bytes, uint64_t temporary)
{
    char name[64];
    snprintf(name, sizeof name, "blocks.c:%d", line);
    expect_exact("allocations", name, "alloc_blocks", blocks);
    expect_exact("allocations", name, "alloc_bytes", bytes);
    expect_exact("allocations", name, "free_blocks", freed);
    expect_exact("allocations", name, "free_bytes", freed_bytes);
    expect_exact("allocations", name, "live_blocks", blocks - freed);
    expect_exact("allocations", name, "live_bytes", bytes - freed_bytes);
    expect_exact("allocations", name, "temporary_blocks", temporary);
}

static void entries(void)
{
    void *block, *aligned;
    for (int i = 1; i <= 10; i++) {
        keep = block = malloc((size_t)i * 100);
        free(block);
    }
    expect(__LINE__ - 3, 10, 5500, 10, 5500, 10);
    keep = block = calloc(7, 11);
    expect(__LINE__ - 1, 1, 77, 1, 77, 1);
    keep = block = realloc(block, 5000);
    expect(__LINE__ - 1, 1, 5000, 1, 5000, 1);
    keep = block = reallocarray(block, 30, 40);
    expect(__LINE__ - 1, 1, 1200, 1, 1200, 0);
    keep = aligned = aligned_alloc(64, 192);
    expect(__LINE__ - 1, 1, 192, 1, 192, 0);
    free(block);
    keep = block = memalign(256, 100);
    expect(__LINE__ - 1, 1, 100, 1, 100, 1);
    free(aligned);
    free(block);
    if (posix_memalign(&block, 128, 300))
        return;
    expect(__LINE__ - 2, 1, 300, 1, 300, 1);
    free(block);
    keep = block = valloc(10);
    expect(__LINE__ - 1, 1, 10, 1, 10, 1);
    free(block);
    if (!getenv("TRUTH_NO_PVALLOC")) {                  /* jemalloc has none: the C library's block is nothing that its free knows */
        keep = block = pvalloc(20);
        expect(__LINE__ - 1, 1, 20, 1, 20, 1);
        free(block);
    }
    keep = block = strdup("twelve bytes");
    expect(__LINE__ - 1, 1, 13, 1, 13, 1);
    free(block);
    keep = block = strndup("twelve bytes", 6);
    expect(__LINE__ - 1, 1, 7, 0, 0, 0);
    char *text;
    if (asprintf(&text, "%s", "text") < 0)
        return;
    keep = block = realloc(NULL, 33);
    expect(__LINE__ - 1, 1, 33, 0, 0, 0);
    keep = malloc((size_t)3 << 30);
    free(keep);
    expect(__LINE__ - 2, 1, (uint64_t)3 << 30, 1, (uint64_t)3 << 30, 1);
}

/* ---- what the C library asks for: it stands at the line that called it ---- */

static void expect_live(int line, uint64_t blocks, uint64_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "blocks.c:%d", line);
    expect_exact("allocations", name, "live_blocks", blocks);
    expect_exact("allocations", name, "live_bytes", bytes);
}

static void libraries(void)
{
    char *text = NULL, *block;
    size_t room = 0;
    FILE *file = fopen("/proc/self/status", "r");
    expect_live(__LINE__ - 1, 0, 0);
    if (!file || getline(&text, &room, file) <= 0)
        abort();
    expect_live(__LINE__ - 2, 1, room);
    keep = text;
    fclose(file);
    if (asprintf(&text, "%s has %d", "this", 13) < 0)
        abort();
    expect_live(__LINE__ - 2, 1, 12);
    keep = text;
    keep = block = realpath("/proc/self/../", NULL);
    expect_live(__LINE__ - 1, 1, malloc_usable_size(block) >= 4096 ? 4096 : strlen(block) + 1);
    keep = block = strdup("a copy");
    expect_live(__LINE__ - 1, 0, 0);
    free(block);
    FILE *memory = open_memstream(&text, &room);
    fputs("some text, not much", memory);
    fclose(memory);
    expect_live(__LINE__ - 1, 1, room + 1);
    keep = text;
}

/* ---- another thread's blocks ---- */

static void *give(void *unused)
{
    for (int i = 0; i < 1000; i++)
        shared[i] = malloc((size_t)i);
    return unused;
}

static void *take(void *unused)
{
    for (int i = 0; i < 1000; i += 2)
        free(shared[i]);
    return unused;
}

static void threads(void)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, give, NULL))
        pthread_join(thread, NULL);
    if (!pthread_create(&thread, NULL, take, NULL))
        pthread_join(thread, NULL);
    expect(__LINE__ - 18, 1000, 999 * 500, 500, 499 * 500, 0);
}

/* ---- in a handler ---- */

static void handler(int number)
{
    (void)number;
    free(malloc(48));
    handled++;
}

static void signals(void)
{
    signal(SIGUSR1, handler);
    for (int i = 0; i < 100; i++)
        raise(SIGUSR1);
    expect(__LINE__ - 9, (uint64_t)handled, (uint64_t)handled * 48, (uint64_t)handled, (uint64_t)handled * 48, (uint64_t)handled);
}

/* ---- many ---- */

static void many(void)
{
    static void *block[LIVE];
    for (int i = 0; i < LIVE; i++)
        block[i] = malloc(24);
    for (int i = 0; i < LIVE; i += 4)
        free(block[i]);
    expect(__LINE__ - 3, LIVE, (uint64_t)LIVE * 24, LIVE / 4, (uint64_t)LIVE / 4 * 24, 0);
}

/* ---- a child's numbers are its own file's ---- */

static void forks(void)
{
    void *before = malloc(500);
    keep = before;
    pid_t child = fork();
    if (child == 0) {
        free(before);
        keep = malloc(20);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    free(before);
    expect(__LINE__ - 10, 1, 500, 1, 500, 1);
    char name[2][32];
    snprintf(name[0], sizeof name[0], "blocks.c:%d", __LINE__ - 12);
    snprintf(name[1], sizeof name[1], "blocks.c:%d", __LINE__ - 8);
    expect_exact("child_allocations", name[0], "alloc_blocks", 0);
    expect_exact("child_allocations", name[0], "free_bytes", 500);
    expect_exact("child_allocations", name[1], "alloc_bytes", 20);
    expect_exact("child_allocations", name[1], "free_blocks", 0);
}

int main(void)
{
    entries();
    if (!getenv("TRUTH_STATIC"))                        /* there they stand at the C library's own functions */
        libraries();
    threads();
    signals();
    many();
    forks();
    return 0;
}
