/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.h: helpers with which the plugin builds GIMPLE. Include gcc.h before it. */
#ifndef PROFPLUG_EMIT_H
#define PROFPLUG_EMIT_H

#include "plugin.h"

/* ---- declarations that emitted code refers to. declare_all makes them, emit_register is their GC root ---- */
extern tree object_decl;               /* struct pp_object of this unit */
extern tree count_decl, enter_decl, leave_decl, resync_decl, hits_decl;
extern tree waste_decl;
extern tree u64_pointer_type, u32_pointer_type, pointer_pointer_type;
void declare_all ();
void emit_register (const char *plugin_name);

/* ---- statements: each is appended to a block, with the location `place` ---- */
extern location_t place;
void emit (basic_block block, gimple *statement);
tree emit_value (basic_block block, tree type, tree right);
tree emit_operation (basic_block block, enum tree_code code, tree left, tree right);
void emit_if (basic_block block, enum tree_code code, tree left, tree right);
tree emit_object_field (basic_block block, tree pointer_type, size_t offset);
tree emit_tls (basic_block block);
tree emit_tls_u64 (basic_block block, tree tls, size_t offset);
tree emit_tls_pointer (basic_block block, tree tls, size_t offset);
tree memory (tree pointer, tree pointer_type, HOST_WIDE_INT offset);
tree address_of (tree variable);
tree u64_constant (unsigned HOST_WIDE_INT value);

/* ---- counters of an executable: struct pp_segment in emitted.h ---- */
bool is_for_library ();      /* may the unit become part of a shared library? With -fPIC a program's parts may, too */
bool segment_is_used ();
/* The counter that lies `offset` bytes from the end of the unit's counters, in the thread's own memory. */
tree segment_memory (HOST_WIDE_INT offset);
/* Changes a memory reference to one in the thread's own counters. */
void segment_refer (tree reference, HOST_WIDE_INT offset);
/* The address of the same counter, for code that cannot use the gs segment. */
tree emit_home_address (gimple_stmt_iterator *before, bool behind, HOST_WIDE_INT offset);
/* if (!ready) goto slow; */
void emit_home_test (basic_block block, basic_block fast, basic_block slow);

/* ---- blocks and edges ---- */
basic_block new_block (basic_block after);
edge flow (basic_block from, basic_block to, int flags, profile_probability probability);
void flow_if (basic_block from, basic_block yes, basic_block no, profile_probability probability);
edge flow_on (basic_block from, basic_block to);
profile_probability rarely ();

/* ---- linebase.cc: the base of line counters, which a probe computes, too ---- */
/* Does the function's line counting need the probe's base? */
bool linebase_is_shared (function *fun);
/* The probe's test goes to `fast` if tls->counters is valid for the object. This adds the other edge of the test, and
 * code that leads to `slow`. */
void linebase_share (basic_block test, basic_block fast, basic_block slow, tree tls, tree end);
/* The base in `slow`. */
tree linebase_slow ();

#endif
