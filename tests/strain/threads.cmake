# SPDX-License-Identifier: MIT
add_strain(threads slow threads.py rounds:1)
add_strain(threads_long long threads.py rounds:40)
