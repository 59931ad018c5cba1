/* SPDX-License-Identifier: MIT */
/* descriptor.c: keeps the runtime's own descriptors out of the program's way. It must not know what they are for. */
#define _GNU_SOURCE
#include "system/descriptor.h"
#include "system/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* High numbers, so that the program's files get the same numbers as without us. Only the upper quarter of a low limit,
 * so that the program does not run out of them. Not higher, because the kernel's table grows with the number: with 4096
 * it has 64 KB, which each process fills with zeros. */
#define HIGH 768
int pp_descriptor_raise(int fd)
{
    struct rlimit limit;
    if (fd < 0)
        return -1;
    int high = pp_fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high < 0) { /* the limit is lower, or hardly higher */
        int lowest = getrlimit(RLIMIT_NOFILE, &limit) ? HIGH : (int)(limit.rlim_cur / 4 * 3);
        /* the program writes to lower ones than 3 even if they are not open */
        high = pp_fcntl(fd, F_DUPFD_CLOEXEC, lowest < 3 ? 3 : lowest);
    }
    int kept = errno;
    pp_close(fd);
    errno = kept;
    return high;
}
