/* SPDX-License-Identifier: MIT */
/* rule: rereads */
/* sizes: 0.4 1 3 */
/* base: 3 */
/* libraries: -lz */
/* titled: unpacks */
/* does: order */
/* lanterns.c: records of a packed file are taken in any order: for most, it is unpacked from its start. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { RECORDS = 3000, NUMBERS = 40 };

struct record {
    uint32_t number, sum;
    uint16_t value[NUMBERS];
};

static uint32_t state = 7;

static uint32_t chance(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 9;
}

static void file_make(const char *path)
{
    gzFile out = gzopen(path, "wb1");
    for (uint32_t i = 0; i < RECORDS; i++) {
        struct record r = { .number = i };
        for (int k = 0; k < NUMBERS; k++)
            r.sum += r.value[k] = (uint16_t)(chance() % 300);
        gzwrite(out, &r, sizeof r);
    }
    gzclose(out);
}

static uint32_t record_sum(gzFile in, uint32_t number)
{
    static struct record kept[RECORDS];
    struct record *r = &kept[0];
#ifdef FIXED
    if (!kept[1].number && gzread(in, kept, sizeof kept) != sizeof kept)
        exit(1);
    r = &kept[number];
#else
    gzseek(in, (z_off_t)(number * sizeof *r), SEEK_SET);
    if (gzread(in, r, sizeof *r) != sizeof *r) /* @ */
        exit(1);
#endif
    return r->number == number ? r->sum : 0;
}

int main(int argc, char **argv)
{
    int asked = (int)(300 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "/tmp/lanterns-XXXXXX";
    uint32_t sum = 0;
    close(mkstemp(path));
    file_make(path);
    gzFile in = gzopen(path, "rb");
    unlink(path);
    for (int i = 0; i < asked; i++)
        sum = sum * 31 + record_sum(in, chance() % RECORDS);
    gzclose(in);
    printf("%u\n", sum);
    return 0;
}
