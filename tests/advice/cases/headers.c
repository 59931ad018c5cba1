/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 10 */
/* headers.c: an archive of readings; before each reading its table of places is read again from the file's start. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define READINGS 200u

struct head {
    uint32_t magic, count, place[READINGS];
};

__attribute__((noinline)) static void archive_write(const char *path)
{
    struct head head = { 0x4152, READINGS, { 0 } };
    unsigned char bytes[64];
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    for (uint32_t i = 0; i < READINGS; i++)
        head.place[i] = (uint32_t)sizeof head + (i * 77 % READINGS) * 64;
    fwrite(&head, sizeof head, 1, file);
    for (uint32_t i = 0; i < READINGS * 64; i += 64) {
        for (uint32_t k = 0; k < 64; k++)
            bytes[k] = (unsigned char)(i + k * k);
        fwrite(bytes, sizeof bytes, 1, file);
    }
    fclose(file);
}

static void head_read(int fd, struct head *to)
{
    if (pread(fd, to, sizeof *to, 0) != (ssize_t)sizeof *to || to->magic != 0x4152) /* @ */
        exit(1);
}

int main(int argc, char **argv)
{
    uint32_t asked = (uint32_t)(20000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    char path[] = "archive-XXXXXX";
    unsigned char bytes[64];
    struct head head;
    int made = mkstemp(path);
    if (made < 0)
        return 1;
    close(made);
    archive_write(path);
    int fd = open(path, O_RDONLY);
    head_read(fd, &head);
    for (uint32_t i = 0; i < asked; i++) {
#ifndef FIXED
        head_read(fd, &head);
#endif
        if (pread(fd, bytes, sizeof bytes, head.place[i * 31 % head.count]) != (ssize_t)sizeof bytes)
            return 1;
        sum += bytes[i % 64];
    }
    close(fd);
    unlink(path);
    printf("%u from %u readings\n", sum, asked);
    return 0;
}
