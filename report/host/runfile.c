/* SPDX-License-Identifier: MIT */
/* runfile.c: see runfile.h. */
#include "host/runfile.h"

#include "read/ancestry.h"
#include "read/children.h"
#include "read/profile.h"
#include "store/arena.h"
#include "words/diag.h"
#include "words/figure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <profplug/abi/size.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* A data file created during the run. */
struct candidate {
    struct ancestry kin;
    int distance; /* 0: the process itself, 1: a descendant, 2: another writer in that time */
};

/* The folder of the output pattern with its % patterns replaced; the caller frees it. */
static char *folder_expand(const char *pattern, const char *program, pid_t pid)
{
    const char *slash = strrchr(pattern, '/'), *name = strrchr(program, '/');
    if (!slash)
        return strdup(".");
    char *out = NULL, host[256] = "";
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    if (!stream)
        return NULL;
    gethostname(host, sizeof host - 1);
    for (const char *at = pattern; at < slash || at == pattern; at++) {
        if (*at != '%') {
            fputc(*at, stream);
            continue;
        }
        at++;
        if (*at == 'p') {
            fprintf(stream, "%d", (int)pid);
        } else if (*at == 'e') {
            fputs(name ? name + 1 : program, stream);
        } else if (*at == 'h') {
            fputs(host, stream);
        } else if (*at == 'q' && at[1] == '{' && strchr(at, '}')) {
            char *variable = strndup(at + 2, (size_t)(strchr(at, '}') - at - 2));
            const char *value = variable ? getenv(variable) : NULL;
            fputs(value ? value : "", stream);
            free(variable);
            at = strchr(at, '}');
        } else {
            fputc(*at, stream);
        }
    }
    fclose(stream);
    return out;
}

static int header_read(const char *path, struct pp_header *header)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = file < 0 ? -1 : pread(file, header, sizeof *header, 0);
    if (file >= 0)
        close(file);
    return got == (ssize_t)sizeof *header && !memcmp(header->magic, PP_MAGIC, sizeof header->magic) &&
           header->version == PP_FORMAT_VERSION;
}

static int candidate_compare(const void *a, const void *b)
{
    const struct candidate *one = a, *two = b;
    if (one->distance != two->distance)
        return one->distance - two->distance;
    /* for one process, the last program it became (exec) first; for children, the eldest first */
    int order = (one->kin.start_ns > two->kin.start_ns) - (one->kin.start_ns < two->kin.start_ns);
    return one->distance ? order : -order;
}

/* Sets the distance of each file's process from process `pid`. */
static struct candidate *candidates_judge(const struct ancestry *all, size_t count, pid_t pid)
{
    struct candidate *candidates = calloc(count ? count : 1, sizeof *candidates);
    for (size_t i = 0; candidates && i < count; i++) {
        candidates[i].kin = all[i];
        candidates[i].distance = all[i].pid == (uint32_t)pid ? 0
                                 : ancestry_descends(&all[i], (uint32_t)pid) ||
                                         ancestry_descends(&all[ancestry_root(all, count, i)], (uint32_t)pid)
                                     ? 1
                                     : 2;
    }
    return candidates;
}

void runfile_find(struct runfile_set *found, const struct options *options, const char *program, pid_t pid,
                  uint64_t begin_epoch_ns)
{
    struct ancestry *all = NULL;
    size_t count = 0, capacity = 0;
    *found = (struct runfile_set){ 0 };
    char *folder = folder_expand(options_value(options, "output"), program, pid);
    DIR *stream = folder ? opendir(*folder ? folder : "/") : NULL;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char *path = NULL;
        struct stat status;
        struct pp_header header;
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.'))
            continue;
        if ((strcmp(folder, ".") ? asprintf(&path, "%s/%s", folder, entry->d_name)
                                 : asprintf(&path, "%s", entry->d_name)) < 0)
            break;
        /* ctime uses the kernel's coarse clock, which is up to a tick behind */
        if (!stat(path, &status) && S_ISREG(status.st_mode) &&
            (uint64_t)status.st_ctim.tv_sec * 1000000000u + (uint64_t)status.st_ctim.tv_nsec + 20000000u >=
                begin_epoch_ns &&
            header_read(path, &header) && header.start_realtime_ns >= begin_epoch_ns) {
            *ARRAY_PUSH(all, count, capacity) = ancestry_make(path, &header);
            path = NULL;
        }
        free(path);
    }
    if (stream)
        closedir(stream);
    free(folder);
    struct candidate *candidates = candidates_judge(all, count, pid);
    if (candidates)
        qsort(candidates, count, sizeof *candidates, candidate_compare);
    found->paths = calloc(count ? count : 1, sizeof *found->paths);
    for (size_t i = 0; i < count; i++)
        if (candidates && found->paths && (candidates[i].distance < 2 || candidates[0].distance == 2)) {
            found->paths[found->count++] = candidates[i].kin.path;
            found->refused += candidates[i].kin.refused;
            found->refused_memory += candidates[i].kin.refused_memory;
        } else {
            free(candidates ? candidates[i].kin.path : all[i].path);
        }
    free(candidates);
    free(all);
}

