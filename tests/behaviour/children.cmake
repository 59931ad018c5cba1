# SPDX-License-Identifier: MIT
# What forked children cost, and what their files know of each other.
add_behaviour(children run children.py)
