# SPDX-License-Identifier: Apache-2.0
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wconversion -Wshadow -Werror)
# Lines and functions, for stack traces and profiles. What a debugger wants of variables besides takes a quarter of the
# time of building; a Debug build has it.
add_compile_options($<$<CONFIG:RelWithDebInfo>:-g1>)
# The library is the same wherever it is built: no path of that folder gets into it or into its build id.
add_compile_options("-ffile-prefix-map=${PROJECT_BINARY_DIR}=build" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=native")
# No -march: one build runs on every x86-64 and under emulation.

# Nothing of libibverbs may be linked by accident, not even through its inline functions: a symbol that is
# not there is an error when the library is linked, not when somebody loads it. (A sanitizer's run-time
# library is itself only resolved by the program.)
if(NOT VERBENA_SANITIZE)
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,-z,defs>)
endif()

if(VERBENA_SANITIZE)
  string(REPLACE ";" "," sanitizers "${VERBENA_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # Warnings are errors in the ordinary build: of instrumented code some are false.
  add_compile_options(-Wno-error)
  if(NOT VERBENA_FUZZ)
    # What is run once does not pay for more optimizing; without any, tests that run under load would take too long.
    add_compile_options($<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  add_link_options(-fsanitize=${sanitizers})
  if(sanitizers MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns that its ThreadSanitizer does not model fences; the code that has one says what it pairs with.
    add_compile_options(-Wno-tsan)
  endif()
endif()

if(VERBENA_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "VERBENA_FUZZ needs clang for libFuzzer: apt-get install clang, then -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# vbn_add_fuzzer(<name> <source>... ) links the sources with libFuzzer's main; the caller links its objects.
function(vbn_add_fuzzer name)
  if(VERBENA_FUZZ)
    add_executable(${name} ${ARGN})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()
