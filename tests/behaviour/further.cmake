# SPDX-License-Identifier: MIT
# Programs that open thousands of files: what that asks of the kernel, how large the data file is, and which files have rows of their own.
add_behaviour(further run further.py)
