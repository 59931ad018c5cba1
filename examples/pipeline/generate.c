/* SPDX-License-Identifier: MIT */
/* generate.c: makes the data of the example: `generate FOLDER [COUNT [SEED]]` writes COUNT pictures, PNG and JPEG in turn, the
 * reference picture, and the tables that the stages read. The same seed makes the same bytes. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <stb/stb_image_write.h>

static uint32_t state;

static unsigned next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Soft waves, a few discs and some grain: compresses like a photograph rather than like noise. */
static void paint(unsigned char *pixels, int width, int height)
{
    double fx = 0.01 + (next_random() % 100) * 0.0005, fy = 0.01 + (next_random() % 100) * 0.0005;
    int cx = (int)(next_random() % (unsigned)width), cy = (int)(next_random() % (unsigned)height);
    int radius = 20 + (int)(next_random() % 60), hue = (int)(next_random() % 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned char *p = pixels + 3 * (y * width + x);
            int wave = (int)(60 + 50 * sin(x * fx) + 50 * cos(y * fy));
            int inside = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
            for (int c = 0; c < 3; c++)
                p[c] = (unsigned char)(wave + (inside && c == hue ? 80 : 0) + (int)(next_random() % 8));
        }
}

static int picture(const char *path, int width, int height, int jpeg)
{
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 3);
    int ok = pixels != NULL;
    if (ok) {
        paint(pixels, width, height);
        ok = jpeg ? stbi_write_jpg(path, width, height, 3, pixels, 85) : stbi_write_png(path, width, height, 3, pixels, width * 3);
    }
    free(pixels);
    if (!ok)
        fprintf(stderr, "generate: %s: cannot write the picture\n", path);
    return ok ? 0 : -1;
}

static int table(const char *path, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f) {
        fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
        return -1;
    }
    for (size_t i = 0; i < size; i++)
        putc((int)(next_random() & 255), f);
    return fclose(f);
}

int main(int argc, char **argv)
{
    int count = argc > 2 ? atoi(argv[2]) : 48;
    char path[600];
    if (argc < 2 || count < 1) {
        fprintf(stderr, "usage: generate FOLDER [COUNT [SEED]]\n");
        return 2;
    }
    state = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
    if (mkdir(argv[1], 0777) && errno != EEXIST) {
        fprintf(stderr, "generate: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/photo%03d.%s", argv[1], i, i % 2 ? "jpg" : "png");
        if (picture(path, 480 + (int)(next_random() % 160), 360 + (int)(next_random() % 120), i % 2))
            return 1;
    }
    snprintf(path, sizeof path, "%s/reference.ref", argv[1]);
    if (picture(path, 800, 800, 1))
        return 1;
    static const char *const tables[] = { "preprocess", "augment", "inference" };
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s.table", argv[1], tables[i]);
        if (table(path, 262144))
            return 1;
    }
    return 0;
}
