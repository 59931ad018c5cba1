/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h: what the plugin's files tell each other. Must not know GCC's internals beyond its opaque pointers. */
#ifndef PROFPLUG_PLUGIN_H
#define PROFPLUG_PLUGIN_H

#include "profplug/abi/format.h"

union tree_node;
struct function;

/* ---- plugin.cc: the arguments, -fplugin-arg-profplug-KEY=VALUE ---- */
enum lines_argument { LINES_AUTO, LINES_ALL, LINES_STAGES, LINES_NONE };
enum functions_argument { FUNCTIONS_AUTO, FUNCTIONS_ALL, FUNCTIONS_STAGES, FUNCTIONS_NONE };
struct arguments {
    enum functions_argument functions;
    enum lines_argument lines;
    unsigned min_size;                 /* statements */
    bool annotated_loops;
    bool segment;                      /* counters of executables through the gs segment, where there is one */
    bool default_on;
    bool explain;
    bool copies, allocators;           /* calls of these are counted with their bytes */
    bool warn;                         /* of annotations that are not measured */
};
extern struct arguments arguments;
/* What is said of annotations that are not measured. */
#define WARN_AT(...) ((void) (arguments.warn && warning_at (__VA_ARGS__)))
/* Probes are made for 64-bit ELF. Elsewhere there are neither attributes nor pragmas, so that the header's words vanish. Known once GCC has
 * settled its own options: from the first callback on. */
bool target_is_supported ();

/* ---- filter.cc: the filter file ---- */
enum filter_verdict { FILTER_ALLOW, FILTER_SKIP };
/* Reads the file once. Returns false after it said what is wrong, with file and line. */
bool filter_read (const char *path);
/* At the start of the unit: what -MD writes names the file. */
void filter_add_dependency (void *, void *);
/* `symbol` and `name` are the function's two names, `file` is its source file as GCC names it. */
enum filter_verdict filter_judge (const char *symbol, const char *name, const char *file);

/* ---- annotate.cc: attributes ---- */
void annotate_register (const char *plugin_name);
/* The stage that a function is marked as, or null. The strings live as long as the compilation. */
const char *annotate_stage (union tree_node *function, enum pp_category *category);
/* The category named by `text`; null or empty: the one that the stage's name asks for. False if `text` names none. */
bool category_find (const char *text, const char *stage, enum pp_category *category);
/* The text of a string literal; null if it is wide or holds a zero byte. */
const char *string_text (union tree_node *literal);
/* "custom, data_loading, ...", for messages. */
const char *category_list ();

/* ---- pragma.cc: the loop pragma ---- */
void pragma_register (const char *plugin_name);
/* Takes away markers that no loop took (in a coroutine the front end leaves none to take), and says so. */
void pragma_drop_markers (struct function *function);

/* ---- place.cc: what loops, scopes and numbers are, as static variables ---- */
void place_register (const char *plugin_name);

/* ---- select.cc: a function -> how it is probed, or the reason why not ---- */
struct choice {
    enum pp_site_mode mode;
    enum pp_site_reason reason;
    enum pp_category category;
    const char *stage;                 /* null: not a stage */
    unsigned statements;
};
struct choice select_function (struct function *function);
/* Why nothing at all may be put into a function; PP_REASON_NONE if it may. */
enum pp_site_reason select_exclusion (union tree_node *function);

/* ---- ready.cc: functions of an executable that are only called from functions which looked whether the thread has its own counters ---- */
bool ready_is_known (union tree_node *function);
void ready_register (const char *plugin_name);

/* ---- sitetab.cc: site records and their object, as assembler text ---- */
/* Notes the site of the current function; returns its slot (meaningless for those left out). */
unsigned sitetab_add (union tree_node *function, const struct choice *choice);
/* Takes slots for `counters` counters of the function whose lines have the record `id`; returns the slot of counter 0. */
unsigned sitetab_take_lines (uint64_t id, unsigned counters);
/* The counter at `slot` counts what counter 0 of the record does. */
void sitetab_name_line (uint64_t id, unsigned slot);
/* Assembler text for the end of the unit, kept. */
void sitetab_take_text (const char *text);
/* Writes everything at the end of the unit, when at least one function was probed. */
void sitetab_finish (void *, void *);
/* "GCC 12.2.0" */
extern const char *compiler_name;
/* The names of a function: as the assembler has it, and as the source has it (C++: with its scope). Interned. */
const char *function_symbol (union tree_node *function);
const char *function_name (union tree_node *function);
const char *reason_text (enum pp_site_reason reason);

/* ---- linecount.cc, linefold.cc, lineslot.cc: hits of lines, in three passes ---- */
void linecount_register_pass (const char *plugin_name);
void linefold_register_pass (const char *plugin_name);
void lineslot_register_pass (const char *plugin_name);
/* Does the statement only count lines? */
bool lineslot_is_counter (struct gimple *statement);
/* A note on what that will cost the function (predict.cc). Before anything is put in. */
void predict_tell (struct function *function, const struct choice *choice);
/* Before the function's probe at `slot` is put in. */
void lineslot_plan (struct function *function, const struct choice *choice, unsigned slot);

/* ---- prologue.cc: probes before a function's first instruction ---- */
/* Counts the calls of the function at the slot, and times them; false: not here, it must be done in the function itself. */
bool prologue_plan (struct function *function, const struct choice *choice, unsigned slot);

/* ---- copy.cc, allocator.cc: bytes copied, and handed out by the program's own allocators ---- */
void copy_register_pass (const char *plugin_name);
void allocator_register_pass (const char *plugin_name);
/* A hook that is told of it, and a number as wide as it takes it. */
union tree_node *volume_declare (const char *name, union tree_node *type);
union tree_node *volume_wide (struct gimple_stmt_iterator *before, union tree_node *number, location_t location);

/* ---- link.cc: -flto without the plugin at the link ---- */
void link_register (const char *plugin_name);

/* ---- probe.cc: the pass ---- */
void probe_register_pass (const char *plugin_name);

/* ---- emit.cc ---- */
/* A function of the runtime, with C linkage; it throws nothing. */
union tree_node *hook_declare (const char *name, union tree_node *type);

#endif
