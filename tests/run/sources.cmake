# SPDX-License-Identifier: MIT
# Samples, modules, heap and I/O of whole programs.
foreach(case everything static signals loading closing unqueued few_files valgrind)
  add_test(NAME run_sources_${case} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/sources.py ${CMAKE_BINARY_DIR} ${case})
endforeach()
add_test(NAME run_sources_preloaded COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/sources.py ${CMAKE_BINARY_DIR} preloaded
         $<TARGET_FILE:sources_bump>)
add_test(NAME run_sources_address COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/sources.py ${CMAKE_BINARY_DIR} address)
foreach(case everything static signals loading closing unqueued few_files valgrind preloaded address)
  set_tests_properties(run_sources_${case} PROPERTIES LABELS run TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
