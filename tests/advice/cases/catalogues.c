/* SPDX-License-Identifier: MIT */
/* rule: rereads */
/* sizes: 0.3 1 3 */
/* catalogues.c: a library writes its catalogue once, and then reads and parses all of it for each book that is asked
 * for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOOKS 600

struct catalogue {
    int count;
    struct {
        char title[24];
        int shelf;
    } book[BOOKS];
};

__attribute__((noinline)) static void catalogue_write(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    for (int i = 0; i < BOOKS; i++)
        fprintf(file, "book-%d %d\n", i * 7 % BOOKS, i % 40);
    for (int i = 0; i < 40; i++)
        fprintf(file, "%*d", 2000, i); /* covers, which are not read */
    fclose(file);
}

__attribute__((noinline)) static int catalogue_read(struct catalogue *to, const char *path)
{
    FILE *file = fopen(path, "r"); /* @ */
    char line[128];
    to->count = 0;
    while (file && to->count < BOOKS && fgets(line, sizeof line, file) &&
           sscanf(line, "%23s %d", to->book[to->count].title, &to->book[to->count].shelf) == 2) /* @ */
        to->count++;
    if (file)
        fclose(file);
    return to->count;
}

static int shelf_of(const struct catalogue *in, const char *title)
{
    for (int i = 0; i < in->count; i++)
        if (strcmp(in->book[i].title, title) == 0)
            return in->book[i].shelf;
    return -1;
}

int main(int argc, char **argv)
{
    int asked = (int)(600 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    char path[] = "catalogue-XXXXXX", title[24];
    static struct catalogue all;
    int made = mkstemp(path);
    if (made < 0)
        return 1;
    close(made);
    catalogue_write(path);
    catalogue_read(&all, path);
    for (int i = 0; i < asked; i++) {
#ifndef FIXED
        catalogue_read(&all, path);
#endif
        snprintf(title, sizeof title, "book-%d", i * 31 % BOOKS);
        sum += shelf_of(&all, title);
    }
    printf("%d for %d books\n", sum, asked);
    unlink(path);
    return 0;
}
