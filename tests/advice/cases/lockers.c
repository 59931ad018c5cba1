/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* kind: measured */
/* least: 75 */
/* does: room */
/* sizes: 0.5 1 3 */
/* lockers.c: things lie in the first free locker from where a hash of the owner's name says. Nearly all lockers are
 * taken, so that some thirty are looked at; with FIXED there are four times as many. That saves 82 %. It saves little
 * where the lockers are in no cache, and there it is a bound: one such program was told 32 to 64 %, and saved nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define LOCKERS 16384u
#else
#define LOCKERS 4096u
#endif
#define OWNERS 4000u

static struct {
    char owner[20];
    uint32_t opened;
} locker[LOCKERS];

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash ^ hash >> 15;
}

static uint32_t locker_find(const char *owner)
{
    uint32_t at = hash_of(owner) % LOCKERS;
    while (locker[at].owner[0] && strcmp(locker[at].owner, owner) != 0) /* @ */
        at = (at + 1) % LOCKERS;
    return at;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(1000000 * (argc > 1 ? atof(argv[1]) : 1)), random = 5, most = 0;
    static char name[OWNERS][20];
    for (uint32_t i = 0; i < OWNERS; i++) {
        snprintf(name[i], sizeof name[i], "guest %04u", i);
        strcpy(locker[locker_find(name[i])].owner, name[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        locker[locker_find(name[(random >> 8) % OWNERS])].opened++;
    }
    for (uint32_t i = 0; i < OWNERS; i++) {
        uint32_t at = locker_find(name[i]);
        most = locker[at].opened > most ? locker[at].opened : most;
    }
    printf("%u times, %u at most\n", count, most);
    return 0;
}
