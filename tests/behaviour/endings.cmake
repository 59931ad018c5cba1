# SPDX-License-Identifier: MIT
add_behaviour(endings slow endings.py ways:1 kills:50)
add_behaviour(endings_long long endings.py ways:12 kills:2000)
