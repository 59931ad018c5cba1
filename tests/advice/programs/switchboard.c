/* SPDX-License-Identifier: MIT */
/* A switchboard: calls come and go; each has a record with what was dialled and how the line sounded. Prints the calls
 * of each quality. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64u

struct call {
    uint64_t number;
    uint8_t *sound;
    size_t length;
};

static struct call *ringing[SLOTS];
static unsigned quality[8];

static uint8_t *sound_record(uint64_t number, size_t length)
{
    uint8_t *sound = malloc(length); /* @ */
    if (!sound) exit(1);
    uint64_t h = number | 1;
    for (size_t i = 0; i + 8 <= length; i += 8) {
        h *= 0x9e3779b97f4a7c15ULL;
        memcpy(sound + i, &h, 8);
    }
    return sound;
}

static struct call *call_begin(uint64_t number)
{
    struct call *call = malloc(sizeof *call);
    if (!call) exit(1);
    call->number = number;
    call->length = 4000 + number % 3 * 800;
    call->sound = sound_record(number, call->length); /* @ */
    return call;
}

static void call_end(struct call *call)
{
    unsigned sum = 0;
    for (size_t i = 0; i + 8 <= call->length; i += 16) sum += call->sound[i] >> 3;
    quality[sum / 64 % 8]++;
#ifdef FIXED
    free(call->sound);
#endif
    free(call);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned calls = (unsigned)(110000 * scale) + SLOTS;
    for (unsigned i = 0; i < calls; i++) {
        struct call **slot = &ringing[i * 29 % SLOTS];
        if (*slot) call_end(*slot);
        *slot = call_begin(i);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        if (ringing[i]) call_end(ringing[i]);
    for (unsigned i = 0; i < 8; i++) printf("%u ", quality[i]);
    puts("");
    return 0;
}
