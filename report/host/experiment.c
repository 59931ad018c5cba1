/* SPDX-License-Identifier: MIT */
/* experiment.c: see experiment.h. The library in causal/ does the slowing; causal.h says how they talk. */
#include "host/experiment.h"

#include "host/runfile.h"
#include "host/toolchain.h"
#include "words/diag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <profplug/abi/causal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int experiment_library(char *path, size_t size)
{
    struct toolchain toolchain;
    int status = toolchain_find(&toolchain);
    if (status)
        return status;
    int length = snprintf(path, size, "%s/libprofplug-causal.so", toolchain.shared);
    return length < 0 || (size_t)length >= size || access(path, R_OK)
               ? diag_error(path, "%s; expected profplug's parts beside its executable, as built or as installed",
                            strerror(errno))
               : 0;
}

static int request_write(const struct experiment *experiment, const char *folder)
{
    struct pp_causal_request request = { .magic = PP_CAUSAL_MAGIC, .percent = experiment->percent };
    char path[128];
    snprintf(path, sizeof path, "%s/request", folder);
    snprintf(request.target, sizeof request.target, "%s", experiment->target ? experiment->target : "");
    snprintf(request.progress, sizeof request.progress, "%s", experiment->progress ? experiment->progress : "");
    int fd = mkdir(folder, 0700) && errno != EEXIST ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, &request, sizeof request) == (ssize_t)sizeof request;
    if (fd >= 0)
        close(fd);
    return written ? 0 : diag_error(path, "%s; expected room for the data of a run", strerror(errno));
}

static bool answer_read(const char *path, struct pp_causal_result *answer)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, answer, sizeof *answer);
    if (fd >= 0)
        close(fd);
    return got == (ssize_t)sizeof *answer && !memcmp(answer->magic, PP_CAUSAL_MAGIC, 8);
}

/* Of several processes, the one that ran the loop or the target longest. */
static bool answer_find(const char *folder, struct pp_causal_result *best, struct experiment_result *result)
{
    static struct pp_causal_result answer;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[128], data[sizeof result->data];
        snprintf(path, sizeof path, "%s/%.40s", folder, entry->d_name);
        if (!strstr(entry->d_name, ".causal") || !answer_read(path, &answer))
            continue;
        snprintf(data, sizeof data, "%.40s/%u", folder, answer.pid);
        if (access(data, F_OK))
            continue;
        if (!result->processes++ || answer.progress_ns > best->progress_ns ||
            (answer.progress_ns == best->progress_ns && answer.target_ns > best->target_ns)) {
            strcpy(result->data, data);
            *best = answer;
        }
    }
    if (stream)
        closedir(stream);
    return result->processes;
}

int experiment_run(const struct experiment *experiment, struct trial trial, const char *setting, const char *library,
                   const char *folder, struct experiment_result *result)
{
    static struct pp_causal_result answer;
    char *said = NULL, real[4096];
    int status = request_write(experiment, folder);
    if (status)
        return status;
    memset(result, 0, sizeof *result);
    if (!realpath(folder, real) || asprintf(&said, "%slevel=basic,output=%s/%%p", setting, real) < 0)
        return diag_error(folder, "%s; expected room for the data of a run", strerror(errno));
    trial.setting = said;
    trial.preload = library;
    trial.causal = real;
    status = trial_run(&trial, &result->run);
    free(said);
    if (status || trial_ended)
        return status;
    if (!answer_find(folder, &answer, result))
        return runfile_refuse(trial.file, folder, "an instrumented program that is linked dynamically");
    /* the first thread's delay is the run's; if its account is another's now, that of the thread that is ahead */
    bool by_loop = experiment->progress;
    result->took_ns = by_loop ? answer.progress_ns : result->run.wall_ns;
    if (!result->took_ns)
        return diag_error(trial.file, "no look found '%s' running; expected runs of a tenth of a second or more",
                          experiment->progress);
    result->delay_ns = by_loop                          ? answer.progress_delay_ns
                       : answer.account[0].ordinal == 1 ? answer.account[0].delay_ns
                                                        : answer.delay_ns;
    result->virtual_ns = result->took_ns > result->delay_ns ? result->took_ns - result->delay_ns : 1;
    result->target_ns = answer.target_ns;
    result->looks = answer.ticks;
    result->refused_threads = answer.refused_threads;
    return 0;
}
