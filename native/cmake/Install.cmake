# SPDX-License-Identifier: Apache-2.0
#
# cmake --install BUILD --prefix PREFIX: the library, its headers, and what finds them (find_package(Verbena), pkg-config verbena).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS verbena EXPORT VerbenaTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Verbena")
install(EXPORT VerbenaTargets NAMESPACE Verbena:: DESTINATION ${package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/VerbenaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES cmake/VerbenaConfig.cmake "${PROJECT_BINARY_DIR}/VerbenaConfigVersion.cmake" DESTINATION ${package})

# From where it lies, so that the whole may be moved: the folder of libraries may be several deep, or be elsewhere altogether.
file(RELATIVE_PATH prefix_from_pkgconfig "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
  set(pkgconfig_${folder} "${CMAKE_INSTALL_${folder}}")
  if(NOT IS_ABSOLUTE "${pkgconfig_${folder}}")
    set(pkgconfig_${folder} "\${prefix}/${pkgconfig_${folder}}")
  endif()
endforeach()
function(vbn_install_pkgconfig NAME DESCRIPTION)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/verbena.pc.in" "${PROJECT_BINARY_DIR}/${NAME}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${NAME}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
vbn_install_pkgconfig(verbena "Messages and one-sided memory over shared memory, verbs and TCP")
