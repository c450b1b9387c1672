#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed.sh CMAKE BUILD SOURCE: a program of others finds the installed library by CMake and by pkg-config. 77: there is
# no pkg-config.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix
"$1" --install "$2" --prefix "$prefix"
"$1" -S "$3/examples" -B "$folder/examples" -DCMAKE_PREFIX_PATH="$prefix"
"$1" --build "$folder/examples"
"$3/test/abi/two_shells.sh" "$folder/examples/one_sided"
"$folder/examples/measurements"
if ! command -v pkg-config >/dev/null; then
  echo "installed.sh: Skipped"
  echo "by CMake it was found; pkg-config is not installed"
  exit 77
fi

# by_pkg_config SOURCE FOLDER: examples are built and run by what pkg-config says of a library in that folder.
by_pkg_config() {
  flags=$(PKG_CONFIG_PATH="$2/pkgconfig" pkg-config --cflags --libs verbena)
  # shellcheck disable=SC2086  # they are several words
  ${CC:-cc} "$1/examples/one_sided.c" $flags -o "$folder/by-pkg-config"
  LD_LIBRARY_PATH=$2 "$1/test/abi/two_shells.sh" "$folder/by-pkg-config"
  # shellcheck disable=SC2086
  ${CXX:-c++} -std=c++20 "$1/examples/measurements.cpp" $flags -o "$folder/measurements"
  LD_LIBRARY_PATH=$2 "$folder/measurements"
}
libraries=$(dirname "$(find "$prefix" -name 'libverbena.so' | head -n 1)")
by_pkg_config "$3" "$libraries"

# Debian's folder of libraries is two deep. The same files, with what CMake writes for that.
deep=lib/x86_64-linux-gnu
"$1" -S "$3" -B "$folder/build" -DVERBENA_SKIP_TESTS=ON -DCMAKE_INSTALL_LIBDIR="$deep" >"$folder/log" || {
  cat "$folder/log"
  exit 1
}
mkdir -p "$folder/debian/$deep/pkgconfig"
cp "$folder/build/verbena.pc" "$folder/debian/$deep/pkgconfig"
mv "$prefix/include" "$folder/debian/"
mv "$libraries"/libverbena.so* "$folder/debian/$deep"
by_pkg_config "$3" "$folder/debian/$deep"
