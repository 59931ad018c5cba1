# SPDX-License-Identifier: MIT
# Every way to load code: what the program sees is as plain, what is counted is what ran.
add_behaviour(loading slow loading.py 1)
add_behaviour(loading_all long loading.py 10)
