# SPDX-License-Identifier: MIT
# The report's own arithmetic: merging, estimates, rules. Data files are written by report_file.c, not by the runtime.
add_library(report_file STATIC ${CMAKE_CURRENT_LIST_DIR}/report_file.c)
target_include_directories(report_file PUBLIC ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_SOURCE_DIR}/include)
foreach(name report_account report_difference report_excerpt report_first report_hits report_advice report_crew report_limits report_inference report_kernel report_model report_names report_namesakes report_numbers report_parts report_rules report_spread report_stalls report_text report_ticks report_changepoint
             report_unfounded report_agreed report_inward report_clocks)
  add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
  target_link_libraries(${name} PRIVATE report_file report)
  target_compile_options(${name} PRIVATE ${PROFPLUG_WARNINGS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 60)
endforeach()
target_compile_options(report_kernel PRIVATE -g) # it asks for its own lines
