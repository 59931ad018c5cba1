/* SPDX-License-Identifier: MIT */
/* rounds.c: one round of allocator calls after another, of the kind and as often as its arguments say. The test takes
 * the difference of two sizes, so that start and end are not in it. */
#include <malloc.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept, *volatile nothing;
struct node {
    struct node *left, *right;
    int key;
};

static struct node *grow(int depth)
{
    struct node *n = malloc(sizeof *n);
    n->key = depth;
    n->left = depth ? grow(depth - 1) : NULL;
    n->right = depth ? grow(depth - 1) : NULL;
    return n;
}

static int sum(const struct node *n) { return n ? n->key + sum(n->left) + sum(n->right) : 0; }

static void drop(struct node *n)
{
    if (!n)
        return;
    drop(n->left);
    drop(n->right);
    free(n);
}

/* One of many small blocks is replaced. The first round makes them all, and large ones, most of which are sampled. */
#define SMALL 20000
#define LARGE 3000
static void replace(int number)
{
    static void *heap[SMALL + LARGE];
    static unsigned state = 1;
    for (unsigned i = 0; !number && i < SMALL + LARGE; i++)
        heap[i] = malloc(i < SMALL ? 48 : 40000);
    unsigned at = (state = state * 1664525u + 1013904223u) % SMALL;
    free(heap[at]);
    heap[at] = malloc(48);
}

static int round_of(char kind, int number)
{
    struct node *tree;
    regex_t pattern;
    void *block, *many[8];
    int result = 0;
    switch (kind) {
    case 'm': /* a block and its release */
        kept = malloc(48);
        free(kept);
        break;
    case 'n': free(nothing); break;
    case 'e': /* eight blocks of several sizes */
        for (int i = 0; i < 8; i++)
            kept = many[i] = malloc(16 + 40 * (size_t)i);
        for (int i = 0; i < 8; i++)
            free(many[i]);
        break;
    case 'c':
        kept = calloc(3, 16);
        free(kept);
        break;
    case 'r': kept = realloc(kept, (size_t)number % 4 * 64 + 16); break;
    case 'a': /* the aligned ones */
        kept = aligned_alloc(64, 128);
        free(kept);
        kept = memalign(32, 96);
        free(kept);
        if (!posix_memalign(&block, 64, 64))
            free(block);
        break;
    case 'x':
        if (!regcomp(&pattern, "^[a-z]+(foo|bar)*[0-9]{2,3}$", REG_EXTENDED))
            regfree(&pattern);
        break;
    case 't':
        tree = grow(12);
        for (int i = 0; i < 3; i++)
            result += sum(tree);
        drop(tree);
        break;
    case 'h': replace(number); break;
    default: abort();
    }
    return result;
}

int main(int count, char **argument)
{
    int rounds = count > 2 ? atoi(argument[2]) : 0, result = 0;
    for (int i = 0; i < rounds; i++)
        result += round_of(*argument[1], i);
    printf("%d\n", result);
    return 0;
}
