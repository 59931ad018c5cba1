/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* denormals.c: echoes of claps fade in rooms; how many moments of an evening are loud? */
#include <stdio.h>
#include <stdlib.h>

#define MOMENTS 4000

struct room {
    float level, damping;
};

static float clap[MOMENTS];

static unsigned evening_hear(struct room *room)
{
    unsigned loud = 0;
    float level = room->level;
    for (int i = 0; i < MOMENTS; i++) {
        level = level * room->damping + clap[i]; /* @ */
#ifdef FIXED
        if (level < 1e-20f)
            level = 0;
#endif
        loud += level > 0.25f; /* @ */
    }
    room->level = level;
    return loud;
}

int main(int argc, char **argv)
{
    struct room room[8];
    unsigned loud = 0, evenings = (unsigned)(18000 * (argc > 1 ? atof(argv[1]) : 1));
    for (int i = 0; i < MOMENTS; i += 2000)
        clap[i] = 1;
    for (unsigned i = 0; i < 8; i++)
        room[i] = (struct room){ 0, 0.5f + (float)i / 32 };
    for (unsigned i = 0; i < evenings; i++)
        loud += evening_hear(&room[i % 8]);
    printf("%u\n", loud);
    return 0;
}
