# SPDX-License-Identifier: MIT
# Any trouble: disks, limits, descriptors, names, sandboxes. The sample takes some of each.
add_strain(trouble slow trouble.py sample)
add_strain(trouble_all long trouble.py all)
set_tests_properties(strain_trouble_all PROPERTIES TIMEOUT 3000)
