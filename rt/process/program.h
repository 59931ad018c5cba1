/* SPDX-License-Identifier: MIT */
/* program.h: facts about the program that runs. */
#ifndef PP_PROGRAM_H
#define PP_PROGRAM_H

#include "rt.h"

void pp_program_find(void); /* its name, directory and host; before the others */
/* Makes pp_run.path of the option `output`. False, with a message: the path is too long. */
bool pp_program_path(uint32_t pid);
void pp_program_name(struct pp_header *header);
/* As the C library gives them to constructors, before the start. Where it does not, /proc is asked. */
void pp_program_arguments(int count, char **list);
/* Arguments and ancestors. Appends records, so pp_run.header must be set. */
void pp_program_describe(struct pp_header *header);
/* The processor's name, once. Not at the start: a process of a millisecond does without. */
void pp_program_processor(struct pp_header *header);

#endif
