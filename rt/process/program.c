/* SPDX-License-Identifier: MIT */
/* program.c: facts about the program that runs: its names, arguments, processor and ancestors. It must not know what is
 * recorded. */
#define _GNU_SOURCE
#include "process/program.h"
#include "file/datafile.h"
#include "process/options.h"
#include "stack/modules.h"
#include "system/message.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

PP_FAR static char page[32768];
static struct {
    char program[512], host[65], directory[1024];
} names;

void pp_program_find(void)
{
    struct utsname u;
    ssize_t got = pp_readlink("/proc/self/exe", names.program, sizeof names.program - 1);
    names.program[got > 0 ? got : 0] = 0;
    if (!uname(&u))
        memcpy(names.host, u.nodename, sizeof names.host);
    if (syscall(SYS_getcwd, names.directory, sizeof names.directory) <= 0 || *names.directory != '/')
        strcpy(names.directory, "."); /* the directory was removed */
    const char *named;
    if (pp_started_by_loader(&named) &&
        snprintf(names.program, sizeof names.program, "%s%s%s", *named == '/' ? "" : names.directory,
                 *named == '/' ? "" : "/", named) < 0)
        names.program[0] = 0;
}

bool pp_program_path(uint32_t pid)
{
    const char *slash = strrchr(names.program, '/');
    if (pp_output_expand(pp_run.options.output, slash ? slash + 1 : names.program, pid, names.host, names.directory,
                         pp_run.path, sizeof pp_run.path - 16))
        return true;
    pp_complain("output=%s: the path is too long; nothing is recorded", pp_run.options.output);
    return false;
}

static size_t file_text(const char *path, char *text, size_t room)
{
    int fd = pp_open(path, O_RDONLY | O_CLOEXEC, 0);
    size_t n = 0;
    if (fd < 0)
        return 0;
    for (ssize_t got; n < room && (got = pp_read(fd, text + n, room - n)) > 0;)
        n += (size_t)got;
    pp_close(fd);
    return n;
}

/* A path that is too long loses its beginning. */
static void copy_left(char *to, size_t room, const char *from)
{
    size_t n = strlen(from);
    strcpy(to, n < room ? from : from + n - (room - 1));
}

/* The parent of a process, by a descriptor of it: its file in /proc takes longer, most of all if it has many threads.
 * 0: not known. Kernels before 6.13 do not tell. */
static uint32_t parent_asked(uint32_t pid)
{
#ifdef SYS_pidfd_open
    struct {
        uint64_t mask, cgroup;
        uint32_t pid, group, parent, others[9];
    } info; /* struct pidfd_info, which older headers lack. What it is asked for beyond that is of no interest */
    info.mask = info.parent = 0;
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    syscall(SYS_ioctl, fd, _IOWR(0xff, 11, info), &info);
    pp_close(fd);
    return info.parent;
#else
    (void)pid;
    return 0;
#endif
}

static uint32_t parent_of(uint32_t pid)
{
    char path[64], text[512];
    strcpy(path, "/proc/"); /* without stdio, whose pages a short process does not touch otherwise */
    strcpy(strcpy(path + 6, pp_digits(text, pid)) + strlen(path + 6), "/stat");
    text[file_text(path, text, sizeof text - 1)] = 0;
    const char *at =
        strrchr(text, ')'); /* the name ends there, and may hold anything; the state follows, then the parent */
    return at && at[1] == ' ' && at[2] && at[3] == ' ' ? (uint32_t)strtoul(at + 4, NULL, 10) : 0;
}

static void describe_ancestors(struct pp_header *h)
{
    uint32_t pid = h->parent_pid, parent = 0;
    /* A sandbox around us may kill for calls that it does not know, and Valgrind would speak of them. */
    bool asks = !syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) && !pp_under_valgrind();
    for (size_t i = 0; i < sizeof h->ancestors / sizeof *h->ancestors && pid > 1; i++) {
        if (!asks || !(parent = parent_asked(pid)))
            parent = parent_of(pid);
        h->ancestors[i] = pid = parent;
    }
}

