/* SPDX-License-Identifier: MIT */
/* arena.c WAY: ends with its heap in a known state.
 *   holes    every second of many blocks was freed; prints what the allocator itself says
 *   broken   a free block's links were overwritten; the program itself never walks over them again
 *   amid     ends in a signal handler, which may have interrupted the allocator
 *   hidden   pages of its heap, with the allocator's words before blocks, are unreadable for a while
 *   threads  ends while other threads allocate */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <profplug.h>

enum { BLOCKS = 20000, BYTES = 3000 };
static void *block[BLOCKS];

/* At its boundaries the allocator's state is read, whenever they come. */
PROFPLUG_STAGE("border") static __attribute__((noinline)) void border(void) { __asm__ volatile(""); }

static void fill(void)
{
    for (int i = 0; i < BLOCKS; i++)
        memset(block[i] = malloc(BYTES), 1, BYTES);
    for (int i = 0; i < BLOCKS; i += 2)
        free(block[i]);
}

/* With sleeps, so that only some looks interrupt the allocator. */
static void *churn(void *naps)
{
    for (;;) {
        void *volatile at = malloc(4000);
        free(at);
        at = malloc(70);
        free(at);
        if (naps)
            usleep(20);
    }
    return NULL;
}

static void leave(int number)
{
    border();
    _exit(40 + (number == SIGALRM));
}

int main(int count, char **argument)
{
    const char *way = count > 1 ? argument[1] : "holes";
    pthread_t thread;
    if (strcmp(way, "holes") == 0) {
        printf("%d\n", BLOCKS);
        fill();
        struct mallinfo2 m = mallinfo2();
        printf("arena_bytes %zu\narena_used_bytes %zu\narena_free_bytes %zu\narena_top_bytes %zu\n", m.arena, m.uordblks, m.fordblks, m.keepcost);
    } else if (strcmp(way, "broken") == 0) {
        printf("broken\n");                             /* stdio has its buffer now */
        fill();
        for (int i = 1000; i < 2000; i += 2)
            memset(block[i], 0x41, 32);
        border();
    } else if (strcmp(way, "hidden") == 0) {
        printf("hidden\n");
        fflush(stdout);
        for (int i = 0; i < 300; i++)
            memset(block[i] = malloc(BYTES), 1, BYTES);
        char *page = (char *)(((uintptr_t)block[100] + 4095) & ~(uintptr_t)4095);
        if (mprotect(page, 40960, PROT_NONE))
            return 1;
        border();
        if (mprotect(page, 40960, PROT_READ | PROT_WRITE))
            return 1;
        border();
        free(block[101]);
    } else if (strcmp(way, "amid") == 0) {
        struct itimerval timer = { .it_value = { .tv_usec = 3000 } };
        signal(SIGALRM, leave);
        setitimer(ITIMER_REAL, &timer, NULL);
        churn(NULL);
    } else {
        for (int i = 0; i < 3; i++)
            if (pthread_create(&thread, NULL, churn, block))
                return 1;
        for (int i = 0; i < 300; i++) {
            border();
            usleep(10);
        }
        return 41;
    }
    return 0;
}
