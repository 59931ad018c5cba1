/* SPDX-License-Identifier: MIT */
/* A log importer: reads lines of an access log, which it makes first, counts them by status and address, and stores a
 * record of each that is suspicious. Prints a sum over the counts, and the store's length. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 65536u
#define SUSPICIOUS 0xffdcu

struct record {
    uint32_t address, status, bytes, line;
};

static uint32_t hits[SLOTS];
static uint64_t bytes_by_status[6];

static FILE *file_make(const char *name)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.XXXXXX", folder ? folder : "/tmp", name);
    int fd = mkstemp(path);
    if (fd < 0) return NULL;
    unlink(path);
    return fdopen(fd, "w+");
}

static void log_write(FILE *log, unsigned lines)
{
    uint32_t seed = 12345;
    for (unsigned i = 0; i < lines; i++) {
        seed = seed * 1664525u + 1013904223u;
        fprintf(log, "10.%u.%u.%u GET /item/%u %u %u\n", seed >> 28, seed >> 20 & 255, seed >> 12 & 255, seed % 9973,
                200 + seed % 4 * 100, seed >> 10 & 0xffff);
    }
}

static int record_parse(const char *line, struct record *record)
{
    unsigned a, b, c, item, status, bytes;
    if (sscanf(line, "10.%u.%u.%u GET /item/%u %u %u", &a, &b, &c, &item, &status, &bytes) != 6) return 1;
    record->address = a << 16 | b << 8 | c;
    record->status = status;
    record->bytes = bytes;
    return 0;
}

static void record_count(const struct record *record)
{
    hits[(record->address * 2654435761u) >> 16]++;
    bytes_by_status[record->status / 100] += record->bytes;
}

static int record_store(FILE *store, const struct record *record)
{
    if (fwrite(record, sizeof *record, 1, store) != 1) return 1;
#ifndef FIXED
    if (fflush(store) || fsync(fileno(store))) return 1; /* @ */
#endif
    return 0;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned lines = (unsigned)(350000 * scale) + 1;
    FILE *log = file_make("log"), *store = file_make("store");
    if (!log || !store) return 1;
    log_write(log, lines);
    rewind(log);
    char line[256];
    struct record record = { 0 };
    while (fgets(line, sizeof line, log)) {
        if (record_parse(line, &record)) return 1;
        record_count(&record);
        if (record.bytes >= SUSPICIOUS && record_store(store, &record)) return 1;
        record.line++;
    }
    if (fflush(store) || fsync(fileno(store))) return 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < SLOTS; i++) sum = sum * 31 + hits[i];
    for (unsigned i = 0; i < 6; i++) sum = sum * 31 + bytes_by_status[i];
    printf("%llu %ld\n", (unsigned long long)sum, ftell(store));
    return 0;
}