void runfile_free(struct runfile_set *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->paths[i]);
    free(found->paths);
    *found = (struct runfile_set){ 0 };
}

uint64_t timeval_ns(struct timeval value)
{
    return (uint64_t)value.tv_sec * 1000000000u + (uint64_t)value.tv_usec * 1000u;
}

/* The CPU time of the process since the file began, by what the kernel counted up to its end. */
static void cpu_close(struct pp_header *header, const struct runfile_end *end)
{
    uint64_t kernel_ns = timeval_ns(end->usage.ru_stime), all_ns = kernel_ns + timeval_ns(end->usage.ru_utime);
    if (end->cpu_ns <= header->before_ns || !header->before_ns || !all_ns)
        return;
    uint64_t cpu_ns = end->cpu_ns - header->before_ns;
    if (cpu_ns < header->user_ns + header->system_ns)
        return; /* not this process's */
    /* how it divides into both is known with the processes that it waited for alone */
    uint64_t system_ns = (uint64_t)((double)cpu_ns * (double)kernel_ns / (double)all_ns);
    if (system_ns < header->system_ns)
        system_ns = header->system_ns;
    if (system_ns > cpu_ns - header->user_ns)
        system_ns = cpu_ns - header->user_ns;
    header->system_ns = system_ns;
    header->user_ns = cpu_ns - system_ns;
    header->features_ignorable |= PP_IGNORABLE_CPU;
}

static void part_write(int file, const struct pp_header *header, size_t from, size_t to)
{
    /* if the file is read-only, the report says `unknown` */
    if (pwrite(file, (const char *)header + from, to - from, (off_t)from) < 0) {}
}

void runfile_close(const char *path, const struct runfile_end *end)
{
    struct pp_header header;
    char error[READER_ERROR_BYTES];
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return;
    if (reader_header(path, &header, error) && header.pid == (uint32_t)end->pid &&
        (header.exit_kind == PP_EXIT_UNKNOWN ||
         /* it had begun to exit */ (header.exit_kind == PP_EXIT_EXIT && WIFSIGNALED(end->status)) ||
         (!header.end_ns && WIFSIGNALED(end->status) && header.exit_kind == PP_EXIT_SIGNAL))) {
        int signal_number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
        header.exit_kind = !signal_number ? PP_EXIT_EXIT : signal_number == SIGKILL ? PP_EXIT_KILLED : PP_EXIT_SIGNAL;
        header.exit_status = signal_number ? signal_number : WEXITSTATUS(end->status);
        if (!header.end_ns) { /* quick_exit records the end, but not the status */
            header.end_ns = end->end_ns;
            cpu_close(&header, end);
        }
        part_write(file, &header, offsetof(struct pp_header, end_ns), offsetof(struct pp_header, peak_rss_bytes));
        part_write(file, &header, offsetof(struct pp_header, features_ignorable),
                   offsetof(struct pp_header, features_ignorable) + sizeof header.features_ignorable);
    }
    close(file);
}

uint64_t runfile_cpu_ns(const struct runfile_set *found, pid_t pid)
{
    struct pp_header header;
    char error[READER_ERROR_BYTES];
    uint64_t ns = 0;
    for (size_t i = 0; i < found->count; i++) {
        if (!reader_header(found->paths[i], &header, error) || header.pid != (uint32_t)pid)
            continue;
        if (header.exit_kind != PP_EXIT_EXIT && header.exit_kind != PP_EXIT_EXEC &&
            !(header.features_ignorable & PP_IGNORABLE_CPU))
            return 0; /* it was killed before it could read its CPU time */
        ns += header.user_ns + header.system_ns;
    }
    return ns;
}

struct pp_total runfile_total(const struct options *options, const char *program, pid_t pid, int begin)
{
    char *folder = folder_expand(options_value(options, "output"), program, pid), *path = NULL;
    struct pp_total total = { 0 };
    if (folder && asprintf(&path, "%s/" PP_TOTAL_NAME, folder) < 0)
        path = NULL;
    if (path)
        total = children_total(path);
    if (path && begin && total.magic[0])
        unlink(path);
    free(folder);
    free(path);
    return total;
}

/* The path where execvp found it; empty if nowhere. */
static void program_locate(const char *program, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    *path = 0;
    if (strchr(program, '/')) {
        snprintf(path, size, "%s", program);
        return;
    }
    for (const char *at = folders ? folders : "/bin:/usr/bin"; *at;) {
        int length = (int)strcspn(at, ":");
        snprintf(path, size, "%.*s/%s", length ? length : 1, length ? at : ".", program);
        if (!access(path, X_OK))
            return;
        at += length + (at[length] == ':');
    }
    *path = 0;
}

enum nature { UNREADABLE, SCRIPT, PLAIN, INSTRUMENTED };

