/* SPDX-License-Identifier: MIT */
/* mutate.c COUNT SEED EACH [TOOL]: good files, cut at each 64th byte and then changed at places that matter, COUNT in all, go through the
 * whole report: reader, merge, analysis, rules, text and JSON; one of EACH also through the page, pprof, callgrind and profplug merge. Each is
 * read, or refused with exactly one line; nothing crashes, takes more than a gigabyte, or two seconds of CPU time (four with the page), and no name
 * becomes markup. Children take them in turn, so that an end names its mutation and the rest goes on. With TOOL every hundredth goes through that
 * program, too: status 0, or 2 with one line. COUNT can be FIRST-END, as 20000-40000: a part of a long run.
 * mutate COUNT SEED 0 FILE NUMBER writes that mutation to FILE. */
#include "report_file.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "words/diag.h"
#include "command/command.h"
#include "exchange/tool.h"
#include "export/export.h"
#include "injection.h"
#include "mutation.h"
#include "load.h"
#include "show/source.h"

enum { BATCH = 200, SEEDS = 2, CAPACITY = 1 << 20, MEMORY = 1 << 30, LINES = 64, TOOL_EACH = 100 };

struct progress { int current, read, refused, asked, written, merged; };      /* shared with the children */

static struct report_file seed_file[SEEDS];
static uint64_t seed_number;
static struct progress *progress;
static int file;
static char path[64], good_path[64], merged_path[64];

/* Names that would be markup, an attribute or a line of their own. */
static void names_taint(struct report_file *f)
{
    static const char *const name[][2] = { { "decode_batch", "\"><script>a(" }, { "pipeline", "\"onx='1'" }, { "photos", "<b x=>" }, { "batches", "x\ny=<i>" },
                                           { "queue depth", "</pre><b a>" }, { "warm", "</p>" }, { "testhost.invalid", "<script>e</scrip" }, { "decode", "</dt>&" } };
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        for (unsigned char *at; (at = memmem(f->bytes, f->size, name[i][0], strlen(name[i][0])));)
            memcpy(at, name[i][1], strlen(name[i][1]));
}

static void seeds_make(void)
{
    seed_file[0] = report_file_pipeline();
    struct report_file *killed = &seed_file[1];
    *killed = report_file_pipeline();
    struct pp_frame frame[] = { { .start_ns = 5100000000, .node_number = 1 }, { .start_ns = 5200000000, .node_number = 2, .stage = 1 },
                                { .start_ns = 5300000000, .node_number = 3, .stage = 3, .child_ns = 1000 }, { 0 } };
    report_file_frames(killed, 1, frame, 4);
    uint64_t counter[11] = { [7] = 5 };
    report_file_counters(killed, 2, counter, 11);
    struct pp_node node[] = { { .number = 0 }, { .number = 1, .key = 8 | PP_KEY_OVERFLOW, .calls = 7 } };
    report_file_nodes(killed, 2, 0, node, 2);
    struct pp_path way[] = { { .parent = 0 }, { .address = 0x2000, .module = 1, .end = PP_PATH_CUT }, { .address = 0x2000, .module = 9, .parent = 1 } };
    report_file_paths(killed, 2, 0, way, 3);
    struct pp_sample sample = { .address = 0x1000, .module = 1, .path = 2, .count = 1, .ns = 1000000 };
    report_file_samples(killed, 2, &sample, 1);
    struct pp_block block[] = { { .alloc_blocks = 1, .alloc_bytes = 8 }, { .alloc_blocks = 7, .alloc_bytes = 70 } };
    report_file_blocks(killed, 2, 3, block, 2);
    struct pp_operation operation = { .key = PP_OPERATION_KEY(2, PP_OPERATION_READ, 0, 1), .timed = 2, .bytes = 99, .wall_ns = 5000, .size = { 0, 2 } };
    report_file_operations(killed, 2, &operation, 1);
    report_file_target(killed, 1, PP_TARGET_PIPE, "pipe");
    report_file_child(killed, 77, "nowhere.profplug");
    report_file_header(killed)->end_ns = 0;
    report_file_header(killed)->exit_kind = PP_EXIT_UNKNOWN;
    names_taint(killed);
}

