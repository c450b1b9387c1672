# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# vbn_add_test(<name> SOURCES <source>... LIBRARIES <library>... [LABEL <text>]
#              [PREFIX <text>] [ENVIRONMENT <name=value>...])
# One program; ctest runs each of its tests in a process of its own. The time limit is a bound against hanging.
# scripts/waver runs what has the label "timing": what depends on time, processes or threads.
set(VERBENA_TEST_LIMIT_SECONDS 180)

function(vbn_add_test name)
  cmake_parse_arguments(arg "" "LABEL;PREFIX" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main Threads::Threads)
  set(properties TIMEOUT ${VERBENA_TEST_LIMIT_SECONDS})
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  if(arg_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT ${arg_ENVIRONMENT})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${arg_PREFIX}"
    PROPERTIES ${properties})
endfunction()
