/* SPDX-License-Identifier: MIT */
/* libdwarf.c: asks libdwarf for the file numbers of this program's own DWARF 5 line table, of which GNU tools never make one 0.
 * Exit status: 0 right, 1 it says 0 somewhere, 2 cannot tell. */
#include <libdwarf.h>
#include <string.h>

int main(void)
{
    Dwarf_Debug debug = NULL;
    Dwarf_Error error = NULL;
    Dwarf_Unsigned length, type_offset, next;
    Dwarf_Half version, address_size, length_size, extension_size, kind;
    Dwarf_Off abbreviations;
    Dwarf_Sig8 signature;
    int rows = 0, zeros = 0;
#ifdef PROFPLUG_LIBDWARF_2021
    if (dwarf_init_path("/proc/self/exe", NULL, 0, DW_DLC_READ, 0, NULL, NULL, &debug, NULL, 0, NULL, &error))
#else
    if (dwarf_init_path("/proc/self/exe", NULL, 0, 0, NULL, NULL, &debug, &error))
#endif
        return 2;
    while (!dwarf_next_cu_header_d(debug, 1, &length, &version, &abbreviations, &address_size, &length_size, &extension_size, &signature,
                                   &type_offset, &next, &kind, &error)) {
        Dwarf_Die die = NULL;
        Dwarf_Attribute producer = NULL;
        char *name = NULL;
        Dwarf_Unsigned table = 0;
        Dwarf_Small tables = 0;
        Dwarf_Line_Context context = NULL;
        Dwarf_Line *list = NULL;
        Dwarf_Signed count = 0;
        if (dwarf_siblingof_b(debug, NULL, 1, &die, &error) || dwarf_attr(die, 0x25, &producer, &error) ||
            dwarf_formstring(producer, &name, &error) || strncmp(name, "GNU ", 4) ||
            dwarf_srclines_b(die, &table, &tables, &context, &error) || table != 5 ||
            dwarf_srclines_from_linecontext(context, &list, &count, &error))
            continue;
        for (Dwarf_Signed i = 0; i < count; i++) {
            Dwarf_Unsigned file = 0;
            rows++;
            zeros += !dwarf_line_srcfileno(list[i], &file, &error) && file == 0;
        }
    }
    return !rows ? 2 : zeros ? 1 : 0;
}
