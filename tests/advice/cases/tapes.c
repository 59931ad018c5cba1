/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: divisions */
/* least: 30 */
/* most: 70 */
/* tapes.c: voices are recorded on a loop of tape, whose length is known at the start alone. Each sample is put at a
 * place modulo that length, and in the twin the place begins again at the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define VOICES 12
#define TAKE 480

struct voice {
    uint32_t turn, speed, loud;
};

static struct voice voice[VOICES];
static int32_t *tape;
static uint32_t length;

static void take_record(uint32_t from)
{
    for (unsigned v = 0; v < VOICES; v++) {
        struct voice *one = &voice[v];
#ifdef FIXED
        uint32_t place = from % length;
#endif
        for (uint32_t i = 0; i < TAKE; i++) {
#ifdef FIXED
            tape[place] += (int32_t)((one->turn >> 17) * one->loud);
            if (++place == length)
                place = 0;
#else
            tape[(from + i) % length] += (int32_t)((one->turn >> 17) * one->loud); /* @ */
#endif
            one->turn += one->speed;
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t takes = (uint32_t)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    length = argc > 2 ? (uint32_t)atoi(argv[2]) : 44100;
    tape = calloc(length, sizeof *tape);
    for (uint32_t v = 0; v < VOICES; v++)
        voice[v] = (struct voice){ v * 811, 1000 + v * 41, 9 + v };
    for (uint32_t i = 0; tape && i < takes; i++)
        take_record(i * TAKE);
    for (uint32_t i = 0; tape && i < length; i++)
        sum = sum * 31 + (uint32_t)tape[i];
    printf("%llu\n", (unsigned long long)sum);
    free(tape);
    return 0;
}
