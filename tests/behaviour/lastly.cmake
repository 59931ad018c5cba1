# SPDX-License-Identifier: MIT
# What is asked of the kernel when a program ends, where a library that was linked began the run.
add_behaviour(lastly run lastly.py)
