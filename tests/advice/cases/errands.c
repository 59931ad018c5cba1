/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 2 */
/* rule: sleeps */
/* most: 40 */
/* errands.c: messengers are processes of a program without profile. The desk looks now and then whether one is back.
 * The way takes most of that time; half a sleep for each errand is what the desk is late. */
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static uint32_t day_plan(uint32_t seed)
{
    for (uint32_t i = 0; i < 4000000; i++)
        seed = seed * 1664525 + (seed >> 13);
    return seed;
}

int main(int argc, char **argv)
{
    int count = (int)(30 * (argc > 1 ? atof(argv[1]) : 1)), failed = 0;
    uint32_t plan = 1;
    for (int i = 0; i < count; i++) {
        char *way[] = { "sleep", "0.016", NULL };
        int status = 0;
        pid_t messenger;
        if (posix_spawnp(&messenger, way[0], NULL, NULL, way, environ))
            return 1;
#ifndef FIXED
        while (waitpid(messenger, &status, WNOHANG) == 0)
            usleep(4000); /* @ */
#else
        waitpid(messenger, &status, 0);
#endif
        failed += status != 0;
        plan = day_plan(plan);
    }
    printf("%d errands, %d failed, %08x\n", count, failed, plan);
    return 0;
}
