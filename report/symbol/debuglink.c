/* SPDX-License-Identifier: MIT */
/* debuglink.c: see debuglink.h. */
#include "symbol/debuglink.h"

#include <unistd.h>
#include <zlib.h>

bool debuglink_checksum(int fd, uint32_t *sum)
{
    unsigned char buffer[1 << 16];
    ssize_t got;
    off_t offset = 0;
    uLong crc = crc32(0, NULL, 0);
    while ((got = pread(fd, buffer, sizeof buffer, offset)) > 0) {
        crc = crc32(crc, buffer, (uInt)got);
        offset += got;
    }
    *sum = (uint32_t)crc;
    return got == 0;
}
