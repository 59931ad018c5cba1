/* SPDX-License-Identifier: MIT */
/* main.c: calls everything once. */
#include <stdio.h>
#include "program.h"
#include "inline.h"

int main(void)
{
    static unsigned char pixel[40 * 30 * 3];
    uint64_t list[5] = { 1, 2, 3, 4, 5 };
    int numbers[100];
    struct store store;
    long total = 0;
    size_t longest;
    for (int i = 0; i < 100; i++)
        numbers[i] = clamp((int)(mix((uint32_t)i) % 1000), 10, 900);
    sort(numbers, 100);
    store_open(&store);
    printf("%zu words\n", words("the quick brown fox jumps over the lazy dog and the cat", &store));
    printf("%ld\n", evaluate("(the + 4) * -cat / (7 - 5)", &store));
    printf("%d\n", store_remove(&store, "fox") + store_remove(&store, "wolf"));
    longest = store_sum(&store, &total);
    blur(pixel, 40, 30, 2);
    printf("%zu %ld %.3f %u %lu\n", longest, total, matrix_run(12, first_in_text("seed")), pixel[7], (unsigned long)rotate_sum(list, 5));
    store_close(&store);
    return 0;
}
