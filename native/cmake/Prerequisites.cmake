# SPDX-License-Identifier: Apache-2.0
#
# Everything the build takes from the system, checked before anything is compiled. What a developer of a Java
# project may well not have installed, the build fetches for itself where the distribution is Debian's or derived
# from it; elsewhere it says at once what is missing, by package name.
include(CheckIncludeFileCXX)
include(DebianPackage)

set(missing_packages "")

# The header alone: libibverbs itself is loaded at run time and never linked.
check_include_file_cxx("infiniband/verbs.h" VERBENA_HAVE_VERBS_H)
if(NOT VERBENA_HAVE_VERBS_H)
  unset(VERBENA_HAVE_VERBS_H CACHE) # ask again once it has been installed
  vbn_unpack_debian_package(libibverbs-dev verbs_root)
  if(verbs_root)
    include_directories(SYSTEM "${verbs_root}/usr/include")
  else()
    list(APPEND missing_packages libibverbs-dev)
  endif()
endif()

if(NOT VERBENA_SKIP_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    vbn_unpack_debian_package(googletest gtest_root) # its source: as good for another processor
    if(gtest_root)
      set(INSTALL_GTEST OFF)
      set(BUILD_GMOCK OFF)
      add_subdirectory("${gtest_root}/usr/src/googletest" "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
    else()
      list(APPEND missing_packages libgtest-dev)
    endif()
  endif()
endif()

if(missing_packages)
  list(JOIN missing_packages " " packages)
  message(FATAL_ERROR
    "The native build needs ${packages}. On Debian and Ubuntu: apt-get update && apt-get install ${packages}\n"
    "(elsewhere: rdma-core's development package and GoogleTest; -DVERBENA_SKIP_TESTS=ON builds without the latter)")
endif()

find_package(Threads REQUIRED)
