/* SPDX-License-Identifier: MIT */
/* A choir's recordings: voices are filtered each by a thread and mixed. A device gives each voice after a while. Prints
 * the mix. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define VOICES 6u

struct voice {
    pthread_t thread;
    unsigned number, song;
    uint64_t sound;
};

static void tape_wind(unsigned number)
{
    struct timespec time = { 0, 4000000 + number % 3 * 1000000 };
    nanosleep(&time, NULL);
}

static uint64_t filter(uint64_t sound)
{
    for (unsigned i = 0; i < 250000; i++) sound = (sound ^ i) * 1099511628211u;
    return sound;
}

static void *voice_run(void *context)
{
    struct voice *voice = context;
    tape_wind(voice->number);
    voice->sound = filter(voice->song * 100 + voice->number);
    return NULL;
}

static void voice_start(struct voice *voice, unsigned number, unsigned song)
{
    voice->number = number;
    voice->song = song;
    if (pthread_create(&voice->thread, NULL, voice_run, voice)) exit(1); /* @ */
}

static uint64_t song_mix(unsigned song)
{
    struct voice voice[VOICES];
    uint64_t mix = 0;
#ifdef FIXED
    for (unsigned i = 0; i < VOICES; i++) voice_start(&voice[i], i, song);
    for (unsigned i = 0; i < VOICES; i++) {
        pthread_join(voice[i].thread, NULL);
        mix += voice[i].sound >> 8;
    }
#else
    for (unsigned i = 0; i < VOICES; i++) {
        voice_start(&voice[i], i, song); /* @ */
        pthread_join(voice[i].thread, NULL); /* @ */
        mix += voice[i].sound >> 8;
    }
#endif
    return mix;
}

static uint64_t master(uint64_t mix)
{
    for (unsigned i = 0; i < 2000000; i++) mix = (mix ^ i) * 1099511628211u;
    return mix;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned songs = (unsigned)(25 * scale) + 1;
    uint64_t sum = 0;
    for (unsigned song = 0; song < songs; song++) sum ^= master(song_mix(song));
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
