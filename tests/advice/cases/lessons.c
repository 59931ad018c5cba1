/* SPDX-License-Identifier: MIT */
/* rule: rereads */
/* sizes: 0.3 1 3 */
/* says: start */
/* least: 40 */
/* lessons.c: a pupil learns marks of examples from two files of text, lesson after lesson, and each time they are read
 * and parsed anew from their start; the twin keeps what it read in the first lesson. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BOOKS 2
#define MARKS 12
#define EXAMPLES 3000

struct example {
    float wanted, mark[MARKS];
};

static char path[BOOKS][20] = { "lessons-XXXXXX", "lessons-XXXXXX" };
static FILE *book[BOOKS];
static float weight[MARKS];

static int books_write(void)
{
    int bad = 0;
    for (unsigned b = 0; b < BOOKS; b++) {
        int file = mkstemp(path[b]);
        FILE *out = file < 0 ? NULL : fdopen(file, "w");
        for (unsigned i = 0; out && i < EXAMPLES; i++) {
            fprintf(out, "%u", i % 2);
            for (unsigned k = 0; k < MARKS; k++)
                fprintf(out, " %u.%u", (i * (k + 7) + b) % 10, (i * 31 + k) % 100);
            fputc('\n', out);
        }
        bad |= !out || fclose(out);
    }
    return bad;
}

static void example_parse(const char *line, struct example *to)
{
    char *end;
    to->wanted = strtof(line, &end);
    for (unsigned k = 0; k < MARKS; k++)
        to->mark[k] = strtof(end, &end);
}

static double example_learn(const struct example *one)
{
    float is = 0;
    for (unsigned k = 0; k < MARKS; k++)
        is += weight[k] * one->mark[k];
    float missing = one->wanted - is;
    for (unsigned k = 0; k < MARKS; k++)
        weight[k] += 1e-5f * missing * one->mark[k];
    return (double)(missing * missing);
}

__attribute__((noinline)) static double lesson(void)
{
    double missing = 0;
    char line[200];
#ifdef FIXED
    static struct example kept[BOOKS * EXAMPLES];
    static unsigned count;
    if (!count)
        for (unsigned b = 0; b < BOOKS; b++)
            while (fgets(line, sizeof line, book[b]))
                example_parse(line, &kept[count++]);
    for (unsigned i = 0; i < count; i++)
        missing += example_learn(&kept[i]);
#else
    for (unsigned b = 0; b < BOOKS; b++) {
        struct example one;
        rewind(book[b]);
        while (fgets(line, sizeof line, book[b])) { /* @ */
            example_parse(line, &one);
            missing += example_learn(&one);
        }
    }
#endif
    return missing;
}

int main(int argc, char **argv)
{
    unsigned lessons = (unsigned)(60 * (argc > 1 ? atof(argv[1]) : 1));
    double missing = 0;
    if (books_write())
        return 1;
    for (unsigned b = 0; b < BOOKS; b++)
        if (!(book[b] = fopen(path[b], "r")))
            return 1;
    for (unsigned i = 0; i < lessons; i++)
        missing = lesson();
    for (unsigned b = 0; b < BOOKS; b++) {
        fclose(book[b]);
        unlink(path[b]);
    }
    printf("%u lessons, %.3f\n", lessons, missing);
    return 0;
}
