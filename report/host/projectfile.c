/* SPDX-License-Identifier: MIT */
/* projectfile.c: see projectfile.h. */
#include "host/projectfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of `name` in this directory or in the next one around it that has it; NULL: none has. */
static char *upward_find(struct arena *arena, const char *name)
{
    char *folder = getcwd(NULL, 0), *found = NULL;
    for (char *end = folder ? folder + strlen(folder) : NULL; end && !found; end = strrchr(folder, '/')) {
        *end = 0;
        char *path = arena_print(arena, "%s/%s", folder, name);
        found = access(path, F_OK) == 0 ? path : NULL;
        if (end == folder)
            break;
    }
    free(folder);
    return found;
}

const char *project_file(struct arena *arena, const char *name, bool *there)
{
    char *found = upward_find(arena, name), *project = found ? NULL : upward_find(arena, ".git");
    if (project)
        project[strlen(project) - strlen(".git")] = 0;
    *there = found != NULL;
    return found ? found : arena_print(arena, "%s%s", project ? project : "", name);
}

/* The first line of a file that begins with `begin`, without that and its newline; NULL: there is none. */
static const char *line_read(struct arena *arena, const char *path, const char *begin)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    const char *found = NULL;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        found = strncmp(line, begin, strlen(begin)) == 0 ? arena_copy(arena, line + strlen(begin)) : NULL;
    }
    if (file)
        fclose(file);
    return found;
}

/* "ID NAME" of the file in which git keeps names together. */
static const char *packed_find(struct arena *arena, const char *folder, const char *name)
{
    FILE *file = fopen(arena_print(arena, "%s/packed-refs", folder), "r");
    char line[4096];
    const char *found = NULL;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        char *blank = strchr(line, ' ');
        if (blank && strcmp(blank + 1, name) == 0) {
            *blank = 0;
            found = arena_copy(arena, line);
        }
    }
    if (file)
        fclose(file);
    return found;
}

/* Where git keeps what belongs to this checkout; a further worktree has a file `.git` that names the place. */
const char *project_commit(struct arena *arena)
{
    const char *folder = upward_find(arena, ".git");
    const char *elsewhere = folder ? line_read(arena, folder, "gitdir: ") : NULL;
    if (!folder)
        return NULL;
    if (elsewhere && elsewhere[0] != '/')
        elsewhere = arena_print(arena, "%.*s%s", (int)(strlen(folder) - strlen(".git")), folder, elsewhere);
    folder = elsewhere ? elsewhere : folder;
    const char *head = line_read(arena, arena_print(arena, "%s/HEAD", folder), "");
    if (!head || strncmp(head, "ref: ", 5) != 0)
        return head;
    const char *shared = line_read(arena, arena_print(arena, "%s/commondir", folder), "");
    shared = !shared ? folder : shared[0] == '/' ? shared : arena_print(arena, "%s/%s", folder, shared);
    const char *commit = line_read(arena, arena_print(arena, "%s/%s", folder, head + 5), "");
    commit = commit ? commit : line_read(arena, arena_print(arena, "%s/%s", shared, head + 5), "");
    return commit ? commit : packed_find(arena, shared, head + 5);
}
