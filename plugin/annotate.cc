/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annotate.cc: the attribute profile_stage("name"[, "category"]) and the categories. Must not know GIMPLE.
 *
 * The handler checks the attribute once, where it is written. From then on the attribute in a declaration's list says
 * that the function is a stage. GCC carries it from declaration to definition, through templates and through LTO. */
#include "gcc.h"
#include "plugin.h"
#include "loop.h"

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

/* The category that a stage's name suggests: the name equals it, is a prefix of it (four letters or more), or starts
 * with it and a '_'. */
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

/* The text of a plain string literal, or null. */
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
        WARN_AT (input_location, OPT_Wattributes, "%qE attribute ignored: it marks functions", name);
    else if (!stage || !*stage || (rest && (!literal (rest) || TREE_CHAIN (rest))))
        WARN_AT (input_location, OPT_Wattributes,
                 "%qE attribute ignored: expected a name and perhaps a category, "
                 "as in %<profile_stage(\"load\", \"data_loading\")%>",
                 name);
    else if (!category_find (rest ? literal (rest) : nullptr, stage, &category))
        WARN_AT (input_location, OPT_Wattributes, "%qE attribute ignored: unknown category %qs; expected one of %s",
                 name, literal (rest), category_list ());
    else if (lookup_attribute ("always_inline", DECL_ATTRIBUTES (*node)))
        WARN_AT (input_location, OPT_Wattributes, "%qE attribute ignored: %qD is always inlined", name, *node);
    else {
        *no_add_attributes = false;
        /* Every activation is measured. So the function is not inlined, cloned or merged with an identical one, and its
         * calls are not dropped for having no effect. */
        DECL_UNINLINABLE (*node) = 1;
        if (!lookup_attribute ("noipa", DECL_ATTRIBUTES (*node)))
            DECL_ATTRIBUTES (*node) = tree_cons (get_identifier ("noipa"), NULL_TREE, DECL_ATTRIBUTES (*node));
    }
    return NULL_TREE;
}

/* Checks what the handler could not see: always_inline after the stage, and a different stage on another
 * declaration. */
static void settle (void *decl, void *)
{
    tree function = (tree) decl, stage = lookup_attribute ("profile_stage", DECL_ATTRIBUTES (function));
    if (!stage)
        return;
    if (lookup_attribute ("always_inline", DECL_ATTRIBUTES (function))) {
        WARN_AT (DECL_SOURCE_LOCATION (function), OPT_Wattributes,
                 "%<profile_stage%> attribute ignored: %qD is always inlined", function);
        for (const char *name : { "profile_stage", "noipa" })
            DECL_ATTRIBUTES (function) = remove_attribute (name, DECL_ATTRIBUTES (function));
        DECL_UNINLINABLE (function) = 0;
        return;
    }
    for (tree other = stage; (other = lookup_attribute ("profile_stage", TREE_CHAIN (other)));)
        if (!attribute_value_equal (stage, other))
            WARN_AT (DECL_SOURCE_LOCATION (function), OPT_Wattributes,
                     "%<profile_stage%> attribute ignored: %qD is %qs already, not %qs", function,
                     literal (TREE_VALUE (stage)), literal (TREE_VALUE (other)));
}

static struct attribute_spec stage_attribute = { "profile_stage", 0, -1, false, false, false, false,
                                                 handle_stage, nullptr };

static void register_attributes (void *, void *)
{
    if (target_is_supported ())
        register_attribute (&stage_attribute);
}

/* ---- PROFPLUG_STAGE where C++ does not allow an attribute ---- */

/* The preprocessor asks this hook what the macro expands to. Before `template` and `extern "C"` it is a typedef whose
 * attribute the next function takes. Before `[[` it is a standard attribute. */
static cpp_hashnode *(*expand_others) (cpp_reader *, const cpp_token *);

static void (*tell_others) (cpp_reader *, location_t, cpp_hashnode *);

/* When a macro is defined, GCC clears the flag that makes it call expand_stage. This sets the flag again. */
static void tell_definition (cpp_reader *reader, location_t where, cpp_hashnode *node)
{
    if (tell_others)
        tell_others (reader, where, node);
    if (!strcmp ((const char *) NODE_NAME (node), "PROFPLUG_STAGE"))
        node->flags |= NODE_CONDITIONAL;
}

/* Is there a directive before the declaration's `;` or `{`? The preprocessor cannot look beyond one. `is_template`: the
 * text after the directive begins with `template`. */
