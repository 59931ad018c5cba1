/* SPDX-License-Identifier: MIT */
/* elsewhere.c: see elsewhere.h. */
#include "store/elsewhere.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store/arena.h"

static const char **change, **folder;
static size_t change_count, change_capacity, folder_count, folder_capacity;

bool elsewhere_map(const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || !equal[1])
        return false;
    *ARRAY_PUSH(change, change_count, change_capacity) = text;
    return true;
}

void elsewhere_look(const char *path) { *ARRAY_PUSH(folder, folder_count, folder_capacity) = path; }

/* The bytes of OLD that `path` begins with, whole components alone; 0: it does not. */
static size_t prefix_match(const char *old, size_t length, const char *path)
{
    while (length > 1 && old[length - 1] == '/')
        length--;
    bool begins = strncmp(path, old, length) == 0;
    return begins && (old[length - 1] == '/' || path[length] == '/' || !path[length]) ? length : 0;
}

static bool mapped(const char *path, char to[ELSEWHERE_BYTES])
{
    const char *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < change_count; i++) {
        size_t match = prefix_match(change[i], (size_t)(strchr(change[i], '=') - change[i]), path);
        if (match > most) {
            most = match;
            best = strchr(change[i], '=') + 1;
        }
    }
    if (!best)
        return false;
    const char *rest = path + most + strspn(path + most, "/");
    return snprintf(to, ELSEWHERE_BYTES, "%s%s%s", best, rest[0] && best[strlen(best) - 1] != '/' ? "/" : "", rest) <
           ELSEWHERE_BYTES;
}

const char *elsewhere_find(const char *path, char to[ELSEWHERE_BYTES], bool *moved)
{
    bool there = mapped(path, to);
    for (size_t i = 0; i < folder_count && path[0] && !there && access(path, F_OK) != 0; i++)
        for (const char *rest = path; rest && !there; rest = strchr(rest, '/')) {
            rest += strspn(rest, "/");
            there = snprintf(to, ELSEWHERE_BYTES, "%s/%s", folder[i], rest) < ELSEWHERE_BYTES && rest[0] &&
                    access(to, F_OK) == 0;
        }
    if (moved)
        *moved = there;
    return there ? to : path;
}
