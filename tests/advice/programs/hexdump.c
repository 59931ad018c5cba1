/* SPDX-License-Identifier: MIT */
/* Shows records, which it makes itself, as hexadecimal lines. Lines are short as a rule, but may be long. Prints the
 * lines' length and a sum over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 16384u

struct record {
    unsigned length;
    uint8_t bytes[LINE_MOST / 4];
};

struct output {
    uint64_t digest, length;
};

static void record_make(struct record *record, unsigned number)
{
    uint32_t seed = number * 747796405u + 2891336453u;
    record->length = number % 4096 == 4095 ? sizeof record->bytes : 16 + (seed >> 27);
    for (unsigned i = 0; i < record->length; i++) {
        seed = seed * 1664525u + 1013904223u;
        record->bytes[i] = (uint8_t)(seed >> 24);
    }
}

static void output_line(struct output *output, const char *line, unsigned length)
{
    uint64_t h = output->digest;
    for (unsigned i = 0; i < length; i++) h = (h ^ (uint8_t)line[i]) * 1099511628211ULL;
    output->digest = h;
    output->length += length;
}

void record_show(const struct record *record, struct output *output);
void record_show(const struct record *record, struct output *output)
{
    static const char digits[] = "0123456789abcdef";
#ifdef FIXED
    char line[LINE_MOST];
#else
    char line[LINE_MOST] = ""; /* @ */
#endif
    unsigned length = 0;
    for (unsigned i = 0; i < record->length; i++) {
        line[length++] = digits[record->bytes[i] >> 4];
        line[length++] = digits[record->bytes[i] & 15];
        line[length++] = ' ';
    }
    line[length - 1] = '\n';
    output_line(output, line, length);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned records = (unsigned)(2000000 * scale) + 1;
    static struct record record;
    struct output output = { 14695981039346656037ULL, 0 };
    for (unsigned i = 0; i < records; i++) {
        record_make(&record, i);
        record_show(&record, &output);
    }
    printf("%llu %llu\n", (unsigned long long)output.length, (unsigned long long)output.digest);
    return 0;
}
