/* SPDX-License-Identifier: MIT */
/* cc.c: `profplug cc COMPILER ARGUMENTS`: calls the compiler with the plugin, and with the runtime if it links. It
 * becomes the compiler (exec) and prints nothing. It changes nothing if the call is not a compilation of the user's:
 * questions to the compiler, configure probes, code without a C library, compilers without a plugin of ours. */
#include "store/arena.h"
#include "command/command.h"
#include "host/decision.h"
#include "words/diag.h"
#include "host/toolchain.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESPONSE_SIZE_MAX (16 << 20)
#define RESPONSE_DEPTH_MAX 16

/* What one call of the compiler asks for. */
struct call {
    int input;        /* a source, object or library is given */
    int header_only;  /* all inputs are headers, to be precompiled */
    int stops;        /* -c, -S, -E, -M, -fsyntax-only, -r: no executable or shared object comes out */
    int debug;        /* some -g chooses debug information */
    int preprocesses; /* -E, -M, -MM: -g would change the output */
    int bare;         /* no C library: -ffreestanding, -mcmodel=kernel */
    int no_library;   /* -nostdlib and the like: the default libraries are not linked */
    int c_library;    /* but -lc is given, as by libtool */
    int own_start;    /* -nostartfiles: it does not begin as programs of the C library do */
    int shared;
    int symbolic;        /* -Bsymbolic or -Bsymbolic-functions: the linker binds the library's own names first */
    int is_static;       /* -static or -static-pie */
    int has_plugin;      /* profplug's plugin is already given */
    int probe;           /* a configure test */
    int narrow;          /* -m32 or -mx32: the runtime exists for 64 bits only */
    int header_language; /* -x c-header or the like is in force */
    int language;        /* some -x is in force */
    int explain;         /* -fplugin-arg-profplug-explain */
    int inputs;          /* number of input files, without libraries */
    int lto;             /* -flto */
    int placed;          /* -fPIC, -fPIE or the like is given */
    int records;         /* -fopt-info, -save-temps or the like: a second compilation would overwrite their files */
    const char *source;  /* the last input */
    char want;           /* the next word belongs to an option: o, x, l, L, or blank for others; 0: it does not */
};

static int starts(const char *text, const char *begin) { return !strncmp(text, begin, strlen(begin)); }

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Files of configure checks: autoconf's conftest, of which gnulib links conftest1 and conftest2 as one, CMake's
 * try-compile and identification, meson's sanity checks. */
static int probe_named(const char *path)
{
    const char *name = base_name(path), *end = starts(name, "conftest") ? name + strlen("conftest") : NULL;
    while (end && isalnum((unsigned char)*end))
        end++;
    return (end && (!*end || *end == '.')) || starts(name, "cmTC_") || strstr(path, "/cmTC_") ||
           strstr(path, "CMakeFiles/CMakeTmp/") || strstr(path, "CMakeFiles/CMakeScratch/") ||
           starts(name, "CMakeCCompilerId.") || starts(name, "CMakeCXXCompilerId.") ||
           starts(name, "CMakeCCompilerABI.") || starts(name, "CMakeCXXCompilerABI.") ||
           strstr(path, "meson-private/tmp") || starts(name, "sanitycheckc") || starts(name, "sanitycheckcpp");
}

static int probe_folder(void)
{
    char folder[PATH_MAX + 1];
    if (!getcwd(folder, PATH_MAX))
        return 0;
    strcat(folder, "/");
    return strstr(folder, "/CMakeFiles/CMakeTmp/") || strstr(folder, "/CMakeFiles/CMakeScratch/") ||
           strstr(folder, "/CompilerIdC/") || strstr(folder, "/CompilerIdCXX/") || strstr(folder, "/meson-private/");
}

static int header_named(const char *path)
{
    static const char *const endings[] = { ".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc" };
    const char *dot = strrchr(base_name(path), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i]))
            return 1;
    return 0;
}

static int listed(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list))
        list++;
    return *list != NULL;
}

