/* SPDX-License-Identifier: MIT */
/* rule: rereads */
/* sizes: 0.3 1 3 */
/* says: start */
/* least: 40 */
/* choirs.c: a choir reads its book of songs from its start in each rehearsal, and looks up the tune of each in another
 * file, at a place that differs. The twin keeps the songs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SONGS 4000

struct song {
    unsigned number;
    double verse[6];
};

static FILE *book, *tunes;

static void song_parse(const char *line, struct song *to)
{
    char *end;
    to->number = (unsigned)strtoul(line, &end, 10);
    for (unsigned k = 0; k < 6; k++)
        to->verse[k] = strtod(end, &end);
}

__attribute__((noinline)) static double rehearse(void)
{
    double sum = 0;
    char line[200];
#ifdef FIXED
    static struct song kept[SONGS];
    static unsigned count;
    if (!count)
        while (fgets(line, sizeof line, book))
            song_parse(line, &kept[count++]);
    for (unsigned i = 0; i < count; i++)
        sum += kept[i].verse[kept[i].number % 6];
#else
    struct song song;
    rewind(book);
    while (fgets(line, sizeof line, book)) { /* @ */
        song_parse(line, &song);
        sum += song.verse[song.number % 6];
    }
#endif
    return sum;
}

__attribute__((noinline)) static uint32_t tune_of(unsigned number)
{
    uint32_t tune = 0;
    if (fseek(tunes, (long)(number * sizeof tune), SEEK_SET) || fread(&tune, sizeof tune, 1, tunes) != 1)
        exit(1);
    return tune;
}

int main(int argc, char **argv)
{
    int rehearsals = (int)(30 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    book = tmpfile();
    tunes = tmpfile();
    if (!book || !tunes)
        return 1;
    for (uint32_t i = 0; i < SONGS; i++) {
        fprintf(book, "%u", i);
        for (unsigned k = 0; k < 6; k++)
            fprintf(book, " %u.%u", (i * (k + 7)) % 10, (i * 31 + k) % 100);
        fputc('\n', book);
        fwrite(&i, sizeof i, 1, tunes);
    }
    rewind(book);
    for (int i = 0; i < rehearsals; i++) {
        sum += rehearse();
        for (unsigned k = 0; k < 20; k++)
            sum += tune_of(((unsigned)i * 77 + k * 131) % SONGS);
    }
    printf("%.2f\n", sum);
    return 0;
}
