/* SPDX-License-Identifier: MIT */
/* signalreturn.c: see signalreturn.h. */
#include "sample/signalreturn.h"

/* Returns from the handler. It must have exactly these bytes: unwinders recognize a signal frame by them. */
#if defined __x86_64__
__asm__(".pushsection .text\n"
        ".balign 16\n"
        "\tnop\n"
        ".globl pp_signal_return\n"
        ".hidden pp_signal_return\n"
        ".type pp_signal_return, @function\n"
        "pp_signal_return:\n"
        "\tmovq $15, %rax\n"
        "\tsyscall\n"
        ".size pp_signal_return, . - pp_signal_return\n"
        ".popsection");
#endif
