/* SPDX-License-Identifier: MIT */
/* merge.c: profplug merge: many data files to one. Headers first, to know where each lies in time, then one file after
 * the other. The report of what came out names the functions, so spreads have the report's names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "gather/gather.h"
#include "load.h"
#include "show/source.h"
#include "words/diag.h"
#include "words/progress.h"
#include "words/spelling.h"

struct merge_request {
    int as; /* enum pp_merge_as; -1: not given */
    const char *output;
};

static int as_take(struct merge_request *r, const char *value)
{
    char ask[SPELLING_BYTES];
    struct spelling close = { .said = value };
    for (unsigned i = 0; i < PP_MERGE_AS_COUNT; i++) {
        spelling_offer(&close, merge_as_name(i));
        if (strcmp(value, merge_as_name(i)) == 0) {
            r->as = (int)i;
            return 0;
        }
    }
    return diag_error("--as", "'%s' is not known%s; expected threads, processes, ranks, repeats or shards", value,
                      spelling_ask(&close, ask));
}

static int option_take(struct merge_request *r, enum flag_id id, struct flags *flags)
{
    switch (id) {
    case FLAG_MERGE_AS: return as_take(r, flags->value);
    case FLAG_MERGE_OUTPUT: r->output = flags->value; return 0;
    case FLAG_MERGE_MAP: return place_take(flags->value, true);
    case FLAG_MERGE_SOURCE: return place_take(flags->value, false);
    default: return flags_refuse(flags, id);
    }
}

/* The functions of the model's samples, in the file's order, and their spreads. */
static bool spreads_tell(struct gather *gather, const char *path)
{
    struct model *model = model_open(path);
    if (!model)
        return false;
    uint32_t *of_sample = memory_zeroed(model->sample_count + 1, sizeof *of_sample);
    struct gather_function *function = memory_zeroed(model->function_count + 1, sizeof *function);
    for (size_t i = 0; i < model->sample_count; i++)
        of_sample[i] = model->sample[i].profiler ? MODEL_NONE : model->sample[i].function;
    for (size_t i = 0; i < model->function_count; i++)
        function[i] = (struct gather_function){ model->function[i].name, model->function[i].file };
    bool good =
        gather_tell(gather, of_sample, model->sample_count, function, model->function_count, model->coverage.scale);
    if (!good)
        diag_error(path, "%s; expected room for the merged file", strerror(errno));
    free(of_sample);
    free(function);
    model_free(model);
    source_forget();
    return good;
}

/* Returns 0, or DIAG_WRONG after one line. */
static int files_gather(const struct merge_request *r, struct gather *gather, char **path, size_t count,
                        const char *making)
{
    char error[READER_ERROR_BYTES];
    for (size_t i = 0; i < count; i++) {
        progress_step(i);
        struct profile *profile = reader_open(path[i], error);
        if (!profile)
            return diag_error("", "%s", error);
        bool good = gather_add(gather, profile, error);
        reader_close(profile);
        if (!good)
            return diag_error(path[i], "%s", error);
    }
    if (!gather_write(gather, making))
        return diag_error(r->output, "%s; expected a file to write to", strerror(errno));
    if (!spreads_tell(gather, making))
        return DIAG_WRONG;
    return rename(making, r->output) == 0
               ? DIAG_DONE
               : diag_error(r->output, "%s; expected a file to write to", strerror(errno));
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int request_check(const struct merge_request *r, char **path, int count)
{
    if (r->as < 0)
        return diag_error("merge",
                          "what the files are is not said; expected --as threads, processes, ranks, repeats or shards");
    if (!r->output)
        return diag_error("merge", "no file to write; expected -o FILE");
    if (count < 1)
        return diag_error("merge", "nothing to merge; expected data files");
    struct stat there; /* a device or a pipe would be replaced by the file, as that gets its name once it is whole */
    if (stat(r->output, &there) == 0 && !S_ISREG(there.st_mode))
        return diag_error(r->output, "not a regular file; expected the name of a file to write");
    for (int i = 0; i < count; i++)
        if (is_same_file(path[i], r->output))
            return diag_error(r->output, "one of the files to merge; expected another name");
    return 0;
}

int command_merge(int argc, char **argv)
{
    struct merge_request r = { .as = -1 };
    struct flags flags;
    flags_begin(&flags, "merge", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&r, id, &flags))
            return DIAG_WRONG;
    char **path = argv + flags.next, error[READER_ERROR_BYTES];
    int files = argc - flags.next;
    if (request_check(&r, path, files))
        return DIAG_WRONG;
    size_t count = (size_t)files;
    struct pp_header *header = memory_zeroed(count, sizeof *header);
    int status = DIAG_DONE;
    for (size_t i = 0; i < count && !status; i++)
        if (!reader_header(path[i], &header[i], error))
            status = diag_error("", "%s", error);
    struct arena arena = { 0 };
    char *making = arena_print(&arena, "%s.%ld", r.output, (long)getpid());
    if (!status) {
        struct gather *gather = gather_begin((enum pp_merge_as)r.as, header, count);
        unlink(making); /* left by a process of this number that was killed */
        progress_begin("merging files", count);
        status = files_gather(&r, gather, path, count, making);
        progress_end();
        gather_free(gather);
        if (status)
            unlink(making);
    }
    arena_free(&arena);
    free(header);
    return status;
}
