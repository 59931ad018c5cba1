/* SPDX-License-Identifier: MIT */
/* stage.c: the six stages of the pipeline, and the bad habits that a plan can give them (habit.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>
#include <stb/stb_image_write.h>

#include <profplug.h>
#include "habit.h"
#include "pipeline.h"

static int has(const struct job *job, enum habit habit, enum place place)
{
    return job->plan.place[habit] == (int)place;
}

static void rebuild_at_times(const struct job *job, const struct batch *batch, enum place place)
{
    if (has(job, TAIL, place) && batch->index % 4 == job->plan.tail_batch)
        rebuild_index(batch);
}

/* What every stage does for each picture besides its own work, well or badly. */
static int stage_begin(struct job *job, const struct batch *batch, enum place place)
{
    char path[600];
    if (place != LOAD)
        rebuild_at_times(job, batch, place);
    if (place == PREPROCESS || place == AUGMENT || place == INFERENCE) {
        size_t size;
        snprintf(path, sizeof path, "%s/%s.table", job->input, place_name[place]);
        unsigned char *table = has(job, TINY_READS, place) ? read_bit_by_bit(path, &size) : read_whole(path, &size);
        if (!table)
            return -1;
        free(table);
    }
    return 0;
}

static int picture_begin(struct job *job, struct image *image, enum place place)
{
    if (has(job, WAIT, place))
        pause_politely();
    if (image->pixels && place != LOAD) {
        const struct image *reference = has(job, REPEAT, place) ? reference_again(job->input) : reference_once(job->input);
        if (!reference)
            return -1;
        image->label = (image->label + reference->pixels[0]) % 10;
        if (has(job, CHURN, place))
            soften_churning(image);
        else
            soften(image);
        if (has(job, SCALAR, place))
            tone_slowly(image);
        else
            tone(image);
    }
    return 0;
}

PROFPLUG_STAGE("load", "data_loading")
int load_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, LOAD))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        if (picture_begin(job, image, LOAD))
            return -1;
        image->bytes = has(job, TINY_READS, LOAD) ? read_bit_by_bit(image->path, &image->size) : read_whole(image->path, &image->size);
        if (!image->bytes)
            return -1;
    }
    rebuild_at_times(job, batch, LOAD);         /* it needs the bytes */
    return 0;
}

PROFPLUG_STAGE("decode", "data_loading")
int decode_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, DECODE))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        image->pixels = stbi_load_from_memory(image->bytes, (int)image->size, &image->width, &image->height, NULL, 3);
        if (!image->pixels) {
            fprintf(stderr, "pipeline: %s: %s\n", image->path, stbi_failure_reason());
            return -1;
        }
        if (picture_begin(job, image, DECODE))
            return -1;
    }
    return 0;
}

static int resize_image(struct image *image)
{
    unsigned char *small = malloc(SIDE * SIDE * 3);
    if (!small || !stbir_resize_uint8(image->pixels, image->width, image->height, 0, small, SIDE, SIDE, 0, 3)) {
        free(small);
        fprintf(stderr, "pipeline: %s: cannot resize\n", image->path);
        return -1;
    }
    free(image->pixels);
    image->pixels = small;
    image->width = image->height = SIDE;
    return 0;
}

PROFPLUG_STAGE("preprocess")
int preprocess_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, PREPROCESS))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        if (resize_image(image) || picture_begin(job, image, PREPROCESS))
            return -1;
        PROFPLUG_SCOPE("normalise");
        image->values = malloc(3 * SIDE * SIDE * sizeof *image->values);
        if (!image->values)
            return -1;
        for (int c = 0; c < 3; c++)
            for (int p = 0; p < SIDE * SIDE; p++)
                image->values[c * SIDE * SIDE + p] = (float)image->pixels[3 * p + c] * (1.0f / 127.5f) - 1.0f;
    }
    return 0;
}

PROFPLUG_STAGE("augment", "augmentation")
int augment_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, AUGMENT))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        if (picture_begin(job, image, AUGMENT))
            return -1;
        if ((batch->index + i) % 2)         /* mirror every other picture */
            for (int row = 0; row < 3 * SIDE; row++) {
                float *v = image->values + row * SIDE;
                for (int x = 0; x < SIDE / 2; x++) {
                    float t = v[x];
                    v[x] = v[SIDE - 1 - x];
                    v[SIDE - 1 - x] = t;
                }
            }
        for (int p = 0; p < 3 * SIDE * SIDE; p++)
            image->values[p] += 0.01f * (float)(p % 7 - 3);
    }
    return 0;
}

/* Ten 3x3 filters over the picture; the strongest gives the label. */
static int classify(const float *values)
{
    int best = 0;
    float most = 0;
    for (int k = 0; k < 10; k++) {
        float w[9], sum = 0;
        for (int j = 0; j < 9; j++)         /* edges in ten directions: the weights add up to nothing */
            w[j] = cosf((float)k * 0.628f + (float)j * 1.3963f);
        for (int y = 1; y < SIDE - 1; y++)
            for (int x = 1; x < SIDE - 1; x++) {
                const float *v = values + y * SIDE + x;
                float a = w[0] * v[-SIDE - 1] + w[1] * v[-SIDE] + w[2] * v[-SIDE + 1] + w[3] * v[-1] + w[4] * v[0] + w[5] * v[1] +
                          w[6] * v[SIDE - 1] + w[7] * v[SIDE] + w[8] * v[SIDE + 1];
                sum += a > 0 ? a : 0;
            }
        if (sum > most) {
            most = sum;
            best = k;
        }
    }
    return best;
}

PROFPLUG_STAGE("inference")
int infer_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, INFERENCE))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        if (picture_begin(job, image, INFERENCE))
            return -1;
        image->label = classify(image->values);
        job->classes[image->label]++;
    }
    return 0;
}

PROFPLUG_STAGE("write", "io")
int write_batch(struct job *job, struct batch *batch)
{
    if (stage_begin(job, batch, WRITE))
        return -1;
    for (int i = 0; i < batch->count; i++) {
        struct image *image = &batch->image[i];
        char path[1200];
        if (picture_begin(job, image, WRITE))
            return -1;
        snprintf(path, sizeof path, "%s%s-%d.jpg", job->output, strrchr(image->path, '/'), image->label);
        if (!stbi_write_jpg(path, image->width, image->height, 3, image->pixels, 80)) {
            fprintf(stderr, "pipeline: %s: cannot write\n", path);
            return -1;
        }
    }
    return 0;
}
