/* SPDX-License-Identifier: MIT */
/* narrow.c: a handler that waits, on an alternate stack with room for little more than its own frames, and a page behind it that nobody may touch. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROOM 2048                        /* of the handler and of what it calls: 1 KB is enough, 2.5 KB is not where the calls of a wait are found on it, too */

static volatile int naps;

__attribute__((noinline)) static void nap(void)
{
    nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
    naps++;
}
static volatile uintptr_t lowest;        /* that the kernel's frame, and the handler's, come down to */

static void measure(int number)
{
    volatile char here = (char)number;
    lowest = (uintptr_t)&here;
}
static void handle(int number) { (void)number; nap(); }

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 16 * page;
    char *low = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED || mprotect(low, page, PROT_NONE)) return 1;
    nap();                               /* plain, it is bound by the dynamic linker when first called, on more stack than that */
    stack_t stack = { .ss_sp = low + page, .ss_size = bytes - page };
    struct sigaction action = { .sa_handler = measure, .sa_flags = SA_ONSTACK };
    if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL) || raise(SIGUSR1)) return 1;
    stack.ss_size = ((uintptr_t)low + bytes - lowest + ROOM + 63) / 64 * 64;
    action.sa_handler = handle;
    if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL)) return 1;
    for (int i = 0; i < 50; i++) raise(SIGUSR1);
    printf("%d naps\n", naps);
    return 0;
}
