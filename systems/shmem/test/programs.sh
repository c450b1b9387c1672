#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh BUILD SOURCE: a program is compiled and run as docs/shmem.md says, with what lies in the build and with what is
# installed somewhere else.
set -eu
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"
for bin in "$build/bin" "$work/moved/bin"; do
  "$bin/oshcc" -Wall -Werror "$source" -o "$work/ring"
  VERBENA_SHMEM_DIR="$work/memory" "$bin/oshrun" -n 3 "$work/ring" >"$work/said"
  [ "$(ls "$work/memory")" = lock ] || { echo "left: $(ls "$work/memory")"; exit 1; }
  [ "$(sort "$work/said" | tr '\n' ';')" = \
    "PE 0 was written to by PE 2;PE 1 was written to by PE 0;PE 2 was written to by PE 1;" ] || { cat "$work/said"; exit 1; }
  echo '#include <shmem.h>
int main() { shmem_init(); long* at = nullptr; if (at) shmem_p(at, 1L, 0); shmem_finalize(); }' >"$work/one.cpp"
  "$bin/oshc++" -Wall -Werror "$work/one.cpp" -o "$work/one"
  "$bin/oshcc" --showme | grep -q -- -lverbena-shmem
done
