# SPDX-License-Identifier: MIT
# Every fault: disks, limits, descriptors, names, sandboxes. The sample takes some of each.
add_behaviour(faults slow faults.py sample)
add_behaviour(faults_all long faults.py all)
set_tests_properties(behaviour_faults_all PROPERTIES TIMEOUT 3000)
