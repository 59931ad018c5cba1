/* SPDX-License-Identifier: MIT */
/* doctor.c: `profplug doctor`: what this machine and compiler offer for profiling. Each row is tried now. Version
 * numbers are used only if nothing can be tried. It must not know how the runtime uses what is there. */
#include "command/command.h"
#include "words/diag.h"
#include "words/output.h"
#include "host/machine.h"
#include "words/quote.h"
#include "host/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum state { OK, DEGRADED, MISSING };
static const char *const state_names[] = { "ok", "degraded", "missing" };

struct finding {
    const char *name;
    enum state state;
    char found[512], meaning[256];
};
struct findings {
    struct finding row[48];
    size_t count;
};

static struct finding *finding_add(struct findings *findings, const char *name, enum state state, const char *meaning,
                                   const char *format, ...) __attribute__((format(printf, 5, 6)));
static struct finding *finding_add(struct findings *findings, const char *name, enum state state, const char *meaning,
                                   const char *format, ...)
{
    if (findings->count == sizeof findings->row / sizeof *findings->row)
        return NULL;
    struct finding *row = &findings->row[findings->count++];
    row->name = name;
    row->state = state;
    snprintf(row->meaning, sizeof row->meaning, "%s", meaning);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->found, sizeof row->found, format, arguments);
    va_end(arguments);
    return row;
}

static void compiler_check(struct findings *findings, const struct toolchain *toolchain)
{
    static const char *const compilers[] = { "gcc", "g++" };
    char plugin[PATH_MAX];
    for (size_t i = 0; i < 2; i++) {
        int major = compiler_major(compilers[i]);
        if (major < 0)
            finding_add(findings, compilers[i], MISSING, i ? "C++ cannot be compiled" : "nothing can be compiled",
                        "not found");
        else if (!major)
            finding_add(findings, compilers[i], DEGRADED,
                        "compiled without profiling: only GCC for " PROFPLUG_TARGET " is instrumented",
                        "not GCC for " PROFPLUG_TARGET);
        else if (!toolchain_plugin(toolchain, major, plugin, sizeof plugin))
            finding_add(findings, compilers[i], DEGRADED, "compiled without profiling: build the plugin for this GCC",
                        "GCC %d, no %s", major, plugin);
        else
            finding_add(findings, compilers[i], OK, "instrumented", "GCC %d, %s", major, plugin);
    }
    int majors[16], count = toolchain_majors(toolchain, majors, 16);
    char list[128] = "";
    for (int i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%sGCC %d", i ? ", " : "", majors[i]);
    finding_add(findings, "plugins", count ? OK : MISSING,
                count ? "compilers that can be instrumented" : "no program can be instrumented", "%s",
                count ? list : "none");

    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/libprofplug.a", toolchain->library);
    finding_add(findings, "runtime", access(path, R_OK) ? MISSING : OK,
                access(path, R_OK) ? "no program can be linked" : "linked into programs", "%s", path);
    snprintf(path, sizeof path, "%s/profplug.h", toolchain->include);
    finding_add(findings, "header", access(path, R_OK) ? MISSING : OK,
                access(path, R_OK) ? "sources cannot be annotated" : "for annotations", "%s", path);
}

static void clock_check(struct findings *findings)
{
    char source[64] = "unknown";
    machine_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source);
    double clock_ns = machine_clock_ns(CLOCK_MONOTONIC), cpu_ns = machine_clock_ns(CLOCK_THREAD_CPUTIME_ID),
           tsc_ns = machine_tsc_ns();
    int steady = machine_cpu_flag("constant_tsc") && machine_cpu_flag("nonstop_tsc");
    finding_add(findings, "clock", clock_ns < 100 ? OK : DEGRADED,
                clock_ns < 100 ? "timestamps are cheap"
                               : "a timestamp is a system call here: timing costs more, so fewer calls are timed",
                "%s, CLOCK_MONOTONIC %.0f ns a reading, thread CPU clock %.0f ns", source, clock_ns, cpu_ns);
    if (tsc_ns > 0)
        finding_add(findings, "tsc", steady ? OK : DEGRADED,
                    steady ? "the cycle counter runs at a constant rate"
                           : "the cycle counter may change its rate, so the kernel's clock is used",
                    "%s, %.0f ns a reading", steady ? "constant and non-stop" : "not reported as constant", tsc_ns);
    else
        finding_add(findings, "tsc", DEGRADED, "the kernel's clock is used",
                    "no cycle counter known on this processor");
}

static void sampling_check(struct findings *findings)
{
    char paranoid[16] = "?", why[128];
    machine_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    double perf = machine_perf_rate(why, sizeof why);
    if (perf > 0)
        finding_add(findings, "perf_event", OK, "lines are sampled by the kernel's CPU clock event",
                    "cpu-clock gives %.0f of the 1000 samples asked for per second of CPU time; "
                    "perf_event_paranoid %s",
                    perf, paranoid);
    else
        finding_add(findings, "perf_event", DEGRADED,
                    "lines are sampled by CPU-time timers; "
                    "`sysctl kernel.perf_event_paranoid=2` (or less) allows perf events",
                    "cpu-clock: %s; perf_event_paranoid %s", why, paranoid);
    double timer = machine_timer_rate();
    finding_add(findings, "timer", timer > 0 ? (timer < 900 ? DEGRADED : OK) : MISSING,
                timer <= 0    ? "no samples without perf_event"
                : timer < 900 ? "timers sample no faster than the kernel's tick"
                              : "the full rate without perf_event, too",
                "a thread CPU-time timer gives %.0f of the 1000 signals asked for per second of CPU time",
                timer > 0 ? timer : 0.0);
    double hardware = machine_cycles(why, sizeof why);
    finding_add(findings, "counters", hardware > 0 ? OK : DEGRADED,
                hardware > 0 ? "the processor's counters can be read" : "nothing in this version needs them",
                hardware > 0 ? "cycles counted" : "cycles: %s", why);
}

