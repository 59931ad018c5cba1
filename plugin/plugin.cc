/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.cc: where GCC comes in. Checks the version, reads the arguments, registers the parts. Must not know GIMPLE. */
#define PROFPLUG_NEEDS_GCC_VERSION
#include "gcc.h"
#include "plugin.h"

#include <errno.h>

struct arguments arguments = { FUNCTIONS_AUTO, LINES_AUTO, 60, true, true, true, false, false, false };
const char *compiler_name;

static struct plugin_info plugin_information = {
    "1",
    "profplug: counts and times functions, stages and loops\n"
    "  -fplugin-arg-profplug-functions=auto|all|stages|none\n"
    "  -fplugin-arg-profplug-min-size=N         frame functions of at least N statements (60)\n"
    "  -fplugin-arg-profplug-loops=annotated|none\n"
    "  -fplugin-arg-profplug-segment=on|off     off: for what goes into a shared library without -fPIC\n"
    "  -fplugin-arg-profplug-lines=auto|all|stages|none\n"
    "                                           count how often lines are reached: auto in stages, annotated loops and what they call\n"
    "  -fplugin-arg-profplug-copies=on|off      count the bytes that calls of memcpy, memmove and mempcpy copy (off)\n"
    "  -fplugin-arg-profplug-allocators=on|off  count what functions with the attributes malloc or alloc_size hand out (off)\n"
    "  -fplugin-arg-profplug-filter=FILE        function:GLOB=skip|allow, source:GLOB=skip|allow, default:skip|allow\n"
    "  -fplugin-arg-profplug-default=on|off     what the program does when PROFPLUG is unset\n"
    "  -fplugin-arg-profplug-explain            a note for every function: why it is left out, or what its probe adds\n"
};

bool target_is_supported ()
{
    return POINTER_SIZE == 64;
}

/* The place of `value` in a list of words separated by |, or -1 after an error that names them. */
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
    error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=%s", key, value ? "=" : "", value ? value : "", key, words);
    return -1;
}

static bool read_number (const char *key, const char *value, unsigned *number)
{
    char *end;
    errno = 0;
    unsigned long parsed = value ? strtoul (value, &end, 10) : 0;
    if (!value || *value < '0' || *value > '9' || *end || errno || parsed > 1000000000) {
        error ("profplug: %<-fplugin-arg-profplug-%s%s%s%>: expected %s=N, a number of statements", key, value ? "=" : "", value ? value : "", key);
        return false;
    }
    *number = parsed;
    return true;
}

static void read_argument (const char *key, const char *value)
{
    int word;
    if (!strcmp (key, "functions")) {
        if ((word = word_index (key, value, "auto|all|stages|none")) >= 0)
            arguments.functions = (enum functions_argument) word;
    } else if (!strcmp (key, "min-size"))
        read_number (key, value, &arguments.min_size);
    else if (!strcmp (key, "loops")) {
        if ((word = word_index (key, value, "annotated|none")) >= 0)
            arguments.annotated_loops = word == 0;
    } else if (!strcmp (key, "lines")) {
        if ((word = word_index (key, value, "auto|all|stages|none")) >= 0)
            arguments.lines = (enum lines_argument) word;
    } else if (!strcmp (key, "segment")) {
        if ((word = word_index (key, value, "on|off")) >= 0)
            arguments.segment = word == 0;
    } else if (!strcmp (key, "copies")) {
        if ((word = word_index (key, value, "on|off")) >= 0)
            arguments.copies = word == 0;
    } else if (!strcmp (key, "allocators")) {
        if ((word = word_index (key, value, "on|off")) >= 0)
            arguments.allocators = word == 0;
    } else if (!strcmp (key, "remarks"))
        word_index (key, value, "off");
    else if (!strcmp (key, "default")) {
        if ((word = word_index (key, value, "on|off")) >= 0)
            arguments.default_on = word == 0;
    } else if (!strcmp (key, "filter")) {
        if (!value || !*value)
            error ("profplug: %<-fplugin-arg-profplug-filter%>: expected filter=FILE");
        else
            filter_read (value);
    } else if (!strcmp (key, "explain")) {
        if (value)
            word_index (key, value, "on|off");
        arguments.explain = !value || !strcmp (value, "on");
    } else
        error ("profplug: %<-fplugin-arg-profplug-%s%>: unknown; expected functions, min-size, loops, lines, segment, copies, allocators, filter, default, explain or remarks", key);
}

#pragma GCC visibility push(default)
int plugin_is_GPL_compatible;

int plugin_init (struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
    if (strcmp (version->basever, gcc_version.basever)) {
        error ("profplug: this plugin was built for GCC %s, and this is GCC %s", gcc_version.basever, version->basever);
        return 1;
    }
    compiler_name = concat ("GCC ", version->basever, NULL);
    for (int i = 0; i < plugin->argc; i++)
        read_argument (plugin->argv[i].key, plugin->argv[i].value);

    const char *name = plugin->base_name;
    register_callback (name, PLUGIN_INFO, nullptr, &plugin_information);
    register_callback (name, PLUGIN_ATTRIBUTES, annotate_register_attributes, nullptr);
    register_callback (name, PLUGIN_PRE_GENERICIZE, annotate_settle, nullptr);
    register_callback (name, PLUGIN_START_UNIT, filter_add_dependency, nullptr);
    register_callback (name, PLUGIN_FINISH_UNIT, sitetab_finish, nullptr);
    pragma_register (name);
    linecount_register_pass (name);
    linefold_register_pass (name);
    probe_register_pass (name);
    lineslot_register_pass (name);
    copy_register_pass (name);
    allocator_register_pass (name);
    link_register (name);
    ready_register (name);
    return 0;
}
#pragma GCC visibility pop
