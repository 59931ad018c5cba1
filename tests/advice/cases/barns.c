/* SPDX-License-Identifier: MIT */
/* rule: pagefaults */
/* kind: bound */
/* sizes: 1 2 */
/* wide: 1 3 10 */
/* barns.c: sheaves are brought in, and what they weigh is added up in the end. The barn grows by doubling; its memory
 * is all new, and whether all of it is needed at once is not known. With FIXED each sheaf is weighed when it comes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct barn {
    uint64_t *sheaf;
    size_t count, room;
};

static void sheaf_bring(struct barn *barn, uint64_t sheaf)
{
#ifndef FIXED
    if (barn->count == barn->room) {
        barn->room = barn->room ? 2 * barn->room : 1024;
        barn->sheaf = realloc(barn->sheaf, barn->room * sizeof *barn->sheaf); /* @ */
        if (!barn->sheaf)
            exit(1);
    }
    barn->sheaf[barn->count++] = sheaf; /* @ */
#else
    if (!barn->sheaf)
        barn->sheaf = calloc(1, sizeof *barn->sheaf);
    barn->sheaf[0] ^= sheaf;
    barn->count++;
#endif
}

int main(int argc, char **argv)
{
    size_t sheaves = (size_t)(30e6 * (argc > 1 ? atof(argv[1]) : 1));
    struct barn barn = { 0 };
    uint64_t field = 1, sum = 0;
    for (size_t i = 0; i < sheaves; i++) {
        field = field * 6364136223846793005u + 1442695040888963407u;
        sheaf_bring(&barn, field >> 11);
    }
#ifndef FIXED
    for (size_t i = 0; i < barn.count; i++)
        sum ^= barn.sheaf[i];
#else
    sum = barn.sheaf[0];
#endif
    printf("%zu sheaves, %llu\n", barn.count, (unsigned long long)sum);
    free(barn.sheaf);
    return 0;
}
