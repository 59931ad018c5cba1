/* SPDX-License-Identifier: MIT */
/* rule: lookups */
/* sizes: 0.4 1 3 */
/* base: 2 */
/* does: d_type */
/* titled: readdir */
/* rangers.c: a wood is walked through, and its clearings and trees are counted. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLEARINGS = 20, TREES = 60 };
static char top[] = "/tmp/rangers-XXXXXX";
static long clearings, trees;

static void walk(const char *folder)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    char path[512];
    while (stream && (entry = readdir(stream))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
#ifdef FIXED
        int is_folder = entry->d_type == DT_DIR;
#else
        struct stat info;
        int is_folder = !lstat(path, &info) && S_ISDIR(info.st_mode); /* @ */
#endif
        clearings += is_folder;
        trees += !is_folder;
        if (is_folder)
            walk(path);
    }
    if (stream)
        closedir(stream);
}

static void plant(int fells)
{
    char path[512];
    for (int i = 0; i < CLEARINGS; i++) {
        snprintf(path, sizeof path, "%s/%d", top, i);
        if (fells)
            for (int j = 0; j < TREES; j++) {
                snprintf(path, sizeof path, "%s/%d/%d", top, i, j);
                unlink(path);
            }
        snprintf(path, sizeof path, "%s/%d", top, i);
        if (fells ? rmdir(path) : mkdir(path, 0700))
            exit(1);
        for (int j = 0; j < TREES && !fells; j++) {
            snprintf(path, sizeof path, "%s/%d/%d", top, i, j);
            fclose(fopen(path, "w"));
        }
    }
}

int main(int argc, char **argv)
{
    int rounds = (int)(300 * (argc > 1 ? atof(argv[1]) : 1));
    if (!mkdtemp(top))
        return 1;
    plant(0);
    for (int i = 0; i < rounds; i++)
        walk(top);
    printf("%ld clearings, %ld trees\n", clearings / rounds, trees / rounds);
    plant(1);
    return rmdir(top);
}
