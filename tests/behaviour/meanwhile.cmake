# SPDX-License-Identifier: MIT
add_behaviour(meanwhile_forks slow meanwhile.py)
