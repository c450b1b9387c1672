# SPDX-License-Identifier: Apache-2.0
#
# Everything the build takes from the system, checked before anything is compiled, so that what is missing
# is said at once, by package name.
include(CheckIncludeFileCXX)

set(missing_packages "")

# The header alone: libibverbs itself is loaded at run time and never linked.
check_include_file_cxx("infiniband/verbs.h" VERBENA_HAVE_VERBS_H)
if(NOT VERBENA_HAVE_VERBS_H)
  unset(VERBENA_HAVE_VERBS_H CACHE) # ask again once it has been installed
  list(APPEND missing_packages libibverbs-dev)
endif()

if(VERBENA_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    list(APPEND missing_packages libgtest-dev)
  endif()
endif()

if(missing_packages)
  list(JOIN missing_packages " " packages)
  message(FATAL_ERROR
    "The native build needs ${packages}. On Debian and Ubuntu: apt-get install ${packages}\n"
    "(elsewhere: rdma-core's development package and GoogleTest; -DVERBENA_TESTS=OFF builds without the latter)")
endif()

find_package(Threads REQUIRED)