/* The section's name stays in an executable even when it is stripped. */
static enum nature program_judge(const char *path)
{
    static const char mark[] = "profplug_objects";
    enum nature nature = UNREADABLE;
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && !fstat(file, &status) && status.st_size > 2) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            nature = !memcmp(bytes, "#!", 2)                                        ? SCRIPT
                     : memmem(bytes, (size_t)status.st_size, mark, sizeof mark - 1) ? INSTRUMENTED
                                                                                    : PLAIN;
            munmap(bytes, (size_t)status.st_size);
        }
    }
    if (file >= 0)
        close(file);
    return nature;
}

/* A file begins with a header and a directory, and the runtime leaves most of a disk's room to the program. */
#define DISK_LEAST ((PP_HEADER_SIZE + PP_DIRECTORY_SIZE) * PP_SHARE)

/* How much of the disk must be free. */
static uint64_t disk_least(const struct options *options, const struct statvfs *disk)
{
    uint64_t given = pp_size_bytes(options_value(options, "min-free")), part = disk->f_blocks / PP_MIN_FREE_PART;
    if (!given)
        given = part < PP_MIN_FREE / disk->f_frsize ? part * disk->f_frsize : PP_MIN_FREE;
    return given > DISK_LEAST ? given : DISK_LEAST;
}

static bool disk_is_full(const char *folder, const struct options *options, struct statvfs *disk)
{
    return !statvfs(folder, disk) && disk->f_blocks &&
           disk->f_bavail * disk->f_frsize < disk_least(options, disk);
}

/* `told`: where the program was to write; NULL: what the options say. The caller frees it. */
static char *folder_choose(const char *program, const struct options *options, const char *told)
{
    char *folder = told ? strdup(told) : folder_expand(options_value(options, "output"), program, getpid());
    char *whole = folder && strcmp(folder, ".") == 0 ? realpath(".", NULL) : NULL;
    if (whole)
        free(folder);
    return whole ? whole : folder;
}

static bool folder_is_wrong(const char *program, const struct options *options, const char *told, char *why,
                            size_t size)
{
    struct statvfs disk;
    char room[FIGURE_BYTES], least[FIGURE_BYTES], *folder = folder_choose(program, options, told);
    const char *place = !folder || *folder ? folder : "/";
    bool wrong = true;
    if (place && access(place, W_OK | X_OK))
        snprintf(why, size, "%s: %s; expected a folder to write to%s", place, strerror(errno),
                 told ? "" : ", or -o FILE in another");
    else if (place && disk_is_full(place, options, &disk))
        snprintf(why, size, "the disk of %s has %s free; expected %s or more%s", place,
                 figure_size(room, (double)(disk.f_bavail * disk.f_frsize)),
                 figure_size(least, (double)disk_least(options, &disk)),
                 disk_least(options, &disk) > DISK_LEAST ? " (--min-free)" : "");
    else
        wrong = false;
    free(folder);
    return wrong;
}

static void absence_say(const char *program, const struct options *options, const char *told, char *why, size_t size)
{
    char path[PATH_MAX];
    program_locate(program, path, sizeof path);
    if (!strcmp(options_value(options, "level"), "off")) {
        snprintf(why, size, "recording is off (level=off)");
        return;
    }
    switch (program_judge(path)) {
    case SCRIPT: snprintf(why, size, "%s is a script; name the instrumented program that it starts", program); return;
    case PLAIN: snprintf(why, size, "%s is not instrumented; compile and link it with profplug-gcc", program); return;
    case UNREADABLE:
    case INSTRUMENTED: break;
    }
    const char *now = getenv("PROFPLUG");
    if (now && (strncmp(now, "off", 3) == 0 || strstr(now, "level=off"))) {
        snprintf(why, size, "PROFPLUG=%s switches recording off", now);
        return;
    }
    if (folder_is_wrong(program, options, told, why, size))
        return;
    char *folder = folder_choose(program, options, told);
    snprintf(why, size, "the program ended before its first instrumented call, or could not write in %s",
             folder ? folder : "its folder");
    free(folder);
}

bool runfile_is_nowhere(const char *program, const struct options *options)
{
    char path[PATH_MAX], why[512];
    program_locate(program, path, sizeof path);
    return program_judge(path) == INSTRUMENTED && folder_is_wrong(program, options, NULL, why, sizeof why);
}

void runfile_absence(const char *program, const struct options *options, char *why, size_t size)
{
    absence_say(program, options, NULL, why, size);
}

int runfile_refuse(const char *program, const char *folder, const char *expected)
{
    struct options none = { 0 };
    char why[512];
    absence_say(program, &none, folder, why, sizeof why);
    if (!strchr(program, '/') && access(program, X_OK) == 0) /* `compare wc wc2` ran /usr/bin/wc */
        return diag_error(program, "no data file: %s; expected ./%s for the file in this directory", why, program);
    return diag_error(program, "no data file: %s; expected %s", why, expected);
}
