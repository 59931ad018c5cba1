/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.cc: with -flto the probes are inserted at the link, so its command must name the plugin, too. If it does not,
 * the linker warns. Must not know probes.
 *
 * The code that is streamed into an object has a line of assembler that refers to PP_LINK_MARK, a symbol of the runtime
 * with a warning. The plugin removes that line when it runs at the link, and from the machine code of a fat object. */
#include "gcc.h"
#include "plugin.h"

static const char LINE[] = "\t.pushsection .profplug_link,\"e\",@progbits; .quad " PP_LINK_MARK "; .popsection";

static void take_lines ()
{
    for (asm_node *node = symtab->first_asm_symbol (); node; node = static_cast<asm_node *> (node->next))
        if (TREE_CODE (node->asm_str) == STRING_CST && !strcmp (TREE_STRING_POINTER (node->asm_str), LINE))
            node->asm_str = build_string (1, "");
}

static void before_streaming (void *, void *)
{
    if (in_lto_p)
        take_lines ();
    else if (flag_generate_lto && !seen_error () && target_is_supported () && arguments.functions != FUNCTIONS_NONE)
        symtab->finalize_toplevel_asm (build_string (sizeof LINE, LINE));
}

static void after_streaming (void *, void *)
{
    take_lines ();
}

void link_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START, before_streaming, nullptr);
    register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, after_streaming, nullptr);
}
