/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* conversions.c: a sound is mixed, filtered and faded. */
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 4096

#ifndef FIXED
#define SHARE 0.75
#define FADE 0.99951171875
#else
#define SHARE 0.75f
#define FADE 0.99951171875f
#endif

void sound_mix(float *to, const float *voice, const float *music, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (voice[i] * SHARE + music[i]) * FADE; /* @ */
}

static float sound_peak(const float *sound, int count)
{
    float peak = 0;
    for (int i = 0; i < count; i++)
        peak = sound[i] > peak ? sound[i] : peak;
    return peak;
}

int main(int argc, char **argv)
{
    static float voice[SAMPLES], music[SAMPLES], mixed[SAMPLES];
    int rounds = (int)(320000 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int i = 0; i < SAMPLES; i++) {
        voice[i] = (float)(i * 2654435761u >> 24) / 256;
        music[i] = (float)(i * 40503u >> 8 & 255) / 256;
    }
    for (int r = 0; r < rounds; r++) {
        sound_mix(mixed, voice, music, SAMPLES);
        if (r % 64 == 0)
            all += sound_peak(mixed, SAMPLES);
        voice[r % SAMPLES] = mixed[(r + 7) % SAMPLES] / 2;
    }
    printf("%d rounds, %.3g\n", rounds, all);
    return 0;
}
