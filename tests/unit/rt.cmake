# SPDX-License-Identifier: MIT
# The runtime's parts, each against a model of its own.
foreach(part histogram options clock calltree interval pace rate)
  add_executable(unit_rt_${part} rt_${part}.c)
  target_include_directories(unit_rt_${part} PRIVATE ${CMAKE_SOURCE_DIR}/rt ${CMAKE_SOURCE_DIR}/include)
  target_compile_options(unit_rt_${part} PRIVATE ${PROFPLUG_WARNINGS})
  target_link_libraries(unit_rt_${part} PRIVATE rt_static m pthread)
  add_test(NAME unit_rt_${part} COMMAND unit_rt_${part})
  set_tests_properties(unit_rt_${part} PROPERTIES LABELS unit TIMEOUT 120)
endforeach()
# Without the rest of the runtime, which finds its functions at the start: here dlsym is the test's own.
add_executable(unit_rt_behind rt_behind.c ${CMAKE_SOURCE_DIR}/rt/system/behind.c)
target_include_directories(unit_rt_behind PRIVATE ${CMAKE_SOURCE_DIR}/rt ${CMAKE_SOURCE_DIR}/include)
target_compile_options(unit_rt_behind PRIVATE ${PROFPLUG_WARNINGS})
target_link_libraries(unit_rt_behind PRIVATE m dl)
add_test(NAME unit_rt_behind COMMAND unit_rt_behind)
set_tests_properties(unit_rt_behind PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77)
# Without the rest of the runtime, whose clock it replaces.
add_executable(unit_rt_unseen rt_unseen.c ${CMAKE_SOURCE_DIR}/rt/sample/unseen.c)
target_include_directories(unit_rt_unseen PRIVATE ${CMAKE_SOURCE_DIR}/rt ${CMAKE_SOURCE_DIR}/include)
target_compile_options(unit_rt_unseen PRIVATE ${PROFPLUG_WARNINGS})
add_test(NAME unit_rt_unseen COMMAND unit_rt_unseen)
set_tests_properties(unit_rt_unseen PROPERTIES LABELS unit TIMEOUT 120)
