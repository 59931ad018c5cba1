/* SPDX-License-Identifier: MIT */
/* callees.c: lines that burn CPU time in functions of libraries. callees.py expects the name after `=`. Made as C++,
 * too, where some lines call what only that has. */
#include <math.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <map>
#include <sstream>
#include <string>
#endif

#define PART_NS 60000000

static char text[1 << 16], other[1 << 16];
static int numbers[4096];
static char *blocks[1024];
static volatile size_t sink;
static size_t (*volatile chosen)(const char *) = strlen;

static int more(void)
{
    static uint64_t end;
    static unsigned calls;
    struct timespec now;
    if (++calls % 16) /* reading that clock is a system call */
        return 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    end = end ? end : ns + PART_NS;
    if (ns < end)
        return 1;
    end = 0;
    return 0;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

__attribute__((noinline)) static size_t length_of(const char *of)
{
    return strlen(of); /* =strlen (jump) */
}

static void lines_run(void)
{
    regex_t pattern;
    double number;
    size_t at = 0;
    memset(text, 'a', sizeof text - 1);
    while (more())
        sink += strlen(text + (sink & 7)); /* =strlen */
    while (more())
        memset(other, (int)sink & 7, sizeof other - (sink & 7)); /* =memset */
    while (more())
        memmove(other + (sink & 7), other + 8, sizeof other - 64 + (sink & 7)); /* =memmove */
    while (more())
        sink += (size_t)snprintf(other, 64 + (sink & 7), "%g %d", (double)sink, 7); /* =snprintf */
    while (more()) {
        regcomp(&pattern, "a*b+(c|d)[a-z]{3}", REG_EXTENDED); /* =regcomp */
        regfree(&pattern);
    }
    for (size_t i = 0; i < 4096; i++)
        numbers[i] = (int)(i * 2654435761u >> 7);
    while (more())
        qsort(numbers, 4096, sizeof *numbers, by_number), numbers[sink & 7]++; /* =qsort */
    while (more())
        sink += (size_t)sscanf("12 13.25", "%d %lf", &numbers[0], &number); /* =sscanf */
    while (more())
        sink += (size_t)(strstr(text, "aaab") != NULL); /* =strstr */
    while (more())
        sink += (size_t)(1000 * pow(1.0 + (double)(sink & 7), 1.25)); /* =pow */
    while (more())
        sink += (size_t)lseek(0, 0, SEEK_CUR); /* =lseek */
    while (more())
        blocks[++at & 1023] = (char *)realloc(blocks[at & 1023], 24 + (at * 97 & 8191)); /* =realloc */
    while (more())
        sink += length_of(text + (sink & 7));
    while (more())
        sink += chosen(text + (sink & 7)); /* =? */
}

#ifdef __cplusplus
static void classes_run(void)
{
    std::map<std::string, int> map;
    char key[16];
    while (more()) {
        snprintf(key, sizeof key, "%zu", sink++ & 1023);
        map[key]++; /* =std::map::operator[] */
    }
    std::ostringstream stream;
    while (more())
        stream << (double)sink++; /* =std::ostream::operator<< */
}
#endif

int main(void)
{
    lines_run();
#ifdef __cplusplus
    classes_run();
#endif
    return 0;
}
