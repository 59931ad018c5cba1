/* SPDX-License-Identifier: MIT */
/* object.h: the object files of the program, and the keys of their sites. */
#ifndef PP_OBJECT_H
#define PP_OBJECT_H

#include "rt.h"

/* Of an executable's objects only this one, of a library's all. */
void pp_object_register(struct pp_object *object);
/* Registers those of the executable's objects that ran, or `all`, as far as no hook of theirs did. */
void pp_objects_settle(bool all);
/* The end of memory that nobody reads, in which an object's lines are counted while nothing is recorded. */
uint64_t pp_object_waste(const struct pp_object *object);
/* The facts of a key: enum pp_site_kind, and these flags. A site is either timed or counted. */
#define PP_SITE_TIMED 0x80u
#define PP_SITE_COUNTED 0x40u /* its counter counts calls; a framed site's count is pp_calls (pace.h) */
#define PP_SITE_FRAMED 0x20u  /* counted, and it has PP_FRAMED_SLOTS counters */
#define PP_SITE_KIND_MASK 0x3fu
uint8_t pp_key_facts(uint32_t key);
/* Takes `count` consecutive keys and returns the first; 0: none left. Under pp_lock. */
uint32_t pp_keys_take(uint32_t count);
void pp_key_set_facts(uint32_t key, uint8_t facts);

#endif
