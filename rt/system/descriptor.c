/* SPDX-License-Identifier: MIT */
/* descriptor.c: keeps the runtime's own descriptors out of the program's way. It must not know what they are for. */
#define _GNU_SOURCE
#include "system/descriptor.h"
#include "system/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* High numbers, so that the program's files get the same numbers as without us. Only the upper quarter of the limit,
 * so that the program does not run out of them. At most 4096, because the kernel's table grows with the number. */
int pp_descriptor_raise(int fd)
{
    struct rlimit limit;
    if (fd < 0)
        return -1;
    int high = pp_fcntl(fd, F_DUPFD_CLOEXEC, 4096);
    if (high < 0 && errno == EINVAL) { /* the limit is lower */
        int lowest = getrlimit(RLIMIT_NOFILE, &limit) ? 768 : (int)(limit.rlim_cur / 4 * 3);
        /* the program writes to lower ones than 3 even if they are not open */
        high = pp_fcntl(fd, F_DUPFD_CLOEXEC, lowest < 3 ? 3 : lowest);
    }
    int kept = errno;
    pp_close(fd);
    errno = kept;
    return high;
}
