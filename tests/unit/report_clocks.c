/* SPDX-License-Identifier: MIT */
/* report_clocks.c: by the kernel's ticks, beside other programs, clocks tell what nodes of the call tree have. In them
 * are the kernel's time and the runtime's own, of which samples know a part. */
#include "report_analysed.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/report_clocks_XXXXXX";

#define MS 1000000
enum { LOOP, ASKS, NODES }; /* functions: of the second one less is known */

struct run_of { /* milliseconds */
    double user[NODES], kernel[NODES];  /* the truth */
    double ticks[NODES], unseen[NODES]; /* what samples stand for, and the kernel's time between them */
    double own, timed_own; /* the runtime's, which is in all clocks alike, and what timed calls have of it elsewhere */
    double waits;          /* in the clock of ASKS, and nobody knows of them */
};
struct told {
    double user[NODES], kernel[NODES];
};

static struct told told(struct run_of run)
{
    static const struct report_site site[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "loop", "loop", "f.c", NULL, 9 },
        { .file = "f.c" },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, 0, "asks", "asks", "f.c", NULL, 1 },
    };
    double user = run.user[LOOP] + run.user[ASKS], kernel = run.kernel[LOOP] + run.kernel[ASKS];
    double clocked = user + kernel + run.own;
    struct pp_node node[] = { { .number = 0 },
                              { .number = 1, .key = 4, .calls = 1, .timed_calls = 1 },
                              { .number = 2, .key = 2, .calls = 1, .timed_calls = 1 } };
    struct pp_sample sample[NODES];
    struct report_file file = report_file_start();
    struct pp_header *h = report_file_header(&file);
    struct pp_thread_row row = { .tid = 7, .block = 1, .start_ns = h->start_ns, .end_ns = h->end_ns };
    h->sample_signals = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t count = (uint64_t)run.ticks[i]; /* each stands for 1 ms */
        sample[i] = (struct pp_sample){ .address = 0x10 * (i + 1), .module = 1, .node = i + 1, .count = count };
        sample[i].ns = count * MS;
        sample[i].unseen_ns = (int64_t)(run.unseen[i] * MS);
        h->sample_signals += count;
        node[i + 1].self_ns = (uint64_t)((run.user[i] + run.kernel[i]) * clocked / (user + kernel) * MS);
    }
    node[ASKS + 1].self_ns += (uint64_t)(run.waits * MS);
    row.delay_ns = (uint64_t)(100 * clocked * MS);
    h->sample_source = PP_SAMPLE_TIMER;
    h->sample_period_ns = MS;
    h->features_ignorable = PP_IGNORABLE_OFF;
    h->user_ns = (uint64_t)(user * MS);
    h->system_ns = (uint64_t)((kernel + run.own) * MS);
    h->events_timed = 1000;
    h->frame_ns = (uint32_t)(run.timed_own * MS / 1000);
    h->self_ns = (uint64_t)((run.own + run.timed_own) * MS);
    report_file_module(&file, 1, "/somewhere/program", 1);
    report_file_sites(&file, 4, site, 3);
    report_file_nodes(&file, 1, 0, node, NODES + 1);
    report_file_samples(&file, 1, sample, NODES);
    report_file_threads(&file, &row, 1);
    struct model *m = report_analysed(&file, path);
    struct told of = { { 0 }, { 0 } };
    for (size_t i = 0; i < m->function_count; i++) {
        const struct model_function *f = &m->function[i];
        unsigned at = strcmp(f->name, "asks") == 0 ? ASKS : LOOP;
        of.kernel[at] += f->system_ns / MS;
        of.user[at] += (f->self.ns - f->system_ns) / MS;
    }
    model_free(m);
    return of;
}
static void near(struct run_of run, double part, double error)
{
    struct told of = told(run);
    for (unsigned i = 0; i < NODES; i++) {
        double user = part * run.user[i], kernel = part * run.kernel[i];
        CHECK(fabs(of.user[i] - user) <= error * user, "%u: %f ms for %f", i, of.user[i], user);
        CHECK(fabs(of.kernel[i] - kernel) <= error * kernel, "%u: %f ms in the kernel for %f", i, of.kernel[i], kernel);
    }
}

/* `part`: what is sampled of the run. `error`: how far from that what is told may be. */
#define NEAR(part, error, ...) near((struct run_of){ __VA_ARGS__ }, part, error)

/* The runtime takes a fifth of what the program does. The clock of whoever has more time has more of that. */
static void own_leaves(void)
{
    NEAR(1, 0.01, .user = { 2000, 1000 }, .kernel = { 0, 2000 }, .ticks = { 2000, 1000 }, .unseen = { 0, 2000 },
         .own = 1000);
    NEAR(1, 0.01, .user = { 2000, 1000 }, .kernel = { 0, 2000 }, .ticks = { 2000, 1000 }, .unseen = { 0, 2000 },
         .own = 1000, .timed_own = 1000);
}

static void kernel_parts(void)
{
    /* Ticks alone are off by 5 % of all. */
    NEAR(1, 0.03, .user = { 2000, 2000 }, .kernel = { 0, 1000 }, .ticks = { 2200, 1800 }, .unseen = { 0, 1000 });
    /* The clock less what is known of the kernel's time is off by 15 %, and the kernel's time by 30. */
    NEAR(1, 0.06, .user = { 2000, 2000 }, .kernel = { 1000, 1000 }, .ticks = { 2000, 2000 }, .unseen = { 1000, 700 });
    /* The clock has half as much again as ticks say, which is no chance. */
    NEAR(1, 0.01, .user = { 2000, 2000 }, .kernel = { 0, 500 }, .ticks = { 2000, 2000 }, .unseen = { 0, 500 },
         .waits = 1000);
}

/* Half of the samples are lost: so much of the run is sampled, and of that both functions have what they have of it. */
static void losses_tell(void)
{
    NEAR(1, 0.01, .user = { 2000, 2000 }, .kernel = { 0, 1000 }, .ticks = { 2000, 2000 }, .unseen = { 0, 1000 });
    NEAR(0.5, 0.01, .user = { 2000, 2000 }, .kernel = { 0, 1000 }, .ticks = { 1000, 1000 }, .unseen = { 0, 500 });
    NEAR(1, 0.01, .user = { 1000, 3000 }, .kernel = { 0, 400 }, .ticks = { 1000, 3000 }, .unseen = { 0, 400 });
    NEAR(0.5, 0.01, .user = { 1000, 3000 }, .kernel = { 0, 400 }, .ticks = { 500, 1500 }, .unseen = { 0, 200 });
    NEAR(0.5, 0.1, .user = { 2000, 2000 }, .kernel = { 1000, 1000 }, .ticks = { 1000, 1000 }, .unseen = { 500, 400 });
}

int main(void)
{
    own_leaves();
    kernel_parts();
    losses_tell();
    unlink(path);
    return 0;
}
