# SPDX-License-Identifier: MIT
# How the C library's calls end: interrupted, cancelled, refused; files that threads, handlers and forks share.
add_behaviour(calls slow calls.py)
set_tests_properties(behaviour_calls PROPERTIES TIMEOUT 180)
