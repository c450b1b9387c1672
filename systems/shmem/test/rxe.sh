#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rxe.sh BUILD: programs of OpenSHMEM with two PEs that reach each other by rxe, in a virtual machine; 77: there can be none. The
# atomics of rxe are not atomic with those of processors.
set -eu
build=$(readlink -f "$1")
cat >"$build/rxe-shmem" <<'GUEST'
export VERBENA_SHMEM_DEVICE=rxe0 VERBENA_SHMEM_MAPPING=off
status=0
for program in calls calls_c former global order ring statics teams threads; do
  "$1/bin/verbena-run" -n 2 --timeout 120 -- "$1/systems/shmem/test/shmem-$program" >"/tmp/$program" 2>&1 && echo "passed: $program" && continue
  echo "FAILED: $program: $(tail -n 3 "/tmp/$program")"
  status=1
done
exit $status
GUEST
exec "$(dirname "$0")/../../../scripts/rxe-vm" sh "$build/rxe-shmem" "$build"
