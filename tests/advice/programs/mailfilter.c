/* SPDX-License-Identifier: MIT */
/* A mail filter: sorts subjects of mails, which it makes itself, into folders by patterns, and counts their words.
 * Prints the number of mails in each folder and a sum over the words. */
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDERS 4u

struct folder {
    const char *pattern;
    unsigned mails;
#ifdef FIXED
    regex_t compiled;
    int is_compiled;
#endif
};

static struct folder folders[FOLDERS] = {
    { .pattern = "^(re|fwd|aw): .*invoice [0-9]+" },
    { .pattern = "(offer|discount|prize) (of|for) [a-z]+" },
    { .pattern = "build [0-9a-f]+ (failed|passed)$" },
    { .pattern = "^\\[list-[a-z]+\\] " },
};
static const char *words[] = { "meeting", "invoice", "report", "holiday", "budget", "offer", "question", "release" };

static void subject_make(char *subject, size_t size, unsigned i)
{
    uint32_t seed = i * 2654435761u + 12345;
    const char *a = words[seed >> 29], *b = words[seed >> 26 & 7], *c = words[seed >> 23 & 7];
    switch (seed >> 8 & 7) {
    case 0: snprintf(subject, size, "re: %s and invoice %u of %s", a, seed % 10000, b); break;
    case 1: snprintf(subject, size, "a discount for %s and %s, %s too", a, b, c); break;
    case 2: snprintf(subject, size, "nightly build %x passed", seed & 0xffff); break;
    case 3: snprintf(subject, size, "[list-%s] %s about %s and %s", a, b, c, a); break;
    default: snprintf(subject, size, "%s: %s after the %s, and %s before it", a, b, c, a);
    }
}

static int folder_takes(struct folder *folder, const char *subject)
{
#ifdef FIXED
    if (!folder->is_compiled && regcomp(&folder->compiled, folder->pattern, REG_EXTENDED | REG_NOSUB)) exit(1);
    folder->is_compiled = 1;
    return !regexec(&folder->compiled, subject, 0, NULL, 0);
#else
    regex_t pattern;
    if (regcomp(&pattern, folder->pattern, REG_EXTENDED | REG_NOSUB)) exit(1); /* @ */
    int takes = !regexec(&pattern, subject, 0, NULL, 0);
    regfree(&pattern);
    return takes;
#endif
}

static uint64_t body_count(unsigned number)
{
    uint64_t sum = number;
    for (unsigned i = 0; i < 6000; i++) {
        sum = sum * 6364136223846793005ULL + 1442695040888963407ULL;
        sum ^= sum >> 29;
    }
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned mails = (unsigned)(25000 * scale) + 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < mails; i++) {
        char subject[128];
        subject_make(subject, sizeof subject, i);
        for (unsigned k = 0; k < FOLDERS; k++)
            if (folder_takes(&folders[k], subject)) {
                folders[k].mails++;
                break;
            }
        sum ^= body_count(i);
    }
    for (unsigned k = 0; k < FOLDERS; k++) printf("%u ", folders[k].mails);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
