/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* rings.c: a filter goes round in a ring of samples, whose length is given when the program starts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ring {
    uint32_t size, head;
    int32_t *sample;
};

static int64_t ring_filter(const struct ring *ring, const int32_t *weight, uint32_t taps)
{
    int64_t sum = 0;
#ifdef FIXED
    uint32_t at = (ring->head + 1) % ring->size;
    for (uint32_t i = 0; i < taps; i++) {
        sum += (int64_t)ring->sample[at] * weight[i];
        at = at + 1 == ring->size ? 0 : at + 1;
    }
#else
    for (uint32_t i = 0; i < taps; i++)
        sum += (int64_t)ring->sample[(ring->head + 1 + i) % ring->size] * weight[i]; /* @ */
#endif
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(60000 * (argc > 1 ? atof(argv[1]) : 1)), taps = 700;
    struct ring ring = { argc > 2 ? (uint32_t)atoi(argv[2]) : 1000, 0, NULL };
    int32_t *weight = calloc(taps, sizeof *weight);
    int64_t sum = 0;
    if (!weight || !(ring.sample = calloc(ring.size, sizeof *ring.sample)))
        return 1;
    for (uint32_t i = 0; i < taps; i++)
        weight[i] = (int32_t)(i * 37 % 101) - 50;
    for (uint32_t i = 0; i < count; i++) {
        ring.sample[ring.head] = (int32_t)(i * 2654435761u >> 20);
        sum = (int64_t)((uint64_t)sum * 31 + (uint64_t)ring_filter(&ring, weight, taps));
        ring.head = (ring.head + 1) % ring.size;
    }
    printf("%u samples, %lld\n", count, (long long)sum);
    free(ring.sample);
    free(weight);
    return 0;
}
