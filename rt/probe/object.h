/* SPDX-License-Identifier: MIT */
/* object.h: objects of the program and the keys of their sites. */
#ifndef PP_OBJECT_H
#define PP_OBJECT_H

#include "rt.h"


void pp_object_register(struct pp_object *object);
/* Just past memory that an object's counters of lines may be wasted on. */
uint64_t pp_object_waste(const struct pp_object *object);
/* What is known of a key: enum pp_site_kind, and one of the two. */
#define PP_SITE_TIMED 0x80u
#define PP_SITE_COUNTED 0x40u            /* its counter is a count, or of a framed site a part of it */
#define PP_SITE_FRAMED 0x20u
#define PP_SITE_KIND_MASK 0x3fu
uint8_t pp_key_facts(uint32_t key);
/* Gives out `count` keys in a row, returns the first; 0: none left. Under pp_lock. */
uint32_t pp_keys_take(uint32_t count);
void pp_key_set_facts(uint32_t key, uint8_t facts);

#endif
