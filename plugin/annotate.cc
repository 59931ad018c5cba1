/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annotate.cc: the attribute profile_stage("name"[, "category"]) and the categories. Must not know GIMPLE.
 *
 * The handler checks, once and at the place of the misuse; afterwards the attribute in a declaration's list is the intent, and
 * GCC itself carries it from declaration to definition, through templates and through LTO. */
#include "gcc.h"
#include "plugin.h"

static const char *const category_names[] = {
#define PP_CATEGORY(id, name) name,
#include "profplug/abi/site.def"
};

const char *category_list ()
{
    static char *list;
    if (!list) {
        list = xstrdup (category_names[0]);
        for (unsigned i = 1; i < ARRAY_SIZE (category_names); i++)
            list = reconcat (list, list, ", ", category_names[i], NULL);
    }
    return list;
}

/* What a stage's own name says: it equals the category, begins it (four letters or more), or continues it after a '_'. */
static bool name_implies (const char *stage, const char *category)
{
    size_t length = strlen (stage), category_length = strlen (category);
    if (length <= category_length)
        return !strncmp (stage, category, length) && (length == category_length || length >= 4);
    return !strncmp (stage, category, category_length) && stage[category_length] == '_';
}

bool category_find (const char *text, const char *stage, enum pp_category *category)
{
    bool given = text && *text;
    for (unsigned i = 0; i < ARRAY_SIZE (category_names); i++)
        if (given ? !strcmp (text, category_names[i]) : name_implies (stage, category_names[i])) {
            *category = (enum pp_category) i;
            return true;
        }
    *category = PP_CATEGORY_CUSTOM;
    return !given;
}

const char *string_text (tree value)
{
    if (TREE_TYPE (value) && TYPE_PRECISION (TREE_TYPE (TREE_TYPE (value))) != BITS_PER_UNIT)
        return nullptr;
    const char *text = TREE_STRING_POINTER (value);
    size_t length = strlen (text);
    return length + 1 == (size_t) TREE_STRING_LENGTH (value) ? text : nullptr;
}

/* A plain string literal, or null. */
static const char *literal (tree argument)
{
    if (!argument)
        return nullptr;
    tree value = TREE_VALUE (argument);
    if (!value)
        return nullptr;
    STRIP_NOPS (value);
    if (TREE_CODE (value) == ADDR_EXPR)
        value = TREE_OPERAND (value, 0);
    return TREE_CODE (value) == STRING_CST ? string_text (value) : nullptr;
}

static tree handle_stage (tree *node, tree name, tree given, int, bool *no_add_attributes)
{
    enum pp_category category;
    const char *stage = literal (given);
    tree rest = given ? TREE_CHAIN (given) : NULL_TREE;
    *no_add_attributes = true;
    if (TREE_CODE (*node) != FUNCTION_DECL)
        warning (OPT_Wattributes, "%qE attribute ignored: it marks functions", name);
    else if (!stage || !*stage || (rest && (!literal (rest) || TREE_CHAIN (rest))))
        warning (OPT_Wattributes, "%qE attribute ignored: expected a name and perhaps a category, as in %<profile_stage(\"load\", \"data_loading\")%>", name);
    else if (!category_find (rest ? literal (rest) : nullptr, stage, &category))
        warning (OPT_Wattributes, "%qE attribute ignored: unknown category %qs; expected one of %s", name, literal (rest), category_list ());
    else if (lookup_attribute ("always_inline", DECL_ATTRIBUTES (*node)))
        warning (OPT_Wattributes, "%qE attribute ignored: %qD is always inlined", name, *node);
    else {
        *no_add_attributes = false;
        /* Every activation is measured, so the function stays a function: not inlined, cloned, merged with a twin, nor its
         * calls dropped because it was seen to have no effect. */
        DECL_UNINLINABLE (*node) = 1;
        if (!lookup_attribute ("noipa", DECL_ATTRIBUTES (*node)))
            DECL_ATTRIBUTES (*node) = tree_cons (get_identifier ("noipa"), NULL_TREE, DECL_ATTRIBUTES (*node));
    }
    return NULL_TREE;
}

/* What the handler did not see: always_inline after the stage, and another stage on another declaration. */
void annotate_settle (void *decl, void *)
{
    tree function = (tree) decl, stage = lookup_attribute ("profile_stage", DECL_ATTRIBUTES (function));
    if (!stage)
        return;
    if (lookup_attribute ("always_inline", DECL_ATTRIBUTES (function))) {
        warning_at (DECL_SOURCE_LOCATION (function), OPT_Wattributes, "%<profile_stage%> attribute ignored: %qD is always inlined", function);
        for (const char *name : { "profile_stage", "noipa" })
            DECL_ATTRIBUTES (function) = remove_attribute (name, DECL_ATTRIBUTES (function));
        DECL_UNINLINABLE (function) = 0;
        return;
    }
    for (tree other = stage; (other = lookup_attribute ("profile_stage", TREE_CHAIN (other)));)
        if (!attribute_value_equal (stage, other))
            warning_at (DECL_SOURCE_LOCATION (function), OPT_Wattributes, "%<profile_stage%> attribute ignored: %qD is %qs already, not %qs", function,
                        literal (TREE_VALUE (stage)), literal (TREE_VALUE (other)));
}

static struct attribute_spec stage_attribute = { "profile_stage", 0, -1, false, false, false, false, handle_stage, nullptr };

void annotate_register_attributes (void *, void *)
{
    if (target_is_supported ())
        register_attribute (&stage_attribute);
}

const char *annotate_stage (tree function, enum pp_category *category)
{
    tree attribute = lookup_attribute ("profile_stage", DECL_ATTRIBUTES (function));
    if (!attribute)
        return nullptr;
    tree given = TREE_VALUE (attribute);
    const char *stage = literal (given);
    if (stage)
        category_find (TREE_CHAIN (given) ? literal (TREE_CHAIN (given)) : nullptr, stage, category);
    return stage;
}
