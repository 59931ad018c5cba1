/* SPDX-License-Identifier: MIT */
/* total.c: counts what the data files of one folder take together, for the option max-total, and the processes that are
 * not recorded for lack of disk. The count is a small file that they map. It must not know what the bytes are for. */
#define _GNU_SOURCE
#include "file/total.h"
#include "file/mirror.h"
#include "system/message.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <profplug/abi/total.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct pp_total *total; /* NULL: there is no bound */

static bool claim(uint64_t bytes)
{
    _Atomic uint64_t *taken = (_Atomic uint64_t *)&total->bytes;
    if (atomic_fetch_add_explicit(taken, bytes, memory_order_relaxed) + bytes <= pp_run.options.max_total_bytes)
        return true;
    atomic_fetch_sub_explicit(taken, bytes, memory_order_relaxed);
    return false;
}

/* The count beside the data file, which is made if there is none. It gets its block of the disk first: the disk may be
 * full. NULL: errno says why. */
static struct pp_total *total_map(char path[static sizeof pp_run.path + sizeof PP_TOTAL_NAME])
{
    struct stat s;
    strcpy(path, pp_run.path);
    strcpy(strrchr(path, '/') + 1, PP_TOTAL_NAME);
    int fd = pp_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return NULL;
    struct pp_total *p = MAP_FAILED;
    errno = EEXIST; /* something else has that name */
    if (!pp_fstat(fd, &s) && S_ISREG(s.st_mode) && (!s.st_size || s.st_size == sizeof *p) &&
        !syscall(SYS_ftruncate, fd, (off_t)sizeof *p) && pp_file_blocks(fd, 0, sizeof *p))
        p = pp_map(NULL, sizeof *p, MAP_SHARED, fd, 0);
    pp_close(fd); /* leaves errno alone, as it succeeds */
    if (p == MAP_FAILED)
        return NULL;
    uint64_t magic, found;
    memcpy(&magic, PP_TOTAL_MAGIC, sizeof magic);
    memcpy(&found, p->magic, sizeof found);
    if (found && found != magic) {
        pp_unmap(p, sizeof *p);
        errno = EEXIST;
        return NULL;
    }
    memcpy(p->magic, &magic, sizeof magic); /* two that start together write the same */
    return p;
}

bool pp_total_open(void)
{
    char path[sizeof pp_run.path + sizeof PP_TOTAL_NAME];
    if (!pp_run.options.max_total_bytes)
        return true;
    total = total_map(path);
    if (!total) {
        pp_complain("%s: %s; nothing is recorded", path,
                    errno == EEXIST ? "not the count of max-total" : strerrordesc_np(errno));
        return false;
    }
    return pp_total_process(PP_TOTAL_LEAST);
}

bool pp_total_process(uint64_t bytes)
{
    if (pp_total_take(bytes))
        return true;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&total->processes, 1, memory_order_relaxed);
    errno = PP_FILE_COUNTED;
    return false;
}

bool pp_total_leaves(int fd)
{
    char path[sizeof pp_run.path + sizeof PP_TOTAL_NAME];
    struct statfs disk;
    if (pp_forbids(PP_FORBIDDEN_LIMITS) || syscall(SYS_fstatfs, fd, &disk))
        return true;
    uint64_t block = (uint64_t)disk.f_bsize, room = disk.f_bavail * block, least = pp_run.options.min_free_bytes;
    if (!least && (least = disk.f_blocks * block / PP_MIN_FREE_PART) > PP_MIN_FREE)
        least = PP_MIN_FREE;
    if (room >= least || room < (PP_HEADER_SIZE + PP_DIRECTORY_SIZE) * PP_SHARE) /* no room at all: making it says so */
        return true;
    struct pp_total *count = total ? total : total_map(path);
    if (count) /* it stays: nothing else of such a process does */
        atomic_fetch_add_explicit((_Atomic uint64_t *)&count->crowded, 1, memory_order_relaxed);
    errno = PP_FILE_COUNTED;
    return false;
}

bool pp_total_take(uint64_t bytes) { return !total || claim(bytes); }

bool pp_total_holds(uint64_t address) { return total && address - (uint64_t)(uintptr_t)total < sizeof *total; }
