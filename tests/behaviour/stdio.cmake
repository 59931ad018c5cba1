# SPDX-License-Identifier: MIT
# What lines and blocks of stdio pay, in instructions, and that their bytes are those of the kernel.
add_behaviour(stdio slow stdio.py)
