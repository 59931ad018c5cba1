/* SPDX-License-Identifier: MIT */
/* elsewhere.c own|known: sleeps for 400 ms, in a system call of its own or in a known one, and computes for 200 ms. */
#define _GNU_SOURCE
#include "truth.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec time = { 0, 400000000 };
    long batch = burn_calibrate() * 200;
    if (argc != 2)
        return 2;
    if (!strcmp(argv[1], "own"))
        syscall(SYS_nanosleep, &time, NULL);
    else
        nanosleep(&time, NULL);
    BURN(batch);
    puts("done");
    return 0;
}