/* The "model name" of /proc/cpuinfo, without reading that file: the kernel asks every processor for it. Each x86-64
 * has these functions, and a virtual machine takes 7 us for one. */
static bool processor_name(char *name, size_t room)
{
#ifdef __x86_64__
    unsigned word[12];
    char text[sizeof word + 1], *from = text;
    for (unsigned i = 0; i < 3; i++)
        __cpuid(0x80000002 + i, word[4 * i], word[4 * i + 1], word[4 * i + 2], word[4 * i + 3]);
    memcpy(text, word, sizeof word);
    text[sizeof word] = 0;
    while (*from == ' ') /* strspn lies in pages of the C library that nobody else reads */
        from++;
    size_t length = strlen(from);
    while (length && from[length - 1] == ' ')
        length--;
    if (!length || length >= room)
        return false;
    memcpy(name, from, length);
    return true;
#else
    (void)name, (void)room;
    return false;
#endif
}

static char **arguments; /* NULL: not known */
static int argument_count;

void pp_program_arguments(int count, char **list)
{
    argument_count = count;
    arguments = list;
}

/* Arguments become records. */
static void describe_arguments(void)
{
    size_t bytes = 0;
    const char *loader;
    for (int i = 0; arguments && i < argument_count; i++)
        bytes += strlen(arguments[i]) + 1;
    if (bytes && bytes < sizeof page && !pp_started_by_loader(&loader)) { /* as the file below, which takes 10 us */
        for (int i = 0; i < argument_count; i++)
            pp_record_add(PP_RECORD_ARGUMENT, arguments[i], (uint32_t)strlen(arguments[i]) + 1);
        return;
    }
    size_t n = file_text("/proc/self/cmdline", page, sizeof page - 1);
    page[n] = 0;
    for (size_t i = 0; i < n; i += strlen(page + i) + 1)
        pp_record_add(PP_RECORD_ARGUMENT, page + i, (uint32_t)strlen(page + i) + 1);
}

/* It comes from /proc/cpuinfo where the processor does not tell it. */
void pp_program_processor(struct pp_header *h)
{
    if (h->cpu_model[0] || processor_name(h->cpu_model, sizeof h->cpu_model) || pp_forbids(PP_FORBIDDEN_LOOKS))
        return;
    size_t n = file_text("/proc/cpuinfo", page, 8192);
    page[n] = 0;
    static const char *const fields[] = { "model name", "Processor", "cpu model", "uarch" };
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !h->cpu_model[0]; i++) {
        char *at = strstr(page, fields[i]), *end;
        if (!at || !(at = strchr(at, ':')) || !(end = strchr(at, '\n')))
            continue;
        for (at++; *at == ' '; at++) {}
        size_t length = (size_t)(end - at) < sizeof h->cpu_model - 1 ? (size_t)(end - at) : sizeof h->cpu_model - 1;
        memcpy(h->cpu_model, at, length);
    }
}

void pp_program_name(struct pp_header *h)
{
    copy_left(h->program, sizeof h->program, names.program);
    copy_left(h->directory_path, sizeof h->directory_path, names.directory);
    memcpy(h->host, names.host, sizeof h->host - 1);
}

void pp_program_describe(struct pp_header *h)
{
    describe_ancestors(h);
    describe_arguments();
}

/* This is not in threadstart.c, so that a static executable without threads is linked without that file. In a static
 * executable the C library always makes the threads; docs/limitations.md says what that means. */
void pp_births_start(void)
{
    char *note = pp_run.header->memory_note;
    size_t length = strlen(note);
    if (!pp_births_are_ours() && getauxval(AT_BASE))
        snprintf(note + length, sizeof pp_run.header->memory_note - length,
                 "%spthread_create is not the runtime's: what threads call first is counted for who made them, "
                 "not exactly",
                 length ? "; " : "");
}
