/* SPDX-License-Identifier: MIT */
/* rule: smallreads */
/* sizes: 0.3 1 3 */
/* shelfmarks.c: books of a catalogue are counted by subject. Each has a head that says how long its title is. With
 * FIXED they are read by number, each somewhere in the file: half of the reads go on where the head ended, and still a
 * buffer of 64 KiB for each book takes five times as long. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SUBJECTS 32
#define TITLE 56u

struct head {
    uint32_t subject, bytes;
};

static int catalogue_make(char *path, uint32_t books)
{
    static const char title[TITLE] = "On what is read and what is not, with an appendix";
    int fd = mkstemp(path);
    FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
    for (uint32_t i = 0; out && i < books; i++) {
        struct head h = { i * 2654435761u >> 27, TITLE };
        fwrite(&h, sizeof h, 1, out);
        fwrite(title, TITLE, 1, out);
    }
    if (out)
        fclose(out);
    return fd;
}

static uint32_t place_of(uint32_t number, uint32_t books)
{
#ifdef FIXED
    return (uint32_t)(number * 7368787ull % books); /* a prime */
#else
    (void)books;
    return number;
#endif
}

static int book_read(int fd, off_t at, struct head *h, char *title)
{
    return pread(fd, h, sizeof *h, at) == sizeof *h &&                                                  /* @ */
           h->bytes <= TITLE && pread(fd, title, h->bytes, at + (off_t)sizeof *h) == (ssize_t)h->bytes; /* @ */
}

int main(int argc, char **argv)
{
    uint32_t books = (uint32_t)(400000 * (argc > 1 ? atof(argv[1]) : 1)), count[SUBJECTS] = { 0 }, letters = 0;
    char path[] = "catalogue-XXXXXX", title[TITLE];
    struct head h;
    int fd = catalogue_make(path, books);
    for (uint32_t i = 0; i < books; i++) {
        if (!book_read(fd, (off_t)place_of(i, books) * (off_t)(sizeof h + TITLE), &h, title))
            return 1;
        count[h.subject % SUBJECTS]++;
        letters += (unsigned char)title[0];
    }
    unlink(path);
    printf("%u books, %u of subject 7, %u\n", books, count[7], letters);
    return 0;
}
