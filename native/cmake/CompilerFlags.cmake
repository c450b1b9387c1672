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

# Most of the time that a file takes goes into headers of others: compiled eight at a time, all take two fifths of it.
# 'scripts/nightly single-files' compiles each by itself, which shows that it includes what it uses.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()

add_compile_options(-Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-sign-conversion) # GCC's -Wconversion is without it in C++
endif()
# For who changes the code: compilers and levels of optimizing that nobody has tried here warn of other things.
option(VERBENA_WERROR "Warnings are errors" OFF)
if(VERBENA_WERROR)
  add_compile_options(-Werror)
endif()
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
  if(sanitizers MATCHES "undefined")
    # It looks at memory through a pipe: in tests that use all descriptors up it takes sound objects for broken ones.
    add_compile_options(-fno-sanitize=vptr)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # It has its run-time in a library for C++ alone, and programs in C link ours.
      add_compile_options(-fno-sanitize=function)
    endif()
  endif()
  # Of instrumented code some warnings are false.
  add_compile_options(-Wno-error)
  if(NOT VERBENA_FUZZ)
    # What is run once does not pay for more optimizing; without any, tests that run under load would take too long.
    add_compile_options($<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Its run-time is linked into programs. A test's own allocation functions replace AddressSanitizer's, and do not
    # ThreadSanitizer's, beside which they may stand (test/softnic/scarce_memory.h).
    add_link_options(-Wl,--allow-multiple-definition)
    # As GCC does: where a sanitizer is at work some tests have fewer rounds.
    foreach(sanitizer IN ITEMS address thread)
      if(sanitizers MATCHES "${sanitizer}")
        string(TOUPPER "__sanitize_${sanitizer}__" macro)
        add_compile_definitions(${macro})
      endif()
    endforeach()
  endif()
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
