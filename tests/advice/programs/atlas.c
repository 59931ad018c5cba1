/* SPDX-License-Identifier: MIT */
/* Reads places of an atlas from a file of records, which it makes first, region by region, and adds up who lives
 * there. Prints the regions' persons. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REGIONS 16u
#define PLACES 2048u

struct place {
    uint32_t number, persons;
    int32_t x, y;
    uint64_t area;
};

static uint64_t persons[REGIONS];

static int atlas_make(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/atlas.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    unlink(path);
    static struct place places[PLACES];
    for (uint32_t region = 0; region < REGIONS; region++) {
        for (uint32_t i = 0; i < PLACES; i++) {
            uint32_t seed = (region * PLACES + i) * 2654435761u;
            int32_t x = (int32_t)(seed >> 8 & 0xffff), y = (int32_t)(seed & 0xffff);
            places[i] = (struct place){ i, seed >> 12, x, y, seed % 997 + 1 };
        }
        if (write(fd, places, sizeof places) != (ssize_t)sizeof places) return -1;
    }
    return fd;
}

static void place_take(const struct place *place, unsigned region, unsigned pass)
{
    uint64_t density = place->persons * 1000ULL / place->area;
    uint64_t h = density + pass;
    for (int i = 0; i < 120; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    persons[region] += place->persons + (h & 1);
}

static int region_read(int atlas, unsigned region, unsigned pass)
{
    off_t at = (off_t)(region * PLACES * sizeof(struct place));
#ifdef FIXED
    static struct place places[PLACES];
    if (pread(atlas, places, sizeof places, at) != (ssize_t)sizeof places) return 1;
    for (unsigned i = 0; i < PLACES; i++) place_take(&places[i], region, pass);
#else
    for (unsigned i = 0; i < PLACES; i++) {
        struct place place;
        if (pread(atlas, &place, sizeof place, at) != sizeof place) return 1; /* @ */
        place_take(&place, region, pass);
        at += sizeof place;
    }
#endif
    return 0;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned passes = (unsigned)(32 * scale) + 1;
    int atlas = atlas_make();
    if (atlas < 0) return 1;
    for (unsigned i = 0; i < passes; i++)
        for (unsigned region = 0; region < REGIONS; region++)
            if (region_read(atlas, (region * 7 + i) % REGIONS, i)) return 1;
    for (unsigned i = 0; i < REGIONS; i++) printf("%llu ", (unsigned long long)persons[i]);
    printf("\n");
    close(atlas);
    return 0;
}
