/* SPDX-License-Identifier: MIT */
/* rule: characters */
/* sizes: 0.3 1 3 */
/* libraries: -lz */
/* titled: unpacks */
/* does: block */
/* scrapbooks.c: cuttings of a packed scrapbook are unpacked one by one, each of 12 bytes; the twin unpacks many at once
 * and takes them from there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct cutting {
    uint32_t page;
    int16_t left, top, width, height;
};

static z_stream book;

__attribute__((noinline)) static int cutting_next(struct cutting *one)
{
#ifdef FIXED
    static struct cutting block[4096];
    static size_t at, end;
    if (at == end) {
        book.next_out = (Bytef *)block;
        book.avail_out = sizeof block;
        inflate(&book, Z_NO_FLUSH);
        at = 0;
        end = (sizeof block - book.avail_out) / sizeof *block;
        if (!end)
            return 0;
    }
    *one = block[at++];
    return 1;
#else
    book.next_out = (Bytef *)one;
    book.avail_out = sizeof *one;
    int result = inflate(&book, Z_NO_FLUSH); /* @ */
    return (result == Z_OK || result == Z_STREAM_END) && !book.avail_out;
#endif
}

int main(int argc, char **argv)
{
    enum { CUTTINGS = 100000 };
    unsigned rounds = (unsigned)(15 * (argc > 1 ? atof(argv[1]) : 1));
    struct cutting *all = malloc(CUTTINGS * sizeof *all), one;
    uLongf bytes = compressBound(CUTTINGS * sizeof *all);
    unsigned char *packed = malloc(bytes);
    uint64_t sum = 0;
    for (unsigned i = 0; i < CUTTINGS; i++)
        all[i] = (struct cutting){ i / 9, (int16_t)(i * 37 % 210), (int16_t)(i * 101 % 297), 7, (int16_t)(i % 50) };
    if (compress2(packed, &bytes, (const unsigned char *)all, CUTTINGS * sizeof *all, 1) != Z_OK)
        return 1;
    for (unsigned r = 0; r < rounds; r++) {
        memset(&book, 0, sizeof book);
        if (inflateInit(&book) != Z_OK)
            return 1;
        book.next_in = packed;
        book.avail_in = (uInt)bytes;
        while (cutting_next(&one))
            sum = sum * 31 + one.page + (uint64_t)(one.left ^ one.top) + (uint64_t)one.height;
        inflateEnd(&book);
    }
    printf("%llu\n", (unsigned long long)sum);
    free(all);
    free(packed);
    return 0;
}
