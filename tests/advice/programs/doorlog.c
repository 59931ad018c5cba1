/* SPDX-License-Identifier: MIT */
/* A door controller: decides for each badge that is held to the reader whether the door opens, and notes it in a log
 * file. Prints how often it opened, and the log's length. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BADGES 512u

struct badge {
    uint64_t secret;
    unsigned level;
};

static struct badge badges[BADGES];
static char path[4096];

static uint64_t mix(uint64_t h)
{
    h ^= h >> 31;
    h *= 0x7fb5d329728ea185ULL;
    h ^= h >> 27;
    h *= 0x81dadef4bc2dd44dULL;
    return h ^ h >> 33;
}

static void badges_make(void)
{
    for (unsigned i = 0; i < BADGES; i++) {
        badges[i].secret = mix(i + 1);
        badges[i].level = (unsigned)(mix(i) % 5);
    }
}

static int log_create(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/doors.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    return 0;
}

static bool badge_accept(const struct badge *badge, unsigned door)
{
    uint64_t answer = badge->secret ^ door;
    for (int i = 0; i < 1500; i++) answer = mix(answer + (uint64_t)i);
    return badge->level > door % 4 || answer % 50 == 0;
}

#ifdef FIXED
static FILE *log_file;
#endif

static int event_note(unsigned moment, unsigned door, unsigned badge, bool is_open)
{
#ifdef FIXED
    FILE *log = log_file = log_file ? log_file : fopen(path, "a");
#else
    FILE *log = fopen(path, "a"); /* @ */
#endif
    if (!log) return 1;
    fprintf(log, "%u door %u badge %u %s\n", moment, door, badge, is_open ? "opens" : "stays shut");
#ifndef FIXED
    fclose(log); /* @ */
#else
    fflush(log);
#endif
    return 0;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned events = (unsigned)(45000 * scale) + 1, opened = 0;
    badges_make();
    if (log_create()) return 1;
    for (unsigned i = 0; i < events; i++) {
        unsigned badge = (unsigned)(mix(i) % BADGES), door = i % 13;
        bool is_open = badge_accept(&badges[badge], door);
        opened += is_open;
        if (event_note(i, door, badge, is_open)) return 1;
    }
    struct stat about;
    if (stat(path, &about) || unlink(path)) return 1;
    printf("%u %lld\n", opened, (long long)about.st_size);
    return 0;
}
