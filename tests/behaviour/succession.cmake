# SPDX-License-Identifier: MIT
# More threads than are listed one by one, all of them counted.
add_behaviour(succession slow succession.py)
