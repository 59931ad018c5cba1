/* SPDX-License-Identifier: MIT */
/* bundle.c: see bundle.h. CMake says where the files are. */
#include "page/bundle.h"

#define EMBED(name, path) \
    __asm__(".section .rodata, \"a\"\n" \
            ".global " #name ", " #name "_end\n" #name ":\n" \
            ".incbin \"" path "\"\n" #name "_end:\n.byte 0\n.previous\n")
EMBED(bundle_script, PROFPLUG_WEB "/bundle.js");
EMBED(bundle_style, PROFPLUG_WEB "/bundle.css");
