# SPDX-License-Identifier: MIT
# What many processes leave on the disk together stays below max-total.
add_behaviour(total run total.py)
