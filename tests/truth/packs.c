/* SPDX-License-Identifier: MIT */
/* packs.c MESSAGES: a new stream of zlib packs each message, so that three lines take turns in tens of microseconds. The
 * kernel maps and clears memory in one of them, and takes it back in another. Prints "LINE ns" for each, by the thread's
 * CPU clock around its calls. */
#include "truth.h"
#include <stdlib.h>
#include <zlib.h>

enum { MESSAGE = 120 };
static int lines[3];
static uint64_t ns[3];

static void message_pack(const unsigned char *text, unsigned char *to, uInt bound)
{
    z_stream stream = { .next_in = (unsigned char *)text, .avail_in = MESSAGE, .next_out = to, .avail_out = bound };
    uint64_t begun = cpu_ns(), now;
    lines[0] = __LINE__ + 1;
    if (deflateInit(&stream, 6) != Z_OK)
        exit(1);
    ns[0] += (now = cpu_ns()) - begun;
    begun = now;
    lines[1] = __LINE__ + 1;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        exit(1);
    ns[1] += (now = cpu_ns()) - begun;
    begun = now;
    lines[2] = __LINE__ + 1;
    deflateEnd(&stream);
    ns[2] += cpu_ns() - begun;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 12000;
    unsigned char text[MESSAGE], to[4 * MESSAGE];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < MESSAGE; k++)
            text[k] = (unsigned char)('a' + (i * 7 + k * k) % 17);
        message_pack(text, to, sizeof to);
    }
    for (int i = 0; i < 3; i++)
        printf("%d %" PRIu64 "\n", lines[i], ns[i]);
    return 0;
}
