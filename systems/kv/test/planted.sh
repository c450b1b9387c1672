#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   systems/kv/test/planted.sh [FAULT…]
#
# Runs the store's tests with each of the faults that can be planted in it (Planted.java), or these. A fault that no test
# sees within two minutes is a failure. What the tests said lies in target/planted.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
logs=target/planted
mkdir -p "$logs"
if [ $# = 0 ]; then
  mapfile -t faults < <(grep -oE '^  [A-Z_]+[,;]' systems/kv/store/src/main/java/io/verbena/kv/store/base/Planted.java | tr -d ' ,;' | grep -v NOTHING)
else
  faults=("$@")
fi
[ "${#faults[@]}" -gt 0 ] || exit 1
status=0
for fault in "${faults[@]}"; do
  began=$SECONDS
  timeout 120 mvn -B -Dfast -pl systems/kv/store -Dtest.jvm.extra="-Dverbena.kv.planted=$fault" test >"$logs/$fault.log" 2>&1
  seen=$(grep -cE '^\[ERROR\].*<<< (FAILURE|ERROR)!$' "$logs/$fault.log")
  printf '%-24s %3d s  %d tests saw it\n' "$fault" $((SECONDS - began)) "$seen"
  [ "$seen" -gt 0 ] || status=1
done
exit $status
