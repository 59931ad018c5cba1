/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* scattered.c: prices of articles lie in blocks of a file; an order asks for them as its lines come, and each block is
 * unpacked for one price. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCKS 250u
#define PRICES 1024u

struct wish {
    uint32_t article, line;
};

__attribute__((noinline)) static void prices_write(const char *path)
{
    uint16_t change[PRICES];
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        for (uint32_t i = 0; i < PRICES; i++)
            change[i] = (uint16_t)((b * PRICES + i) * 2654435761u >> 24);
        fwrite(change, sizeof change, 1, file);
    }
    fclose(file);
}

__attribute__((noinline)) static void block_read(int fd, uint32_t block, uint32_t *price)
{
    uint16_t change[PRICES];
    uint32_t last = 500;
    if (pread(fd, change, sizeof change, (off_t)(block * sizeof change)) != (ssize_t)sizeof change) /* @ */
        exit(1);
    for (uint32_t i = 0; i < PRICES; i++)
        price[i] = last = last * 31 + change[i];
}

#ifdef FIXED
static int by_article(const void *a, const void *b)
{
    uint32_t x = ((const struct wish *)a)->article, y = ((const struct wish *)b)->article;
    return x < y ? -1 : x > y;
}
#endif

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(30000 * (argc > 1 ? atof(argv[1]) : 1)), at = UINT32_MAX, sum = 0;
    char path[] = "prices-XXXXXX";
    static uint32_t price[PRICES];
    struct wish *wish = malloc(count * sizeof *wish);
    uint32_t *paid = malloc(count * sizeof *paid);
    int made = mkstemp(path);
    if (made < 0 || !wish || !paid)
        return 1;
    close(made);
    prices_write(path);
    int fd = open(path, O_RDONLY);
    for (uint32_t i = 0; i < count; i++)
        wish[i] = (struct wish){ (i * 2654435761u >> 8) % (BLOCKS * PRICES), i };
#ifdef FIXED
    qsort(wish, count, sizeof *wish, by_article);
#endif
    for (uint32_t i = 0; i < count; i++) {
        if (wish[i].article / PRICES != at)
            block_read(fd, at = wish[i].article / PRICES, price);
        paid[wish[i].line] = price[wish[i].article % PRICES];
    }
    for (uint32_t i = 0; i < count; i++)
        sum = sum * 31 + paid[i];
    close(fd);
    unlink(path);
    printf("%u for %u lines\n", sum, count);
    free(wish);
    free(paid);
    return 0;
}
