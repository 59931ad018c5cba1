/* SPDX-License-Identifier: MIT */
/* pager.h: long output on a terminal goes through a pager. */
#ifndef PROFPLUG_PAGER_H
#define PROFPLUG_PAGER_H

/* The program that shows pages, as git finds it: PROFPLUG_PAGER, else PAGER, else less. An empty value and cat mean
 * none. */
void pager_refuse(void); /* --no-pager */
/* Standard output, if it is a terminal, goes through the pager from now on. Ask for width and colour before. */
void pager_begin(void);
/* Waits until the reader has left it. Does nothing if there is none. */
void pager_end(void);

#endif
