/* SPDX-License-Identifier: MIT */
/* load.c: makes a complete model of a path, or of the newest run. No other file knows all the steps. */
#include "load.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "advice/advice.h"
#include "estimate/analyse.h"
#include "host/accepted.h"
#include "host/ledger.h"
#include "read/children.h"
#include "estimate/hits.h"
#include "estimate/narrow.h"
#include "model/namesake.h"
#include "words/diag.h"
#include "rule/judge.h"
#include "read/ancestry.h"
#include "read/profile.h"
#include "estimate/reconcile.h"
#include "estimate/shape.h"
#include "show/screen.h"
#include "show/source.h"
#include "store/arena.h"
#include "words/plural.h"
#include "estimate/witness.h"

static bool name_ends(const char *name, const char *end)
{
    size_t n = strlen(name), e = strlen(end);
    return n > e && strcmp(name + n - e, end) == 0;
}

bool load_is_data(const char *path)
{
    char error[READER_ERROR_BYTES];
    struct pp_header header;
    struct stat is;
    return name_ends(path, ".profplug") ||
           (stat(path, &is) == 0 && S_ISREG(is.st_mode) && reader_header(path, &header, error));
}

static void absence_complain(const char *folder)
{
    struct arena arena = { 0 };
    struct pp_total total = children_total(arena_print(&arena, "%s/" PP_TOTAL_NAME, folder));
    uint64_t many = total.processes + total.crowded;
    if (many)
        diag_error(folder, "no *.profplug here: %llu process%s not recorded, because %s", (unsigned long long)many,
                   plural(many, " was", "es were"),
                   total.crowded ? "less of the disk was free than min-free asks" : "the data files reached max-total");
    else
        diag_error(folder, "no *.profplug here; expected the data file of a run, or its name as an argument");
    arena_free(&arena);
}

/* A run's age is that of its root process, whatever programs that one started later. */
char *load_newest_name(const char *folder)
{
    char error[READER_ERROR_BYTES], complaint[READER_ERROR_BYTES] = "", *path = NULL;
    struct ancestry *all = NULL;
    size_t count = 0, capacity = 0, best = KIN_NONE;
    DIR *directory = opendir(folder);
    if (!directory) {
        diag_error(folder, "%s; expected a directory to look for *.profplug in", strerror(errno));
        return NULL;
    }
    for (struct dirent *e; (e = readdir(directory));) {
        struct pp_header header;
        if (!name_ends(e->d_name, ".profplug"))
            continue;
        bool here = strcmp(folder, ".") == 0;
        char *name = memory_zeroed(strlen(folder) + strlen(e->d_name) + 2, 1);
        sprintf(name, "%s%s%s", here ? "" : folder, here ? "" : "/", e->d_name);
        if (!reader_header(name, &header, error)) {
            snprintf(complaint, sizeof complaint, "%s", error);
            free(name);
            continue;
        }
        *ARRAY_PUSH(all, count, capacity) = ancestry_make(name, &header);
    }
    closedir(directory);
    for (size_t i = 0; i < count; i++)
        if (ancestry_parent(all, count, i) == KIN_NONE && (best == KIN_NONE || all[i].start_ns > all[best].start_ns))
            best = i;
    for (size_t i = 0; i < count; i++) {
        if (i == best || (best == KIN_NONE && !path)) /* all are in a circle: take any */
            path = all[i].path;
        else
            free(all[i].path);
    }
    free(all);
    if (!path && complaint[0])
        diag_error("", "%s", complaint);
    else if (!path)
        absence_complain(folder);
    return path;
}

/* Opens what process `pid` executes. If its first thread has ended, only its other threads can tell. -1: errno. */
static ssize_t executable_read(uint32_t pid, char *path, size_t size)
{
    char name[300];
    snprintf(name, sizeof name, "/proc/%u/exe", pid);
    ssize_t n = readlink(name, path, size);
    if (n >= 0 || errno != ENOENT)
        return n;
    snprintf(name, sizeof name, "/proc/%u/task", pid);
    DIR *tasks = opendir(name);
    for (struct dirent *entry; tasks && n < 0 && (entry = readdir(tasks));) {
        snprintf(name, sizeof name, "/proc/%u/task/%.200s/exe", pid, entry->d_name);
        n = entry->d_name[0] == '.' ? -1 : readlink(name, path, size);
    }
    if (tasks)
        closedir(tasks);
    errno = n < 0 ? ENOENT : 0;
    return n;
}

