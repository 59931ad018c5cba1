# SPDX-License-Identifier: MIT
# rotate.S: a unit whose debug information comes from the assembler, without lines of declarations: uint64_t rotate_sum(const uint64_t *item, size_t count)
        .text
        .globl rotate_sum
        .type rotate_sum, @function
rotate_sum:
        xorl    %eax, %eax
        testq   %rsi, %rsi
        je      done
again:
        rolq    $7, %rax
        addq    (%rdi), %rax
        addq    $8, %rdi
        decq    %rsi
        jne     again
done:
        ret
        .size rotate_sum, . - rotate_sum
        .section .note.GNU-stack, "", @progbits
