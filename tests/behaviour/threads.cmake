# SPDX-License-Identifier: MIT
add_behaviour(threads slow threads.py rounds:1)
add_behaviour(threads_long long threads.py rounds:40)
