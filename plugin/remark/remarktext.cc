/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarktext.cc: expressions as the source has them. Optimizers replace names by values, so this follows a value back
 * to what has a name, a few steps far, and writes "..." for the rest. Must not know remarks. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define DEPTH_MOST 6
#define TEXT_MOST 60

static gimple *used_at;                /* the statement whose names are wanted, or null */

static void write_expression (FILE *out, tree value, int depth);

static void write_offset (FILE *out, tree offset)
{
    if (offset && TREE_CODE (offset) == INTEGER_CST && !integer_zerop (offset) && tree_fits_shwi_p (offset))
        fprintf (out, " + " HOST_WIDE_INT_PRINT_DEC, tree_to_shwi (offset));
}

/* The address of an element of an array, computed by its size: a[i], or &a[i], or what is an array at its begin. */
static bool writes_element (FILE *out, gimple *statement, int depth)
{
    tree base = gimple_assign_rhs1 (statement), index = gimple_assign_rhs2 (statement);
    tree array = TREE_CODE (base) == ADDR_EXPR ? TREE_OPERAND (base, 0) : NULL_TREE;
    gimple *scaled = TREE_CODE (index) == SSA_NAME ? SSA_NAME_DEF_STMT (index) : nullptr;
    if (!array || !DECL_P (array) || TREE_CODE (TREE_TYPE (array)) != ARRAY_TYPE || !scaled
        || !is_gimple_assign (scaled) || gimple_assign_rhs_code (scaled) != MULT_EXPR)
        return false;
    tree element = TREE_TYPE (TREE_TYPE (array)), size = TYPE_SIZE_UNIT (element), field = NULL_TREE;
    if (!size || !operand_equal_p (fold_convert (sizetype, size), fold_convert (sizetype, gimple_assign_rhs2 (scaled))))
        return false;
    if (TREE_CODE (element) == RECORD_TYPE)
        for (field = TYPE_FIELDS (element); field && TREE_CODE (field) != FIELD_DECL;)
            field = DECL_CHAIN (field);
    bool begins = field && TREE_CODE (TREE_TYPE (field)) == ARRAY_TYPE && DECL_NAME (field);
    fputs (begins || TREE_CODE (element) == ARRAY_TYPE ? "" : "&", out);
    write_expression (out, array, depth);
    fputc ('[', out);
    write_expression (out, gimple_assign_rhs1 (scaled), depth);
    fputc (']', out);
    if (begins)
        fprintf (out, ".%s", IDENTIFIER_POINTER (DECL_NAME (field)));
    return true;
}

/* GCC adds -1 where the source subtracts 1; of an unsigned number that is 4294967295. */
static bool is_negative (tree value)
{
    return TREE_CODE (value) == INTEGER_CST && wi::neg_p (wi::to_wide (value), SIGNED);
}

static void write_operation (FILE *out, gimple *statement, int depth)
{
    tree_code code = gimple_assign_rhs_code (statement);
    const char *sign = code == PLUS_EXPR || code == POINTER_PLUS_EXPR ? " + "
                       : code == MINUS_EXPR                           ? " - "
                       : code == MULT_EXPR                            ? " * "
                       : code == RDIV_EXPR || code == TRUNC_DIV_EXPR  ? " / "
                                                                      : nullptr;
    if (code == POINTER_PLUS_EXPR && writes_element (out, statement, depth))
        return;
    if (gimple_assign_single_p (statement) || CONVERT_EXPR_CODE_P (code) || code == FLOAT_EXPR)
        write_expression (out, gimple_assign_rhs1 (statement), depth);
    else if (code == PLUS_EXPR && is_negative (gimple_assign_rhs2 (statement))) {
        write_expression (out, gimple_assign_rhs1 (statement), depth);
        fprintf (out, " - " HOST_WIDE_INT_PRINT_UNSIGNED,
                 wi::neg (wi::to_wide (gimple_assign_rhs2 (statement))).to_uhwi ());
    } else if (sign) {
        write_expression (out, gimple_assign_rhs1 (statement), depth);
        fputs (sign, out);
        write_expression (out, gimple_assign_rhs2 (statement), depth);
    } else
        fputs ("...", out);
}

/* The outermost block of the function in whose source the statement stands, if it was inlined; else null. */
static tree inlined_block (gimple *statement)
{
    tree block = statement ? gimple_block (statement) : NULL_TREE;
    while (block && TREE_CODE (block) == BLOCK && !inlined_function_outer_scope_p (block))
        block = BLOCK_SUPERCONTEXT (block);
    return block && TREE_CODE (block) == BLOCK ? block : NULL_TREE;
}

