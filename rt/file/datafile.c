/* SPDX-License-Identifier: MIT */
/* datafile.c: creates the data file, names it, finds it again and gives it up. It must not know what is in it except
 * for the header and the first directory. */
#define _GNU_SOURCE
#include "file/memory.h"
#include "file/mirror.h"
#include "file/total.h"
#include "system/message.h"
#include "system/clock.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct pp_file pp_file = { .fd = -1 };
PP_FAR struct pp_mirror pp_file_first;
PP_FAR struct pp_piece pp_file_piece[PP_FILE_PIECES];

/* A file that was cut short must not grow again, because the lost pages would come back as zeros. */
static bool is_ours(int fd, struct stat *s)
{
    uint64_t least = atomic_load_explicit(&pp_file.bytes, memory_order_acquire); /* first: it grows */
    if (fd < 0 || pp_fstat(fd, s) || s->st_dev != pp_file.device || s->st_ino != pp_file.inode)
        return false;
    if ((uint64_t)s->st_size < least)
        pp_file_lose();
    return true;
}

bool pp_file_is_ours(int fd)
{
    struct stat s;
    return is_ours(fd, &s);
}

/* The program may have closed our descriptor, or put a file of its own at its number. Then the file is opened by its
 * name. */
int pp_file_descriptor(bool *opened)
{
    *opened = false;
    bool is_new = !pp_run.header && pp_file.fd >= 0; /* nobody had the time to close it */
    if (is_new || pp_file_is_ours(pp_file.fd))
        return pp_file.fd;
    if (pp_forbids(PP_FORBIDDEN_LOOKS))
        return -1;
    int fd = pp_open(pp_run.path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (!pp_file_is_ours(fd)) {
        pp_close(fd);
        return -1;
    }
    *opened = true;
    return fd;
}

/* A new file has no name until it is valid, so that a process which is killed before leaves nothing behind. -1: the
 * file system does not allow that, or there is no /proc. Then the file gets its name at once, and the header's magic
 * comes last. */
static int open_unnamed(const char *path)
{
    char folder[1400];
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return -1;
    slash[slash == folder] = 0;
    return pp_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, PP_FILE_MODE);
}

static bool name_give(int fd, const char *path)
{
    char link[40] = "/proc/self/fd/", text[24];
    if (!syscall(SYS_linkat, fd, "", AT_FDCWD, path, AT_EMPTY_PATH))
        return true;
    if (errno != ENOENT) /* before Linux 6.10 it is for privileged processes, and others go through /proc */
        return false;
    strcpy(link + 14, pp_digits(text, (unsigned)fd));
    return !syscall(SYS_linkat, AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

unsigned pp_file_number;
#define TRIES 16u /* then names go on from the time in us */

int pp_file_name(char path[static 1400], int fd)
{
    char plain[1400];
    strcpy(plain, path);
    size_t length = strlen(plain), stem = length;
    static const char extension[] = ".profplug";
    if (length > sizeof extension - 1 && !strcmp(plain + length - (sizeof extension - 1), extension))
        stem = length - (sizeof extension - 1);
    /* Many processes that share a path would take time with the square of their number if each began at 1. */
    for (unsigned n = 0, tries = 0; tries < 100000;
         n = ++tries == TRIES ? (unsigned)(pp_now_ns() / 1000) : n || !pp_file_number ? n + 1 : pp_file_number) {
        if (n) {
            char text[24];
            const char *d = pp_digits(text, n);
            size_t count = strlen(d);
            if (length + count + 2 > 1400)
                return -1;
            path[stem] = '.';
            memcpy(path + stem + 1, d, count);
            strcpy(path + stem + 1 + count, plain + stem);
        }
        int got = fd < 0 ? pp_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, PP_FILE_MODE)
                  : name_give(fd, path) ? fd
                                        : -1;
        if (got >= 0)
            pp_file_number = n;
        if (got >= 0 || errno != EEXIST)
            return got;
    }
    return -1;
}

int pp_file_new(char path[static 1400], bool *unnamed)
{
    struct stat status;
    *unnamed = false;
    if (!syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) &&
        !S_ISREG(status.st_mode)) { /* a name beside it, such as /dev/null.1, would surprise the user */
        errno = S_ISDIR(status.st_mode) ? EISDIR : EEXIST;
        return -1;
    }
    int fd = open_unnamed(path);
    if (fd >= 0 && fd < 3) { /* move_high would have to close it, and it has no name to be opened by */
        int low = fd;
        fd = pp_fcntl(low, F_DUPFD_CLOEXEC, 3);
        pp_close(low);
    }
    if (fd >= 0 && !name_give(fd, "/") && errno == EEXIST) { /* EEXIST: giving a name works here */
        *unnamed = true;
        return fd;
    }
    if (fd >= 0)
        pp_close(fd);
    return pp_file_name(path, -1);
}

