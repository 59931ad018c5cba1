# SPDX-License-Identifier: MIT
# What the program could notice of us: footprint.py says what each part holds.
foreach(part waits state marker traces stack items)
  add_behaviour(footprint_${part} slow footprint.py ${part})
endforeach()
add_behaviour(footprint_waits_million long footprint.py waits 1000000)
add_behaviour(footprint_state_all long footprint.py state 1)
add_behaviour(footprint_marker_all long footprint.py marker 1)
add_behaviour(footprint_items_minute long footprint.py items 60)
set_tests_properties(behaviour_footprint_waits_million PROPERTIES TIMEOUT 7200)
set_tests_properties(behaviour_footprint_items_minute PROPERTIES TIMEOUT 2400)
