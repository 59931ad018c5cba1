/* SPDX-License-Identifier: MIT */
/* rule: allocations */
/* not: reallocs */
/* sizes: 0.3 1 3 */
/* jotters.c: for each caller a list of words is filled, which doubles, and is given back. It has five blocks, which is
 * what takes the time, not small steps. With FIXED the next caller's words are in the same list. */
#include <stdio.h>
#include <stdlib.h>

struct list {
    unsigned *word;
    size_t count, room;
};

static void list_add(struct list *list, unsigned word)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 4;
        unsigned *more = realloc(list->word, room * sizeof *more); /* @ */
        if (!more)
            exit(1);
        list->word = more;
        list->room = room;
    }
    list->word[list->count++] = word;
}

int main(int argc, char **argv)
{
    size_t callers = (size_t)(2e6 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned spoken = 7;
    unsigned long sum = 0;
    struct list list = { 0 };
    for (size_t caller = 0; caller < callers; caller++) {
        for (unsigned i = 0; i < 40; i++) {
            spoken = spoken * 1103515245 + 12345;
            list_add(&list, spoken >> 16);
        }
        sum += list.word[list.count / 2];
        list.count = 0;
#ifndef FIXED
        free(list.word);
        list = (struct list){ 0 };
#endif
    }
    printf("%lu\n", sum);
    free(list.word);
    return 0;
}
