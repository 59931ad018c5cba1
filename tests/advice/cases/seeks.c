/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* seeks.c: readings of many instruments become a table as text, and the table's checksum is printed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COLUMNS 6

static uint32_t reading(uint32_t row, uint32_t column)
{
    uint32_t x = row * 2654435761u + column * 40503u;
    x ^= x >> 15;
    return x * 2246822519u >> 12;
}

static void row_write(FILE *table, uint32_t row)
{
    for (uint32_t column = 0; column < COLUMNS; column++)
#ifdef FIXED
        fprintf(table, "%s%u.%u", column ? "," : "", reading(row, column) / 10, reading(row, column) % 10);
#else
        fprintf(table, "%u.%u,", reading(row, column) / 10, reading(row, column) % 10);
    fseek(table, -1, SEEK_CUR); /* @ the last comma */
#endif
    putc('\n', table);
}

int main(int argc, char **argv)
{
    uint32_t rows = (uint32_t)(150000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    char path[] = "table-XXXXXX";
    int fd = mkstemp(path);
    FILE *table = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!table)
        return 1;
    for (uint32_t row = 0; row < rows; row++)
        row_write(table, row);
    rewind(table);
    for (int c; (c = getc(table)) != EOF;)
        sum = sum * 31 + (uint32_t)c;
    printf("%u rows, checksum %u\n", rows, sum);
    fclose(table);
    unlink(path);
    return 0;
}
