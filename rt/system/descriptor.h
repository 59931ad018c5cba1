/* SPDX-License-Identifier: MIT */
/* descriptor.h: descriptors out of the program's way. */
#ifndef PP_DESCRIPTOR_H
#define PP_DESCRIPTOR_H

#include "rt.h"

int pp_descriptor_raise(int fd); /* a high number for it, the old one closed; -1 (errno) if it is -1 or there is none */

#endif
