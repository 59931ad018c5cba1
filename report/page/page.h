/* SPDX-License-Identifier: MIT */
/* page.h: a report as one HTML file that needs no other and asks for none. Its parts that read and print without
 * scripts, then the data, then the script. It sees the model, no files and no ELF. */
#ifndef PROFPLUG_PAGE_H
#define PROFPLUG_PAGE_H

#include "show/screen.h"

void page_write(FILE *out, const struct model *model, const struct view *view);

/* Its plain parts. */
void plain_head(FILE *out, const struct model *model); /* overview.c */
void plain_run(FILE *out, const struct model *model);
void plain_findings(FILE *out, const struct model *model);                        /* advices.c */
void plain_stages(FILE *out, const struct model *model, const struct view *view); /* stagetable.c */
void plain_lines(FILE *out, const struct model *model, const struct view *view);  /* hotlines.c */
void plain_sources(FILE *out, const struct model *model);                         /* hotsource.c */

/* The name of a file and a line of it, which lead to the line where the script runs */
void plain_place(FILE *out, const char *file, unsigned line);

#endif
