# SPDX-License-Identifier: MIT
add_strain(ends slow ends.py ways:1 kills:50)
add_strain(ends_long long ends.py ways:12 kills:2000)
