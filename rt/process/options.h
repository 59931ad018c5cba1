/* SPDX-License-Identifier: MIT */
/* options.h: run-time options, from the environment and files. */
#ifndef PP_OPTIONS_H
#define PP_OPTIONS_H

#include "rt.h"

void pp_options_read(struct pp_options *options);
/* Sets one key=value. False: the key or value is unknown. `where` is its source, for the message. */
bool pp_options_set(struct pp_options *options, const char *key, const char *value, const char *where);
void pp_options_defaults(struct pp_options *options);
void pp_options_string(struct pp_options *options, const char *text, const char *where);
bool pp_options_json(struct pp_options *options, const char *text, const char *where);
void pp_options_record(const struct pp_options *options);
/* Expands %e %p %h %q{VAR} %% into path. A relative path goes below the directory. False: it does not fit. */
bool pp_output_expand(const char *pattern, const char *program, uint32_t pid, const char *host, const char *directory,
                      char *path, uint32_t size);
bool pp_environment_speaks(void); /* PROFPLUG or a configuration is set, or the program has default options */

#endif
