/* SPDX-License-Identifier: MIT */
/* A sound mixer: adds voices, each with a gain of its own, to blocks of sound, and finds each block's peak. Prints the
 * peaks' sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 1024
#define VOICES 16u

#ifdef FIXED
#define ALONE restrict
#else
#define ALONE
#endif

struct voice {
    float gain;
    uint32_t seed;
    float *sound;
};

static struct voice voices[VOICES];

static int voices_make(void)
{
    for (unsigned i = 0; i < VOICES; i++) {
        voices[i].gain = (float)(i + 1) / 32;
        voices[i].seed = i * 2654435761u + 1;
        voices[i].sound = calloc(BLOCK, sizeof *voices[i].sound);
        if (!voices[i].sound) return 1;
    }
    return 0;
}

static void voice_play(struct voice *voice)
{
    for (unsigned i = 0; i < BLOCK; i += 32) {
        voice->seed = voice->seed * 1664525u + 1013904223u;
        voice->sound[i] = (float)(voice->seed >> 20) / 4096 - 0.5f;
    }
}

void block_add(float *ALONE block, const float *ALONE sound, const float *ALONE gain);
void block_add(float *ALONE block, const float *ALONE sound, const float *ALONE gain)
{
    for (int i = 0; i < BLOCK; i++) block[i] += sound[i] * *gain; /* @ */
}

static float block_peak(const float *block)
{
    float peak = 0;
    for (int i = 0; i < BLOCK; i++) {
        float loud = block[i] < 0 ? -block[i] : block[i];
        if (loud > peak) peak = loud;
    }
    return peak;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned blocks = (unsigned)(80000 * scale) + 1;
    static void (*volatile add)(float *, const float *, const float *) = block_add;
    float *block = malloc(BLOCK * sizeof *block);
    if (!block || voices_make()) return 1;
    double sum = 0;
    for (unsigned i = 0; i < blocks; i++) {
        memset(block, 0, BLOCK * sizeof *block);
        for (unsigned k = 0; k < VOICES; k++) {
            voice_play(&voices[k]);
            add(block, voices[k].sound, &voices[k].gain);
        }
        sum += block_peak(block);
    }
    printf("%.6f\n", sum);
    free(block);
    return 0;
}
