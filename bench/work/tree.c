/* SPDX-License-Identifier: MIT */
/* tree.c: `tree ROUNDS DEPTH`: binary trees by malloc and free, node by node; prints what it counts in them. */
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *left, *right; };

static struct node *grow(int depth)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(2);
    node->left = depth ? grow(depth - 1) : NULL;
    node->right = depth ? grow(depth - 1) : NULL;
    return node;
}

static long count(const struct node *node)
{
    return node ? 1 + count(node->left) + count(node->right) : 0;
}

static void fell(struct node *node)
{
    if (!node)
        return;
    fell(node->left);
    fell(node->right);
    free(node);
}

static struct node *tree_build(int depth)
{
    return grow(depth);
}

static long tree_check(const struct node *tree)
{
    return count(tree);
}

static void tree_drop(struct node *tree)
{
    fell(tree);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long nodes = 0;
    for (int round = 0, rounds = atoi(argv[1]); round < rounds; round++) {
        struct node *tree = tree_build(atoi(argv[2]) - round % 3);
        nodes += tree_check(tree);
        tree_drop(tree);
    }
    printf("%ld nodes\n", nodes);
    return 0;
}