/* Moves the descriptor out of the way of programs that expect low numbers, or close them. Never to 0 to 2: the program
 * writes there even if they are not open. If no other number is free, the descriptor is closed (-1), and the file is
 * opened by its name when it is needed. */
static int move_high(int fd)
{
    static const int lowest[] = { 500, 300, 100, 16, 3 };
    int high = -1;
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest && high < 0; i++)
        high = pp_fcntl(fd, F_DUPFD_CLOEXEC, lowest[i]);
    if (high < 0 && fd > 2)
        return fd;
    pp_close(fd);
    return high;
}

void pp_file_remember(int fd)
{
    struct stat s;
    pp_file.device = 0;
    pp_file.inode = 0;
    if (!pp_fstat(fd, &s)) {
        pp_file.device = s.st_dev;
        pp_file.inode = s.st_ino;
    }
    pp_file.fd = move_high(fd);
}

extern const char __start_profplug_sites[] __attribute__((weak, visibility("hidden"))),
    __stop_profplug_sites[] __attribute__((weak, visibility("hidden")));

struct pp_header *pp_file_create(void)
{
    int fd = pp_file_new(pp_run.path, &pp_file.unnamed);
    if (fd < 0)
        return NULL;
    pp_file_remember(fd);
    if (!pp_total_leaves(pp_file.fd)) {
        pp_file_abandon();
        errno = PP_FILE_COUNTED;
        return NULL;
    }
    uint64_t bytes = pp_file_pages(PP_HEADER_SIZE + PP_DIRECTORY_SIZE), piece = pp_file_pages(PP_FILE_PIECE);
    /* An executable with many functions would ask for the second piece as it starts. */
    uint64_t second = piece / 4 * 3;
    bool both = __stop_profplug_sites - __start_profplug_sites >= 4096 &&
                pp_run.options.max_file_bytes >= UINT64_C(2) * PP_FILE_PIECE && pp_memory_fits(second) &&
                pp_total_take(second);
    if (both)
        piece += second;
    char *p = piece <= pp_run.options.max_file_bytes ? pp_file_map(0, piece) : NULL;
    if (p) {
        pp_file_piece[both] = (struct pp_piece){ p, 0, piece, bytes };
        pp_file.pieces = both + 1u;
    } else {
        p = pp_file_map(0, piece = bytes); /* the disk has little room */
        pp_file.pieces = PP_FILE_PIECES;
    }
    if (!p) {
        int why = errno ? errno : EFBIG;
        pp_file_abandon();
        errno = why;
        return NULL;
    }
    struct pp_header *header = (struct pp_header *)p;
    header->version = PP_FORMAT_VERSION;
    header->header_size = PP_HEADER_SIZE;
    memcpy(p + PP_LAYOUT_OFFSET, &(uint64_t){ PP_LAYOUT }, sizeof(uint64_t));
    header->file_end = piece;
    header->directory = PP_HEADER_SIZE;
    pp_file_first.directory = (struct pp_directory *)(p + PP_HEADER_SIZE);
    pp_file_first.own = (struct pp_extent){ p, 0, bytes };
    return header; /* the magic comes last: pp_file_open_to_readers */
}

bool pp_file_open_to_readers(void)
{
    atomic_thread_fence(memory_order_release); /* partner: a reader that saw the magic */
    memcpy(pp_run.header->magic, PP_MAGIC, 8);
    if (pp_file.unnamed && pp_file_name(pp_run.path, pp_file.fd) < 0)
        return false;
    pp_file.unnamed = false;
    return true;
}

void pp_file_abandon(void)
{
    if (pp_file_is_ours(pp_file.fd))
        pp_close(pp_file.fd);
    pp_file.fd = -1;
    if (!pp_file.unnamed)
        pp_unlink(pp_run.path);
    pp_file.unnamed = false;
}

const char *pp_file_trouble(void)
{
    struct stat s;
    bool ours = is_ours(pp_file.fd, &s);
    if (atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        return "cut short";
    return ours && !pp_file.unnamed && !s.st_nlink ? "removed" : NULL;
}
