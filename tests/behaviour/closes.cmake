# SPDX-License-Identifier: MIT
# Opens, closes and accepts that come by the thousand: what they pay, in instructions, and that their calls stay exact.
add_behaviour(closes run closes.py)
