/* SPDX-License-Identifier: MIT */
/* rule: repeatedcalls */
/* libraries: -lz */
/* does: deflateInit */
/* sizes: 0.3 1 3 */
/* packets.c: short messages are packed one by one; a new stream of the library is set up for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MESSAGE 120

static uLong message_pack(z_stream *kept, const unsigned char *text, unsigned char *to, uLong bound)
{
#ifndef FIXED
    z_stream fresh = { .next_in = (unsigned char *)text }, *stream = &fresh;
    (void)kept;
    if (deflateInit(stream, 6) != Z_OK) /* @ */
        exit(1);
#else
    z_stream *stream = kept;
    if (deflateReset(stream) != Z_OK)
        exit(1);
#endif
    stream->next_in = (unsigned char *)text;
    stream->avail_in = MESSAGE;
    stream->next_out = to;
    stream->avail_out = (uInt)bound;
    if (deflate(stream, Z_FINISH) != Z_STREAM_END)
        exit(1);
    uLong size = stream->total_out;
#ifndef FIXED
    deflateEnd(stream); /* @ */
#endif
    return size;
}

int main(int argc, char **argv)
{
    int count = (int)(12000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned char text[MESSAGE], to[4 * MESSAGE];
    z_stream kept;
    uLong sum = 0;
    memset(&kept, 0, sizeof kept);
    if (deflateInit(&kept, 6) != Z_OK)
        return 1;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < MESSAGE; k++)
            text[k] = (unsigned char)('a' + (i * 7 + k * k) % 17);
        sum += message_pack(&kept, text, to, sizeof to) + to[9];
    }
    deflateEnd(&kept);
    printf("%lu bytes of %d messages\n", sum, count);
    return 0;
}
