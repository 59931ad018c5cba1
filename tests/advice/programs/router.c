/* SPDX-License-Identifier: MIT */
/* A router of a parcel service: finds for each parcel the way through depots, and keeps notes for its operators, which
 * they see if they ask for them. Prints the parcels of each depot and a sum over the ways. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPOTS 64u

struct depot {
    unsigned x, y;
    uint64_t parcels;
};

static struct depot depots[DEPOTS];
static int notes_level = 1;
static uint64_t notes_shown;

static void note(int level, const char *format, ...)
{
    char text[160];
#ifdef FIXED
    if (level > notes_level) return;
#endif
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values); /* @ */
    va_end(values);
    if (level > notes_level) return;
    fprintf(stderr, "%s\n", text);
    notes_shown++;
}

static unsigned distance(const struct depot *depot, unsigned x, unsigned y)
{
    unsigned dx = depot->x > x ? depot->x - x : x - depot->x, dy = depot->y > y ? depot->y - y : y - depot->y;
    return dx + dy;
}

static unsigned depot_near(unsigned x, unsigned y)
{
    unsigned best = 0, best_distance = ~0u;
    for (unsigned i = 0; i < DEPOTS; i++) {
        unsigned far = distance(&depots[i], x, y);
        if (far < best_distance) {
            best_distance = far;
            best = i;
        }
    }
    return best;
}

static unsigned parcel_route(unsigned number)
{
    uint32_t seed = number * 2654435761u + 77;
    unsigned x = seed >> 22, y = seed >> 12 & 1023, length = 0;
    for (int leg = 0; leg < 3; leg++) {
        unsigned depot = depot_near(x, y);
        note(leg + 2, "parcel %u: leg %d from %u,%u to depot %u, %u so far", number, leg, x, y, depot, length);
        length += distance(&depots[depot], x, y);
        depots[depot].parcels++;
        x = (x + depots[depot].y * 7 + 131) & 1023;
        y = (y + depots[depot].x * 5 + 57) & 1023;
    }
    return length;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned parcels = (unsigned)(600000 * scale) + 1;
    uint64_t sum = 0, h = 0;
    for (unsigned i = 0; i < DEPOTS; i++) {
        depots[i].x = i * 2654435761u >> 22;
        depots[i].y = i * 2246822519u >> 22;
    }
    for (unsigned i = 0; i < parcels; i++) sum += parcel_route(i);
    for (unsigned i = 0; i < DEPOTS; i++) h = h * 31 + depots[i].parcels;
    printf("%llu %llu %llu\n", (unsigned long long)h, (unsigned long long)sum, (unsigned long long)notes_shown);
    return 0;
}