static uint64_t clock_read_ns(clockid_t clock)
{
    struct timespec t = { 0 };
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Did the process that has this number now begin after the run? Then it is another one. */
static bool process_is_later(uint32_t pid, uint64_t run_start_ns)
{
    char name[64], text[1024] = "";
    snprintf(name, sizeof name, "/proc/%u/stat", pid);
    FILE *file = fopen(name, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = 0;
    char *at = strrchr(text, ')'); /* the name before it may contain any character */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    long ticks = sysconf(_SC_CLK_TCK);
    if (!at || ticks <= 0)
        return false;
    uint64_t since_boot_ns = strtoull(at, NULL, 10) * (1000000000u / (uint64_t)ticks);
    uint64_t start_ns = clock_read_ns(CLOCK_REALTIME) - clock_read_ns(CLOCK_BOOTTIME) + since_boot_ns;
    /* a second of tolerance, because the wall clock may have been adjusted */
    return start_ns > run_start_ns + 1000000000u;
}

static bool process_runs(const char *host, uint32_t pid, const char *program, uint64_t start_realtime_ns)
{
    static const char deleted[] = " (deleted)";
    struct utsname name;
    char path[4096];
    if (uname(&name) != 0 || strcmp(name.nodename, host) != 0 || !pid || pid > INT32_MAX)
        return false;
    if ((kill((pid_t)pid, 0) != 0 && errno != EPERM) || process_is_later(pid, start_realtime_ns))
        return false;
    ssize_t n = executable_read(pid, path, sizeof path - 1);
    if (n < 0)
        return errno == EACCES;
    path[n] = 0;
    if ((size_t)n >= sizeof deleted && strcmp(path + n - (sizeof deleted - 1), deleted) == 0)
        path[n -= sizeof deleted - 1] = 0;
    size_t length = strlen(program); /* may be cut on the left */
    return (size_t)n >= length && strcmp(path + n - length, program) == 0;
}

/* How long threads of a living process were ready to run but did not: the kernel tells it now, the file at the end. */
static void delays_read(struct profile *profile)
{
    for (size_t i = 0; i < profile->thread_count; i++) {
        struct pp_thread_row *row = &profile->thread[i];
        char name[64];
        unsigned long long ran, ready;
        snprintf(name, sizeof name, "/proc/%u/task/%u/schedstat", profile->header.pid, row->tid);
        FILE *file = row->tid && !row->end_ns && !row->delay_ns ? fopen(name, "r") : NULL;
        if (file && fscanf(file, "%llu %llu", &ran, &ready) == 2)
            row->delay_ns = ready;
        if (file)
            fclose(file);
    }
}

/* How many CPUs the run could use at most: the machine's. */
static uint32_t cpus_of(const char *host)
{
    struct utsname name;
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 && uname(&name) == 0 && strcmp(name.nodename, host) == 0 ? (uint32_t)count : 0;
}

/* If the file was never sealed, its program still runs, or was killed. */
static void exit_infer(struct model_run *run)
{
    struct utsname name;
    if (run->sealed)
        return;
    if (process_runs(run->host, run->pid, run->program, run->start_realtime_ns))
        run->exit_kind = MODEL_EXIT_RUNNING;
    else if (run->exit_kind == MODEL_EXIT_UNKNOWN && uname(&name) == 0 && strcmp(name.nodename, run->host) == 0)
        run->exit_kind = MODEL_EXIT_KILLED;
}

static void children_read(struct model *model)
{
    for (size_t i = 0; i < model->run.child_count; i++) {
        struct model_child *c = &model->run.child[i];
        char error[READER_ERROR_BYTES];
        struct pp_header h;
        c->readable = reader_header(c->path, &h, error);
        if (!c->readable) {
            c->complaint = arena_copy(&model->arena, error);
            continue;
        }
        uint64_t end = h.end_ns ? h.end_ns : h.heartbeat_ns;
        c->wall_ns = end > h.start_ns ? end - h.start_ns : 0;
        c->cpu_ns = h.user_ns + h.system_ns;
        struct model_run run = { .sealed = h.end_ns != 0,
                                 .host = h.host,
                                 .pid = h.pid,
                                 .program = h.program,
                                 .start_realtime_ns = h.start_realtime_ns,
                                 .exit_kind = h.exit_kind == PP_EXIT_EXIT     ? MODEL_EXIT_EXIT
                                              : h.exit_kind == PP_EXIT_SIGNAL ? MODEL_EXIT_SIGNAL
                                              : h.exit_kind == PP_EXIT_EXEC   ? MODEL_EXIT_EXEC
                                              : h.exit_kind == PP_EXIT_KILLED ? MODEL_EXIT_KILLED
                                                                              : MODEL_EXIT_UNKNOWN };
        exit_infer(&run);
        c->exit_kind = run.exit_kind;
        c->exit_status = h.exit_status;
    }
}

/* Notes if a source file changed after the run, because its lines are then not those that ran. Only files with costs
 * are checked. */
static void sources_check(struct model *model)
{
    struct map files = { 0 };
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        uint32_t *seen = map_at_text(&files, line->file);
        const struct source *source = *seen == MAP_FRESH ? source_get(line->file) : NULL;
        *seen = 0;
        if (source && source_changed_ns(source) > model->run.start_realtime_ns) {
            model_doubt(model, DOUBT_SOME_PLACES, "%s is newer than the run: its lines may have moved",
                        path_short(line->file));
            model_notice(model, "%s is newer than the run: its lines may not be those that ran", line->file);
        }
    }
    map_free(&files);
}

/* What somebody accepted as it is keeps its reason. */
static void accepted_tell(struct model *model)
{
    struct accepted accepted;
    if (model->advice_count && accepted_read(&accepted))
        for (size_t i = 0; i < model->advice_count; i++) {
            const char *why = accepted_why(&accepted, model->advice[i].id);
            model->advice[i].accepted = why ? arena_copy(&model->arena, why) : NULL;
        }
    if (model->advice_count)
        accepted_free(&accepted);
}

/* How often findings of the same rules helped here, when somebody tried. */
static void ledger_tell(struct model *model)
{
    struct ledger ledger;
    if (model->advice_count && ledger_read(&ledger))
        for (size_t i = 0; i < model->advice_count; i++) {
            struct ledger_rate rate = ledger_rate(&ledger, model->advice[i].rule);
            model->advice[i].tried = rate.tried;
            model->advice[i].helped = rate.helped;
        }
    if (model->advice_count)
        ledger_free(&ledger);
}

struct model *model_open_brief(const char *path)
{
    char error[READER_ERROR_BYTES];
    struct profile *profile = reader_open(path, error);
    if (!profile) {
        diag_error("", "%s", error);
        return NULL;
    }
    struct names names = { 0 };
    struct model *model = merge_profile(profile, &names);
    exit_infer(&model->run);
    names_free(&names);
    reader_close(profile);
    return model;
}

struct model *model_open(const char *path) { return model_open_part(path, NULL, NULL); }

struct model *model_open_part(const char *path, const char *stage, const char *thread)
{
    char error[READER_ERROR_BYTES], *found = path ? NULL : load_newest_name(".");
    if (!path && !found)
        return NULL;
    struct profile *profile = reader_open(path ? path : found, error);
    free(found);
    if (!profile) {
        diag_error("", "%s", error);
        return NULL;
    }
    struct pp_header *h = &profile->header;
    if (!h->end_ns && process_runs(h->host, h->pid, h->program, h->start_realtime_ns)) {
        /* the process is alive, even if it sleeps and refreshes nothing */
        uint64_t now_ns = clock_read_ns(CLOCK_MONOTONIC);
        h->heartbeat_ns = now_ns > h->heartbeat_ns ? now_ns : h->heartbeat_ns;
        delays_read(profile);
    }
    char why[NARROW_BYTES];
    const char *part = thread ? narrow_thread(profile, thread, why) : NULL;
    if (thread && !part) {
        diag_error("--thread", "%s", why);
        reader_close(profile);
        return NULL;
    }
    struct names names = { 0 };
    struct model *model = merge_profile(profile, &names);
    model->narrowed_to = part ? arena_copy(&model->arena, part) : NULL;
    if (stage && !narrow_stage(model, stage, why)) {
        diag_error("--stage", "%s", why);
        names_free(&names);
        reader_close(profile);
        model_free(model);
        return NULL;
    }
    if (stage)
        model->narrowed_to =
            arena_print(&model->arena, "%s%s%s", why, part ? " in " : "", part ? model->narrowed_to : "");
    exit_infer(&model->run);
    model->run.cpu_count = cpus_of(model->run.host);
    if (!model->part_count)
        children_find(model);
    children_read(model);
    analyse(model, &names, profile);
    hits_merge(model, &names, profile);
    settle(model);
    shapes_find(model, &names, profile);
    witness_hear(model, &names, profile);
    namesakes_tell(model);
    judge(model);
    advise(model);
    accepted_tell(model);
    ledger_tell(model);
    sources_check(model);
    names_free(&names);
    reader_close(profile);
    return model;
}