/* Number 0 is the good file, then come its cuts, then mutations. */
static size_t mutation_make(int number, unsigned char *bytes)
{
    size_t cuts = seed_file[0].size / LINES;
    const struct report_file *from = &seed_file[(size_t)number > cuts ? number % SEEDS : 0], *other = &seed_file[number / SEEDS % SEEDS];
    memcpy(bytes, from->bytes, from->size);
    if (!number)
        return from->size;
    if ((size_t)number <= cuts)
        return ((size_t)number - 1) * LINES;
    uint64_t random = random_start(seed_number * 1000003 + (uint64_t)number);
    for (int i = 0; i < 4; i++)
        random_below(&random, 1);
    return mutation_apply(bytes, from->size, CAPACITY, other->bytes, other->size, &random);
}

static void line_count(void *context, const char *line) { ++*(int *)context; (void)line; }

static void formats_write(const struct model *model)
{
    struct view view = { .width = 100 };
    struct export_request request = { .table = NULL };
    char *text;
    size_t size;
    for (int format = 0; format < 3; format++) {
        FILE *out = open_memstream(&text, &size);
        if (format == 0)
            export_html(out, model, &view);
        else
            (format == 1 ? export_pprof : export_callgrind)(out, model, &request);
        CHECK(fclose(out) == 0 && size > 100, "format %d wrote %zu bytes", format, size);
        const char *at = format == 0 ? injection_page(text, size) : format == 2 ? injection_callgrind(text) : NULL;
        CHECK(!at, "a name became something else: %.100s", at);
        free(text);
    }
    progress->written++;
}

/* With the good file, on either side. */
static void merge_ask(int number)
{
    static const char *const as[] = { "threads", "processes", "ranks", "repeats", "shards" };
    int lines = 0;
    char *argv[] = { "merge", "--as", (char *)as[number % 5], "-o", merged_path, number / 5 % 2 ? path : good_path, number / 5 % 2 ? good_path : path, NULL };
    diag_redirect(line_count, &lines);
    int status = command_merge(7, argv);
    CHECK((status == DIAG_DONE && lines == 0) || (status == DIAG_WRONG && lines == 1), "merge: status %d with %d lines", status, lines);
    progress->merged += status == DIAG_DONE;
}

static void mutation_read(int number, bool all)
{
    static FILE *sink;
    int lines = 0;
    sink = sink ? sink : fopen("/dev/null", "w");
    diag_redirect(line_count, &lines);
    struct model *model = model_open(path);
    CHECK(model || number, "the good file is refused");
    CHECK(lines == (model ? 0 : 1), "%s with %d lines", model ? "read" : "refused", lines);
    if (model) {
        struct view view = { .width = 100, .explain = true };
        text_report(sink, model, &view);
        export_json(sink, model, &view);
        if (all)
            formats_write(model);
        model_free(model);
    }
    source_forget();
    if (all)
        merge_ask(number);
    ++*(model ? &progress->read : &progress->refused);
}

static void tool_ask(const char *tool)
{
    char said[4096];
    int pipes[2], status;
    CHECK(pipe(pipes) == 0, "no pipe");
    pid_t child = fork();
    if (!child) {
        dup2(pipes[1], 2);
        CHECK(freopen("/dev/null", "w", stdout), "no /dev/null");
        execl(tool, tool, "report", path, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    FILE *err = fdopen(pipes[0], "r");
    int lines = 0;
    while (fgets(said, sizeof said, err)) {
        CHECK(strncmp(said, "profplug: ", 10) == 0, "a line that is not the tool's: %s", said);
        lines++;
    }
    fclose(err);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status), "the tool ended with %x", (unsigned)status);
    CHECK((WEXITSTATUS(status) == 0 && lines == 0) || (WEXITSTATUS(status) == 2 && lines == 1), "status %d with %d lines", WEXITSTATUS(status), lines);
    progress->asked++;
}

