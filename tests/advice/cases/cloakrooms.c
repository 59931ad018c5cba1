/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* does: spreads */
/* sizes: 0.3 1 3 */
/* cloakrooms.c: coats hang at the first free hook from where a hash of the owner's name says. The names differ in a few
 * letters, whose sum is nearly the same for all, so that many hooks are looked at for each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOOKS 8192
#define COATS 3000

static struct {
    char owner[20];
    uint32_t fetched;
} coat[COATS];
static uint16_t hook[HOOKS]; /* which coat, from 1 on; 0: none */

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
#ifndef FIXED
        hash += (unsigned char)*name;
#else
        hash = (hash ^ (unsigned char)*name) * 16777619u;
#endif
    return hash;
}

static uint32_t hook_find(const char *owner)
{
    uint32_t at = hash_of(owner) % HOOKS;
    while (hook[at] && strcmp(coat[hook[at] - 1].owner, owner) != 0) /* @ */
        at = (at + 1) % HOOKS;
    return at;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(60000 * (argc > 1 ? atof(argv[1]) : 1)), random = 5;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < COATS; i++) {
        snprintf(coat[i].owner, sizeof coat[i].owner, "guest %04u", i);
        hook[hook_find(coat[i].owner)] = (uint16_t)(i + 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        char name[20];
        random = random * 1664525u + 1013904223u;
        snprintf(name, sizeof name, "guest %04u", (random >> 8) % COATS);
        coat[hook[hook_find(name)] - 1].fetched++;
    }
    for (uint32_t i = 0; i < COATS; i++)
        sum += (uint64_t)coat[i].fetched * (i % 7 + 1);
    printf("%u coats fetched, %llu\n", count, (unsigned long long)sum);
    return 0;
}
