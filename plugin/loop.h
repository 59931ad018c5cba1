/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h: between pragma.cc and loop.cc. Include gcc.h before it. */
#ifndef PROFPLUG_LOOP_H
#define PROFPLUG_LOOP_H

/* A for, while or do statement itself. */
bool is_loop (tree statement);
/* Without what C++ wraps around an expression statement. */
tree without_wrapping (tree statement);
/* Can a jump from outside lead into `statement`? */
bool loop_is_jumped_into (tree statement, tree function);
/* What takes the place of `statement`, whose loop is `inner`. `text` is "CATEGORY\nNAME". */
tree loop_wrap (tree statement, tree inner, const char *text, tree function, location_t marked);
/* The address of this is what the runtime knows a loop by (place.cc). */
tree place_of_loop (location_t where, const char *name, const char *category, tree function);
/* Where the user wrote it: the header's macros are in a system header, where GCC keeps warnings quiet. */
location_t pragma_written_at (location_t where);
void loop_register_roots (const char *plugin_name);

#endif