/* The function with which the variable was inlined; null: it is the function's own, or of no function. */
static tree inlined_with (tree variable)
{
    tree function = DECL_ORIGIN (variable) == variable ? NULL_TREE : DECL_CONTEXT (DECL_ORIGIN (variable));
    return function && TREE_CODE (function) == FUNCTION_DECL && function != DECL_ORIGIN (current_function_decl)
               ? function : NULL_TREE;
}

/* The next variable of a block: those that were left as they are come behind its own. */
static tree variable_next (tree block, tree before, unsigned *number)
{
    tree next = *number ? NULL_TREE : before ? DECL_CHAIN (before) : BLOCK_VARS (block);
    return next || *number >= BLOCK_NUM_NONLOCALIZED_VARS (block) ? next : BLOCK_NONLOCALIZED_VAR (block, (*number)++);
}

/* The parameter of an inlined function that has this value. The optimizers forget which one it is, but if only one has
 * the value's type, it is that. */
static tree parameter_of (tree block, tree value)
{
    unsigned number = 0;
    tree found = NULL_TREE;
    for (tree one = NULL_TREE; (one = variable_next (block, one, &number));)
        if (TREE_CODE (DECL_ORIGIN (one)) == PARM_DECL
            && TYPE_MAIN_VARIANT (TREE_TYPE (one)) == TYPE_MAIN_VARIANT (TREE_TYPE (value))) {
            if (found)
                return NULL_TREE;
            found = one;
        }
    return found;
}

/* Does the name mean something else where the statement stands? */
static bool is_taken (tree variable, tree outermost)
{
    for (tree block = gimple_block (used_at); block; block = BLOCK_SUPERCONTEXT (block)) {
        unsigned number = 0;
        for (tree one = NULL_TREE; (one = variable_next (block, one, &number));)
            if (one != variable && DECL_NAME (one) == DECL_NAME (variable))
                return true;
        if (block == outermost)
            break;
    }
    return false;
}

/* The variable as the source at the statement has it; null: it has no such name there. */
static tree variable_there (tree name)
{
    tree variable = SSA_NAME_VAR (name), block = inlined_block (used_at);
    if (!variable || !block || inlined_with (variable) == block_ultimate_origin (block))
        return variable;
    tree parameter = parameter_of (block, name);
    return parameter ? parameter : is_taken (variable, block) ? NULL_TREE : variable;
}

static void write_name (FILE *out, tree name, int depth)
{
    gimple *statement = SSA_NAME_DEF_STMT (name);
    tree variable = variable_there (name);
    if (variable && DECL_NAME (variable) && !DECL_ARTIFICIAL (variable))
        fputs (IDENTIFIER_POINTER (DECL_NAME (variable)), out);
    else if (is_gimple_assign (statement))
        write_operation (out, statement, depth);
    else if (is_gimple_call (statement) && gimple_call_fndecl (statement))
        fprintf (out, "%s (...)", function_name (gimple_call_fndecl (statement)));
    else
        fputs ("...", out);
}

/* What a pointer leads to: &x is x, and p is *p. */
static void write_target (FILE *out, tree pointer, tree offset, int depth)
{
    gimple *statement = TREE_CODE (pointer) == SSA_NAME ? SSA_NAME_DEF_STMT (pointer) : nullptr;
    bool is_named =
        TREE_CODE (pointer) == SSA_NAME && SSA_NAME_VAR (pointer) && !DECL_ARTIFICIAL (SSA_NAME_VAR (pointer));
    if (TREE_CODE (pointer) == ADDR_EXPR) {
        write_expression (out, TREE_OPERAND (pointer, 0), depth);
    } else if (statement && is_gimple_assign (statement) && gimple_assign_rhs_code (statement) == POINTER_PLUS_EXPR
               && !is_named) {
        write_expression (out, gimple_assign_rhs1 (statement), depth);
        tree index = gimple_assign_rhs2 (statement);
        gimple *scaled = TREE_CODE (index) == SSA_NAME ? SSA_NAME_DEF_STMT (index) : nullptr;
        if (scaled && is_gimple_assign (scaled) && gimple_assign_rhs_code (scaled) == MULT_EXPR)
            index = gimple_assign_rhs1 (scaled);
        fputc ('[', out);
        write_expression (out, index, depth);
        fputc (']', out);
    } else if (offset && !integer_zerop (offset)) {
        fputs ("*(", out);
        write_expression (out, pointer, depth);
        write_offset (out, offset);
        fputc (')', out);
    } else {
        fputs (is_named ? "*" : "", out);
        write_expression (out, pointer, depth);
    }
}

