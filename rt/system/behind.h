/* SPDX-License-Identifier: MIT */
/* behind.h: the function of a name that lies behind ours. */
#ifndef PP_BEHIND_H
#define PP_BEHIND_H

/* As dlsym (RTLD_NEXT, ...) finds it, in its default version; NULL: there is none, as in a static executable. */
void *pp_behind(const char *name) __attribute__((visibility("hidden")));

#endif
