# SPDX-License-Identifier: MIT
# Every way to load code: what the program sees is as plain, what is counted is what ran.
add_strain(loading slow loading.py 1)
add_strain(loading_all long loading.py 10)
