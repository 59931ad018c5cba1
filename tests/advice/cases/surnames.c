/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* does: buckets */
/* surnames.c: how often each surname is on electoral rolls. A table's chains keep the hash of each name, and texts are
 * compared where hashes are the same. The table that is large enough has most of the time, too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUCKETS 65536u
#else
#define BUCKETS 512u
#endif
#define SURNAMES 14000u

struct surname {
    struct surname *behind;
    uint64_t hash;
    unsigned voters, length;
    char text[24];
};

static struct surname *bucket[BUCKETS];

static uint64_t text_hash(const char *text, unsigned length)
{
    uint64_t hash = 1469598103934665603u;
    for (unsigned i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash ^ hash >> 31;
}

static struct surname *surname_of(const char *text, unsigned length, uint64_t hash)
{
    struct surname *one;
    for (one = bucket[hash % BUCKETS]; one; one = one->behind)
        if (one->hash == hash && one->length == length && memcmp(one->text, text, length) == 0) /* @ */
            break;
    return one;
}

static unsigned surname_spell(char *text, unsigned number)
{
    return (unsigned)sprintf(text, "Mac%c%x", 'A' + (int)(number % 23), number * 40503u);
}

int main(int argc, char **argv)
{
    unsigned voters = (unsigned)(1500000 * (argc > 1 ? atof(argv[1]) : 1)), strangers = 0;
    char (*roll)[24] = malloc(sizeof *roll * SURNAMES);
    unsigned *length = malloc(sizeof *length * SURNAMES);
    uint64_t *hash = malloc(sizeof *hash * SURNAMES), sum = 0;
    uint32_t state = 77;
    for (unsigned i = 0; i < SURNAMES; i++) {
        length[i] = surname_spell(roll[i], i);
        hash[i] = text_hash(roll[i], length[i]);
        if (i % 50 == 0)
            continue;
        struct surname *one = calloc(1, sizeof *one), **first = &bucket[hash[i] % BUCKETS];
        one->hash = hash[i];
        one->length = length[i];
        memcpy(one->text, roll[i], length[i] + 1);
        one->behind = *first;
        *first = one;
    }
    for (unsigned i = 0; i < voters; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned which = (state >> 8) % SURNAMES;
        struct surname *one = surname_of(roll[which], length[which], hash[which]);
        if (one)
            one->voters++;
        else
            strangers++;
    }
    for (unsigned i = 0; i < SURNAMES; i++) {
        struct surname *one = surname_of(roll[i], length[i], hash[i]);
        sum = sum * 31 + (one ? one->voters : 0);
    }
    printf("%u voters, %u without a name, %llx\n", voters, strangers, (unsigned long long)sum);
    return 0;
}
