/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* titled: become a list */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* orchards.c: trees of an orchard are entered by their numbers, which come in order, and looked up. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
    unsigned number;
    struct entry *smaller, *larger;
};

static struct entry *entry_add(struct entry *root, unsigned number)
{
    struct entry **at = &root;
    while (*at) /* @ */
        at = number < (*at)->number ? &(*at)->smaller : &(*at)->larger;
    struct entry *made = malloc(sizeof *made);
    if (!made)
        exit(1);
    *made = (struct entry){ number, NULL, NULL };
    *at = made;
    return root;
}

static int is_entered(const struct entry *root, unsigned number)
{
    while (root && root->number != number) /* @ */
        root = number < root->number ? root->smaller : root->larger;
    return root != NULL;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(6000 * (argc > 1 ? atof(argv[1]) : 1)), found = 0, check = 0;
    struct entry *root = NULL;
    for (unsigned i = 1; i < count; i++) {
#ifndef FIXED
        unsigned place = i;
#else
        unsigned place = (unsigned)((i * 7919ul) % 100003); /* a prime: each number once */
#endif
        root = entry_add(root, place);
    }
    for (unsigned i = 1; i < count; i++)
#ifndef FIXED
        found += (unsigned)is_entered(root, i);
#else
        found += (unsigned)is_entered(root, (unsigned)((i * 7919ul) % 100003));
#endif
    for (unsigned i = 0; i < 40000000; i++)
        check = check * 1664525 + (check >> 13) + i;
    printf("%u %u\n", found, check);
    return 0;
}
