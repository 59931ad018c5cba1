/* SPDX-License-Identifier: MIT */
/* A brewery's day: kettles report their temperatures, and for each kettle one long line of all readings is made, which
 * is then packed by a small code. Prints the length and a sum of all lines. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READINGS 420u

struct sheet {
    char text[READINGS * 12];
    char *at; /* where the next reading goes */
};

static const char *const units[] = { "C", "F", "K", "Re" };

static uint32_t wobble(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void reading_print(char *to, uint32_t value)
{
    unsigned whole = 40 + value % 60, part = value / 64 % 10, at = 0;
    to[at++] = (char)('0' + whole / 10);
    to[at++] = (char)('0' + whole % 10);
    to[at++] = '.';
    to[at++] = (char)('0' + part);
    const char *unit = units[value / 1024 % 4];
    while (*unit) to[at++] = *unit++;
    to[at++] = ';';
    to[at] = '\0';
}

static void sheet_begin(struct sheet *sheet)
{
    sheet->at = sheet->text;
    *sheet->at = '\0';
}

static void sheet_note(struct sheet *sheet, const char *reading)
{
#ifdef FIXED
    sheet->at = stpcpy(sheet->at, reading);
#else
    strcat(sheet->text, reading); /* @ */
#endif
}

static uint64_t sheet_pack(const struct sheet *sheet, size_t length)
{
    uint64_t code = 14695981039346656037u;
    for (unsigned pass = 0; pass < 6; pass++)
        for (size_t i = 0; i < length; i++) code = (code ^ (unsigned char)sheet->text[i]) * 1099511628211u;
    return code;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned kettles = (unsigned)(9000 * scale) + 1;
    static struct sheet sheet;
    uint32_t state = 2463534242u;
    uint64_t sum = 0, bytes = 0;
    for (unsigned kettle = 0; kettle < kettles; kettle++) {
        sheet_begin(&sheet);
        for (unsigned i = 0; i < READINGS; i++) {
            char reading[16];
            reading_print(reading, wobble(&state));
            sheet_note(&sheet, reading); /* @ */
        }
        size_t length = strlen(sheet.text);
        bytes += length;
        sum ^= sheet_pack(&sheet, length) + kettle;
    }
    printf("%llu %016llx\n", (unsigned long long)bytes, (unsigned long long)sum);
    return 0;
}
