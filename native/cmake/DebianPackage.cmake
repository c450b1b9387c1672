# SPDX-License-Identifier: Apache-2.0

# vbn_unpack_debian_package(<package> <variable>)
# Fetches a package from the distribution's own archive and unpacks it in the build folder: no privileges, and
# nothing is installed. Sets the variable to the unpacked root, or to "" where that cannot be done.
function(vbn_unpack_debian_package package variable)
  set(folder "${PROJECT_BINARY_DIR}/debian/${package}")
  set(root "${folder}/root")
  set(${variable} "" PARENT_SCOPE)
  if(NOT EXISTS "${root}")
    find_program(VBN_APT_GET apt-get)
    find_program(VBN_DPKG dpkg)
    if(NOT VBN_APT_GET OR NOT VBN_DPKG)
      return()
    endif()
    message(STATUS "${package} is not installed; fetching it for this build alone")
    file(MAKE_DIRECTORY "${folder}")
    execute_process(COMMAND "${VBN_APT_GET}" download "${package}"
      WORKING_DIRECTORY "${folder}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
    file(GLOB archive "${folder}/${package}_*.deb")
    if(failed OR NOT archive)
      return()
    endif()
    execute_process(COMMAND "${VBN_DPKG}" -x "${archive}" "${root}.part" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      return()
    endif()
    file(RENAME "${root}.part" "${root}") # whole or not at all
  endif()
  set(${variable} "${root}" PARENT_SCOPE)
endfunction()
