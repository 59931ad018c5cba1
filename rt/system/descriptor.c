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
    int lowest = 768;
    if (fd < 0)
        return -1;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        lowest = limit.rlim_cur > 5461 ? 4096 : (int)(limit.rlim_cur / 4 * 3);
    if (lowest < 3)
        lowest = 3; /* the program writes to lower ones even if they are not open */
    int high = pp_fcntl(fd, F_DUPFD_CLOEXEC, lowest), kept = errno;
    pp_close(fd);
    errno = kept;
    return high;
}
