/* SPDX-License-Identifier: MIT */
/* machine.h: what the machine can do, found by trying. No call takes more than a tenth of a second. */
#ifndef PROFPLUG_REPORT_MACHINE_H
#define PROFPLUG_REPORT_MACHINE_H

#include <stddef.h>
#include <time.h>

/* First line of a file, without its newline. Returns 0, or -1 with errno. */
int machine_line(const char *path, char *line, size_t size);

int machine_cpu_flag(const char *flag);           /* 1 if /proc/cpuinfo lists it */
void machine_cpu_model(char *model, size_t size); /* unchanged if unknown */

double machine_clock_ns(clockid_t clock); /* cost of one reading: the least mean of several rounds */
double machine_tsc_ns(void);              /* cost of reading the cycle counter; 0 if there is none */

/* Samples per second of CPU time when 1000 are requested; 0 if the source is not available, and why. */
double machine_perf_rate(char *why, size_t size);
double machine_timer_rate(void);

double machine_cycles(char *why, size_t size); /* cycles counted by hardware in a short spin; 0 and why */

/* returns the free bytes; `type` is the file system's name */
double machine_folder(const char *folder, char *type, size_t size);
/* 1 if a file there can be created, allocated and mapped shared */
int machine_mappable(const char *folder, char *why, size_t size);

/* Version of a shared library that this process has mapped, from its file name. Returns 1, or 0 if it is not
 * mapped. */
int machine_library(const char *name, char *version, size_t size);

#endif
