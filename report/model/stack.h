/* SPDX-License-Identifier: MIT */
/* stack.h: what each chain of calls cost, for flame graphs and other tools. Part of model.h; estimate/stacks.c makes
 * it. It must not know who shows it.
 *
 * Frames form one tree. Their costs are self costs of the chain that ends in them, and they sum to the run's CPU time
 * and to its waits: what no chain is known for stands under frames whose names are in square brackets. */
#ifndef PROFPLUG_MODEL_STACK_H
#define PROFPLUG_MODEL_STACK_H

#include <stdint.h>

struct model_frame {
    uint32_t parent;         /* stands before its children; frame 0 is the root, which is no function */
    uint32_t function, line; /* indices; the line that runs, or that calls the next frame. MODEL_NONE: unknown */
    const char *name;        /* of a function in a library, or [why there is none]; NULL: the model's function */
};

struct model_stack { /* one chain of calls in one stage */
    uint32_t frame; /* the innermost one */
    uint32_t stage; /* index; MODEL_NONE: outside every stage */
    double user_ns, system_ns, wait_ns;
    uint64_t samples;
    double alloc_bytes, alloc_blocks, live_bytes, live_blocks; /* live: at the end; 0 if blocks are not known by line */
};

/* What a stack can be measured by. STACK_COST(name, unit, how much a stack has, "meaning") */
#define STACK_COSTS(STACK_COST) \
    STACK_COST(cpu, nanoseconds, s->user_ns + s->system_ns, "CPU time, user and kernel") \
    STACK_COST(kernel, nanoseconds, s->system_ns, "the part of CPU time in the kernel") \
    STACK_COST(wait, nanoseconds, s->wait_ns, "time that calls waited") \
    STACK_COST(samples, count, (double)s->samples, "samples taken") \
    STACK_COST(alloc_bytes, bytes, s->alloc_bytes, "bytes allocated") \
    STACK_COST(alloc_blocks, count, s->alloc_blocks, "blocks allocated") \
    STACK_COST(live_bytes, bytes, s->live_bytes, "bytes that lived at the end") \
    STACK_COST(live_blocks, count, s->live_blocks, "blocks that lived at the end")

struct stack_cost {
    const char *name, *unit, *meaning;
    double (*of)(const struct model_stack *stack);
};
extern const struct stack_cost stack_costs[]; /* ends with a NULL name */
extern const char stack_cost_names[];         /* for messages */
const struct stack_cost *stack_cost_find(const char *name); /* NULL: there is none */

struct model;
/* The whole name of the frame's function. Never NULL; the root has the program's name. */
const char *frame_name(const struct model *model, uint32_t frame);
const char *frame_file(const struct model *model, uint32_t frame);  /* empty if unknown */
uint32_t frame_line(const struct model *model, uint32_t frame);     /* its number; 0 if unknown */
const char *frame_home(const struct model *model, uint32_t frame);  /* file of the function's head; empty if unknown */
uint32_t frame_start(const struct model *model, uint32_t frame);    /* line of the function's head; 0 if unknown */
/* Frames of one function have one number from 1 to the result, by frame; 0: the root. Free the array. */
uint32_t frame_functions(const struct model *model, uint32_t **of);
/* The same of frames that are of one function and one line of it; `of_function` is from frame_functions. */
uint32_t frame_places(const struct model *model, const uint32_t *of_function, uint32_t **of);

#endif