static const char *const PREPROCESSES[] = { "-E", "-M", "-MM", "--preprocess", "--dependencies", NULL };
static const char *const STOPS[] = {
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "--preprocess", "--compile", "--assemble", "--dependencies",
    NULL,
};

/* Options whose argument may be the next word. */
static const char *const PLACES[] = { "-fpic",    "-fPIC",    "-fpie",    "-fPIE",   "-fno-pic",
                                      "-fno-PIC", "-fno-pie", "-fno-PIE", "-no-pie", NULL };
static int takes_next(const char *word)
{
    static const char *const options[] = {
        "-o",
        "-x",
        "-I",
        "-L",
        "-l",
        "-D",
        "-U",
        "-A",
        "-B",
        "-T",
        "-u",
        "-z",
        "-e",
        "-h",
        "-MF",
        "-MT",
        "-MQ",
        "-include",
        "-imacros",
        "-iprefix",
        "-iwithprefix",
        "-iwithprefixbefore",
        "-isystem",
        "-isysroot",
        "-iquote",
        "-idirafter",
        "-imultilib",
        "-imultiarch",
        "-Xlinker",
        "-Xassembler",
        "-Xpreprocessor",
        "-aux-info",
        "--param",
        "-wrapper",
        "-dumpdir",
        "-dumpbase",
        "-dumpbase-ext",
        "-specs",
        "--output",
        "--include",
        "--sysroot",
        "-Tbss",
        "-Tdata",
        "-Ttext",
        "--entry",
        NULL,
    };
    return listed(word, options);
}

/* Arguments for the linker, separated by commas. A partial link makes no program and must not get a runtime. */
static void linker_note(struct call *call, const char *words)
{
    static const char *const partial[] = { "-r", "-i", "-Ur", "--relocatable", "-relocatable", NULL };
    char word[32];
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = words + strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)(end - words), words);
        call->stops |= listed(word, partial);
        call->c_library |= !strcmp(word, "-lc");
        const char *name = word + strspn(word, "-");
        if (name > word && (!strcmp(name, "Bsymbolic") || !strcmp(name, "Bsymbolic-functions")))
            call->symbolic = 1;
        else if (name > word && !strcmp(name, "Bno-symbolic"))
            call->symbolic = 0;
    }
}

static void input_note(struct call *call, const char *path)
{
    int header = call->language ? call->header_language : header_named(path);
    call->header_only = header && (call->header_only || !call->input);
    call->input = 1;
    call->inputs++;
    call->source = path;
    if (probe_named(path))
        call->probe = 1;
}

static void language_note(struct call *call, const char *language)
{
    call->language = strcmp(language, "none") != 0;
    call->header_language = strstr(language, "-header") != NULL;
}

static void response_note(struct call *call, const char *path, int depth);

