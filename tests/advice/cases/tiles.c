/* SPDX-License-Identifier: MIT */
/* rule: trials */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* least: 85 */
/* says: root */
/* tiles.c: in how many ways so many tiles can be laid out as a rectangle: for each number its divisors are counted. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int ways_count(int tiles)
{
    int ways = 0;
#ifdef FIXED
    for (int wide = 1; wide <= tiles / wide; wide++)
        if (tiles % wide == 0)
            ways += wide == tiles / wide ? 1 : 2;
#else
    for (int wide = 1; wide <= tiles; wide++)
        if (tiles % wide == 0) /* @ */
            ways++;
#endif
    return ways;
}

int main(int argc, char **argv)
{
    int orders = (int)(6000 * (argc > 1 ? atof(argv[1]) : 1)), most = 0, best = 0;
    for (int order = 0; order < orders; order++) {
        int tiles = 1000 + (int)((unsigned)order * 2654435761u % 30000), ways = ways_count(tiles);
        if (ways > most) {
            most = ways;
            best = tiles;
        }
    }
    printf("%d tiles in %d ways\n", best, most);
    return 0;
}
