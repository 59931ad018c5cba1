/* SPDX-License-Identifier: MIT */
/* Takes frames of a video, which it makes itself, apart into three planes, and measures movement.
 * Prints a sum over the frames. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLANE (8u << 20)
#define BLOCK 4096u

struct frame {
    uint8_t *y, *u, *v;
};

static struct frame frame_take(void)
{
#ifdef FIXED
    static struct frame frame;
    if (frame.y) return frame;
    frame = (struct frame){ malloc(PLANE), malloc(PLANE), malloc(PLANE) };
#else
    struct frame frame = { malloc(PLANE), malloc(PLANE), malloc(PLANE) }; /* @ */
#endif
    if (!frame.y || !frame.u || !frame.v) exit(1);
    return frame;
}

static void frame_give(struct frame *frame)
{
#ifdef FIXED
    (void)frame;
#else
    free(frame->y);
    free(frame->u);
    free(frame->v);
#endif
}

static void frame_decode(struct frame *frame, unsigned number)
{
    memset(frame->y, (int)(16 + number % 200), PLANE);
    memset(frame->u, 128, PLANE);
    memset(frame->v, (int)(127 + number % 3), PLANE);
    for (unsigned i = 0; i < PLANE; i += BLOCK) {
        frame->y[i] = (uint8_t)(i / BLOCK + number);
        frame->u[i] = (uint8_t)(i / BLOCK * 3);
        frame->v[i] ^= (uint8_t)number;
    }
}

static uint64_t frame_measure(const struct frame *frame)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < PLANE; i += 16) sum += frame->y[i] + (uint64_t)(frame->u[i] * frame->v[i] >> 6);
    return sum;
}

static uint64_t header_check(unsigned number)
{
    uint64_t h = number + 1;
    for (unsigned i = 0; i < 1200000; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned frames = (unsigned)(36 * scale) + 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < frames; i++) {
        struct frame frame = frame_take();
        frame_decode(&frame, i);
        sum = sum * 31 + frame_measure(&frame);
        sum ^= header_check(i);
        frame_give(&frame);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
