/* SPDX-License-Identifier: MIT */
/* library.h: what the program's lines spend in functions of libraries that are known by name. For rules of advice. */
#ifndef PROFPLUG_ADVICE_LIBRARY_H
#define PROFPLUG_ADVICE_LIBRARY_H

#include "advice/advice.h"

enum library {
#define LIBRARY(kind, names) LIBRARY_##kind,
#include "advice/library.def"
    LIBRARY_COUNT
};

struct library_line {
    uint32_t line;
    const char *name;              /* that of most time */
    double ns, system_ns, most_ns; /* most_ns: of `name` */
    uint64_t samples;
};
struct library_use { /* the largest first */
    struct library_line *line;
    size_t count;
    double ns;
    uint64_t samples;
};

bool library_has(enum library kind, const char *name); /* is it a function of that kind? */
/* Is it a constructor or destructor, such as shelf::shelf, a::shelf::~shelf or shelf::shelf(shelf const&)? */
bool library_makes(const char *name);
/* What lines spend in functions of that kind. It lives as long as the model. */
struct library_use library_use(const struct advice *advice, enum library kind);
/* What the lines of one function spend in them, without the kernel's part if `user_only`. Adds the samples. */
double library_function_ns(const struct advice *advice, const struct library_use *use, uint32_t function,
                           bool user_only, uint64_t *samples);
/* Whether no line before it is in the same function, so that each function is told of once. */
bool library_is_first(const struct advice *advice, const struct library_use *use, size_t at);
/* The part of the run's CPU time. */
double library_share(const struct advice *advice, double ns);
/* The same per call of the function that the line is in; negative: its calls are not known. */
double library_call_ns(const struct advice *advice, const struct library_line *at);
/* What the run gains if at least and at most such a part of the time goes; the error of the samples is in it. */
void library_gain(const struct advice *advice, uint32_t line, double ns, uint64_t samples, double least, double most,
                  double *low_ns, double *high_ns);
/* Adds a recommendation at the line, with figures. NULL: too little. */
struct model_advice *library_advise(struct advice *advice, enum advice_id id, const struct library_line *at, double ns,
                                    uint64_t samples, double least, double most);

#endif
