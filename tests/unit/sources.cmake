# SPDX-License-Identifier: MIT
# The sampler, the modules and the sources of numbers, over a core that keeps in memory what they hand in. A test is skipped
# with its reason where the machine does not offer what it needs.
find_package(Threads REQUIRED)
add_library(sources_core STATIC sources_core.c
  ${CMAKE_SOURCE_DIR}/rt/sampler.c ${CMAKE_SOURCE_DIR}/rt/event.c ${CMAKE_SOURCE_DIR}/rt/modules.c ${CMAKE_SOURCE_DIR}/rt/unwind.c
  ${CMAKE_SOURCE_DIR}/rt/descriptor.c ${CMAKE_SOURCE_DIR}/rt/metric/heap.c ${CMAKE_SOURCE_DIR}/rt/metric/io.c
  ${CMAKE_SOURCE_DIR}/rt/metric/cpu.c ${CMAKE_SOURCE_DIR}/rt/metric/switches.c)
target_include_directories(sources_core PUBLIC ${CMAKE_SOURCE_DIR}/rt ${CMAKE_SOURCE_DIR}/include)
target_compile_options(sources_core PUBLIC ${PROFPLUG_WARNINGS} -O2 -g)
target_link_libraries(sources_core PUBLIC Threads::Threads m dl)

function(sources_program name)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} sources_core)
endfunction()
function(sources_test name program)
  add_test(NAME unit_${name} COMMAND ${program} ${ARGN})
  set_tests_properties(unit_${name} PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
endfunction()

sources_program(sources_sampler)
sources_test(sources_sampler_perf sources_sampler)
sources_test(sources_sampler_timer sources_sampler timer)
sources_program(sources_stress)
sources_test(sources_stress sources_stress)
sources_program(sources_heap)
set_target_properties(sources_heap PROPERTIES ENABLE_EXPORTS ON)
target_compile_options(sources_heap PRIVATE -fno-builtin)
add_library(sources_bump MODULE sources_bump.c)
target_compile_options(sources_bump PRIVATE -O2 -fno-builtin)
sources_test(sources_heap sources_heap)
sources_test(sources_heap_preloaded sources_heap)
set_property(TEST unit_sources_heap_preloaded PROPERTY ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:sources_bump>)
add_executable(sources_heap_own sources_heap.c sources_bump.c)
target_link_libraries(sources_heap_own sources_core)
target_compile_options(sources_heap_own PRIVATE -fno-builtin)
sources_test(sources_heap_own sources_heap_own own)
add_executable(sources_heap_static sources_heap.c)
target_link_libraries(sources_heap_static sources_core -static)
target_compile_options(sources_heap_static PRIVATE -fno-builtin)
sources_test(sources_heap_static sources_heap_static own)
sources_program(sources_unwind)
sources_test(sources_unwind sources_unwind)
