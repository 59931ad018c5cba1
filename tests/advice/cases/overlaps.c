/* SPDX-License-Identifier: MIT */
/* rule: scalars */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* overlaps.c: a mixer adds channels to a track; the compiler knows, or does not, whether they overlap. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 2048

struct channel {
    float sample[SAMPLES];
    float volume[4];
};

static struct channel channel[6];
static float track[SAMPLES], peak[SAMPLES];

#ifdef FIXED
#define APART restrict
#else
#define APART
#endif

__attribute__((noipa)) static void channel_mix(float *APART to, const float *APART from, const float *APART volume,
                                               float *APART most)
{
    for (int i = 0; i < SAMPLES; i++) {
        to[i] = to[i] * 0.5f + from[i] * *volume; /* @ */
        most[i] = most[i] * 0.75f + to[i] * *volume; /* @ */
    }
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < SAMPLES; i++)
            channel[k].sample[i] = (float)(i * (k + 3) % 97);
        channel[k].volume[0] = 0.25f + 0.125f * (float)k;
    }
    for (unsigned i = 0; i < count; i++)
        channel_mix(track, channel[i % 6].sample, channel[i % 6].volume, peak);
    for (int i = 0; i < SAMPLES; i++)
        sum += (double)track[i] + (double)peak[i];
    printf("%u mixes, %.1f\n", count, sum);
    return 0;
}
