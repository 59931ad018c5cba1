/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: pagefaults */
/* does: map */
/* titled: file */
/* shows: mmap */
/* least: 30 */
/* plats.c: plots of land are looked up in a file of plats, and for each the part of the file that has it is mapped and
 * unmapped. The twin maps the file once. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLOTS 4000u
#define BYTES 3000u

static const unsigned char *whole;

static uint32_t plot_sum(const unsigned char *plot)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < BYTES; i++)
        sum = sum * 31 + plot[i];
    return sum;
}

static uint32_t plot_look(int file, unsigned number)
{
    size_t at = (size_t)number * BYTES;
#ifdef FIXED
    (void)file;
    return plot_sum(whole + at);
#else
    size_t from = at & ~4095ul, span = at + BYTES - from;
    unsigned char *part = mmap(NULL, span, PROT_READ, MAP_PRIVATE, file, (off_t)from); /* @ */
    uint32_t sum = plot_sum(part + (at - from)); /* @ */
    munmap(part, span);
    return sum;
#endif
}

int main(int argc, char **argv)
{
    unsigned asked = (unsigned)(60000 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t sum = 0, seed = 1;
    FILE *plats = tmpfile();
    unsigned char plot[BYTES];
    for (unsigned i = 0; plats && i < PLOTS; i++) {
        for (unsigned k = 0; k < BYTES; k++)
            plot[k] = (unsigned char)(i * 31 + k * 7);
        fwrite(plot, BYTES, 1, plats);
    }
    if (!plats || fflush(plats))
        return 1;
#ifdef FIXED
    whole = mmap(NULL, (size_t)PLOTS * BYTES, PROT_READ, MAP_PRIVATE, fileno(plats), 0);
#endif
    for (unsigned i = 0; i < asked; i++) {
        seed = seed * 1664525u + 1013904223u;
        sum ^= plot_look(fileno(plats), (seed >> 8) % PLOTS);
    }
    printf("%u %d\n", sum, whole == NULL && sum == 0);
    return 0;
}
