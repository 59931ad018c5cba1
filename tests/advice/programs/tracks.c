/* SPDX-License-Identifier: MIT */
/* Converts recorded positions to a text file of tracks: smooths them, thins them out, and writes one line for each that
 * is left. Prints the file's length and a sum over the points. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POINTS 4000u
#define BUFFER 65536u

struct point {
    double x, y, z;
};

struct output {
    int fd;
    size_t filled;
    char bytes[BUFFER];
};

static struct output output;

static void output_flush(void)
{
    if (output.filled && write(output.fd, output.bytes, output.filled) != (ssize_t)output.filled) exit(1); /* @ */
    output.filled = 0;
}

static void output_put(const char *text, size_t length)
{
    if (output.filled + length > BUFFER) output_flush();
    memcpy(output.bytes + output.filled, text, length);
    output.filled += length;
#ifndef FIXED
    output_flush(); /* @ */
#endif
}

static void track_make(struct point *track, unsigned number)
{
    uint32_t seed = number * 2654435761u + 1;
    double x = number, y = 0, z = 100;
    for (unsigned i = 0; i < POINTS; i++) {
        seed = seed * 1664525u + 1013904223u;
        x += (seed >> 24) / 256.0 - 0.5;
        y += (seed >> 16 & 255) / 256.0 - 0.5;
        z += (seed >> 8 & 255) / 2560.0;
        struct point p = { x, y, z };
        track[i] = p;
    }
}

static void track_smooth(struct point *track)
{
    for (int pass = 0; pass < 24; pass++)
        for (unsigned i = 1; i + 1 < POINTS; i++) {
            track[i].x = (track[i - 1].x + 2 * track[i].x + track[i + 1].x) / 4;
            track[i].y = (track[i - 1].y + 2 * track[i].y + track[i + 1].y) / 4;
            track[i].z = (track[i - 1].z + 2 * track[i].z + track[i + 1].z) / 4;
        }
}

static void point_write(const struct point *p)
{
    char text[32];
    int fields[3] = { (int)(p->x * 1000), (int)(p->y * 1000), (int)(p->z * 1000) };
    for (int i = 0; i < 3; i++) {
        unsigned value = fields[i] < 0 ? (unsigned)-fields[i] : (unsigned)fields[i], n = sizeof text;
        text[--n] = i == 2 ? '\n' : ' ';
        do text[--n] = (char)('0' + value % 10);
        while (value /= 10);
        if (fields[i] < 0) text[--n] = '-';
        output_put(text + n, sizeof text - n);
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned tracks = (unsigned)(450 * scale) + 1;
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tracks.XXXXXX", folder ? folder : "/tmp");
    output.fd = mkstemp(path);
    if (output.fd < 0) return 1;
    unlink(path);
    static struct point track[POINTS];
    double sum = 0;
    for (unsigned i = 0; i < tracks; i++) {
        track_make(track, i);
        track_smooth(track);
        for (unsigned k = 0; k < POINTS; k += 8) {
            point_write(&track[k]);
            sum += track[k].x + track[k].y;
        }
    }
    output_flush();
    struct stat about;
    if (fstat(output.fd, &about)) return 1;
    printf("%lld %.3f\n", (long long)about.st_size, sum);
    return 0;
}
