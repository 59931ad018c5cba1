/* SPDX-License-Identifier: MIT */
/* namesake.h: short names of functions that tell apart those that would share one. It knows no table. */
#ifndef PROFPLUG_NAMESAKE_H
#define PROFPLUG_NAMESAKE_H

#include "model/model.h"

/* Sets the label of every function: its short name. Instances of a template get the arguments that differ, functions
 * of different parameters these, lambdas and regions of OpenMP their line. Merged functions are named together. */
void namesakes_tell(struct model *model);

/* The label, or the short name where labels were not set. */
const char *function_label(struct arena *arena, const struct model_function *function);

/* The program's first thread. A merge of several files has none. */
bool thread_is_first(const struct model *model, const struct model_thread *thread);
/* A thread's name, and which one is the first of several. */
const char *thread_label(struct arena *arena, const struct model *model, const struct model_thread *thread);

/* What stands beside a call that was made in this function by a jump, at an unknown line. Its foot explains it. */
const char *jump_label(struct arena *arena, const char *name);
#define JUMP_FOOT "; (jump): made in that function, which was left by one of several jumps; the line is its caller's"

#endif
