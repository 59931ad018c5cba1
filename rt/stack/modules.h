/* SPDX-License-Identifier: MIT */
/* modules.h: what the sampler and the heap ask of a loaded image. Lookups are lock-free and async-signal-safe. */
#ifndef PP_MODULES_H
#define PP_MODULES_H

#include "rt.h"


struct pp_image {
    uint64_t low, high;              /* its mapping */
    uint64_t bias;                   /* address in the process less address in the file */
    uint64_t frames;                 /* address of its .eh_frame_hdr, 0 for none */
    uint32_t id;                     /* of its PP_RECORD_MODULE */
    uint32_t mapping;                /* number of this image at this place, not 0; another one that comes to lie there has another */
    uint64_t own[2][2];              /* where in it code of a copy of the runtime lies, from and to; all of it, if it is the runtime */
    bool instrumented;
    bool fixed;                      /* cannot be unloaded: the program, the kernel's */
};

/* A copy of what is known of the image that holds the address; false if it is in none. An image that was not met before is
 * recorded, if that can be done here and now. */
bool pp_image_find(uint64_t address, struct pp_image *image);

/* Whether that is code of the runtime, of whichever copy. */
static inline bool pp_own_code(const struct pp_image *image, uint64_t address)
{
    return address - image->own[0][0] < image->own[0][1] - image->own[0][0] || address - image->own[1][0] < image->own[1][1] - image->own[1][0];
}

void pp_modules_scan(void);                          /* records images not seen before; takes pp_lock itself */
void pp_modules_instrumented(const void *address);   /* the image of `address` carries profplug objects (called before its scan or after) */
bool pp_started_by_loader(const char **program);         /* ld.so PROGRAM: /proc/self/exe is the loader, and this the program as it was named */
uint32_t pp_module_find(const void *address);        /* pp_module id, 0 if unknown; async-signal-safe */
uint64_t pp_image_low(const void *address);          /* where the image begins that it lies in, as the loader has it; 0: in none. Not in handlers */

#endif
