/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* chessmen.c: queens on a board, and openings that are found by their numbers. Whether a field is attacked is no
 * search: each step compares with another number. */
#include <stdio.h>
#include <stdlib.h>

#define OPENINGS 3000

static int column[16], rows = 9;
static struct opening {
    unsigned number, played;
} opening[OPENINGS];

static int is_safe(int row, int c)
{
    for (int r = 0; r < row; r++)
        if (column[r] == c || column[r] - c == r - row || column[r] - c == row - r)
            return 0;
    return 1;
}

static int queens_place(int row)
{
    int found = row == rows;
    for (int c = 0; row < rows && c < rows; c++)
        if (is_safe(row, c)) {
            column[row] = c;
            found += queens_place(row + 1);
        }
    return found;
}

__attribute__((noinline)) static struct opening *opening_find(unsigned number)
{
#ifdef FIXED
    return number % 7 || number / 7 >= OPENINGS ? NULL : &opening[number / 7];
#else
    for (unsigned i = 0; i < OPENINGS; i++)
        if (opening[i].number == number) /* @ */
            return &opening[i];
    return NULL;
#endif
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    unsigned games = (unsigned)(60000 * size), state = 1, found = 0;
    int boards = (int)(40 * size), ways = 0;
    for (unsigned i = 0; i < OPENINGS; i++)
        opening[i].number = i * 7;
    for (unsigned i = 0; i < games; i++) {
        state = state * 1664525u + 1013904223u;
        struct opening *one = opening_find((state >> 8) % (OPENINGS * 7));
        found += one ? ++one->played : 0;
    }
    for (int i = 0; i < boards; i++)
        ways += queens_place(0);
    printf("%u openings, %d ways\n", found, ways);
    return 0;
}
