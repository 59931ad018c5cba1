/* SPDX-License-Identifier: MIT */
/* main.c: the batch loop. `pipeline [--seed N] [--only HABIT] [--plan FILE] [--clocks FILE] [--batch N] INPUT OUTPUT` reads every
 * picture of folder INPUT, takes it through the stages and writes it to folder OUTPUT. The seed plants bad habits (plan.c); the plan's FILE receives
 * where, that of the clocks what the program measured itself (watch.c). */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <profplug.h>
#include "pipeline.h"

static int is_picture(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (!strcmp(dot, ".png") || !strcmp(dot, ".jpg"));
}

static void batch_clear(struct batch *batch)
{
    for (int i = 0; i < batch->count; i++) {
        free(batch->image[i].bytes);
        free(batch->image[i].pixels);
        free(batch->image[i].values);
    }
    memset(batch, 0, sizeof *batch);
}

static int stage_run(int (*stage)(struct job *, struct batch *), enum place place, struct job *job, struct batch *batch)
{
    watch_stage_begin();
    int failed = stage(job, batch);
    watch_stage_end(place);
    return failed;
}

static int run(struct job *job, struct dirent **entry, int count, int batch_size)
{
    static struct batch batch;
    int batches = (count + batch_size - 1) / batch_size, failed = 0;

    watch_loop_begin(batches);
    PROFPLUG_LOOP("batches")
    for (int b = 0; b < batches; b++) {
        watch_batch_begin();
        batch.index = b;
        for (int i = b * batch_size; i < count && i < (b + 1) * batch_size; i++)
            snprintf(batch.image[batch.count++].path, sizeof batch.image[0].path, "%s/%s", job->input, entry[i]->d_name);
        profplug_count("items", batch.count);
        failed = stage_run(load_batch, LOAD, job, &batch) || stage_run(decode_batch, DECODE, job, &batch) ||
                 stage_run(preprocess_batch, PREPROCESS, job, &batch) || stage_run(augment_batch, AUGMENT, job, &batch) ||
                 stage_run(infer_batch, INFERENCE, job, &batch) || stage_run(write_batch, WRITE, job, &batch);
        batch_clear(&batch);
        watch_batch_end();
        if (failed)
            break;
    }
    return failed;
}

static int usage(void)
{
    fprintf(stderr, "usage: pipeline [--seed N] [--only HABIT] [--plan FILE] [--clocks FILE] [--batch 1..%d] INPUT OUTPUT\n", BATCH_MAX);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "seed", 1, NULL, 's' }, { "only", 1, NULL, 'o' }, { "plan", 1, NULL, 'p' }, { "clocks", 1, NULL, 'c' }, { "batch", 1, NULL, 'b' }, { 0 },
    };
    unsigned seed = 0;
    int only = -1, batch_size = 4, c;
    const char *plan_path = NULL, *clocks_path = NULL;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 's')
            seed = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'p')
            plan_path = optarg;
        else if (c == 'c')
            clocks_path = optarg;
        else if (c == 'b')
            batch_size = atoi(optarg);
        else if (c == 'o') {
            for (only = 0; only < HABIT_COUNT && strcmp(optarg, habit_name[only]); only++)
                ;
            if (only == HABIT_COUNT)
                return usage();
        } else
            return usage();
    }
    if (argc - optind != 2 || batch_size < 1 || batch_size > BATCH_MAX)
        return usage();

    struct job job = { .input = argv[optind], .output = argv[optind + 1] };
    plan_make(&job.plan, seed, only);
    if (plan_path) {
        FILE *f = fopen(plan_path, "w");
        if (!f) {
            fprintf(stderr, "pipeline: %s: %s\n", plan_path, strerror(errno));
            return 2;
        }
        plan_print(&job.plan, f);
        fclose(f);
    }
    if (mkdir(job.output, 0777) && errno != EEXIST) {
        fprintf(stderr, "pipeline: %s: %s\n", job.output, strerror(errno));
        return 2;
    }
    struct dirent **entry;
    int count = scandir(job.input, &entry, is_picture, alphasort);
    if (count < 1) {
        fprintf(stderr, "pipeline: %s: %s\n", job.input, count < 0 ? strerror(errno) : "no .png or .jpg file");
        return 2;
    }
    int failed = run(&job, entry, count, batch_size);
    for (int i = 0; i < count; i++)
        free(entry[i]);
    free(entry);
    if (failed)
        return 1;
    FILE *clocks = clocks_path ? fopen(clocks_path, "w") : NULL;
    if (clocks) {
        watch_print(clocks);
        fclose(clocks);
    }
    printf("%d pictures, by class:", count);
    for (int i = 0; i < 10; i++)
        printf(" %ld", job.classes[i]);
    putchar('\n');
    return 0;
}
