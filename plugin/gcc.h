/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcc.h: includes GCC's headers. No other file does, nor tests GCC's version. Names that changed between versions are
 * defined here under the newest name, so the rest of the plugin is written for the newest GCC. Must not know what the
 * plugin does. */
#ifndef PROFPLUG_GCC_H
#define PROFPLUG_GCC_H

#include "gcc-plugin.h"
#include "bversion.h"

#include "tree.h"
#include "c-family/c-common.h"
#include "c-family/c-pragma.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-pass.h"
#include "ssa.h"
#include "sreal.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-into-ssa.h"
#include "tree-eh.h"
#include "tree-dfa.h"
#include "tree-inline.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "tree-nested.h"
#include "diagnostic-core.h"
#include "stringpool.h"
#include "attribs.h"
#include "output.h"
#include "toplev.h"
#include "langhooks.h"
#include "except.h"
#include "tree-iterator.h"
#include "stor-layout.h"
#include "varasm.h"
#include "context.h"
#include "file-prefix-map.h"
#include "tm_p.h"
#include "memmodel.h"
#include "rtl.h"
#include "target.h"
#include "regs.h"
#include "function-abi.h"
#include "emit-rtl.h"
#include "debug.h"
#include "ssa-iterators.h"
#include "gimple-pretty-print.h"
#include "tree-pretty-print.h"
#include "pretty-print.h"
#include "tree-ssa-alias.h"
#include "value-query.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "tree-data-ref.h"
#include "tree-affine.h"
#include "builtins.h"
#include "fold-const.h"
#include "internal-fn.h"
#include "dumpfile.h"
#include "selftest.h"
#include "optinfo.h"

/* The text of what optimizers say goes to a printer that GCC keeps for its own tests, and that has no setter. */
#define private public
#include "dump-context.h"
#undef private

/* On x86 the thread pointer is the base of a segment. Thread-local memory is addressed by its offset in that. */
#ifdef DEFAULT_TLS_SEG_REG
#define THREAD_SPACE DEFAULT_TLS_SEG_REG
/* The thread's counters are in the other segment, which the C library does not use. */
#define COUNTER_SPACE ADDR_SPACE_SEG_GS
#define COUNTER_SPACE_IS_USABLE (TARGET_64BIT && (ix86_cmodel == CM_SMALL || ix86_cmodel == CM_SMALL_PIC))
#endif

#if BUILDING_GCC_MAJOR < 11 || BUILDING_GCC_MAJOR > 16
#error "profplug knows GCC 11 to 16: add to plugin/gcc.h what the newer one changed"
#endif

/* Before 12 the C parser takes a pragma after `if (x)`, `else` or `for (...)` for the body, and the statement after the
 * pragma for the next one. */
#define PRAGMA_IS_A_BODY (BUILDING_GCC_MAJOR < 12)

#if BUILDING_GCC_MAJOR < 12
/* Since 12 it takes the function. Before, it means the current one, which is the one that we ask about. */
static inline bool mark_dfs_back_edges (struct function *) { return mark_dfs_back_edges (); }
/* Since 12 a function is asked for the ranges of its values. Before, values are. */
struct range_asker {
    bool range_of_expr (irange &range, tree value) { return get_range_info (value, range) != VR_UNDEFINED; }
};
static inline struct range_asker *get_range_query (struct function *)
{
    static struct range_asker asker;
    return &asker;
}
/* Since 12 a range lists loops. Before, a macro does. */
#define FOR_EACH_LOOP_OF(loop, fun, flags) class loop *loop; FOR_EACH_LOOP_FN (fun, loop, flags)
#else
#define FOR_EACH_LOOP_OF(loop, fun, flags) for (class loop *loop : loops_list (fun, flags))
#endif

#if BUILDING_GCC_MAJOR < 14
/* Since 14 the name says that debug statements are skipped. */
#define last_nondebug_stmt last_stmt
#endif

#if BUILDING_GCC_MAJOR < 15
/* Since 15 a declaration in a condition is a separate operand. Before, it is in the loop's body. */
#define FOR_COND_PREP(loop) NULL_TREE
#define WHILE_COND_PREP(loop) NULL_TREE
#endif

/* Functions of the C front ends. lto1 has none of them, so they are weak, and tested before use. */
extern enum cpp_ttype pragma_lex (tree *, location_t *) __attribute__ ((weak));
extern void c_register_pragma_with_expansion (const char *, const char *, pragma_handler_1arg) __attribute__ ((weak));
extern tree add_stmt (tree) __attribute__ ((weak));
extern void retrofit_lang_decl (tree) __attribute__ ((weak));
extern class mkdeps *cpp_get_deps (struct cpp_reader *) __attribute__ ((weak));
extern void deps_add_dep (class mkdeps *, const char *) __attribute__ ((weak));
extern struct cpp_reader *parse_in __attribute__ ((weak));
extern const struct cpp_token *cpp_peek_token (struct cpp_reader *, int) __attribute__ ((weak));
extern struct cpp_callbacks *cpp_get_callbacks (struct cpp_reader *) __attribute__ ((weak));
extern cpp_hashnode *cpp_lookup (struct cpp_reader *, const unsigned char *, unsigned int) __attribute__ ((weak));
extern tree identifier_global_value (tree) __attribute__ ((weak));
/* C++ only. */
extern bool var_in_maybe_constexpr_fn (tree) __attribute__ ((weak));
extern tree begin_if_stmt (void) __attribute__ ((weak));
extern tree finish_if_stmt_cond (tree, tree) __attribute__ ((weak));
extern tree finish_then_clause (tree) __attribute__ ((weak));
extern void begin_else_clause (tree) __attribute__ ((weak));
extern void finish_else_clause (tree) __attribute__ ((weak));
extern void finish_if_stmt (tree) __attribute__ ((weak));
extern tree finish_call_expr (tree, vec<tree, va_gc> **, bool, bool, int) __attribute__ ((weak));

/* The headers of these need much else, or are not there. */
extern dump_user_location_t find_loop_location (class loop *);
extern bool validate_change (rtx, rtx *, rtx, bool);

/* The version that this plugin was built for. plugin-version.h defines a static variable, so only one file includes
 * it. */
#ifdef PROFPLUG_NEEDS_GCC_VERSION
#include "plugin-version.h"
#endif

#endif
