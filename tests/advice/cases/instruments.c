/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: indirections */
/* instruments.c: sounds are changed by what the player asked for, a function for each sample, through a pointer. The
 * loop is inlined into main, which has other work, too, and calls other functions by name. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 8192

typedef int16_t sample_change(int16_t sample);

static int16_t sound[SAMPLES], played[SAMPLES];

static int16_t sample_soften(int16_t sample)
{
    return (int16_t)(sample / 2);
}

static int16_t sample_turn(int16_t sample)
{
    return (int16_t)-sample;
}

static int16_t sample_crush(int16_t sample)
{
    return (int16_t)(sample & ~0xff);
}

static const struct player {
    const char *name;
    sample_change *change;
} players[] = { { "soften", sample_soften }, { "turn", sample_turn }, { "crush", sample_crush } };

static const struct player *player_find(const char *name)
{
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        if (!strcmp(players[i].name, name))
            return &players[i];
    return NULL;
}

#ifdef FIXED
#define EACH(name)                                                                                                     \
    if (player->change == name)                                                                                        \
        for (int i = 0; i < SAMPLES; i++)                                                                              \
            played[i] = name(sound[i]);
#endif

static void sound_play(const struct player *player)
{
#ifdef FIXED
    EACH(sample_soften)
    EACH(sample_turn)
    EACH(sample_crush)
#else
    for (int i = 0; i < SAMPLES; i++)
        played[i] = player->change(sound[i]); /* @ */
#endif
}

static void sound_make(uint32_t seed)
{
    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525u + 1013904223u;
        sound[i] = (int16_t)(seed >> 16);
    }
}

static __attribute__((noinline)) uint64_t sound_sum(uint64_t sum)
{
    for (int i = 0; i < SAMPLES; i++)
        sum = (sum ^ (uint16_t)played[i]) * 1099511628211u;
    return sum;
}

int main(int argc, char **argv)
{
    int sounds = (int)(12000 * (argc > 1 ? atof(argv[1]) : 1));
    static const char *const asked[] = { "turn", "crush", "soften", "turn" };
    uint64_t sum = 1;
    for (int i = 0; i < sounds; i++) {
        sound_make((uint32_t)i);
        sound_play(player_find(asked[i % 4]));
        sum = sound_sum(sum);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
