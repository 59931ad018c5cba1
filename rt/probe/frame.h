/* SPDX-License-Identifier: MIT */
/* frame.h: open activations as a stack, and the fields of nodes and frames that belong to the runtime alone. */
#ifndef PP_FRAME_H
#define PP_FRAME_H

#include "probe/pace.h"
#include "rt.h"

/* ---- nodes ---- */

/* A node's key is that of its site. PP_KEY_OVERFLOW is set if the node has calls whose path found no room. Partner:
 * nodes_merge in report/merge/merge.c, which removes the bit. */
#define PP_KEY_MASK UINT64_C(0xffffffff)
static inline uint64_t pp_node_key_word(uint32_t key, bool overflow) { return key | (overflow ? PP_KEY_OVERFLOW : 0); }
static inline uint64_t pp_node_site_key(const struct pp_node *n) { return n->key & PP_KEY_MASK; }
static inline bool pp_node_gathers(const struct pp_node *n) { return n->key & PP_KEY_OVERFLOW; }

#define PP_NODE_STAGE 1u /* in pp_node.flags: a stage, loop or scope */
#define PP_NODE_OVERFLOW 2u
static inline uint32_t *pp_node_flags(struct pp_node *n) { return &n->flags; }
static inline struct pp_node *pp_node_first(struct pp_node *n) { return (struct pp_node *)(uintptr_t)n->first; }
static inline struct pp_stage *pp_node_stage(struct pp_node *n)
{
    return (struct pp_stage *)(uintptr_t)n->stage_or_timed_ns;
}

/* ---- frames ---- */

/* pp_frame.flags */
#define PP_FRAME_FLOATING 1u   /* by profplug_begin: not tied to a stack address, and not healed by it */
#define PP_FRAME_SAMPLED 2u    /* inexact metrics were read at its start */
#define PP_FRAME_INHERITED 4u  /* in a fork's child: it was open at the fork */
#define PP_FRAME_COUNTED 16u   /* counted in `active` of node and stage, and in `function_open` */
#define PP_FRAME_EVERY_SHIFT 5 /* with PP_FRAME_SAMPLED: one in this many activations is read; 11 bits */
#define PP_FRAME_EVERY 0xffe0u
#define PP_FRAME_GENERATION 0xffff0000u /* counts the uses of the slot; part of the token */

static inline struct pp_frames *pp_frame_chunk(struct pp_frame *f) { return (struct pp_frames *)(uintptr_t)f->chunk; }
static inline struct pp_frame *pp_frame_outer_stage(struct pp_frame *f)
{
    return (struct pp_frame *)(uintptr_t)f->outer_stage_frame;
}

/* Index of pp_frame.metric in an activation of a function, whose words are free, since only stages have metrics:
 * address of its site's counter (PP_FRAMED_*); 0: calls are not counted there. */
#define PP_CALL_COUNTER 0
static inline uint64_t *pp_frame_counter(const struct pp_frame *f)
{
    return (uint64_t *)(uintptr_t)f->metric[PP_CALL_COUNTER];
}

/* Adds the square of VALUE to a 128-bit sum of squares, low word first. */
static inline void pp_squares_add(uint64_t squares[2], uint64_t value)
{
    unsigned __int128 sum = (unsigned __int128)value * value + squares[0];
    squares[0] = (uint64_t)sum;
    squares[1] += (uint64_t)(sum >> 64);
}

bool pp_frames_make(struct pp_thread *thread);
/* Restarts with the first chunk that the block had. */
void pp_frames_adopt(struct pp_thread *thread, struct pp_frames *chunk);
/* Null: no room, which is counted. */
struct pp_frame *pp_frame_push(struct pp_thread *thread, struct pp_node *node, struct pp_node *outer,
                               uint64_t stack_address, uint32_t flags);
/* Closes the top frames whose functions are gone: those deeper than stack_address on the same stack. */
void pp_frames_heal(struct pp_thread *thread, uint64_t stack_address);
/* Closes the frames deeper than stack_address on this stack, down to `keep` (null: all of them). */
void pp_frames_cut(struct pp_thread *thread, struct pp_frame *keep, uint64_t stack_address);
/* Regions begun by name in functions that have since returned continue under the function that runs now. */
void pp_frames_rehome(struct pp_thread *thread);
void pp_frame_leave(struct pp_thread *thread, struct pp_frame *frame);
void pp_frames_close_all(struct pp_thread *thread);
/* A timer's signal came: if the thread lost its CPU since that was last looked for, its innermost frame has that. */
void pp_frames_ticked(struct pp_thread *thread);
struct pp_frame *pp_frame_below(struct pp_frame *frame);
/* A frame's address, the use count of its slot, and a low bit that tells it from a node's address. */
static inline uint64_t pp_frame_token(const struct pp_frame *f)
{
    return (uint64_t)(uintptr_t)f | (uint64_t)(f->flags >> 16) << 48 | 1;
}
/* The open frame of a token, or null if that is closed or another thread's. */
struct pp_frame *pp_frame_of(struct pp_thread *thread, uint64_t token);

#endif
