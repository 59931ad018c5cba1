/* SPDX-License-Identifier: MIT */
/* rule: lookups */
/* sizes: 0.4 1 3 */
/* base: 2 */
/* pilgrims.c: the chapels along a way are counted again and again, with the candles in each. One function reads a
 * folder, another asks how large each of its files is, below the open folder: that can be had by no other call. Whether
 * a chapel has a new one beside it was read as well, and yet it is asked for. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALLEYS = 20, CHAPELS = 60 };
static char top[] = "/tmp/pilgrims-XXXXXX";
static char name[CHAPELS + 2][32];
static long candles, renewed;

static int chapel_ask(int folder, const char *chapel, long *size)
{
    struct stat info;
    int there = fstatat(folder, chapel, &info, AT_SYMLINK_NOFOLLOW) == 0; /* @ */
    *size = there ? info.st_size : 0;
    return there;
}

static int valley_read(DIR *stream)
{
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(stream)))
        if (entry->d_name[0] != '.')
            strcpy(name[count++], entry->d_name);
    return count;
}

static int is_renewed(int folder, const char *chapel, int count)
{
    char other[64];
    snprintf(other, sizeof other, "%s.new", chapel);
#ifdef FIXED
    (void)folder;
    for (int i = 0; i < count; i++)
        if (other[0] == name[i][0] && strcmp(other, name[i]) == 0)
            return 1;
    return 0;
#else
    long size;
    (void)count;
    return chapel_ask(folder, other, &size);
#endif
}

static void walk(void)
{
    char path[64];
    for (int i = 0; i < VALLEYS; i++) {
        snprintf(path, sizeof path, "%s/%d", top, i);
        DIR *stream = opendir(path);
        if (!stream)
            exit(1);
        int count = valley_read(stream);
        for (int j = 0; j < count; j++) {
            long size;
            chapel_ask(dirfd(stream), name[j], &size);
            candles += size;
            renewed += is_renewed(dirfd(stream), name[j], count);
        }
        closedir(stream);
    }
}

static void build(int ends)
{
    char path[64], first[64];
    snprintf(first, sizeof first, "%s/first", top);
    FILE *out = fopen(first, "w");
    fprintf(out, "one");
    fclose(out);
    for (int i = 0; i < VALLEYS; i++) {
        snprintf(path, sizeof path, "%s/%d", top, i);
        if (!ends && mkdir(path, 0700))
            exit(1);
        for (int j = 0; j < CHAPELS; j++) {
            snprintf(path, sizeof path, "%s/%d/%d", top, i, j);
            if (ends)
                unlink(path);
            else if (link(first, path)) /* a file of its own takes half a millisecond on some disks */
                exit(1);
        }
        snprintf(path, sizeof path, "%s/%d", top, i);
        if (ends)
            rmdir(path);
    }
    if (ends)
        unlink(first);
}

int main(int argc, char **argv)
{
    int rounds = (int)(100 * (argc > 1 ? atof(argv[1]) : 1));
    if (!mkdtemp(top))
        return 1;
    build(0);
    for (int i = 0; i < rounds; i++)
        walk();
    printf("%ld candles, %ld renewed\n", candles / rounds, renewed / rounds);
    build(1);
    return rmdir(top);
}
