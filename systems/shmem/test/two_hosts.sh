#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# two_hosts.sh VERBENA_RUN PROGRAM: a job of two hosts with two PEs each. Both hosts are this one; as each has folders of its
# own for softnic and for symmetric memory, one reaches the other by TCP alone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/0" "$work/1" "$work/0/memory" "$work/1/memory"
printf '#!/bin/sh\nshift\neval "$*"\n' >"$work/rsh"
printf '#!/bin/sh\nhost=%s/$((VERBENA_JOB_RANK / 2))\nexport VERBENA_SOFTNIC_DIR=$host VERBENA_SHMEM_DIR=$host/memory VERBENA_JOB_OVERSUBSCRIBED=1\nexec "$@"\n' "$work" >"$work/pe"
chmod +x "$work/rsh" "$work/pe"
[ "$(hostname -I 2>/dev/null | wc -w)" != 0 ] || { echo "this host has no address but the loopback one"; exit 77; }
"$1" --timeout 120 --lost-after 120 --rsh "$work/rsh" --host a:2,b:2 "$work/pe" "$2"
