# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# vbn_add_test(<name> SOURCES <source>... LIBRARIES <library>... [LABEL <text>]
#              [PREFIX <text>] [ENVIRONMENT <name=value>...] [HAS_NIGHTLY])
# One program; ctest runs each of its tests in a process of its own. The time limit is a bound against hanging.
# scripts/waver runs what has the label "timing": what depends on time, processes or threads. With HAS_NIGHTLY suites whose
# names end in "Nightly", which repeat or search, have the label "nightly" instead, and run in scripts/nightly alone.
set(VERBENA_TEST_LIMIT_SECONDS 180)
file(WRITE "${CMAKE_BINARY_DIR}/test-programs" "")

function(vbn_add_test name)
  cmake_parse_arguments(arg "HAS_NIGHTLY" "LABEL;PREFIX" "SOURCES;LIBRARIES;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  file(APPEND "${CMAKE_BINARY_DIR}/test-programs" "${name}\n") # scripts/test-summary misses those that did not run
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main Threads::Threads)
  if(VERBENA_SANITIZE AND NOT VERBENA_FUZZ)
    # Half the time that instrumented tests take to compile; what they test stays optimized.
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  endif()
  set(properties TIMEOUT ${VERBENA_TEST_LIMIT_SECONDS})
  if(arg_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT ${arg_ENVIRONMENT})
  endif()
  set(discovery ${name} DISCOVERY_MODE PRE_TEST)
  if(arg_PREFIX)
    list(APPEND discovery TEST_PREFIX ${arg_PREFIX})
  endif()
  if(arg_HAS_NIGHTLY)
    gtest_discover_tests(${discovery} TEST_FILTER "*Nightly.*" PROPERTIES ${properties} LABELS nightly)
    list(APPEND discovery TEST_FILTER "-*Nightly.*")
  endif()
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  gtest_discover_tests(${discovery} PROPERTIES ${properties})
endfunction()