static void write_field (FILE *out, tree reference, int depth)
{
    tree of = TREE_OPERAND (reference, 0), field = TREE_OPERAND (reference, 1);
    if (TREE_CODE (of) == MEM_REF && TREE_CODE (TREE_OPERAND (of, 0)) == SSA_NAME
        && integer_zerop (TREE_OPERAND (of, 1))) {
        tree pointer = TREE_OPERAND (of, 0);
        gimple *made = SSA_NAME_DEF_STMT (pointer);
        bool element = is_gimple_assign (made) && gimple_assign_rhs_code (made) == POINTER_PLUS_EXPR
                       && !(SSA_NAME_VAR (pointer) && !DECL_ARTIFICIAL (SSA_NAME_VAR (pointer)));
        if (element)
            write_target (out, pointer, NULL_TREE, depth);
        else
            write_expression (out, pointer, depth);
        fputs (element ? "." : "->", out);
    } else {
        write_expression (out, of, depth);
        fputc ('.', out);
    }
    fputs (DECL_NAME (field) ? IDENTIFIER_POINTER (DECL_NAME (field)) : "...", out);
}

static void write_expression (FILE *out, tree value, int depth)
{
    if (!value || depth-- <= 0) {
        fputs ("...", out);
        return;
    }
    switch (TREE_CODE (value)) {
    case SSA_NAME:
        write_name (out, value, depth);
        break;
    case INTEGER_CST:
        if (tree_fits_shwi_p (value))
            fprintf (out, HOST_WIDE_INT_PRINT_DEC, tree_to_shwi (value));
        else
            fputs ("...", out);
        break;
    case REAL_CST: {
        char digits[60];
        real_to_decimal (digits, TREE_REAL_CST_PTR (value), sizeof digits, 6, 1);
        fprintf (out, "%g", strtod (digits, nullptr));
        break;
    }
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
    case FUNCTION_DECL:
        fputs (DECL_NAME (value) ? IDENTIFIER_POINTER (DECL_NAME (value)) : "...", out);
        break;
    case COMPONENT_REF:
        write_field (out, value, depth);
        break;
    case ARRAY_REF:
        write_expression (out, TREE_OPERAND (value, 0), depth);
        fputc ('[', out);
        write_expression (out, TREE_OPERAND (value, 1), depth);
        fputc (']', out);
        break;
    case MEM_REF:
        write_target (out, TREE_OPERAND (value, 0), TREE_OPERAND (value, 1), depth);
        break;
    case TARGET_MEM_REF:
        write_target (out, TMR_BASE (value), NULL_TREE, depth);
        break;
    case ADDR_EXPR:
        if (TREE_CODE (TREE_OPERAND (value, 0)) == STRING_CST) {
            fputs ("a string", out);
            break;
        }
        fputc ('&', out);
        write_expression (out, TREE_OPERAND (value, 0), depth);
        break;
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case POINTER_PLUS_EXPR:
        write_expression (out, TREE_OPERAND (value, 0), depth);
        fputs (TREE_CODE (value) == MINUS_EXPR ? " - " : TREE_CODE (value) == MULT_EXPR ? " * " : " + ", out);
        write_expression (out, TREE_OPERAND (value, 1), depth);
        break;
    case NOP_EXPR:
    case FLOAT_EXPR:
    case VIEW_CONVERT_EXPR:
    case REALPART_EXPR:
    case IMAGPART_EXPR:
    case BIT_FIELD_REF:
        write_expression (out, TREE_OPERAND (value, 0), depth);
        break;
    default:
        fputs ("...", out);
    }
}

char *remark_text (tree expression, gimple *at)
{
    char *text;
    size_t size;
    used_at = at;
    FILE *out = open_memstream (&text, &size);
    write_expression (out, expression, DEPTH_MOST);
    fclose (out);
    if (size > TEXT_MOST)
        strcpy (text + TEXT_MOST - 3, "...");
    return text;
}

const char *remark_type_text (tree type)
{
    tree name = type ? TYPE_NAME (TYPE_MAIN_VARIANT (type)) : NULL_TREE;
    name = name && TREE_CODE (name) == TYPE_DECL ? DECL_NAME (name) : name;
    return name ? IDENTIFIER_POINTER (name) : "...";
}
