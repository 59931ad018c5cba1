/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrapper.cc: functions that only wrap others, by the attribute profile_wrapper or by the argument wrapper=. What is
 * done in them is shown at the lines that call them. The report recognizes inlined ones by their sites. Those with code
 * of their own are listed by address, so that the runtime follows calls in them to their callers. So are functions of
 * the system's headers, which the report recognizes by their files. Functions of the folders that third-party= names
 * are wrappers. */
#include "gcc.h"
#include "plugin.h"

#include <fnmatch.h>
#include <sys/stat.h>

static vec<const char *> patterns, folders; /* folders: with a slash at the end */

static tree handle_wrapper (tree *node, tree name, tree, int, bool *no_add_attributes)
{
    *no_add_attributes = true;
    if (TREE_CODE (*node) != FUNCTION_DECL)
        WARN_AT (input_location, OPT_Wattributes, "%qE attribute ignored: it marks functions", name);
    else if (lookup_attribute ("profile_stage", DECL_ATTRIBUTES (*node)))
        WARN_AT (input_location, OPT_Wattributes, "%qE attribute ignored: %qD is a stage", name, *node);
    else
        *no_add_attributes = false;
    return NULL_TREE;
}

static struct attribute_spec wrapper_attribute = { "profile_wrapper", 0, 0, true, false, false, false,
                                                   handle_wrapper, nullptr };

static void register_wrapper (void *, void *)
{
    if (target_is_supported ())
        register_attribute (&wrapper_attribute);
}

void wrapper_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_ATTRIBUTES, register_wrapper, nullptr);
}

bool wrapper_add (const char *names)
{
    for (const char *name = names; name; ) {
        const char *comma = strchr (name, ',');
        char *one = comma ? xstrndup (name, comma - name) : xstrdup (name);
        if (!*one || one[strspn (one, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.:~*?[]<>")])
            return false;
        patterns.safe_push (one);
        name = comma ? comma + 1 : nullptr;
    }
    return true;
}

bool wrapper_add_folder (const char *path)
{
    struct stat status;
    if (stat (path, &status) || !S_ISDIR (status.st_mode))
        return false;
    folders.safe_push (concat (lrealpath (path), "/", NULL));
    return true;
}

static bool is_of_a_folder (tree function)
{
    static hash_map<nofree_string_hash, bool> *known;
    const char *path = DECL_SOURCE_FILE (function);
    if (folders.is_empty () || !path)
        return false;
    known = known ? known : new hash_map<nofree_string_hash, bool>;
    if (bool *is = known->get (path))
        return *is;
    char *whole = lrealpath (path);
    bool is = false;
    for (const char *folder : folders)
        is = is || !strncmp (whole, folder, strlen (folder));
    free (whole);
    known->put (xstrdup (path), is);
    return is;
}

/* In C++ a name with its scope, but without parameters, is enough. */
static bool matches (const char *pattern, const char *symbol, const char *name)
{
    char *plain = xstrdup (name);
    plain[strcspn (plain, "(")] = 0;
    bool is = !fnmatch (pattern, symbol, 0) || !fnmatch (pattern, name, 0) || !fnmatch (pattern, plain, 0);
    free (plain);
    return is;
}

/* A member that nobody wrote, such as the copy constructor of a structure: its line is the structure's. Who needs it
 * is at another line. A lambda's operator is artificial, too, but somebody wrote its body. */
static bool is_implicit (tree function)
{
    return DECL_ARTIFICIAL (function)
           && (DECL_CXX_CONSTRUCTOR_P (function) || DECL_CXX_DESTRUCTOR_P (function)
               || (DECL_NAME (function) && id_equal (DECL_NAME (function), "operator=")));
}

bool wrapper_is (tree function)
{
    enum pp_category category;
    if (annotate_stage (function, &category))
        return false;
    if (lookup_attribute ("profile_wrapper", DECL_ATTRIBUTES (function)) || is_of_a_folder (function))
        return true;
    for (const char *pattern : patterns)
        if (matches (pattern, function_symbol (function), function_name (function)))
            return true;
    return false;
}

/* As path_is_system in report/model/model.c: code from there is not the user's. */
static bool is_of_the_system (tree function)
{
    const char *path = DECL_SOURCE_FILE (function), *compiler = path ? strstr (path, "/lib/gcc/") : nullptr;
    return path
           && (!strncmp (path, "/usr/include/", 13) || strstr (path, "/include/c++/")
               || (compiler && strstr (compiler, "/include")));
}

static void note_inlined (tree block)
{
    static hash_set<tree> *known;
    for (; block; block = BLOCK_CHAIN (block)) {
        tree origin = inlined_function_outer_scope_p (block) ? BLOCK_ABSTRACT_ORIGIN (block) : NULL_TREE;
        while (origin && TREE_CODE (origin) == BLOCK)
            origin = BLOCK_ABSTRACT_ORIGIN (origin);
        if (origin && TREE_CODE (origin) == FUNCTION_DECL && wrapper_is (origin)) {
            known = known ? known : new hash_set<tree>;
            struct choice choice = { PP_MODE_LEFT_OUT, PP_REASON_NONE, PP_CATEGORY_CUSTOM, nullptr, 0 };
            if (!known->add (origin))
                sitetab_add (origin, &choice);
        }
        note_inlined (BLOCK_SUBBLOCKS (block));
    }
}

/* A word in a section that the linker drops with the function: in its group, if it has one. A clone that is local to
 * its file can be in one, too: that of the function it was made for. */
void wrapper_note (struct function *fun)
{
    static unsigned count;
    note_inlined (BLOCK_SUBBLOCKS (DECL_INITIAL (fun->decl)));
    if (!wrapper_is (fun->decl) && !is_of_the_system (fun->decl) && !is_implicit (fun->decl))
        return;
    tree group = DECL_COMDAT_GROUP (fun->decl);
    char text[32];
    snprintf (text, sizeof text, ".Lprofplug_wrapper%u", count++);
    sitetab_take_text (concat ("\t.set\t", text, ",", function_symbol (fun->decl),
                               "\n\t.section\tprofplug_wrappers,\"a", group ? "G\",@progbits," : "\",@progbits",
                               group ? IDENTIFIER_POINTER (group) : "", group ? ",comdat" : "",
                               "\n\t.balign\t4\n\t.long\t", text, "-.", NULL));
}
