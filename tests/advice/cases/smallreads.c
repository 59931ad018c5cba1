/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* smallreads.c: a trace of temperature records, each with a head that says how long it is, is summed up by sensor. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SENSORS 64

struct head {
    uint16_t sensor, bytes;
};

struct source {
    int fd;
    size_t have, at;
    char piece[65536];
};

static int bytes_get(struct source *s, void *to, size_t bytes)
{
#ifndef FIXED
    return read(s->fd, to, bytes) == (ssize_t)bytes; /* @ */
#else
    for (size_t done = 0; done < bytes;) {
        if (s->at == s->have) {
            ssize_t got = read(s->fd, s->piece, sizeof s->piece);
            if (got <= 0)
                return 0;
            s->have = (size_t)got;
            s->at = 0;
        }
        size_t part = bytes - done < s->have - s->at ? bytes - done : s->have - s->at;
        memcpy((char *)to + done, s->piece + s->at, part);
        s->at += part;
        done += part;
    }
    return 1;
#endif
}

static int trace_make(char *path, uint32_t count)
{
    int fd = mkstemp(path);
    FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
    for (uint32_t i = 0; out && i < count; i++) {
        float value[8];
        struct head h = { (uint16_t)(i * 7 % SENSORS), (uint16_t)(sizeof value[0] * (1 + i % 8)) };
        for (unsigned k = 0; k < 8; k++)
            value[k] = (float)((i * 31 + k * 17) % 400) / 10 - 10;
        fwrite(&h, sizeof h, 1, out);
        fwrite(value, 1, h.bytes, out);
    }
    if (out)
        fclose(out);
    return fd;
}

int main(int argc, char **argv)
{
    static struct source s;
    static double sum[SENSORS];
    char path[] = "trace-XXXXXX";
    uint64_t values = 0;
    struct head h;
    s.fd = trace_make(path, (uint32_t)(400000 * (argc > 1 ? atof(argv[1]) : 1)));
    lseek(s.fd, 0, SEEK_SET);
    while (bytes_get(&s, &h, sizeof h)) {
        float value[16];
        if (h.bytes > sizeof value || !bytes_get(&s, value, h.bytes))
            break;
        for (unsigned k = 0; k < h.bytes / sizeof *value; k++, values++)
            sum[h.sensor % SENSORS] += (double)value[k];
    }
    unlink(path);
    printf("%llu values, sensor 7 has %.1f\n", (unsigned long long)values, sum[7]);
    return 0;
}