static bool directive_follows (location_t where, bool *is_template)
{
    expanded_location at = expand_location (pragma_written_at (where));
    bool comment = false, directive = false;
    *is_template = false;
    for (int line = at.line; line < at.line + 100; line++) {
        char_span text = location_get_source_line (at.file, line);
        if (!text)
            break;
        const char *from = text.get_buffer (), *end = from + text.length ();
        const char *c = line == at.line ? from + MIN ((size_t) at.column, text.length ()) : from;
        for (bool blank = line != at.line; c < end; c++) {
            bool pair = c + 1 < end;
            if (comment) {
                if (pair && c[0] == '*' && c[1] == '/')
                    comment = false, c++;
            } else if (pair && c[0] == '/' && c[1] == '/')
                break;
            else if (pair && c[0] == '/' && c[1] == '*')
                comment = true, c++;
            else if (*c == '#' && blank) {
                directive = true;
                break;
            } else if (directive && !ISSPACE (*c)) {
                *is_template = end - c > 8 && !strncmp (c, "template", 8);
                return true;
            } else if (*c == ';' || *c == '{')
                return false;
            else
                blank &= ISSPACE (*c) != 0;
        }
    }
    return true;
}

/* The index of the token after the macro's arguments. Index 0 is the token after the macro's name. */
static int behind_arguments (cpp_reader *reader)
{
    int depth = 0;
    for (int i = 0;; i++)
        switch (cpp_peek_token (reader, i)->type) {
        case CPP_OPEN_PAREN:
            depth++;
            break;
        case CPP_CLOSE_PAREN:
            if (--depth == 0)
                return i + 1;
            break;
        case CPP_EOF:
        case CPP_PRAGMA:
            return i;
        default:
            break;
        }
}

/* The token at `*index`, or the first one after it that is not padding or a comment. A macro yields its first token,
 * and an empty macro is skipped. */
static const cpp_token *peek (cpp_reader *reader, int *index)
{
    for (;; ++*index) {
        const cpp_token *token = cpp_peek_token (reader, *index);
        if (token->type == CPP_PADDING || token->type == CPP_COMMENT)
            continue;
        cpp_hashnode *node = token->type == CPP_NAME ? token->val.node.node : nullptr;
        cpp_macro *macro = node && node->type == NT_USER_MACRO ? node->value.macro : nullptr;
        if (!macro || macro->kind == cmk_assert || (macro->fun_like && !macro->count))
            return token;
        if (macro->count)
            return &macro->exp.tokens[0];
    }
}

static bool is_word (const cpp_token *token, const char *word)
{
    return token->type == CPP_NAME && !strcmp ((const char *) NODE_NAME (token->val.node.node), word);
}

/* `index` is the token after a `<`. Returns the index after its `>`, or of the end of the declaration if that comes
 * first. */
static int behind_angles (cpp_reader *reader, int index)
{
    for (int angles = 1, others = 0;; index++)
        switch (cpp_peek_token (reader, index)->type) {
        case CPP_OPEN_PAREN:
        case CPP_OPEN_SQUARE:
            others++;
            break;
        case CPP_CLOSE_PAREN:
        case CPP_CLOSE_SQUARE:
            others--;
            break;
        case CPP_LESS:
            angles += others == 0;
            break;
        case CPP_RSHIFT:
            angles -= others == 0;
            /* FALLTHRU */
        case CPP_GREATER:
            if (others == 0 && --angles <= 0)
                return index + 1;
            break;
        case CPP_SEMICOLON:
        case CPP_EOF:
        case CPP_PRAGMA:
            return index;
        default:
            break;
        }
}

/* Does a function follow the `template` before `index`? A class, an alias or an instantiation cannot be a stage. */
static bool heads_function (cpp_reader *reader, int index)
{
    const cpp_token *token;
    do {
        if (peek (reader, &index)->type != CPP_LESS)
            return false;
        index = behind_angles (reader, index + 1);
        token = peek (reader, &index);
    } while (is_word (token, "template") && ++index);
    if (is_word (token, "using") || is_word (token, "concept") || is_word (token, "typedef"))
        return false;
    if (!is_word (token, "class") && !is_word (token, "struct") && !is_word (token, "union"))
        return true;
    for (;; index++)
        switch (cpp_peek_token (reader, index)->type) {
        case CPP_OPEN_PAREN:           /* a function that returns a class */
            return true;
        case CPP_OPEN_BRACE:
        case CPP_SEMICOLON:
        case CPP_COLON:
        case CPP_EOF:
        case CPP_PRAGMA:
            return false;
        default:
            break;
        }
}

