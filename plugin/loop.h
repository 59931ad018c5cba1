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
void loop_register_roots (const char *plugin_name);

#endif
