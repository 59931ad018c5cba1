/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h: declarations that the plugin's files share. Must not know GCC's internals beyond opaque pointers. */
#ifndef PROFPLUG_PLUGIN_H
#define PROFPLUG_PLUGIN_H

#include "profplug/abi/format.h"

union tree_node;
struct function;

/* ---- plugin.cc: the arguments, -fplugin-arg-profplug-KEY=VALUE ---- */
enum lines_argument { LINES_AUTO, LINES_ALL, LINES_STAGES, LINES_NONE };
enum functions_argument { FUNCTIONS_AUTO, FUNCTIONS_ALL, FUNCTIONS_STAGES, FUNCTIONS_NONE };
enum loops_argument { LOOPS_AUTO, LOOPS_ANNOTATED, LOOPS_NONE, LOOPS_ALL };
struct arguments {
    enum functions_argument functions;
    enum lines_argument lines;
    unsigned min_size;                 /* in statements */
    enum loops_argument loops;
    bool segment;                      /* executables on x86-64 reach counters through the gs segment */
    bool default_on;
    bool explain;
    bool copies, allocators;           /* calls of copies and allocators are counted with their bytes */
    bool warn;                         /* about annotations that cannot be measured */
    bool remarks;                      /* what GCC knows of loops is written into the object */
};
extern struct arguments arguments;
/* Warns of annotations that cannot be measured. */
#define WARN_AT(...) ((void) (arguments.warn && warning_at (__VA_ARGS__)))
/* Probes exist for 64-bit ELF only. For other targets the plugin registers neither attributes nor pragmas, so the
 * header's macros expand to nothing. Known from the first callback on, when GCC has processed its options. */
bool target_is_supported ();

/* ---- filter.cc: the filter file ---- */
enum filter_verdict { FILTER_ALLOW, FILTER_SKIP };
/* Reads the file once. If it is wrong, says so with file and line, and returns false. */
bool filter_read (const char *path);
/* Call it at the start of the unit: it adds the filter file to the dependencies that -MD writes. */
void filter_add_dependency (void *, void *);
/* `symbol` and `name` are the function's names in the assembler and in the source, `file` is its source file as GCC
 * names it. */
enum filter_verdict filter_judge (const char *symbol, const char *name, const char *file);

/* ---- annotate.cc: attributes ---- */
void annotate_register (const char *plugin_name);
/* The name of the stage, or null if the function is not marked as one. The strings live as long as the compilation. */
const char *annotate_stage (union tree_node *function, enum pp_category *category);
/* The category named by `text`. If `text` is null or empty, the one that the stage's name suggests. False if `text`
 * names none. */
bool category_find (const char *text, const char *stage, enum pp_category *category);
/* The text of a string literal. Null if it is wide or contains a zero byte. */
const char *string_text (union tree_node *literal);
/* "custom, data_loading, ...", for messages. */
const char *category_list ();

/* ---- wrapper.cc: functions whose costs are their callers' ---- */
void wrapper_register (const char *plugin_name);
/* Adds the names or patterns of a list. If it is wrong, says so, and returns false. */
bool wrapper_add (const char *names);
bool wrapper_add_folder (const char *path); /* all functions of sources in there */
bool wrapper_is (union tree_node *function);
/* Adds the sites of wrappers that were inlined into a function, and the address of the function itself if calls in it
 * are to be followed to its callers. */
void wrapper_note (struct function *function);

/* ---- pragma.cc: the loop pragma ---- */
void pragma_register (const char *plugin_name);
/* Removes markers that belong to no loop, and warns. In a coroutine the front end leaves no loop to annotate. */
void pragma_drop_markers (struct function *function);

/* ---- place.cc: static variables that describe loops, scopes and numbers ---- */
void place_register (const char *plugin_name);

/* ---- select.cc: how a function is probed, or why it is not ---- */
struct choice {
    enum pp_site_mode mode;
    enum pp_site_reason reason;
    enum pp_category category;
    const char *stage;                 /* null: not a stage */
    unsigned statements;
};
struct choice select_function (struct function *function);
/* Why nothing may be inserted into a function; PP_REASON_NONE if it may. */
enum pp_site_reason select_exclusion (union tree_node *function);

/* ---- ready.cc: functions of an executable that need not test pp_segment.ready ---- */
bool ready_is_known (union tree_node *function);
void ready_register (const char *plugin_name);

/* ---- sitetab.cc: site records and their object, as assembler ---- */
/* Adds a site for the current function. Returns its slot, which has no meaning for a function without a probe. */
unsigned sitetab_add (union tree_node *function, const struct choice *choice);
/* Reserves slots for the counters of the function whose line record is `id`. Returns the slot of counter 0. */
unsigned sitetab_take_lines (uint64_t id, unsigned counters);
/* Records that the counter at `slot` has the count of counter 0 of the record. */
void sitetab_name_line (uint64_t id, unsigned slot);
/* Adds assembler text for the end of the unit. Keeps it. */
void sitetab_take_text (const char *text);
/* Writes everything at the end of the unit, if at least one function was probed. */
void sitetab_finish (void *, void *);
/* "GCC 12.2.0" */
extern const char *compiler_name;
/* The function's name in the assembler, and in the source (in C++ with its scope). Interned. */
const char *function_symbol (union tree_node *function);
const char *function_name (union tree_node *function);
const char *reason_text (enum pp_site_reason reason);

/* ---- linecount.cc, linefold.cc, lineslot.cc: hits of lines, in three passes ---- */
void linecount_register_pass (const char *plugin_name);
void linefold_register_pass (const char *plugin_name);
void lineslot_register_pass (const char *plugin_name);
void looptrips_register_pass (const char *plugin_name);
/* Does the statement only count lines? */
bool lineslot_is_counter (struct gimple *statement);
/* Prints a note on what instrumentation will cost the function (predict.cc). Call it before anything is inserted. */
void predict_tell (struct function *function, const struct choice *choice);
/* Call it before the function's probe at `slot` is inserted. */
void lineslot_plan (struct function *function, const struct choice *choice, unsigned slot);

/* ---- prologue.cc: probes before a function's first instruction ---- */
/* Counts and times calls of the function by assembler in its prologue. False if that is impossible, so that a probe in
 * GIMPLE is needed. */
bool prologue_plan (struct function *function, const struct choice *choice, unsigned slot);
bool prologue_is_planned (union tree_node *function);

/* ---- heapcall.cc: calls of malloc and the like without a jump on the way ---- */
void heapcall_register_pass (const char *plugin_name);
void heapcall_write_names ();   /* in a section that is not loaded: asks for the functions that are called so */

/* ---- copy.cc, allocator.cc: bytes that calls copy, or that the program's own allocators hand out ---- */
void copy_register_pass (const char *plugin_name);
void allocator_register_pass (const char *plugin_name);
/* volume_declare declares a hook that takes a number of bytes. volume_wide converts the number to 64 bits. */
union tree_node *volume_declare (const char *name, union tree_node *type);
union tree_node *volume_wide (struct gimple_stmt_iterator *before, union tree_node *number, location_t location);

/* ---- link.cc: -flto without the plugin at the link ---- */
void link_register (const char *plugin_name);

/* ---- probe.cc: the pass ---- */
void probe_register_pass (const char *plugin_name);

/* ---- effects.cc: functions without effects but our counters ---- */
void effects_register_pass (const char *plugin_name);

/* ---- remark/: what GCC knew of loops ---- */
void remark_register_passes (const char *plugin_name);

/* ---- emit.cc ---- */
/* Declares a function of the runtime, with C linkage, that throws nothing. */
union tree_node *hook_declare (const char *name, union tree_node *type);

#endif
