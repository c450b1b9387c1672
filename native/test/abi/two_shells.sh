#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# two_shells.sh PROGRAM: one process shares memory and says how to reach it, the other one puts a text there.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/softnic"
chmod 700 "$folder/softnic"
export VERBENA_SOFTNIC_DIR="$folder/softnic"
"$1" >"$folder/served" &
server=$!
until grep -q "'Hello'" "$folder/served"; do
  kill -0 "$server"
  sleep 0.1
done
read -r _ address key _ <"$folder/served"
"$1" "$address" "$key" 'a text of 26 bytes, or so.' | tee "$folder/put"
wait "$server"
server=
grep -q 'put of 26 bytes at 0 of key .* of node 1: done' "$folder/put"
[ "$(tail -n 1 "$folder/served")" = 'a text of 26 bytes, or so.' ]
