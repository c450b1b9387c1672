#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed.sh CMAKE BUILD SOURCE: a program of others finds the installed library by CMake and by pkg-config.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --install "$2" --prefix "$folder/prefix"
"$1" -S "$3/examples" -B "$folder/examples" -DCMAKE_PREFIX_PATH="$folder/prefix"
"$1" --build "$folder/examples"
"$3/test/abi/two_shells.sh" "$folder/examples/one_sided"
"$folder/examples/measurements"
if ! command -v pkg-config >/dev/null; then
  echo "pkg-config is not installed: not tried with it"
  exit 0
fi
packages=$(dirname "$(find "$folder/prefix" -name verbena.pc)")
flags=$(PKG_CONFIG_PATH="$packages" pkg-config --cflags --libs verbena)
# shellcheck disable=SC2086  # they are several words
${CC:-cc} "$3/examples/one_sided.c" $flags -o "$folder/by-pkg-config"
LD_LIBRARY_PATH=$(dirname "$(find "$folder/prefix" -name 'libverbena.so' | head -n 1)")
export LD_LIBRARY_PATH
"$3/test/abi/two_shells.sh" "$folder/by-pkg-config"
# shellcheck disable=SC2086
${CXX:-c++} -std=c++20 "$3/examples/measurements.cpp" $flags -o "$folder/measurements"
"$folder/measurements"
