# SPDX-License-Identifier: MIT
# Libraries that hide the names of the runtime's functions in them, as a version script does.
add_behaviour(hidden run hidden.py)
