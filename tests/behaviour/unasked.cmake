# SPDX-License-Identifier: MIT
# Short calls cost no system calls of ours, as strace counts them.
add_behaviour(unasked run unasked.py 1600)
add_behaviour(unasked_thousands slow unasked.py 20000)
