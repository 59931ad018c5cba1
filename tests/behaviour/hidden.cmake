# SPDX-License-Identifier: MIT
# Libraries that hide the names of the runtime's functions in them, as a version script does. Allocators in archives.
add_behaviour(hidden run hidden.py)
add_behaviour(archived run archived.py)
