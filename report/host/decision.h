/* SPDX-License-Identifier: MIT */
/* decision.h: compares what GCC's optimizers decided about calls and loops in two compilations of one source, by
 * GCC's own records. It must not know what the plugin does. */
#ifndef PROFPLUG_DECISION_H
#define PROFPLUG_DECISION_H

/* Runs the compilation `with` as it is. If it succeeds, runs `without` silently and without output. Then it prints
 * a note for each call that was inlined and each loop that was transformed in only one of the two, and how many
 * decisions are the same. Both end with NULL. Returns the exit status of `with`. */
int decision_compare(char *const *with, char *const *without, const char *source);

#endif
