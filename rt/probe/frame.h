/* SPDX-License-Identifier: MIT */
/* frame.h: open activations, and the words of nodes and frames that are the runtime's own. */
#ifndef PP_FRAME_H
#define PP_FRAME_H

#include "rt.h"


#define PP_KEY_MASK UINT64_C(0xffffffff)
#define PP_NODE_STAGE 1u                 /* of pp_node_flags: a stage, loop or scope */
#define PP_NODE_OVERFLOW 2u
_Static_assert(!(PP_NODE_RECURSIVE & (PP_NODE_STAGE | PP_NODE_OVERFLOW)), "flags of a node");
static inline uint32_t *pp_node_flags(struct pp_node *n) { return &n->flags; }
static inline struct pp_node *pp_node_first(struct pp_node *n) { return (struct pp_node *)(uintptr_t)n->first; }
/* Of a stage: address of its struct pp_stage. Of a function's first node: when an activation was last timed. */
static inline uint64_t *pp_node_word(struct pp_node *n) { return &n->chain; }
static inline struct pp_stage *pp_node_stage(struct pp_node *n) { return (struct pp_stage *)(uintptr_t)n->chain; }

#define PP_FRAME_FLOATING 1u             /* profplug_begin: it has no place on the stack, and is not healed by address */
#define PP_FRAME_SAMPLED 2u              /* inexact metrics were read at its start */
#define PP_FRAME_INHERITED 4u            /* was open at a fork, in the child */
#define PP_FRAME_COUNTED 16u             /* it is surely in `active` of its node and stage, and in `function_open` */
#define PP_FRAME_EVERY_SHIFT 5           /* PP_FRAME_SAMPLED: one of so many activations is; 11 bits */
#define PP_FRAME_EVERY 0xffe0u
#define PP_FRAME_GENERATION 0xffff0000u  /* counts the uses of the slot; part of the token */
/* A framed site's calls, and the call from which on they take the hook (pace.c). A handler may count meanwhile, and set that. */
uint64_t pp_calls(const uint64_t *counter);
void pp_calls_due(uint64_t *counter, uint64_t call);
static inline uint64_t *pp_frame_index(struct pp_frame *f) { return &f->reserved[0]; }          /* of the activation, of stages */
/* Of a function's activation, in words that only stages use: the calls that it stands for; its counter, and where that stood. */
static inline uint64_t pp_frame_calls(const struct pp_frame *f) { return f->metric[0]; }
static inline bool pp_frame_called_again(const struct pp_frame *f) { return f->metric[1] && pp_calls((const uint64_t *)(uintptr_t)f->metric[1]) != f->metric[2]; }
static inline struct pp_chunk *pp_frame_chunk(struct pp_frame *f) { return (struct pp_chunk *)(uintptr_t)f->reserved[1]; }
static inline struct pp_frame *pp_frame_outer_stage(struct pp_frame *f) { return (struct pp_frame *)(uintptr_t)f->reserved[2]; }
/* The head of a FRAMES extent as the runtime sees it: struct pp_frames with its reserved words named. */
struct pp_chunk {
    uint32_t first, capacity, reserved, reserved1;
    uint64_t thread, previous, next, reserved2[3];
};
_Static_assert(sizeof(struct pp_chunk) == sizeof(struct pp_frames), "pp_chunk");

/* Adds the square of VALUE to a sum of squares of 128 bits, low word first. */
static inline void pp_squares_add(uint64_t squares[2], uint64_t value)
{
    unsigned __int128 sum = (unsigned __int128)value * value + squares[0];
    squares[0] = (uint64_t)sum;
    squares[1] += (uint64_t)(sum >> 64);
}

bool pp_frames_make(struct pp_thread *thread);
void pp_frames_adopt(struct pp_thread *thread, struct pp_frames *chunk);
struct pp_frame *pp_frame_push(struct pp_thread *thread, struct pp_node *node, struct pp_node *outer, uint64_t stack_address, uint32_t flags);
void pp_frames_heal(struct pp_thread *thread, uint64_t stack_address);      /* pops frames whose functions are gone */
/* Closes what lies deeper than stack_address on this stack, down to `keep` (null: as far as it goes). */
void pp_frames_cut(struct pp_thread *thread, struct pp_frame *keep, uint64_t stack_address);
/* Regions begun by name in functions that have returned since go on where the thread is now. */
void pp_frames_rehome(struct pp_thread *thread);
void pp_frame_leave(struct pp_thread *thread, struct pp_frame *frame);
void pp_frames_close_all(struct pp_thread *thread);
struct pp_frame *pp_frame_below(struct pp_frame *frame);
static inline uint64_t pp_frame_token(const struct pp_frame *f)
{
    return (uint64_t)(uintptr_t)f | (uint64_t)(f->flags >> 16) << 48 | 1;
}
/* The open frame of a token, if it is this thread's. */
struct pp_frame *pp_frame_of(struct pp_thread *thread, uint64_t token);

#endif
