#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh BUILD SOURCE: a program is compiled and run as docs/shmem.md says, with what lies in the build and with what is
# installed somewhere else; there also by CMake and by pkg-config, if that is installed.
set -eu
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"
# told COMMAND…: three PEs say what they should, and leave nothing.
told() {
  VERBENA_SHMEM_DIR="$work/memory" "$@" >"$work/said"
  [ "$(ls "$work/memory")" = lock ] || { echo "left: $(ls "$work/memory")"; exit 1; }
  [ "$(sort "$work/said" | tr '\n' ';')" = \
    "PE 0 was written to by PE 2;PE 1 was written to by PE 0;PE 2 was written to by PE 1;" ] || { cat "$work/said"; exit 1; }
}
for bin in "$build/bin" "$work/moved/bin"; do
  "$bin/oshcc" -Wall -Werror "$source" -o "$work/ring"
  told "$bin/oshrun" -n 3 "$work/ring"
  echo '#include <shmem.h>
int main() { shmem_init(); long* at = nullptr; if (at) shmem_p(at, 1L, 0); shmem_finalize(); }' >"$work/one.cpp"
  "$bin/oshc++" -Wall -Werror "$work/one.cpp" -o "$work/one"
  "$bin/oshcc" --showme | grep -q -- -lverbena-shmem
done
libraries=$(dirname "$(find "$work/moved" -name libverbena-shmem.so)")
if command -v pkg-config >"$work/log"; then
  # shellcheck disable=SC2046  # they are several words
  ${CC:-cc} "$source" $(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --cflags --libs verbena-shmem) -o "$work/ring"
  LD_LIBRARY_PATH="$libraries" told "$bin/oshrun" -n 3 "$work/ring"
fi
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(ring C)
find_package(Verbena REQUIRED)
add_executable(ring "$source")
target_link_libraries(ring Verbena::verbena-shmem)
END
{ cmake -S "$work/project" -B "$work/made" -DCMAKE_PREFIX_PATH="$work/moved" && cmake --build "$work/made"; } >"$work/log" 2>&1 || {
  cat "$work/log"
  exit 1
}
told "$bin/oshrun" -n 3 "$work/made/ring"
