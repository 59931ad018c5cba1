/* SPDX-License-Identifier: MIT */
/* further.h: the target of files that a process opened once, after its first ones (struct pp_target in format.h). */
#ifndef PROFPLUG_ABI_FURTHER_H
#define PROFPLUG_ABI_FURTHER_H

#define PP_FURTHER_FILES "(further files)" /* their name; a file's own is a path */
#define PP_NAMED_FILES 128u                /* files that have a name at their first open */
#define PP_REOPENED_FILES 1024u            /* files, sockets and others up to which one gets it at its second open */

#endif
