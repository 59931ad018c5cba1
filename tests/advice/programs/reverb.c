/* SPDX-License-Identifier: MIT */
/* Resonators that ring after short knocks, with silence between: each block goes through a bank of them. Prints how
 * many samples were loud, and the level of the last block in steps of a thousandth. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 2000u
#define BANK 16u

struct resonator {
    float near, far, a, b;
};

static struct resonator bank[BANK];

static void bank_make(void)
{
    for (unsigned i = 0; i < BANK; i++) {
        double radius = 0.93 - 0.005 * i, angle = 0.2 + 0.1 * i;
        bank[i].a = (float)(2 * radius * cos(angle));
        bank[i].b = (float)(-radius * radius);
    }
}

static void block_make(float *block, unsigned number)
{
    for (unsigned i = 0; i < BLOCK; i++) block[i] = 0;
    block[number % 17] = (float)(1 + number % 5) / 4;
}

static void resonator_run(struct resonator *resonator, const float *block, float *out)
{
    float near = resonator->near, far = resonator->far;
    for (unsigned i = 0; i < BLOCK; i++) {
        float now = resonator->a * near + resonator->b * far + block[i]; /* @ */
#ifdef FIXED
        if (now < 1e-30f && now > -1e-30f) now = 0;
#endif
        far = near;
        near = now;
        out[i] += now;
    }
    resonator->near = near;
    resonator->far = far;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned blocks = (unsigned)(5000 * scale) + 1, loud = 0;
    float block[BLOCK], out[BLOCK];
    double level = 0;
    bank_make();
    for (unsigned i = 0; i < blocks; i++) {
        block_make(block, i);
        for (unsigned k = 0; k < BLOCK; k++) out[k] = 0;
        for (unsigned k = 0; k < BANK; k++) resonator_run(&bank[k], block, out);
        level = 0;
        for (unsigned k = 0; k < BLOCK; k++) {
            loud += out[k] > 0.01f;
            level += fabs((double)out[k]);
        }
    }
    printf("%u %.3f\n", loud, level);
    return 0;
}
