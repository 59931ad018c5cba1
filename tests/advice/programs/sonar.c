/* SPDX-License-Identifier: MIT */
/* A sonar keeps the last echoes in a ring and looks for the delay at which they match what was sent. Prints the delays
 * that were found. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ring {
    uint32_t size, head;
    int32_t *echoes;
};

static void ring_put(struct ring *ring, int32_t echo)
{
    ring->echoes[ring->head] = echo;
    ring->head = (ring->head + 1) % ring->size;
}

static int64_t ring_match(const struct ring *ring, const int32_t *ping, uint32_t length, uint32_t delay)
{
    int64_t sum = 0;
#ifdef FIXED
    uint32_t at = (ring->head + delay) % ring->size;
    for (uint32_t i = 0; i < length; i++) {
        sum += (int64_t)ring->echoes[at] * ping[i];
        if (++at == ring->size) at = 0;
    }
#else
    for (uint32_t i = 0; i < length; i++) /* @ */
        sum += (int64_t)ring->echoes[(ring->head + delay + i) % ring->size] * ping[i]; /* @ */
#endif
    return sum;
}

static uint32_t water(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned pings = (unsigned)(40 * scale) + 1;
    uint32_t seed = 99, length = 600;
    uint32_t size = argc > 2 ? (uint32_t)atoi(argv[2]) : 3000;
    struct ring ring = { size, 0, calloc(size, sizeof(int32_t)) };
    int32_t *ping = malloc(length * sizeof *ping);
    uint64_t found = 0;
    if (!ring.echoes || !ping) return 1;
    for (uint32_t i = 0; i < length; i++) ping[i] = (int32_t)(water(&seed) & 255) - 128;
    for (unsigned k = 0; k < pings; k++) {
        uint32_t place = water(&seed) % 2000, best_delay = 0;
        int64_t best = INT64_MIN;
        for (uint32_t i = 0; i < ring.size; i++) {
            int32_t noise = 0;
            for (int j = 0; j < 60; j++) noise += (int32_t)(water(&seed) & 15) - 8;
            ring_put(&ring, (i >= place && i < place + length ? ping[i - place] : 0) + noise);
        }
        for (uint32_t delay = 0; delay + length <= ring.size; delay++) {
            int64_t match = ring_match(&ring, ping, length, delay);
            if (match > best) {
                best = match;
                best_delay = delay;
            }
        }
        found = found * 31 + best_delay;
    }
    printf("%llu\n", (unsigned long long)found);
    free(ring.echoes);
    free(ping);
    return 0;
}
