# SPDX-License-Identifier: MIT
# What a process that does nothing pays: the size of its data file, and system calls.
add_behaviour(short run short.py)
