/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: exchanges */
/* neither: smallreads */
/* telegraph.c: numbers go to another process, which says how many ones each has; one by one, or many together. Reading
 * 64 KiB at a time would help nobody: the answer to one question is all that there is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FIXED
#define TOGETHER 500u
#else
#define TOGETHER 1u
#endif

static int out[2], in[2];

static void ones_answer(void)
{
    uint32_t number[TOGETHER];
    close(out[1]);
    while (read(out[0], number, sizeof number) == sizeof number) {
        for (unsigned i = 0; i < TOGETHER; i++)
            number[i] = (uint32_t)__builtin_popcount(number[i]);
        if (write(in[1], number, sizeof number) != sizeof number)
            break;
    }
    _exit(0);
}

static void ones_ask(uint32_t number[TOGETHER])
{
    size_t bytes = TOGETHER * sizeof *number;
    if (write(out[1], number, bytes) != (ssize_t)bytes || read(in[0], number, bytes) != (ssize_t)bytes) /* @ */
        exit(1);
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(40000 * (argc > 1 ? atof(argv[1]) : 1)) / 500 * 500;
    uint32_t number[TOGETHER], random = 1;
    uint64_t ones = 0;
    if (pipe(out) || pipe(in))
        return 1;
    pid_t other = fork();
    if (!other)
        ones_answer();
    for (unsigned i = 0; i < count; i += TOGETHER) {
        for (unsigned k = 0; k < TOGETHER; k++)
            number[k] = random = random * 1664525 + 1013904223;
        ones_ask(number);
        for (unsigned k = 0; k < TOGETHER; k++)
            ones += number[k];
    }
    close(out[1]);
    waitpid(other, NULL, 0);
    printf("%llu ones\n", (unsigned long long)ones);
    return 0;
}
