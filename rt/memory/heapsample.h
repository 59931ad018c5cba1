/* SPDX-License-Identifier: MIT */
/* heapsample.h: the heap from samples, for blocks=sampled. heapsample.c says how. */
#ifndef PP_HEAPSAMPLE_H
#define PP_HEAPSAMPLE_H

#include "memory/touch.h"
#include <stddef.h>

/* Set once, when recording starts. */
extern bool pp_heap_is_sampled __attribute__((visibility("hidden")));
void pp_heapsample_start(void);

/* In the thread. */
void pp_heapsample_birth(struct pp_thread *thread);
void pp_heapsample_death(struct pp_thread *thread);
/* At the end of the run: books what was touched of blocks that live. */
void pp_heapsample_end(void);
/* Brings the account of this thread, which may be NULL, up to date. */
void pp_heapsample_settle(struct pp_thread *thread);
/* Brings this thread's account up to date; whether its figures are estimates by now. */
bool pp_heapsample_estimates(void);

/* The functions of the program, where the C library's own are behind ours. */
void *pp_sampled_malloc(size_t size);
void *pp_sampled_calloc(size_t count, size_t size);
void *pp_sampled_realloc(void *block, size_t size);
void pp_sampled_free(void *block);

/* A sampled block that lives. It stands for `weight` blocks of its size. */
struct pp_sampled {
    uint64_t size, number; /* number: of the block among those that the thread got */
    struct pp_thread *thread;
    uint32_t weight, callsite;
    struct pp_touch touch;
    uint64_t touched_bytes; /* once it is taken out */
};
/* Books a block that was got, if it is drawn; returns it. `caller`: return address of the program's call. */
void *pp_sampled_note(void *block, size_t size, const void *caller);
/* Before a block is given back: books it. */
void pp_sampled_give(const void *block);
/* realloc: before the call, takes the block out, if it is a sampled one. After the call, books what happened. */
bool pp_sampled_take(const void *block, struct pp_sampled *old);
void *pp_sampled_moved(const void *block, const struct pp_sampled *old, void *result, size_t size, const void *caller);

#endif
