/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: smallreads */
/* neither: smallwrites */
/* vouchers.c: vouchers of 20 bytes are added up. They lie in few files of many, or each in a file of its own: then a
 * read takes all of a file, however small that is. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FIXED
#define EACH 200 /* vouchers in a file */
#else
#define EACH 1
#endif
#define BYTES 20

static char *file_name(const char *folder, unsigned file)
{
    static char name[64];
    snprintf(name, sizeof name, "%s/%u", folder, file);
    return name;
}

static void file_make(const char *folder, unsigned file)
{
    static char text[EACH * BYTES + 1];
    int fd = open(file_name(folder, file), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (unsigned i = 0; i < EACH; i++) {
        unsigned number = file * EACH + i;
        snprintf(text + i * BYTES, BYTES + 1, "%9u %9u\n", number, number * 7 % 500);
    }
    if (fd < 0 || write(fd, text, EACH * BYTES) != EACH * BYTES)
        exit(1);
    close(fd);
}

static uint64_t file_sum(const char *folder, unsigned file)
{
    char piece[BYTES + 1] = "";
    uint64_t sum = 0;
    int fd = open(file_name(folder, file), O_RDONLY);
    while (read(fd, piece, BYTES) == BYTES) /* @ */
        sum += strtoul(piece + 10, NULL, 10);
    close(fd);
    return sum;
}

int main(int argc, char **argv)
{
    unsigned files = (unsigned)(4000 * (argc > 1 ? atof(argv[1]) : 1)) / 200 * (200 / EACH);
    char folder[] = "vouchers-XXXXXX";
    uint64_t sum = 0;
    if (!mkdtemp(folder))
        return 1;
    for (unsigned i = 0; i < files; i++)
        file_make(folder, i);
    for (unsigned round = 0; round < 20; round++)
        for (unsigned i = 0; i < files; i++)
            sum += file_sum(folder, i);
    for (unsigned i = 0; i < files; i++)
        unlink(file_name(folder, i));
    rmdir(folder);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
