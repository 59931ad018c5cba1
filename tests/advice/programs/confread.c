/* SPDX-License-Identifier: MIT */
/* Reads a large configuration of sections and settings from a file, which it makes first, and looks up some of them.
 * Prints the number of settings and a sum over them. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS (1u << 16)
#ifdef FIXED
#define PORTION 65536u
#else
#define PORTION 8u
#endif

struct reader {
    int fd;
    size_t at, end;
    char bytes[65536];
};

struct setting {
    uint64_t key, value;
};

static struct setting settings[SLOTS];

static int reader_next(struct reader *reader)
{
    if (reader->at == reader->end) {
        ssize_t got = read(reader->fd, reader->bytes, PORTION); /* @ */
        if (got <= 0) return -1;
        reader->end = (size_t)got;
        reader->at = 0;
    }
    return (uint8_t)reader->bytes[reader->at++];
}

static int file_make(unsigned sections)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/conf.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    unlink(path);
    FILE *file = fdopen(dup(fd), "w");
    for (unsigned i = 0; i < sections; i++) {
        fprintf(file, "[host %u]\n", i);
        for (unsigned k = 0; k < 10; k++) fprintf(file, "option_%u = %u\n", k, (i * 2654435761u + k) >> 12);
    }
    fclose(file);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void setting_put(uint64_t key, uint64_t value)
{
    uint64_t slot = key * 0x9e3779b97f4a7c15ULL >> 48;
    settings[slot].key ^= key;
    settings[slot].value += value;
}

static unsigned settings_read(struct reader *reader)
{
    uint64_t section = 0, key = 0, value = 0;
    unsigned count = 0;
    int part = 0;
    for (int c; (c = reader_next(reader)) >= 0;) {
        if (c == '[') part = 2, section = 5381;
        else if (c == '\n') {
            if (part == 1) setting_put(section ^ key, value), count++;
            part = 0;
            key = 5381;
            value = 0;
        } else if (c == '=') part = 1;
        else if (part == 2) section = section * 33 + (uint64_t)c;
        else if (part == 1 && isdigit(c)) value = value * 10 + (uint64_t)(c - '0');
        else if (part == 0) key = key * 33 + (uint64_t)c;
    }
    return count;
}

static uint64_t settings_sum(unsigned rounds)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        for (unsigned k = 0; k < SLOTS; k += 64) sum = (sum ^ settings[(k * 31 + i) % SLOTS].value) * 1099511628211ULL;
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned sections = (unsigned)(30000 * scale) + 1;
    static struct reader reader;
    reader.fd = file_make(sections);
    if (reader.fd < 0) return 1;
    unsigned count = settings_read(&reader);
    printf("%u %llu\n", count, (unsigned long long)settings_sum((unsigned)(180000 * scale) + 1));
    close(reader.fd);
    return 0;
}
