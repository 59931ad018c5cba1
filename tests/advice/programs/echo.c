/* SPDX-License-Identifier: MIT */
/* An echo for sound: a ring of samples, from which three delays are added to what comes in. The ring's size is given at
 * start. Prints a sum over the sound. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ring {
    int32_t *sample;
    uint64_t size, at;
};

static int32_t sound_take(uint32_t *seed)
{
    for (int i = 0; i < 4; i++) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 17;
        *seed ^= *seed << 5;
    }
    return (int32_t)(*seed >> 18) - 8192;
}

static uint64_t ring_place(const struct ring *ring, uint64_t at)
{
#ifdef FIXED
    return at & (ring->size - 1);
#else
    return at % ring->size; /* @ */
#endif
}

static int32_t ring_echo(struct ring *ring, int32_t sound)
{
    uint64_t at = ring->at++ + ring->size;
    int32_t near = ring->sample[ring_place(ring, at - 441)];
    int32_t middle = ring->sample[ring_place(ring, at - 1323)];
    int32_t far = ring->sample[ring_place(ring, at - 3087)];
    int32_t echo = sound / 2 + near / 4 + middle / 8 + far / 16;
    ring->sample[ring_place(ring, at)] = echo;
    return echo;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    const char *wanted = getenv("ECHO_RING");
    struct ring ring = { NULL, 1ULL << (wanted ? atoi(wanted) : 13), 0 };
    ring.sample = calloc(ring.size, sizeof *ring.sample);
    if (!ring.sample) return 1;
    unsigned long count = (unsigned long)(60000000 * scale) + 1;
    uint32_t seed = 2463534242u;
    int64_t sum = 0, loud = 0;
    for (unsigned long i = 0; i < count; i++) {
        int32_t echo = ring_echo(&ring, sound_take(&seed));
        sum += echo;
        loud += echo < 0 ? -echo : echo;
    }
    printf("%lld %lld\n", (long long)sum, (long long)loud);
    free(ring.sample);
    return 0;
}
