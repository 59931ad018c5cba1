/* SPDX-License-Identifier: MIT */
/* debuglink.h: the checksum by which .gnu_debuglink knows its file. */
#ifndef PROFPLUG_DEBUGLINK_H
#define PROFPLUG_DEBUGLINK_H

#include <stdbool.h>
#include <stdint.h>

bool debuglink_checksum(int fd, uint32_t *sum); /* of the whole file; false if it cannot be read */

#endif
