/* SPDX-License-Identifier: MIT */
/* machine.h: what the machine can do, found out by doing it. Everything here takes at most a tenth of a second. */
#ifndef PROFPLUG_REPORT_MACHINE_H
#define PROFPLUG_REPORT_MACHINE_H

#include <stddef.h>
#include <time.h>

/* First line of a file, without its newline. Returns 0, or -1 with errno. */
int machine_line(const char *path, char *line, size_t size);

int machine_cpu_flag(const char *flag);                        /* 1 if /proc/cpuinfo lists it */
void machine_cpu_model(char *model, size_t size);              /* untouched if unknown */

double machine_clock_ns(clockid_t clock);                      /* of one reading: the least of several rounds' means */
double machine_tsc_ns(void);                                   /* of the cycle counter; 0 where there is none */

/* Samples per second of CPU time that a source delivers when 1000 are asked for; 0 if it cannot be had, and why. */
double machine_perf_rate(char *why, size_t size);
double machine_timer_rate(void);

double machine_cycles(char *why, size_t size);                 /* cycles counted by hardware in a short spin; 0 and why */

double machine_folder(const char *folder, char *type, size_t size);    /* bytes free; the file system's name */
int machine_mappable(const char *folder, char *why, size_t size);      /* 1 if a file there can be made, allocated and mapped shared */

/* Version of a shared library this process has mapped, from its file's name. Returns 1, or 0 if it is not mapped. */
int machine_library(const char *name, char *version, size_t size);

#endif
