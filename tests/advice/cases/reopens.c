/* SPDX-License-Identifier: MIT */
/* says: top */
/* sizes: 0.1 1 10 */
/* reopens.c: visitors of a museum are counted by room; each tenth one is noted in a journal. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOMS 40
#define SHEET_BYTES 2000

static char path[] = "journal-XXXXXX";
static uint32_t visitors[ROOMS];
#ifdef FIXED
static int journal = -1;
#endif

static void note(const char *text)
{
#ifndef FIXED
    int journal = open(path, O_WRONLY | O_APPEND); /* @ */
#else
    if (journal < 0)
        journal = open(path, O_WRONLY | O_APPEND);
#endif
    if (journal < 0 || write(journal, text, SHEET_BYTES) < 0)
        exit(1);
#ifndef FIXED
    close(journal);
#endif
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(500000 * (argc > 1 ? atof(argv[1]) : 1)), random = 1;
    char text[SHEET_BYTES];
    int fd = mkstemp(path);
    for (uint32_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t room = (random >> 16) % ROOMS;
        visitors[room]++;
        if (i % 10 == 0) {
            memset(text, ' ', sizeof text);
            snprintf(text, sizeof text, "visitor %u in room %u, who is number %u there\n", i, room, visitors[room]);
            note(text);
        }
    }
    printf("%u visitors, %u in room 3, journal has %lld bytes\n", count, visitors[3], (long long)lseek(fd, 0, SEEK_END));
    unlink(path);
    return 0;
}
