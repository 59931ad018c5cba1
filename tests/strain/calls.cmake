# SPDX-License-Identifier: MIT
# How the C library's calls end: interrupted, cancelled, refused; files that threads, handlers and forks share.
add_strain(calls run calls.py)
set_tests_properties(strain_calls PROPERTIES TIMEOUT 180)