static void word_note(struct call *call, const char *word, int depth)
{
    if (call->want) {
        if (call->want == 'o')
            call->probe |= probe_named(word);
        else if (call->want == 'l')
            call->input = 1, call->header_only = 0, call->c_library |= !strcmp(word, "c");
        else if (call->want == 'L')
            linker_note(call, word);
        else if (call->want == 'x')
            language_note(call, word);
        call->want = 0;
        return;
    }
    if (word[0] == '@' && word[1]) {
        response_note(call, word + 1, depth + 1);
    } else if (word[0] != '-' || !word[1]) {
        input_note(call, word);
    } else if (takes_next(word)) {
        call->want = !strcmp(word, "--output")            ? 'o'
                     : !strcmp(word, "-Xlinker")          ? 'L'
                     : !word[2] && strchr("oxl", word[1]) ? word[1]
                                                          : ' ';
    } else if (starts(word, "-Wl,")) {
        linker_note(call, word + strlen("-Wl,"));
    } else if (listed(word, STOPS)) {
        call->stops = 1;
        call->preprocesses |= listed(word, PREPROCESSES);
    } else if (starts(word, "-print-")) {
        call->stops = 1;
    } else if (!strcmp(word, "-ffreestanding") || !strcmp(word, "-mcmodel=kernel")) {
        call->bare = 1;
    } else if (!strcmp(word, "-fhosted") || !strcmp(word, "-fno-freestanding")) {
        call->bare = 0;
    } else if (!strcmp(word, "-nostdlib") || !strcmp(word, "-nodefaultlibs") || !strcmp(word, "-nolibc")) {
        call->no_library = 1;
    } else if (!strcmp(word, "-nostartfiles")) {
        call->own_start = 1;
    } else if (!strcmp(word, "-static") || !strcmp(word, "-static-pie")) {
        call->is_static = 1;
    } else if (!strcmp(word, "-shared")) {
        call->shared = 1;
    } else if (!strcmp(word, "-symbolic")) {
        call->symbolic = 1;
    } else if (!strcmp(word, "-m32") || !strcmp(word, "-mx32") || !strcmp(word, "-m16")) {
        call->narrow = 1;
    } else if (!strcmp(word, "-m64")) {
        call->narrow = 0;
    } else if (starts(word, "-l")) {
        call->input = 1;
        call->header_only = 0;
        call->c_library |= !strcmp(word, "-lc");
    } else if (starts(word, "-o")) {
        call->probe |= probe_named(word + 2);
    } else if (starts(word, "-x")) {
        language_note(call, word + 2);
    } else if (starts(word, "-fplugin-arg-profplug-explain")) {
        call->explain = strcmp(word, "-fplugin-arg-profplug-explain=off") != 0;
    } else if (starts(word, "-flto")) {
        call->lto = 1;
    } else if (listed(word, PLACES)) {
        call->placed = 1;
    } else if (starts(word, "-fopt-info") || starts(word, "-save-temps") || starts(word, "-fdump-") ||
               starts(word, "-dumpbase") || starts(word, "-fprofile-") || !strcmp(word, "--coverage") ||
               starts(word, "-ftest-coverage") || starts(word, "-gsplit-dwarf")) {
        call->records = 1;
    } else if (starts(word, "-fplugin=")) {
        const char *name = base_name(word + strlen("-fplugin="));
        call->has_plugin |= !strcmp(name, "profplug.so") || !strcmp(name, "profplug");
    } else if (starts(word, "-g") && !starts(word, "-gz") && !starts(word, "-gno-") && !starts(word, "-grecord-") &&
               !starts(word, "-gcolumn-") && !starts(word, "-gstrict-") && !starts(word, "-gas-loc") &&
               !starts(word, "-gdescribe")) {
        call->debug = 1;
    }
}

/* Like GCC's driver: words are separated by white space, quotes group, a backslash quotes the next character. */
static void response_note(struct call *call, const char *path, int depth)
{
    FILE *file = depth > RESPONSE_DEPTH_MAX ? NULL : fopen(path, "re");
    if (!file) { /* the driver then treats it as a file name, and complains */
        call->input = 1;
        return;
    }
    char *word = malloc(RESPONSE_SIZE_MAX + 1);
    size_t used = 0;
    int quote = 0, within = 0;
    for (int c = 0; word && c != EOF && used < RESPONSE_SIZE_MAX;) {
        c = getc(file);
        if (c == '\\' && (c = getc(file)) != EOF) {
            word[used++] = (char)c;
            within = 1;
        } else if (quote && c != EOF) {
            if (c == quote)
                quote = 0;
            else
                word[used++] = (char)c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            within = 1;
        } else if (c == EOF || strchr(" \t\n\r\f\v", c)) {
            word[used] = 0;
            if (within)
                word_note(call, word, depth);
            used = 0;
            within = 0;
        } else {
            word[used++] = (char)c;
            within = 1;
        }
    }
    free(word);
    fclose(file);
}

