/* SPDX-License-Identifier: MIT */
/* pipeline.h: what the parts of the example share. The profiler is seen by stage.c and main.c alone. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdint.h>
#include <stdio.h>

enum place { LOAD, DECODE, PREPROCESS, AUGMENT, INFERENCE, WRITE, PLACE_COUNT };

/* The bad habits that can be planted. Each has its good twin in stage.c, a line away. */
enum habit {
    TINY_READS,     /* a file read with a system call for every 4 bytes */
    CHURN,          /* a temporary image allocated for every row */
    SCALAR,         /* pow and a division for every pixel, where a table of 256 would do */
    WAIT,           /* a pause before every image */
    TAIL,           /* one batch in four does a lot more than the others */
    REPEAT,         /* the same reference picture decoded again for every image */
    HABIT_COUNT
};
extern const char *const place_name[PLACE_COUNT];     /* as the stages are called in the report */
extern const char *const habit_name[HABIT_COUNT];

/* Where each habit is planted: a place, or -1 for nowhere. Seed 0 plants nothing; no two habits share a place. */
struct plan {
    int place[HABIT_COUNT];
    int tail_batch;         /* batches with index % 4 == tail_batch are the heavy ones */
};
void plan_make(struct plan *plan, unsigned seed, int only);      /* only: one habit, or -1 for all */
void plan_print(const struct plan *plan, FILE *out);

struct image {
    char path[512];
    unsigned char *bytes;   /* the file */
    size_t size;
    unsigned char *pixels;  /* decoded, then resized; 3 channels */
    int width, height;
    float *values;          /* normalised, 3 planes */
    int label;
};

enum { SIDE = 256, BATCH_MAX = 64 };

struct batch {
    int index, count;
    struct image image[BATCH_MAX];
};

/* The stages, in order. Each returns 0, or -1 after a line on standard error. */
struct job {
    struct plan plan;
    const char *input, *output;
    long classes[10];
};
int load_batch(struct job *job, struct batch *batch);
int decode_batch(struct job *job, struct batch *batch);
int preprocess_batch(struct job *job, struct batch *batch);
int augment_batch(struct job *job, struct batch *batch);
int infer_batch(struct job *job, struct batch *batch);
int write_batch(struct job *job, struct batch *batch);

/* What the program's own clocks say, to be held against the report. */
void watch_loop_begin(int batches);
void watch_batch_begin(void);
void watch_batch_end(void);
void watch_stage_begin(void);
void watch_stage_end(enum place place);
void watch_nap(int ms);
void watch_print(FILE *out);

#endif