static void batch_run(int from, int to, int each, const char *tool)
{
    static unsigned char bytes[CAPACITY];
#ifndef __SANITIZE_ADDRESS__                             /* its shadow is larger than that */
    setrlimit(RLIMIT_AS, &(struct rlimit){ MEMORY, MEMORY });
#endif
    for (int i = from; i < to; i++) {
        size_t size = mutation_make(i, bytes);
        progress->current = i;
        CHECK(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size, "no room");
        setitimer(ITIMER_PROF, &(struct itimerval){ .it_value = { i % each ? 2 : 4, 0 } }, NULL); /* ends this process */
        mutation_read(i, i % each == 0);
        if (tool && i % TOOL_EACH == 0)
            tool_ask(tool);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc >= 4, "usage: mutate COUNT SEED EACH [TOOL], or mutate COUNT SEED 0 FILE NUMBER");
    const char *dash = strchr(argv[1], '-');
    int first = dash ? atoi(argv[1]) : 0, end = atoi(dash ? dash + 1 : argv[1]), wanted = end - first, bad = 0;
    int each = atoi(argv[3]);
    const char *tool = argc == 5 ? argv[4] : NULL;
    seed_number = strtoull(argv[2], NULL, 10);
    static const char evil[] = "<!DOCTYPE html><p id=\"a\" onx=\"1\">", forged[] = "fn=(1) a\ny=<i>\n";
    CHECK(injection_page(evil, sizeof evil - 1) && injection_callgrind(forged), "what is looked for would not be found");
    seeds_make();
    if (argc > 5) {
        struct report_file f = { malloc(CAPACITY), 0, 0 };
        f.size = mutation_make(atoi(argv[5]), f.bytes);
        report_file_write(&f, argv[4]);
        return 0;
    }
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    file = memfd_create("mutation", 0);
    CHECK(progress != MAP_FAILED && file >= 0, "no memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    snprintf(good_path, sizeof good_path, "/tmp/mutate-%ld-good", (long)getpid());
    snprintf(merged_path, sizeof merged_path, "/tmp/mutate-%ld-merged", (long)getpid());
    report_file_write(&seed_file[0], good_path);
    for (int from = first; from < end;) {
        int to = from + BATCH < end ? from + BATCH : end, status;
        fflush(NULL);
        pid_t child = fork();
        if (!child) {
            batch_run(from, to, each, tool);
            _exit(0);
        }
        CHECK(waitpid(child, &status, 0) == child, "no child");
        from = to;
        if (status) {
            printf("mutation %d: %s %d; mutate %s %s 0 FILE %d writes it\n", progress->current, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), argv[1], argv[2], progress->current);
            from = progress->current + 1;
            bad++;
        }
    }
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    unlink(good_path);
    unlink(merged_path);
    printf("%d mutations: %d read, %d refused with one line each, %d ended badly; %d through the tool; %d as page, pprof and callgrind; %d merged; at most %ld KiB\n",
           wanted, progress->read, progress->refused, bad, progress->asked, progress->written, progress->merged, use.ru_maxrss);
    CHECK(!bad && progress->read + progress->refused == wanted, "each is read, or refused with exactly one line");
    CHECK(use.ru_maxrss < MEMORY / 1024, "more than a gigabyte");
    CHECK(progress->read > wanted / 10 && progress->refused > wanted / 10, "the mutations reach beyond the first check, and hit something");
    CHECK(progress->written > wanted / each / 10 && progress->merged > wanted / each / 10, "enough of them reach the formats and the merge");
    CHECK(!tool || progress->asked >= wanted / TOOL_EACH, "the tool saw one of %d", TOOL_EACH);
    return 0;
}
