# SPDX-License-Identifier: MIT
add_behaviour(inward_heap slow inward.py)
