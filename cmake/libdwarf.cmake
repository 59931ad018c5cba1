# SPDX-License-Identifier: MIT
# What the libdwarf found here is like. Sets LIBDWARF_INCLUDE_DIR, LIBDWARF_LIBRARY and LIBDWARF_DEFINITIONS:
#   PROFPLUG_LIBDWARF_2021         the interface before 0.2: dwarf_init_path of 12 arguments, dwarf_finish of two
include(CheckCSourceCompiles)
find_path(LIBDWARF_INCLUDE_DIR libdwarf.h PATH_SUFFIXES libdwarf libdwarf-2 libdwarf-1 libdwarf-0)
find_library(LIBDWARF_LIBRARY dwarf)
if(NOT LIBDWARF_INCLUDE_DIR OR NOT LIBDWARF_LIBRARY)
  message(FATAL_ERROR "libdwarf: not found; expected libdwarf.h and libdwarf.so (Debian: libdwarf-dev)")
endif()
set(LIBDWARF_DEFINITIONS)
set(CMAKE_REQUIRED_INCLUDES ${LIBDWARF_INCLUDE_DIR})
set(CMAKE_REQUIRED_LIBRARIES ${LIBDWARF_LIBRARY})
check_c_source_compiles("#include <libdwarf.h>
int main(void) { Dwarf_Debug d = 0; Dwarf_Error e = 0;
  return dwarf_init_path(\"\", 0, 0, DW_DLC_READ, 0, 0, 0, &d, 0, 0, 0, &e) + dwarf_finish(d, &e); }" LIBDWARF_HAS_2021_INTERFACE)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(LIBDWARF_HAS_2021_INTERFACE)
  list(APPEND LIBDWARF_DEFINITIONS PROFPLUG_LIBDWARF_2021)
endif()
