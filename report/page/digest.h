/* SPDX-License-Identifier: MIT */
/* digest.h: SHA-256 (FIPS 180-4), by which a page's policy names its own script and style. */
#ifndef PROFPLUG_DIGEST_H
#define PROFPLUG_DIGEST_H

#include <stddef.h>

#define DIGEST_BYTES 32
void digest_sha256(const void *bytes, size_t count, unsigned char digest[DIGEST_BYTES]);

#endif
