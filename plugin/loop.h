/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h: what pragma.cc and loop.cc share. Include gcc.h before it. */
#ifndef PROFPLUG_LOOP_H
#define PROFPLUG_LOOP_H

/* Is it a for, while or do statement? */
bool is_loop (tree statement);
/* Removes what the C++ front end wraps around an expression statement. */
tree without_wrapping (tree statement);
/* Can a jump from outside lead into `statement`? */
bool loop_is_jumped_into (tree statement, tree function);
/* What replaces `statement`, whose loop is `inner`. `text` is "CATEGORY\nNAME". */
tree loop_wrap (tree statement, tree inner, const char *text, tree function, location_t marked);
/* The variable by whose address the runtime identifies a loop (place.cc). */
tree place_of_loop (location_t where, const char *name, const char *category, tree function);
/* The location in the user's file. The header's macros are in a system header, for which GCC suppresses warnings. */
location_t pragma_written_at (location_t where);
void loop_register_roots (const char *plugin_name);

#endif
