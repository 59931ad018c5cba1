/* SPDX-License-Identifier: MIT */
/* binding.h: which function a call instruction leads to, as the file says it: directly, through the procedure linkage
 * table, or through a slot that the dynamic linker fills. Must not know: DWARF, the data file, the model. */
#ifndef PROFPLUG_BINDING_H
#define PROFPLUG_BINDING_H

#include "symbol/image.h"

struct bindings;

/* The image must outlive it. Never NULL; it knows nothing of code for other machines than x86-64. */
struct bindings *bindings_open(struct image *image);
void bindings_close(struct bindings *bindings); /* NULL is allowed */

/* What the call, or the jump that stands for one, before this address leads to. `name` is the assembler's, without a
 * version; NULL: unknown. `code` is its address, if that is in this image; else 0. False: nothing is known, as of a
 * call through a pointer. Names live as long as the bindings. */
struct binding {
    const char *name;
    uint64_t code;
};
bool binding_before(struct bindings *bindings, uint64_t return_address, struct binding *to);

/* The name by which the source calls a function of the C library, where the compiler or the linker put another one for
 * it: __memcpy_chk, __isoc99_sscanf, __wrap_malloc, __strlen_avx2. Any other name stays. Lives in the arena. */
struct arena;
const char *binding_plain(struct arena *arena, const char *name);

#endif
