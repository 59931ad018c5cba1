/* SPDX-License-Identifier: MIT */
/* An editor's document: keys are typed into lines, which are laid out again, and the document is saved now and then.
 * Prints the rows that the layout has, and the digest of what was saved. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 12000u
#define LENGTH 160u
#define EDITS_PER_SAVE 3000u

struct line {
    char text[LENGTH];
    uint64_t digest;
    unsigned rows;
    bool is_changed;
};

static struct line *lines;
static uint64_t document_digest;
static unsigned document_rows;

static void lines_make(void)
{
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t seed = i * 2654435761u + 1;
        for (unsigned k = 0; k < LENGTH; k++) {
            seed = seed * 1664525u + 1013904223u;
            lines[i].text[k] = seed >> 29 ? (char)('a' + (seed >> 16) % 26) : ' ';
        }
        lines[i].is_changed = true;
    }
}

static void line_lay_out(struct line *line)
{
    unsigned rows = 0;
    for (unsigned width = 20; width < 100; width += 10) {
        unsigned column = 0, word = 0;
        for (unsigned i = 0; i < LENGTH; i++) {
            word = line->text[i] == ' ' ? 0 : word + 1;
            if (++column > width) {
                rows++;
                column = word;
            }
        }
    }
    document_rows += rows - line->rows;
    line->rows = rows;
}

static void key_type(unsigned number)
{
    uint32_t seed = number * 747796405u + 2891336453u;
    seed ^= seed >> 15;
    struct line *line = &lines[(seed >> 4) % LINES];
    line->text[(seed >> 20) % LENGTH] = number % 7 ? (char)('a' + number % 26) : ' ';
    line->is_changed = true;
    line_lay_out(line);
}

static void line_save(struct line *line)
{
    uint64_t h = 14695981039346656037ULL;
    for (unsigned i = 0; i < LENGTH; i++) h = (h ^ (uint8_t)line->text[i]) * 1099511628211ULL;
    document_digest ^= line->digest ^ h;
    line->digest = h;
    line->is_changed = false;
}

static void document_save(void)
{
    for (unsigned i = 0; i < LINES; i++) { /* @ */
#ifdef FIXED
        if (!lines[i].is_changed) continue;
#endif
        line_save(&lines[i]); /* @ */
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned edits = (unsigned)(400000 * scale) + 1;
    lines = calloc(LINES, sizeof *lines);
    if (!lines) return 1;
    lines_make();
    for (unsigned i = 0; i < edits; i++) {
        key_type(i);
        if (i % EDITS_PER_SAVE == 0) document_save();
    }
    document_save();
    printf("%u %llu\n", document_rows, (unsigned long long)document_digest);
    free(lines);
    return 0;
}
