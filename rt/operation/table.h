/* SPDX-License-Identifier: MIT */
/* table.h: the tables of operations, whose rows are found by key (struct pp_operation in format.h). Each thread has
 * its own, and threads without a block share one. */
#ifndef PP_TABLE_H
#define PP_TABLE_H

#include "operation/operation.h"
#include "rt.h"

/* Returns the key's row, made if need be; in a table that is full that of a wider key. `word` holds the address of the
 * table in use. NULL: there is no room. */
struct pp_operation *pp_table_find(_Atomic uint64_t *word, uint32_t thread, uint64_t key);
/* Returns the row to book in. NULL: there is none, which is counted. `*thread` is the row's thread, NULL for the shared
 * table. */
struct pp_operation *pp_table_row(const void *caller, const struct pp_done *done, struct pp_thread **thread);

#endif
