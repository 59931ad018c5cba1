/* SPDX-License-Identifier: MIT */
/* children.c: see children.h. A process and the one that it executes do not know each other's file. Only process
 * numbers connect them (ancestry.h), so the folder is searched. */
#include "read/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/ancestry.h"
#include "read/profile.h"

static const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct family {
    struct ancestry *kin;
    size_t count, capacity;
};

static void folder_read(struct family *all, struct arena *arena, const char *folder, const char *prefix)
{
    DIR *directory = opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory));) {
        char error[READER_ERROR_BYTES], *path = arena_print(arena, "%s%s", prefix, e->d_name);
        struct pp_header header;
        size_t n = strlen(e->d_name);
        if (n > 9 && strcmp(e->d_name + n - 9, ".profplug") == 0 && reader_header(path, &header, error))
            *ARRAY_PUSH(all->kin, all->count, all->capacity) = ancestry_make(path, &header);
    }
    if (directory)
        closedir(directory);
}

static bool is_known(const struct model_run *run, const struct ancestry *kin)
{
    for (size_t i = 0; i < run->child_count; i++)
        if (run->child[i].pid == kin->pid && strcmp(path_name(run->child[i].path), path_name(kin->path)) == 0)
            return true;
    return false;
}

/* Whether `other` is the next image of the same process after exec. */
static bool is_next_image(const struct family *all, size_t own, size_t other)
{
    const struct ancestry *a = &all->kin[own], *b = &all->kin[other];
    if (b->pid != a->pid || memcmp(b->host, a->host, sizeof a->host) != 0 || b->start_ns <= a->start_ns ||
        b->start_ns < a->end_ns)
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (all->kin[i].pid == a->pid && all->kin[i].start_ns > a->start_ns && all->kin[i].start_ns < b->start_ns &&
            !memcmp(all->kin[i].host, a->host, sizeof a->host))
            return false;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct ancestry *x = a, *y = b;
    return x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1) : strcmp(x->path, y->path);
}

struct pp_total children_total(const char *path)
{
    struct pp_total total;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool whole = file >= 0 && read(file, &total, sizeof total) == sizeof total;
    if (file >= 0)
        close(file);
    if (!whole || memcmp(total.magic, PP_TOTAL_MAGIC, sizeof total.magic))
        return (struct pp_total){ 0 };
    return total;
}

void children_find(struct model *model)
{
    struct model_run *run = &model->run;
    struct family all = { 0 };
    const char *own_name = path_name(run->path);
    char *prefix = arena_print(&model->arena, "%.*s", (int)(own_name - run->path), run->path);
    size_t own = KIN_NONE;
    folder_read(&all, &model->arena, prefix[0] ? prefix : ".", prefix);
    struct pp_total total = children_total(arena_print(&model->arena, "%s" PP_TOTAL_NAME, prefix));
    run->unrecorded = total.processes;
    run->crowded = total.crowded;
    if (all.count)
        qsort(all.kin, all.count, sizeof *all.kin, by_start);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(path_name(all.kin[i].path), own_name) == 0)
            own = i;
    struct model_child *child = arena_take(&model->arena, (run->child_count + all.count + 1) * sizeof *child);
    if (run->child_count)
        memcpy(child, run->child, run->child_count * sizeof *child);
    run->child = child;
    bool *related = arena_take(&model->arena, (all.count + 1) * sizeof *related);
    for (size_t i = 0; i < all.count && own != KIN_NONE; i++) { /* by start, so after the process that started it */
        bool descends = i != own && ancestry_descends(&all.kin[i], run->pid);
        size_t parent = descends ? ancestry_parent(all.kin, all.count, i) : KIN_NONE;
        bool direct = parent == own || (run->exit_kind == MODEL_EXIT_EXEC && is_next_image(&all, own, i));
        related[i] = i != own && (direct || (parent < i && related[parent]));
        if (related[i] && !is_known(run, &all.kin[i]))
            child[run->child_count++] =
                (struct model_child){ .pid = all.kin[i].pid, .path = all.kin[i].path, .further = !direct };
    }
    free(all.kin);
}