/* ccache gcc ...: the compiler is the second word. */
static int is_launcher(const char *name)
{
    static const char *const launchers[] = { "ccache", "distcc", "sccache", "icecc" };
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (!strcmp(base_name(name), launchers[i]))
            return 1;
    return 0;
}

/* gcc-ar, gcc-nm-12 and so on: CMake finds them next to a compiler by its prefix, and uses them with -flto. */
static int is_archiver(const char *name)
{
    static const char *const archivers[] = { "gcc-ar", "gcc-nm", "gcc-ranlib" };
    const char *found = NULL;
    for (size_t i = 0; i < sizeof archivers / sizeof *archivers && !found; i++)
        if ((found = strstr(base_name(name), archivers[i])))
            found += strlen(archivers[i]);
    return found && (!*found || (found[0] == '-' && found[1] >= '0' && found[1] <= '9'));
}

static int compiler_become(char **argv)
{
    execvp(argv[0], argv);
    diag_error(argv[0], "%s; expected a compiler", strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

/* The same call without the plugin and without outputs, for decision_compare. */
static char **words_without(struct arena *arena, int first, int compiler, int argc, char **argv, const char *include)
{
    char **out = arena_take(arena, ((size_t)argc + 2) * sizeof *out);
    int count = 0;
    for (int i = first; i < argc; i++) {
        const char *word = argv[i], *name = starts(word, "-fplugin=") ? base_name(word + strlen("-fplugin=")) : "";
        if (i > compiler && (starts(word, "-fplugin-arg-profplug-") || !strcmp(name, "profplug.so") ||
                             !strcmp(name, "profplug") || !strcmp(word, "-MD") || !strcmp(word, "-MMD")))
            continue;
        static const char *const outputs[] = { "-o", "-MF", "-MT", "-MQ", "--output", NULL };
        if (i > compiler && listed(word, outputs))
            i++;
        else if (i <= compiler || !(starts(word, "-o") || starts(word, "-MF") || starts(word, "-MT") ||
                                    starts(word, "-MQ") || !strcmp(word, "-MP")))
            out[count++] = argv[i];
    }
    out[count] = arena_print(arena, "-I%s", include);
    return out;
}

/* In a static executable the C library's own functions would win without --wrap. Callers are found through the
 * .eh_frame_hdr table. */
static const char STATIC_WRAPS[] =
    "-Wl,--wrap=malloc,--wrap=calloc,--wrap=free,--wrap=realloc,--wrap=reallocarray,--wrap=memalign,"
    "--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=valloc,--wrap=pvalloc,--wrap=strdup,--wrap=strndup,"
    "--eh-frame-hdr,--wrap=pp_sockets_are_ours,--wrap=pp_threads_are_ours,--wrap=pp_rwlocks_are_ours,"
    "--wrap=pp_scans_are_ours,--wrap=pp_births_are_ours,--wrap=pp_works_are_ours,"
    "--wrap=pp_behind,--wrap=pp_library_follow";

int command_cc(int argc, char **argv)
{
    int strict = 0;
    struct flags flags;
    flags_begin(&flags, "cc", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END; strict = 1)
        if (id != FLAG_CC_STRICT)
            return diag_error(flags.word, "no such option of cc; expected profplug cc [--strict] COMPILER [ARGUMENTS]");
    int first = flags.next;
    if (first >= argc)
        return diag_error("cc", "no compiler given; expected profplug cc [--strict] COMPILER [ARGUMENTS]");
    int compiler = first;
    if (is_launcher(argv[first]) && first + 1 < argc && argv[first + 1][0] != '-')
        compiler = first + 1;
    if (is_archiver(argv[compiler]))
        return compiler_become(argv + first);

    struct call call = { 0 };
    for (int i = compiler + 1; i < argc; i++)
        word_note(&call, argv[i], 0);
    /* Without a C library there can be no runtime. A shared object uses its program's. */
    int bare = call.bare || (call.no_library && !call.c_library && !call.shared);
    if (bare && strict && call.input)
        return diag_error(argv[compiler], "code without a C library cannot be profiled; "
                                          "expected a call without -ffreestanding, -nostdlib or the like");
    if (!call.input || call.probe || probe_folder())
        return compiler_become(argv + first);
    if (bare) {
        if (!call.stops && !call.no_library && !call.own_start) /* an executable with the C library */
            diag_warning(argv[compiler], "compiled and linked without profiling, because of -ffreestanding; expected a "
                                         "call without it, or one with -nostdlib");
        return compiler_become(argv + first);
    }

    struct toolchain toolchain;
    if (toolchain_find(&toolchain))
        return DIAG_WRONG;
    int major = compiler_major(argv[compiler]);
    char plugin[PATH_MAX];
    if (major < 0) /* exec or the compiler will report the error */
        return compiler_become(argv + first);
    if (!major || call.narrow || !toolchain_plugin(&toolchain, major, plugin, sizeof plugin)) {
        char expected[PATH_MAX + 32] = "a GCC for " PROFPLUG_TARGET ", 64 bits";
        if (major && !call.narrow)
            snprintf(expected, sizeof expected, "%s", plugin);
        if (strict)
            return diag_error(argv[compiler], "no plugin for this call; expected %s", expected);
        diag_warning(argv[compiler], "no plugin for this call, so it is compiled without profiling; expected %s",
                     expected);
        return compiler_become(argv + first);
    }

    struct arena arena = { 0 };
    char **out = arena_take(&arena, ((size_t)argc + 16) * sizeof *out);
    int count = 0;
    for (int i = first; i <= compiler; i++)
        out[count++] = argv[i];
    if (!call.has_plugin)
        out[count++] = arena_print(&arena, "-fplugin=%s", plugin); /* must come before its arguments */
    if (!call.debug && !call.preprocesses)
        out[count++] = (char *)"-g";
    bool links = !call.stops && !call.header_only, asked = false;
    for (int i = compiler + 1; i < argc; i++) {
        if (links && !asked && strcmp(argv[i], "-lc") == 0) { /* it would have what we wrap, as it comes first */
            out[count++] = arena_print(&arena, "-L%s", toolchain.library);
            out[count++] = (char *)"-l:libprofplug.a";
            asked = true;
        }
        out[count++] = argv[i];
    }
    out[count++] = arena_print(&arena, "-I%s", toolchain.include);
    if (links) {
        /* Without it the code is generated as for a shared library, with ten instructions per counter instead of
         * one. */
        if (call.lto && !call.placed && !call.shared && !call.is_static)
            out[count++] = (char *)"-fPIE";
        /* GCC does not tell the linker of calls that it knows by name, so nothing would ask for these wrappers. */
        if (call.lto)
            out[count++] = (char *)"-Wl,-u,execve";
        /* At the end, after everything that needs the runtime and before the driver's -lc. As -l:, since -x may be
         * in force. */
        out[count++] = arena_print(&arena, "-L%s", toolchain.library);
        out[count++] = (char *)"-l:libprofplug.a";
        /* Such a library has our malloc to itself. Hidden, it knows that and calls the program's. */
        if (call.shared && call.symbolic)
            out[count++] = (char *)"-Wl,--exclude-libs,libprofplug.a";
        if (call.is_static && !call.shared)
            out[count++] = (char *)STATIC_WRAPS;
        if (call.no_library)
            out[count++] = (char *)"-lgcc";
    }
    out[count] = NULL;
    if (call.explain && !call.preprocesses && !call.header_only) {
        if (call.inputs == 1 && !call.lto && !call.records) {
            int status = decision_compare(out, words_without(&arena, first, compiler, argc, argv, toolchain.include),
                                          call.source);
            arena_free(&arena);
            return status;
        }
        diag_warning("explain",
                     "with %s, the optimizers' decisions are not compared with those without the plugin; "
                     "expected the compilation of one source",
                     call.lto       ? "-flto"
                     : call.records ? "options that leave further files"
                                    : "several inputs");
    }
    return compiler_become(out);
}
