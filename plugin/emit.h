/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.h: the words in which probe.cc writes GIMPLE. Include gcc.h before it. */
#ifndef PROFPLUG_EMIT_H
#define PROFPLUG_EMIT_H

#include "plugin.h"

/* ---- what emitted code refers to; declare_all makes them, once, and emit_register keeps them for GCC's collector ---- */
extern tree object_decl;               /* struct pp_object of this unit */
extern tree count_decl, enter_decl, leave_decl, resync_decl, hits_decl;
extern tree waste_decl;
extern tree u64_pointer_type, u32_pointer_type, pointer_pointer_type;
void declare_all ();
void emit_register (const char *plugin_name);

/* ---- statements: each is put at the end of a block, with the location `place` ---- */
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

/* ---- counters of an executable: struct pp_segment in format.h ---- */
bool is_for_library ();      /* may become part of a shared library: so may a program's parts that are compiled with -fPIC */
bool segment_is_used ();
/* Bytes from the end of the unit's counters, as memory of the thread. */
tree segment_memory (HOST_WIDE_INT offset);
/* Makes of a reference to memory one to the thread's own counters. */
void segment_refer (tree reference, HOST_WIDE_INT offset);
/* The same place for code that knows no segments. */
tree emit_home_address (gimple_stmt_iterator *before, bool behind, HOST_WIDE_INT offset);
/* if (!ready) goto slow; */
void emit_home_test (basic_block block, basic_block fast, basic_block slow);

/* ---- blocks and edges ---- */
basic_block new_block (basic_block after);
edge flow (basic_block from, basic_block to, int flags, profile_probability probability);
void flow_if (basic_block from, basic_block yes, basic_block no, profile_probability probability);
edge flow_on (basic_block from, basic_block to);
profile_probability rarely ();

/* ---- linebase.cc: the base of the counters of lines, which a probe finds on its way ---- */
/* Does the function have use for it? */
bool linebase_is_shared (function *fun);
/* The probe's test goes to `fast` where tls->counters holds for the object. Draws the other way out of it, which leads to `slow`. */
void linebase_share (basic_block test, basic_block fast, basic_block slow, tree tls, tree end);
/* The base in `slow`. */
tree linebase_slow ();

#endif
