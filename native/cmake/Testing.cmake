# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# vbn_add_test(<name> SOURCES <source>... LIBRARIES <library>... [TIMEOUT <seconds>]
#              [PREFIX <text>] [ENVIRONMENT <name=value>...])
# One program; ctest runs each of its tests in a process of its own, with its own time limit.
function(vbn_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;PREFIX" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main Threads::Threads)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${arg_PREFIX}"
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()