static cpp_hashnode *expand_stage (cpp_reader *reader, const cpp_token *token)
{
    if (!is_word (token, "PROFPLUG_STAGE"))
        return expand_others ? expand_others (reader, token) : token->val.node.node;
    const char *name = "PROFPLUG_STAGE";
    bool is_none = false, is_template;
    if (directive_follows (token->src_loc, &is_template))
        name = is_template ? "PROFPLUG_STAGE_NEXT_" : name;
    else {
        int at = behind_arguments (reader);
        const cpp_token *next = peek (reader, &at);
        if (is_word (next, "template")) {
            is_none = cpp_peek_token (reader, at) == next && !heads_function (reader, at + 1);
            name = "PROFPLUG_STAGE_NEXT_";
        } else if (is_word (next, "extern")) {
            at++;
            next = peek (reader, &at);
            is_none = is_word (next, "template");
            if (next->type == CPP_STRING)
                name = "PROFPLUG_STAGE_NEXT_";
        } else if (next->type == CPP_OPEN_SQUARE) {
            at++;
            if (peek (reader, &at)->type == CPP_OPEN_SQUARE)
                name = "PROFPLUG_STAGE_STANDARD_";
        }
    }
    if (is_none) {
        name = "PROFPLUG_STAGE_NONE_";
        WARN_AT (pragma_written_at (token->src_loc), OPT_Wattributes,
                 "%<profile_stage%> attribute ignored: it marks functions");
    }
    return cpp_lookup (reader, (const unsigned char *) name, strlen (name));
}

/* The arguments of profile_stage, until the next function takes them. */
static tree pending_arguments;
static location_t pending_since;
static void (*insert_others) (tree, tree *);

static tree handle_next_stage (tree *node, tree, tree given, int, bool *no_add_attributes)
{
    *no_add_attributes = true;
    pending_arguments = tree_cons (get_identifier ("profile_stage"), given, NULL_TREE);
    pending_since = DECL_SOURCE_LOCATION (*node);
    return NULL_TREE;
}

static struct attribute_spec next_stage_attribute = { "profile_next_stage", 0, -1, true, false, false, false,
                                                      handle_next_stage, nullptr };

/* GCC calls this before it gives a declaration its attributes. Templates that are instantiated meanwhile are declared
 * further up, and are skipped. */
static void insert_stage (tree decl, tree *attributes)
{
    if (insert_others)
        insert_others (decl, attributes);
    if (!pending_arguments || !DECL_P (decl) || (TREE_CODE (decl) != FUNCTION_DECL && TREE_CODE (decl) != VAR_DECL)
        || !linemap_location_before_p (line_table, pending_since, DECL_SOURCE_LOCATION (decl)))
        return;
    *attributes = chainon (*attributes, pending_arguments);
    pending_arguments = NULL_TREE;
}

static void register_macro (void *, void *)
{
    if (!target_is_supported () || !c_dialect_cxx ())
        return;
    register_attribute (&next_stage_attribute);
    cpp_callbacks *callbacks = cpp_get_callbacks (parse_in);
    expand_others = callbacks->macro_to_expand;
    callbacks->macro_to_expand = expand_stage;
    tell_others = callbacks->define;
    callbacks->define = tell_definition;
    insert_others = targetm.insert_attributes;
    targetm.insert_attributes = insert_stage;
}

/* A stage that calls itself at its end would become a loop, and all its activations one. */
static void keep_recursion (void *runs, void *)
{
    enum pp_category category;
    bool *gate = static_cast<bool *> (runs);
    if (*gate && current_function_decl &&
        (!strcmp (current_pass->name, "tailr") || !strcmp (current_pass->name, "tailc")) &&
        annotate_stage (current_function_decl, &category))
        *gate = false;
}

static const struct ggc_root_tab roots[] = {
    { &pending_arguments, 1, sizeof pending_arguments, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
    LAST_GGC_ROOT_TAB
};

void annotate_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<struct ggc_root_tab *> (roots));
    register_callback (plugin_name, PLUGIN_ATTRIBUTES, register_attributes, nullptr);
    register_callback (plugin_name, PLUGIN_PRAGMAS, register_macro, nullptr);
    register_callback (plugin_name, PLUGIN_PRE_GENERICIZE, settle, nullptr);
    register_callback (plugin_name, PLUGIN_OVERRIDE_GATE, keep_recursion, nullptr);
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
