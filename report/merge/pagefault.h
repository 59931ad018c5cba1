/* SPDX-License-Identifier: MIT */
/* pagefault.h: which lines took page faults, and the kernel time of these. */
#ifndef PROFPLUG_MERGE_PAGEFAULT_H
#define PROFPLUG_MERGE_PAGEFAULT_H

#include "merge/locations.h"

/* Once samples have their kernel time: moves what page faults took to the places of these, and finds the lines'. */
void pagefaults_place(struct model *model, const struct locations *where);
/* Once lines have their kernel time: what their page faults took of it. */
void pagefaults_close(struct model *model);

#endif
