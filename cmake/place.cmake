# SPDX-License-Identifier: MIT
# Where things lie: the build tree has the installed layout as far as the tool is concerned (gcc-N/profplug.so beside it,
# include/), and what is installed where.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
string(REGEX MATCH "^[0-9]+" PROFPLUG_GCC_MAJOR "${CMAKE_CXX_COMPILER_VERSION}")

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/gcc-${PROFPLUG_GCC_MAJOR})
file(CREATE_LINK ../profplug.so ${CMAKE_BINARY_DIR}/gcc-${PROFPLUG_GCC_MAJOR}/profplug.so SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)

install(TARGETS plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/profplug/gcc-${PROFPLUG_GCC_MAJOR})
foreach(major ${PROFPLUG_OTHER_GCCS})
  install(TARGETS plugin_gcc${major} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/profplug/gcc-${major})
endforeach()
option(PROFPLUG_INTO_GCC "Install the plugin into GCC's own folder too: -fplugin=profplug finds it there" OFF)
if(PROFPLUG_INTO_GCC)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=plugin OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
  install(TARGETS plugin LIBRARY DESTINATION ${folder})
endif()
install(TARGETS rt_static rt_shared ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/profplug)
install(TARGETS causal LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/profplug)
install(TARGETS tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(name profplug-gcc profplug-g++ profplug-gcc-ar profplug-gcc-nm profplug-gcc-ranlib)
  install(FILES ${CMAKE_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/profplug)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/profplugConfig.cmake.in ${CMAKE_BINARY_DIR}/cmake/profplugConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmake/profplugConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/cmake/profplugConfig.cmake ${CMAKE_BINARY_DIR}/cmake/profplugConfigVersion.cmake
        DESTINATION ${package_folder})

file(RELATIVE_PATH PROFPLUG_PREFIX_FROM_PC /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" PROFPLUG_PREFIX_FROM_PC "${PROFPLUG_PREFIX_FROM_PC}")
configure_file(${CMAKE_SOURCE_DIR}/cmake/profplug.pc.in ${CMAKE_BINARY_DIR}/cmake/profplug.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cmake/profplug.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(section 1 3 5)
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
file(GLOB documents CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/COPYING ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(WRITE ${CMAKE_BINARY_DIR}/profplug.build "")      # tells the package file that it is in a build tree
install(FILES ${CMAKE_SOURCE_DIR}/report/export/profplug-report-2.schema.json ${CMAKE_SOURCE_DIR}/report/export/profplug-overhead-1.schema.json
        ${CMAKE_SOURCE_DIR}/report/export/profplug-check-1.schema.json ${CMAKE_SOURCE_DIR}/report/export/profplug-diff-1.schema.json
        ${CMAKE_SOURCE_DIR}/report/export/profplug-causal-1.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/profplug)
