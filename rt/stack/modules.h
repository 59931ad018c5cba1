/* SPDX-License-Identifier: MIT */
/* modules.h: facts about the loaded images, for the sampler and the heap. Lookups take no lock and are
 * async-signal-safe. */
#ifndef PP_MODULES_H
#define PP_MODULES_H

#include "rt.h"

struct pp_image {
    uint64_t low, high; /* its mapping */
    uint64_t bias;      /* address in the process, less address in the file */
    uint64_t frames;    /* address of its .eh_frame_hdr, 0 for none */
    uint32_t id;        /* number of its PP_RECORD_MODULE */
    uint32_t mapping;   /* number of this image at this address, not 0; another image at the same address has another */
    /* Two ranges of code, from and to, of the runtime's copy in this image; the whole of it if it is the runtime. */
    uint64_t own[2][2];
    bool instrumented;
    bool fixed; /* cannot be unloaded: the program and the vdso */
};

/* Copies the facts about the image that contains the address; false: no image does. An image that is not known yet is
 * added, unless another thread is adding one. */
bool pp_image_find(uint64_t address, struct pp_image *image);

/* Is that code of the runtime, of any copy? */
static inline bool pp_own_code(const struct pp_image *image, uint64_t address)
{
    return address - image->own[0][0] < image->own[0][1] - image->own[0][0] ||
           address - image->own[1][0] < image->own[1][1] - image->own[1][0];
}

/* Adds all images that are loaded now. Not in handlers. */
void pp_modules_scan(void);
/* The image of `address` contains profplug objects. It may be known already. Not in handlers. */
void pp_modules_instrumented(const void *address);
/* Was the program started as `ld.so PROGRAM`? Then /proc/self/exe is the loader, and *program is PROGRAM. */
bool pp_started_by_loader(const char **program);
/* The number of the module that contains the address, 0 if unknown. */
uint32_t pp_module_find(const void *address);
/* Where the image of the address begins, as the loader says; 0: in no image. Not in handlers. */
uint64_t pp_image_low(const void *address);

#endif
