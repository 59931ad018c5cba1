/* SPDX-License-Identifier: MIT */
/* decision.h: what GCC's optimizers decided about calls and loops in two compilations of one source, by GCC's own record of them. It must not
 * know what the plugin does. */
#ifndef PROFPLUG_DECISION_H
#define PROFPLUG_DECISION_H

/* Compiles: `with` as it stands, with its messages and its output, then, if that went well, `without` to nowhere, silently, and says on
 * standard error which calls were inlined and which loops vectorized, unrolled or otherwise changed in one of the two alone, a note at each
 * place, and how many decisions are the same. Both end with a null. Returns the exit status of `with`. */
int decision_compare(char *const *with, char *const *without, const char *source);

#endif
