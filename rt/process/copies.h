/* SPDX-License-Identifier: MIT */
/* copies.h: several copies of the runtime in one process. */
#ifndef PP_COPIES_H
#define PP_COPIES_H

#include "rt.h"

/* The slow paths of one copy. `stack` is the caller's stack pointer. */
#define PP_INTERFACE_VERSION 8u
struct pp_interface {
    uint32_t version, size;
    void (*count)(struct pp_object *object, uint32_t slot);
    uint64_t (*hits)(struct pp_object *object);
    uint64_t (*enter)(struct pp_object *object, uint32_t slot, uint64_t stack);
    void (*leave)(uint64_t token, uint64_t stack);
    void (*resync)(struct pp_object *object, uint32_t slot, uint64_t token, uint64_t stack);
    uint64_t (*scope_enter)(struct profplug_place *place, uint64_t stack);
    void (*loop_enter)(struct profplug_place *place, struct profplug_loop *loop, uint64_t stack);
    void (*loop_next)(struct profplug_loop *loop);
    void (*loop_leave)(struct profplug_loop *loop, uint64_t stack);
    void (*begin)(const char *name, uint64_t stack);
    void (*end)(const char *name);
    void (*number)(struct profplug_number *number, int64_t value, uint64_t stack);
    void (*snapshot)(const char *label, uint64_t stack);
    void (*start)(bool default_off);
    void (*copied)(uint64_t bytes, const void *caller); /* PP_FILLED with them: filled */
    void (*handed)(uint64_t bytes, const void *caller);
};
extern const struct pp_interface pp_interface;      /* this copy's (hook.c) */
extern const struct pp_interface *_Atomic pp_owner; /* the elected copy's; at first a table whose functions elect one */
const struct pp_interface *pp_elect(void);
/* Loads the shared runtime (embedded.c, in libraries only). NULL, or why it cannot. */
const char *pp_embedded_load(void) __attribute__((weak, visibility("hidden")));
static inline const struct pp_interface *pp_elected(void)
{
    const struct pp_interface *owner = atomic_load_explicit(&pp_owner, memory_order_acquire);
    return PP_LIKELY(owner) ? owner : pp_elect();
}
#endif
