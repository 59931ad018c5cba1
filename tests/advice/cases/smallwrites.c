/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* smallwrites.c: the points of a curve, one a line, for a plotter. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sink {
    int fd;
    size_t have;
    char piece[65536];
};

static void piece_put(struct sink *s)
{
    if (s->have && write(s->fd, s->piece, s->have) != (ssize_t)s->have)
        exit(1);
    s->have = 0;
}

static void line_put(struct sink *s, const char *text, size_t bytes)
{
#ifndef FIXED
    if (write(s->fd, text, bytes) != (ssize_t)bytes) /* @ */
        exit(1);
#else
    if (bytes > sizeof s->piece - s->have)
        piece_put(s);
    memcpy(s->piece + s->have, text, bytes);
    s->have += bytes;
#endif
}

static size_t point_print(char *to, size_t room, uint32_t i)
{
    uint32_t x = i, y = i * 2654435761u >> 16;
    (void)room;
    char *at = to;
    for (uint32_t part = x; part; part /= 10)
        *at++ = (char)('0' + part % 10);
    *at++ = ' ';
    for (uint32_t part = y | 1; part; part /= 10)
        *at++ = (char)('0' + part % 10);
    *at++ = '\n';
    return (size_t)(at - to);
}

int main(int argc, char **argv)
{
    static struct sink s;
    uint32_t count = (uint32_t)(300000 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "curve-XXXXXX", text[64];
    s.fd = mkstemp(path);
    for (uint32_t i = 0; i < count; i++)
        line_put(&s, text, point_print(text, sizeof text, i));
    piece_put(&s);
    printf("%u points, %lld bytes\n", count, (long long)lseek(s.fd, 0, SEEK_END));
    close(s.fd);
    unlink(path);
    return 0;
}
