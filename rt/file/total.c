/* SPDX-License-Identifier: MIT */
/* total.c: counts what the data files of one folder take together, for the option max-total. The count is a small file
 * that all processes map. It must not know what the bytes are for. */
#define _GNU_SOURCE
#include "file/total.h"
#include "system/message.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <profplug/abi/total.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

static bool total_map(const char *path)
{
    struct stat s;
    int fd = pp_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return false;
    void *p = MAP_FAILED;
    errno = EEXIST; /* something else has that name */
    if (!pp_fstat(fd, &s) && S_ISREG(s.st_mode) && (!s.st_size || s.st_size == sizeof *total) &&
        !syscall(SYS_ftruncate, fd, (off_t)sizeof *total))
        p = pp_map(NULL, sizeof *total, MAP_SHARED, fd, 0);
    int why = errno;
    pp_close(fd);
    errno = why;
    if (p == MAP_FAILED)
        return false;
    total = p;
    static const char none[sizeof total->magic];
    if (memcmp(total->magic, none, sizeof none) && memcmp(total->magic, PP_TOTAL_MAGIC, sizeof none)) {
        pp_unmap(p, sizeof *total);
        total = NULL;
        errno = EEXIST;
        return false;
    }
    memcpy(total->magic, PP_TOTAL_MAGIC, sizeof none); /* two that start together write the same */
    return true;
}

bool pp_total_open(void)
{
    char path[sizeof pp_run.path + sizeof PP_TOTAL_NAME];
    if (!pp_run.options.max_total_bytes)
        return true;
    strcpy(path, pp_run.path);
    strcpy(strrchr(path, '/') + 1, PP_TOTAL_NAME);
    if (!total_map(path)) {
        pp_complain("%s: %s; expected the count of max-total; nothing is recorded", path, strerrordesc_np(errno));
        return false;
    }
    return pp_total_process(PP_TOTAL_LEAST);
}

bool pp_total_process(uint64_t bytes)
{
    if (pp_total_take(bytes))
        return true;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&total->processes, 1, memory_order_relaxed);
    return false;
}

bool pp_total_take(uint64_t bytes) { return !total || claim(bytes); }

bool pp_total_holds(uint64_t address) { return total && address - (uint64_t)(uintptr_t)total < sizeof *total; }
