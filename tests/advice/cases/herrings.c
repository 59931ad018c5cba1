/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: smallreads */
/* does: setvbuf herrings.c:28 */
/* says: stdio */
/* herrings.c: catches of herrings are counted from a file, byte by byte through a FILE that has no buffer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void log_make(const char *path, unsigned count)
{
    FILE *out = fopen(path, "w");
    for (unsigned i = 0; out && i < count; i++)
        fprintf(out, "%u:%u\n", i % 90, i * 7 % 500);
    if (!out || fclose(out))
        exit(1);
}

static uint64_t log_sum(const char *path)
{
    uint64_t sum = 0, number = 0;
    FILE *in = fopen(path, "r");
    if (!in)
        exit(1);
#ifndef FIXED
    setvbuf(in, NULL, _IONBF, 0);
#endif
    for (int c; (c = fgetc(in)) != EOF;) { /* @ */
        if (c >= '0' && c <= '9') {
            number = number * 10 + (uint64_t)(c - '0');
        } else {
            sum += number;
            number = 0;
        }
    }
    fclose(in);
    return sum;
}

int main(int argc, char **argv)
{
    char path[] = "herrings-XXXXXX";
    int fd = mkstemp(path);
    log_make(path, (unsigned)(60000 * (argc > 1 ? atof(argv[1]) : 1)));
    printf("%llu\n", (unsigned long long)log_sum(path));
    unlink(path);
    close(fd);
    return 0;
}
