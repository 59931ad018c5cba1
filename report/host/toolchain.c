/* SPDX-License-Identifier: MIT */
/* toolchain.c: see toolchain.h.
 * Both trees have LIBRARY/libprofplug.a, SHARED/libprofplug.so, PLUGINS/gcc-N/profplug.so, INCLUDE/profplug.h. In a
 * build tree the executable's folder is LIBRARY and PLUGINS; installed, SHARED and PLUGINS are LIBRARY/profplug. */
#include "host/toolchain.h"

#include "words/diag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int path_join(char *out, const char *folder, const char *more)
{
    return snprintf(out, PATH_MAX, "%s/%s", folder, more) >= PATH_MAX;
}

int toolchain_find(struct toolchain *toolchain)
{
    char folder[PATH_MAX], joined[PATH_MAX], plain[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length > 0)
        folder[length] = 0;
    /* /proc may be missing in a chroot */
    else if (!realpath((const char *)getauxval(AT_EXECFN), folder))
        return diag_error("/proc/self/exe", "%s; expected /proc to be mounted", strerror(errno));
    char *slash = strrchr(folder, '/');
    if (!slash)
        return diag_error(folder, "not a path; expected the path of profplug's executable");
    *slash = 0;

    /* this file marks a build folder */
    if (!path_join(joined, folder, "profplug.build") && !access(joined, F_OK)) {
        strcpy(toolchain->prefix, folder);
        strcpy(toolchain->library, folder);
        strcpy(toolchain->plugins, folder);
        if (path_join(toolchain->include, folder, "include") || path_join(toolchain->shared, folder, "shared"))
            return diag_error(folder, "path too long");
        return 0;
    }
    if (path_join(joined, folder, PROFPLUG_PREFIX_FROM_BIN) || !realpath(joined, toolchain->prefix) ||
        path_join(joined, folder, PROFPLUG_INCLUDE_FROM_BIN) || !realpath(joined, toolchain->include) ||
        path_join(joined, folder, PROFPLUG_LIBRARY_FROM_BIN) || !realpath(joined, toolchain->library) ||
        path_join(plain, toolchain->library, "profplug"))
        return diag_error(joined, "%s; expected profplug's parts beside its executable, as built or as installed",
                          strerror(errno));
    strcpy(toolchain->plugins, plain);
    strcpy(toolchain->shared, plain);
    return 0;
}

int toolchain_plugin(const struct toolchain *toolchain, int major, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/gcc-%d/profplug.so", toolchain->plugins, major);
    return length > 0 && (size_t)length < size && !access(path, R_OK);
}

static int number_compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int toolchain_majors(const struct toolchain *toolchain, int *majors, int capacity)
{
    DIR *folder = opendir(toolchain->plugins);
    char path[PATH_MAX];
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char rest;
        int major;
        if (count < capacity && sscanf(entry->d_name, "gcc-%d%c", &major, &rest) == 1 &&
            toolchain_plugin(toolchain, major, path, sizeof path))
            majors[count++] = major;
    }
    if (folder)
        closedir(folder);
    qsort(majors, (size_t)count, sizeof *majors, number_compare);
    return count;
}

int program_ask(char *const *argv, char *line, size_t size)
{
    int ends[2];
    pid_t pid;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t used = 0;
    char rest[512];
    /* read to the end, so that the program does not get SIGPIPE */
    for (ssize_t got = 1; !failed && got > 0;) {
        got = used < size - 1 ? read(ends[0], line + used, size - 1 - used) : read(ends[0], rest, sizeof rest);
        if (got > 0 && used < size - 1)
            used += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    close(ends[0]);
    int status = -1;
    if (!failed)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    line[used] = 0;
    line[strcspn(line, "\n")] = 0;
    return failed || status ? -1 : 0;
}

int compiler_major(const char *compiler)
{
    /* GCC answers with the path of its own compiler, .../gcc/TARGET/VERSION/cc1, and clang with the bare name. A cross
     * compiler has another target, so it needs plugins and a runtime for that. */
    char answer[PATH_MAX];
    char *argv[] = { (char *)compiler, (char *)"-print-prog-name=cc1", NULL };
    if (program_ask(argv, answer, sizeof answer))
        return -1;
    char *slash = strrchr(answer, '/');
    if (!slash)
        return 0;
    *slash = 0;
    slash = strrchr(answer, '/');
    if (!slash)
        return 0;
    int major = atoi(slash + 1);
    *slash = 0;
    slash = strrchr(answer, '/');
    return slash && !strcmp(slash + 1, PROFPLUG_TARGET) ? major : 0;
}
