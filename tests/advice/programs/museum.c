/* SPDX-License-Identifier: MIT */
/* A museum's catalogue: exhibits are kept by their signature and looked up by visitors. Prints how many questions were
 * answered and a sum over the halls. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOMS 8192u

struct exhibit {
    struct exhibit *next;
    char signature[20];
    unsigned hall, year;
};

static struct exhibit *rooms[ROOMS];

static unsigned room_of(const char *signature)
{
#ifdef FIXED
    uint32_t value = 2166136261u;
    for (; *signature; signature++) value = (value ^ (unsigned char)*signature) * 16777619u;
    return (value ^ value >> 15) % ROOMS;
#else
    unsigned value = 0;
    for (; *signature; signature++) value += (unsigned char)*signature;
    return value % ROOMS;
#endif
}

static void signature_make(char *text, uint32_t number)
{
    uint32_t mixed = number * 2654435761u;
    memcpy(text, "INV-", 4);
    for (int i = 0; i < 8; i++) text[4 + i] = (char)('A' + (mixed >> 4 * i & 15));
    text[12] = '\0';
}

static struct exhibit *exhibit_find(const char *signature)
{
    for (struct exhibit *one = rooms[room_of(signature)]; one; one = one->next) /* @ */
        if (!strcmp(one->signature, signature)) return one; /* @ */
    return NULL;
}

static void exhibit_put(struct exhibit *one)
{
    unsigned room = room_of(one->signature);
    one->next = rooms[room];
    rooms[room] = one;
}

static uint64_t path_length(unsigned hall, unsigned year)
{
    uint64_t length = hall;
    for (unsigned i = 0; i < 160; i++) length = (length ^ year) * 1099511628211ULL + i;
    return length >> 40;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned exhibits = 6000, questions = (unsigned)(250000 * scale) + 1, answered = 0;
    uint64_t sum = 0;
    struct exhibit *all = calloc(exhibits, sizeof *all);
    if (!all) return 1;
    for (unsigned i = 0; i < exhibits; i++) {
        signature_make(all[i].signature, i);
        all[i].hall = i % 37;
        all[i].year = 1200 + i % 800;
        exhibit_put(&all[i]);
    }
    for (unsigned i = 0; i < questions; i++) {
        char signature[20];
        signature_make(signature, i * 7919u % (exhibits + exhibits / 10));
        struct exhibit *one = exhibit_find(signature);
        if (!one) continue;
        answered++;
        sum += path_length(one->hall, one->year);
    }
    printf("%u %llu\n", answered, (unsigned long long)sum);
    free(all);
    return 0;
}
