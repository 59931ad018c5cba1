/* SPDX-License-Identifier: MIT */
/* habit.c: the same small jobs done well and done badly. Knows nothing of stages, plans or the profiler. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <stb/stb_image.h>

#include "habit.h"
#include "pipeline.h"

static unsigned char *read_in_pieces(const char *path, size_t *size, size_t piece)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st)) {
        fprintf(stderr, "pipeline: %s: %s\n", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    unsigned char *bytes = malloc((size_t)st.st_size + 1);
    size_t got = 0;
    while (bytes && got < (size_t)st.st_size) {
        size_t want = (size_t)st.st_size - got < piece ? (size_t)st.st_size - got : piece;
        ssize_t n = read(fd, bytes + got, want);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    close(fd);
    *size = got;
    return bytes;
}

unsigned char *read_whole(const char *path, size_t *size)
{
    return read_in_pieces(path, size, SIZE_MAX);
}

unsigned char *read_bit_by_bit(const char *path, size_t *size)
{
    return read_in_pieces(path, size, 4);
}

static void soften_row(unsigned char *pixels, unsigned char *scratch, int length)
{
    memcpy(scratch, pixels, (size_t)length);
    for (int x = 3; x + 3 < length; x++)
        pixels[x] = (unsigned char)((scratch[x - 3] + 2 * scratch[x] + scratch[x + 3]) >> 2);
}

void soften(struct image *image)
{
    int length = 3 * image->width;
    unsigned char *scratch = malloc((size_t)length);
    for (int y = 0; scratch && y < image->height; y++)
        soften_row(image->pixels + y * length, scratch, length);
    free(scratch);
}

void soften_churning(struct image *image)
{
    int length = 3 * image->width;
    for (int y = 0; y < image->height; y++) {
        unsigned char *copy = malloc((size_t)length * (size_t)image->height);
        if (!copy)
            return;
        memcpy(copy, image->pixels, (size_t)length * (size_t)image->height);
        soften_row(image->pixels + y * length, copy + y * length, length);
        free(copy);
    }
}

static unsigned char curve_at(double value)
{
    double linear = pow(value / 255.0, 2.2);
    return (unsigned char)(255.0 * pow(linear, 1 / 2.24) + 0.5);
}

void tone(struct image *image)
{
    unsigned char curve[256];
    size_t n = 3 * (size_t)image->width * (size_t)image->height;
    for (int v = 0; v < 256; v++)
        curve[v] = curve_at(v);
    for (size_t i = 0; i < n; i++)
        image->pixels[i] = curve[image->pixels[i]];
}

void tone_slowly(struct image *image)
{
    size_t n = 3 * (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < n; i++)
        image->pixels[i] = curve_at(image->pixels[i]);
}

static struct image reference;

static const struct image *decode_reference(const char *folder)
{
    snprintf(reference.path, sizeof reference.path, "%s/reference.ref", folder);
    free(reference.pixels);
    reference.pixels = stbi_load(reference.path, &reference.width, &reference.height, NULL, 3);
    if (!reference.pixels) {
        fprintf(stderr, "pipeline: %s: %s\n", reference.path, stbi_failure_reason());
        return NULL;
    }
    return &reference;
}

const struct image *reference_once(const char *folder)
{
    return reference.pixels ? &reference : decode_reference(folder);
}

const struct image *reference_again(const char *folder)
{
    return decode_reference(folder);
}

void pause_politely(void)
{
    watch_nap(4);
}

/* A histogram of neighbouring pairs over the files of the batch, many times over. */
void rebuild_index(const struct batch *batch)
{
    static unsigned pairs[65536];
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < batch->count; i++) {
            const struct image *image = &batch->image[i];
            const unsigned char *bytes = image->bytes ? image->bytes : (const unsigned char *)image->path;
            size_t n = image->bytes ? image->size : sizeof image->path;
            for (size_t j = 1; j < n; j++)
                pairs[bytes[j - 1] << 8 | bytes[j]] += 1 + (unsigned)round;
        }
}
