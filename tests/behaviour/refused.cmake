# SPDX-License-Identifier: MIT
# What a limit of memory refuses is not asked for again at each call.
add_behaviour(refused run refused.py)
