/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 2 */
/* repeatedcalls.c: lines of a log are searched for addresses. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN "[a-z]+@([a-z]+[.])+(org|com|net)"

static void line_make(char *to, size_t room, unsigned number)
{
    unsigned x = number * 2654435761u;
    if (x >> 30)
        snprintf(to, room, "%u: connection from host-%u closed", number, x >> 20);
    else
        snprintf(to, room, "%u: mail to anna@server%s.example.org queued", number, x >> 29 & 1 ? "" : "s");
}

#ifdef FIXED
static regex_t kept;
#endif

static int line_matches(const char *line)
{
    int found;
#ifndef FIXED
    regex_t pattern;
    if (regcomp(&pattern, PATTERN, REG_EXTENDED | REG_NOSUB)) /* @ */
        return 0;
    found = regexec(&pattern, line, 0, NULL, 0) == 0;
    regfree(&pattern);
#else
    found = regexec(&kept, line, 0, NULL, 0) == 0;
#endif
    return found;
}

int main(int argc, char **argv)
{
    unsigned lines = (unsigned)(40000 * (argc > 1 ? atof(argv[1]) : 1)), found = 0, longest = 0;
    char line[128];
#ifdef FIXED
    if (regcomp(&kept, PATTERN, REG_EXTENDED | REG_NOSUB))
        return 1;
#endif
    for (unsigned i = 0; i < lines; i++) {
        line_make(line, sizeof line, i);
        unsigned length = (unsigned)strlen(line);
        longest = length > longest ? length : longest;
        found += (unsigned)line_matches(line);
    }
    printf("%u of %u, longest %u\n", found, lines, longest);
    return 0;
}
