/* SPDX-License-Identifier: MIT */
/* report_excerpt.c: what is shown of a long line of source: the statement that matters, whole words, and dots where
 * something is left out. */
#include "report_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "words/columns.h"
#include "words/excerpt.h"

static const char line[] = "if (!fgets(text, sizeof text, in)) return 0; count++; for (i = 0; i < n; i++) { "
                           "seen[i] = value_of(text, i); total += pow(seen[i], exponent_of_all_of_them); } done = 1;";

#define WORD "ab_1\xc3\xa4"

static struct arena arena;

static bool is_word(char c) { return strchr(WORD, c) != NULL; }

static int at(const char *word) { return (int)(strstr(line, word) - line); }

static void shows(int place, int columns, const char *wanted)
{
    const char *shown = source_excerpt(&arena, line, place, columns);
    CHECK(strcmp(shown, wanted) == 0, "byte %d in %d columns: '%s', expected '%s'", place, columns, shown, wanted);
}

/* Whatever the line and the place: it fits, it has the place, and no word that fits is cut. */
static void any_check(void)
{
    static const char letters[] = "ab_1 (){};\"'\\,+\xc3";
    for (int round = 0; round < 20000; round++) {
        char text[120];
        int length = rand() % 110;
        for (int i = 0; i < length; i++) {
            text[i] = letters[(size_t)rand() % (sizeof letters - 1)];
            if (text[i] == '\xc3')
                text[++i] = '\xa4';
            text[i + 1] = 0;
        }
        text[length] = 0;
        int place = rand() % 120 - 5, columns = 12 + rand() % 60;
        const char *shown = source_excerpt(&arena, text, place, columns), *part = shown;
        CHECK(text_columns(shown) <= columns, "'%s' in %d columns: '%s'", text, columns, shown);
        if (text_columns(text) <= columns) {
            CHECK(shown == text, "what fits is shown whole: '%s'", shown);
            continue;
        }
        bool leads = strncmp(part, "...", 3) == 0;
        part += leads ? 3 : 0;
        size_t bytes = strlen(part);
        bool trails = bytes >= 3 && strcmp(part + bytes - 3, "...") == 0;
        part = arena_print(&arena, "%.*s", (int)bytes - (trails ? 3 : 0), part);
        bytes = strlen(part);
        const char *found = NULL;
        int word = place;
        while (word > 0 && word < length && is_word(text[word]) && is_word(text[word - 1]))
            word--;
        for (const char *p = text; (p = strstr(p, part)) && !found; p++)
            if ((leads ? p > text : p == text) && (trails ? p[bytes] : !p[bytes]) &&
                (word <= 0 || word >= length || text[word] == ' ' || (p <= text + word && text + word < p + bytes)))
                found = p;
        CHECK(found, "a part of '%s' with byte %d in %d columns: '%s'", text, place, columns, shown);
        bool cut = trails && is_word(found[bytes]) && is_word(found[bytes - 1]), begun = leads && is_word(found[-1]);
        CHECK(!begun || !is_word(found[0]), "a word of '%s' is begun in its middle: '%s'", text, shown);
        CHECK(!cut || strspn(part, WORD) == bytes, "a word of '%s' is cut: '%s'", text, shown);
    }
}

int main(void)
{
    shows(-1, 200, line);
    shows(-1, 40, "if (!fgets(text, sizeof text, in))...");
    shows(at("fgets"), 40, "if (!fgets(text, sizeof text, in))...");
    shows(at("count"), 40, "...count++; for (i = 0; i < n; i++) {...");
    shows(at("value_of"), 40, "...seen[i] = value_of(text, i); total...");
    shows(at("pow"), 44, "...total += pow(seen[i],...");
    shows(at("pow"), 60, "...total += pow(seen[i], exponent_of_all_of_them); } done...");
    shows(at("exponent"), 40, "...(seen[i], exponent_of_all_of_them)...");
    shows(at("done"), 40, "...done = 1;");
    shows(at("; i <"), 60, "...for (i = 0; i < n; i++) { seen[i] = value_of(text, i);...");
    shows(-1, 5, "if (!");
    any_check();
    arena_free(&arena);
    puts("parts of lines");
    return 0;
}