static void input_check(struct findings *findings)
{
    char line[64];
    int io = !machine_line("/proc/thread-self/io", line, sizeof line);
    finding_add(findings, "io", io ? OK : DEGRADED,
                io ? "bytes and calls of reads and writes per stage" : "bytes read and written are not known",
                "/proc/thread-self/io %s", io ? "can be read" : strerror(errno));
}

static void folder_check(struct findings *findings)
{
    char type[32], why[128];
    double free_bytes = machine_folder(".", type, sizeof type);
    int mapped = machine_mappable(".", why, sizeof why);
    int network = !strcmp(type, "nfs") || !strcmp(type, "cifs") || !strcmp(type, "smb2") || !strcmp(type, "fuse");
    enum state state = !mapped ? MISSING : network || free_bytes < 64e6 ? DEGRADED : OK;
    finding_add(findings, "output", state,
                !mapped   ? "no data file can be written here: name another folder with output="
                : network ? "a mapped file on a network may stall the program: name a local folder with output="
                : state == DEGRADED      ? "little disk space: data that does not fit is counted as lost"
                : !strcmp(type, "tmpfs") ? "the data file lies in memory"
                                         : "the data file is written back by the kernel",
                "this folder: %s, %.1f GB free, %s", type, free_bytes / 1e9, mapped ? "a shared mapping works" : why);
}

static void report_check(struct findings *findings)
{
    char version[64];
#ifdef PROFPLUG_LIBDWARF_2021
    const char *interface = "the interface of 20210528";
#else
    const char *interface = "the interface of 0.2 and later";
#endif
    int known = machine_library("libdwarf.so", version, sizeof version);
    finding_add(findings, "libdwarf", OK, "functions from debug information", "%s, %s",
                known ? version : "linked in", interface);
    static const struct {
        const char *tool, *use;
    } tools[] = {
        { "gdb", "nothing needs it" },
        { "eu-addr2line", "the tests compare with it" },
        { "dwz", "the tests use it" },
        { "valgrind", "the tests compare with it" },
    };
    char found[512] = "", absent[128] = "";
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char *argv[] = { (char *)tools[i].tool, (char *)"--version", NULL }, line[128];
        if (!program_ask(argv, line, sizeof line))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", *found ? ", " : "", tools[i].tool);
        else
            snprintf(absent + strlen(absent), sizeof absent - strlen(absent), "%s%s", *absent ? ", " : "",
                     tools[i].tool);
    }
    finding_add(findings, "tools", *absent ? DEGRADED : OK,
                *absent ? "only profplug's own tests use them" : "profplug's tests can compare with others", "%s%s%s%s",
                found, *absent ? (*found ? "; not found: " : "not found: ") : "", absent, "");
}

static void machine_check(struct findings *findings)
{
    struct utsname name;
    char model[128] = "unknown processor";
    machine_cpu_model(model, sizeof model);
    uname(&name);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    finding_add(findings, "machine", OK, cpus > 1 ? "stored with every run" : "one processor: threads take turns",
                "%s, %ld processors, %s %s", model, cpus, name.sysname, name.release);
}

/* ---- output ---- */

static void json_print(FILE *out, const struct findings *findings)
{
    fputs("{\"schema\": \"profplug-doctor/1\", \"version\": \"" PROFPLUG_VERSION "\", \"findings\": [", out);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *row = &findings->row[i];
        fprintf(out, "%s\n  {\"name\": \"%s\", \"state\": \"%s\", \"found\": ", i ? "," : "", row->name,
                state_names[row->state]);
        quote_json(out, row->found);
        fputs(", \"meaning\": ", out);
        quote_json(out, row->meaning);
        fputc('}', out);
    }
    fputs("\n]}\n", out);
}

static void text_print(FILE *out, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *row = &findings->row[i];
        fprintf(out, "%-9s %-10s %s\n%20s %s\n", state_names[row->state], row->name, row->found, "", row->meaning);
    }
}

int command_doctor(int argc, char **argv)
{
    const char *format = "text", *path = NULL;
    struct flags flags;
    flags_begin(&flags, "doctor", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END || flags.next < argc;) {
        if (id == FLAG_DOCTOR_OUTPUT)
            path = flags.value;
        else if (id == FLAG_DOCTOR_FORMAT)
            format = flags.value;
        else
            return diag_error(id == FLAG_END ? argv[flags.next] : flags.word,
                              "no such option of doctor, or its value is missing; "
                              "expected --format text|json or -o FILE");
    }
    if (strcmp(format, "text") && strcmp(format, "json"))
        return diag_error("--format", "'%s' is none of doctor's; expected text or json", format);
    struct toolchain toolchain;
    if (toolchain_find(&toolchain))
        return DIAG_WRONG;
    signal(SIGXFSZ, SIG_IGN); /* that no file may grow (ulimit -f) is a finding, too */
    static struct findings findings;
    machine_check(&findings);
    compiler_check(&findings, &toolchain);
    clock_check(&findings);
    sampling_check(&findings);
    input_check(&findings);
    folder_check(&findings);
    report_check(&findings);

    FILE *out = output_open(path);
    if (!out)
        return DIAG_WRONG;
    (*format == 'j' ? json_print : text_print)(out, &findings);
    return output_end(out, DIAG_DONE);
}
