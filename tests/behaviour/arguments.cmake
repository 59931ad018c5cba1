# SPDX-License-Identifier: MIT
# What functions are given, and where they return to, under the slow halves that call them.
add_behaviour(arguments slow arguments.py)
add_behaviour(arguments_more long arguments.py 3 30)
set_tests_properties(behaviour_arguments_more PROPERTIES TIMEOUT 3600)
