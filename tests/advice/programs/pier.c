/* SPDX-License-Identifier: MIT */
/* Boats leave a pier one after the other, each a process of its own that comes back after a while. Prints how many came
 * back with fish and a sum over the catch. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t sea(unsigned boat, unsigned waves)
{
    uint64_t water = boat * 977u + 1;
    for (unsigned i = 0; i < waves; i++) water = (water ^ i) * 1099511628211ULL;
    return water;
}

#ifndef FIXED
static void pause_ms(long ms)
{
    struct timespec time = { 0, ms * 1000000 };
    nanosleep(&time, NULL); /* @ */
}
#endif

static int boat_return(pid_t boat)
{
    int status = 0;
#ifdef FIXED
    waitpid(boat, &status, 0);
#else
    while (waitpid(boat, &status, WNOHANG) == 0) /* @ */
        pause_ms(10); /* @ */
#endif
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static pid_t boat_leave(unsigned number)
{
    pid_t boat = fork();
    if (boat) return boat;
    _exit((int)(sea(number, 1200000) >> 60));
}

static uint64_t nets_mend(unsigned number)
{
    return sea(number + 7, 900000) >> 50;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned trips = (unsigned)(40 * scale) + 1, full = 0;
    uint64_t knots = 0;
    for (unsigned i = 0; i < trips; i++) {
        pid_t boat = boat_leave(i);
        if (boat < 0) return 1;
        full += boat_return(boat) > 4;
        knots += nets_mend(i);
    }
    printf("%u %llu\n", full, (unsigned long long)knots);
    return 0;
}
