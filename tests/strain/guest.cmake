# SPDX-License-Identifier: MIT
# What the program could notice of us: guest.py says what each strain holds.
foreach(strain waits state marker traces stack items)
  add_strain(guest_${strain} slow guest.py ${strain})
endforeach()
add_strain(guest_waits_million long guest.py waits 1000000)
add_strain(guest_state_all long guest.py state 1)
add_strain(guest_marker_all long guest.py marker 1)
add_strain(guest_items_minute long guest.py items 60)
set_tests_properties(strain_guest_waits_million PROPERTIES TIMEOUT 7200)
set_tests_properties(strain_guest_items_minute PROPERTIES TIMEOUT 2400)
