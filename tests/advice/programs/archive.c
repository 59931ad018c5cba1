/* SPDX-License-Identifier: MIT */
/* Loads letters of an archive: each names its writer by initials, which a register resolves. The register is a file.
 * Prints the letters whose writer is known and a sum over the years. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITERS 400u

struct writer {
    char initials[8], name[40];
    unsigned born;
};

struct registry {
    struct writer writers[WRITERS];
    unsigned count;
};

static char place[64];

static int registry_load(struct registry *registry)
{
    char line[96];
    FILE *file = fopen(place, "r"); /* @ */
    if (!file) return -1;
    registry->count = 0;
    while (registry->count < WRITERS && fgets(line, sizeof line, file)) { /* @ */
        struct writer *writer = &registry->writers[registry->count];
        if (sscanf(line, "%7[^;];%39[^;];%u", writer->initials, writer->name, &writer->born) == 3) registry->count++; /* @ */
    }
    fclose(file);
    return 0;
}

static void initials_make(char *text, unsigned number)
{
    snprintf(text, 8, "%c%c%u", 'A' + number % 26, 'A' + number / 26 % 26, number % 7);
}

static const struct writer *writer_find(const struct registry *registry, const char *initials)
{
    for (unsigned i = 0; i < registry->count; i++)
        if (!strcmp(registry->writers[i].initials, initials)) return &registry->writers[i];
    return NULL;
}

static unsigned letter_date(unsigned letter, unsigned born)
{
    uint64_t ink = letter;
    for (unsigned i = 0; i < 60000; i++) ink = (ink ^ born) * 1099511628211ULL + i;
    return born + 20 + (unsigned)(ink >> 58);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned letters = (unsigned)(1500 * scale) + 1, known = 0;
    uint64_t years = 0;
    static struct registry registry;
    FILE *file;
    snprintf(place, sizeof place, "register-%d.txt", (int)getpid());
    if (!(file = fopen(place, "w"))) return 1;
    for (unsigned i = 0; i < WRITERS; i++) {
        char initials[8];
        initials_make(initials, i * 5);
        fprintf(file, "%s;Writer the %uth;%u\n", initials, i, 1500 + i);
    }
    fclose(file);
#ifdef FIXED
    if (registry_load(&registry)) return 1;
#endif
    for (unsigned i = 0; i < letters; i++) {
        char initials[8];
#ifndef FIXED
        if (registry_load(&registry)) return 1; /* @ */
#endif
        initials_make(initials, i % 600 * 5);
        const struct writer *writer = writer_find(&registry, initials);
        if (!writer) continue;
        known++;
        years += letter_date(i, writer->born);
    }
    unlink(place);
    printf("%u %llu\n", known, (unsigned long long)years);
    return 0;
}
