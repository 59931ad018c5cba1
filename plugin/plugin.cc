/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.cc: the plugin's entry point. Checks GCC's version, reads the arguments, registers the passes and callbacks.
 * Must not know GIMPLE. */
#define PROFPLUG_NEEDS_GCC_VERSION
#include "gcc.h"
#include "plugin.h"

#include <errno.h>

struct arguments arguments;
const char *compiler_name;

enum argument {
#define PP_ARGUMENT(id, key, kind, fallback, values, help) ARGUMENT_##id,
#include "profplug/abi/argument.def"
};
enum argument_kind { CHOICE, FLAG, NUMBER, PATH, NAMES, FOLDER };
static const struct {
    const char *key;
    enum argument_kind kind;
    const char *fallback, *values;
} argument_row[] = {
#define PP_ARGUMENT(id, key, kind, fallback, values, help) { key, kind, fallback, values },
#include "profplug/abi/argument.def"
};
static const char all_keys[] = ""
#define PP_ARGUMENT(id, key, kind, fallback, values, help) " " key
#include "profplug/abi/argument.def"
    ;

static struct plugin_info plugin_information = {
    "1",
    "profplug: counts and times functions, stages and loops\n"
#define PP_ARGUMENT(id, key, kind, fallback, values, help) \
    "  -fplugin-arg-profplug-" key "=" values "\n        " help "\n"
#include "profplug/abi/argument.def"
};

bool target_is_supported ()
{
    return POINTER_SIZE == 64;
}

/* The index of `value` in a list of words separated by |. Reports an error that names them, and returns -1, if it is
 * not there. */
static int word_index (const char *key, const char *value, const char *words)
{
    size_t length = value ? strlen (value) : 0;
    int index = 0;
    for (const char *word = words; word; index++) {
        const char *end = strchr (word, '|');
        size_t word_length = end ? (size_t) (end - word) : strlen (word);
        if (value && word_length == length && !strncmp (word, value, length))
            return index;
        word = end ? end + 1 : nullptr;
    }
    error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=%s", key, value ? "=" : "", value ? value : "", key,
           words);
    return -1;
}

static bool read_number (const char *key, const char *value, const char *values, unsigned *number)
{
    char *end;
    errno = 0;
    unsigned long parsed = value ? strtoul (value, &end, 10) : 0;
    if (!value || *value < '0' || *value > '9' || *end || errno || parsed > 1000000000) {
        error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=%s, a decimal number",
               key, value ? "=" : "", value ? value : "", key, values);
        return false;
    }
    *number = parsed;
    return true;
}

/* `number` is the value of a NUMBER row, or the index of the value's word in another row. */
static void set_argument (enum argument argument, unsigned number, const char *value)
{
    switch (argument) {
    case ARGUMENT_FUNCTIONS: arguments.functions = (enum functions_argument) number; break;
    case ARGUMENT_LINES: arguments.lines = (enum lines_argument) number; break;
    case ARGUMENT_MIN_SIZE: arguments.min_size = number; break;
    case ARGUMENT_LOOPS: arguments.loops = (enum loops_argument) number; break;
    case ARGUMENT_SEGMENT: arguments.segment = number == 0; break;
    case ARGUMENT_COPIES: arguments.copies = number == 0; break;
    case ARGUMENT_ALLOCATORS: arguments.allocators = number == 0; break;
    case ARGUMENT_FILTER: filter_read (value); break;
    case ARGUMENT_DEFAULT: arguments.default_on = number == 0; break;
    case ARGUMENT_EXPLAIN: arguments.explain = number == 0; break;
    case ARGUMENT_REMARKS: arguments.remarks = number == 0; break;
    case ARGUMENT_WARN: arguments.warn = number == 0; break;
    case ARGUMENT_WRAPPER: break;
    case ARGUMENT_THIRD_PARTY: break;
    }
}

static void read_argument (const char *key, const char *value)
{
    for (unsigned i = 0; i < ARRAY_SIZE (argument_row); i++) {
        const char *values = argument_row[i].values;
        enum argument_kind kind = argument_row[i].kind;
        unsigned number = 0;
        int word;
        if (strcmp (key, argument_row[i].key))
            continue;
        if (kind == NUMBER) {
            if (!read_number (key, value, values, &number))
                return;
        } else if (kind == PATH) {
            if (!value || !*value) {
                error ("profplug: %<-fplugin-arg-profplug-%s%>: expected %s=%s", key, key, values);
                return;
            }
        } else if (kind == NAMES) {
            if (!value || !wrapper_add (value))
                error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=%s, names of functions or patterns",
                       key, value ? "=" : "", value ? value : "", key, values);
        } else if (kind == FOLDER) {
            if (!value || !wrapper_add_folder (value))
                error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=%s, a folder that exists",
                       key, value ? "=" : "", value ? value : "", key, values);
        } else if (kind == CHOICE || value) {
            if ((word = word_index (key, value, values)) < 0)
                return;
            number = word;
        }
        set_argument ((enum argument) i, number, value);
        return;
    }
    error ("profplug: %<-fplugin-arg-profplug-%s%>: unknown; expected one of:%s", key, all_keys);
}

static void set_defaults ()
{
    for (unsigned i = 0; i < ARRAY_SIZE (argument_row); i++)
        if (*argument_row[i].fallback)
            read_argument (argument_row[i].key, argument_row[i].fallback);
}

#pragma GCC visibility push(default)
int plugin_is_GPL_compatible;

int plugin_init (struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
    if (strcmp (version->basever, gcc_version.basever)) {
        /* Writes the message without GCC's error functions: GCC would add a line of its own, and in another version the
         * functions may differ. */
        fprintf (stderr,
                 "%s: error: profplug: this plugin was built for GCC %s, and this is GCC %s: "
                 "name the plugin of GCC %s, or build profplug with it\n",
                 progname, gcc_version.basever, version->basever, version->basever);
        exit (FATAL_EXIT_CODE);
    }
    compiler_name = concat ("GCC ", version->basever, NULL);
    set_defaults ();
    for (int i = 0; i < plugin->argc; i++)
        read_argument (plugin->argv[i].key, plugin->argv[i].value);

    const char *name = plugin->base_name;
    register_callback (name, PLUGIN_INFO, nullptr, &plugin_information);
    annotate_register (name);
    wrapper_register (name);
    register_callback (name, PLUGIN_START_UNIT, filter_add_dependency, nullptr);
    register_callback (name, PLUGIN_FINISH_UNIT, sitetab_finish, nullptr);
    pragma_register (name);
    linecount_register_pass (name);
    place_register (name);
    linefold_register_pass (name);
    effects_register_pass (name);
    probe_register_pass (name);
    lineslot_register_pass (name);
    copy_register_pass (name);
    allocator_register_pass (name);
    heapcall_register_pass (name);
    remark_register_passes (name);
    looptrips_register_pass (name);
    link_register (name);
    ready_register (name);
    return 0;
}
#pragma GCC visibility pop
