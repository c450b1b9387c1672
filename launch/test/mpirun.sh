#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpirun.sh BUILD: jobs whose ranks Open MPI's mpirun starts, native ones and such in Java. With root rights also over two
# hosts, which are network namespaces. Exits with 77 where there is no mpirun that speaks PMIx, and says so at the end.
set -uo pipefail
build=$(readlink -f "${1:?usage: mpirun.sh BUILD}")
. "$(dirname "$0")/checking.sh"
net=vbm$$
cleanup() {
  for name in l a b; do ip netns delete "$net-$name" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT

command -v mpirun >/dev/null || skip "mpirun is not there; Debian has it in openmpi-bin"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 TMPDIR="$work"
run mpirun -n 1 env || skip "mpirun starts nothing here: $(grep -v '^[[:space:]]*-*$' "$work/err" | head -n 1)"
grep -q ^PMIX_RANK= "$work/out" || skip "this mpirun does not speak PMIx"

run mpirun -n 4 "$rank" learn
check "ranks learn each other" "$? $(counted)" "0 4 learnt 4"

run mpirun -n 4 "$rank" place
check "each has its place" "$? $(sed 's/, crowded//; s/, key .*//' "$work/out" | sort | xargs)" \
  "0 rank 0 of 4, here 0 of 4, at 127.0.0.1 rank 1 of 4, here 1 of 4, at 127.0.0.1 rank 2 of 4, here 2 of 4, at 127.0.0.1 rank 3 of 4, here 3 of 4, at 127.0.0.1"
sed 's/.*key //' "$work/out" | sort -u >"$work/keys"
check "all have one key of 64 digits" "$(wc -l <"$work/keys") $(tr -d '\n' <"$work/keys" | wc -c)" "1 64"
run mpirun -n 4 "$rank" place
sed 's/.*key //' "$work/out" | sort -u >>"$work/keys"
check "another job has another key" "$(sort -u "$work/keys" | wc -l)" 2

run mpirun -n 4 "$hello"
check "nodes with that key open" "$? $(wc -l <"$work/out")" "0 4"

run mpirun -n 4 "$rank" fail 2
check "mpirun ends with the status of the rank that fails" "$? $(counted) $(ranks_left)" "6 4 learnt 4 0"

run mpirun --mca orte_abort_on_non_zero_status 0 -n 4 "$rank" ends 1
check "a rank's end is told to the others" "$(counted)" "3 rank 3 ended with 137"

run mpirun -n 1 "$rank" learn
check "a job may have one rank" "$? $(counted)" "0 1 learnt 1"

printf 'a key of the user' >"$work/key" && chmod 600 "$work/key"
VERBENA_CLUSTER_KEY_FILE="$work/key" run mpirun -n 2 "$rank" place
check "a key file goes before a key that is handed out" "$? $(grep -c ', key a key of the user$' "$work/out")" "0 2"
chmod 640 "$work/key"
VERBENA_CLUSTER_KEY_FILE="$work/key" run mpirun -n 2 "$rank" learn
check "a key file that others may read is refused" "$? $(grep -o "its mode is 640; run 'chmod 600" "$work/out" | sort -u)" \
  "9 its mode is 640; run 'chmod 600"

VERBENA_JOB_PMIX="$work/none" run mpirun -n 1 "$rank" learn
check "a libpmix that is not there is named" "$? $(grep -c "^cannot meet the other ranks by PMIx on $work/none: " "$work/out")" "9 1"

VERBENA_JOB_START_TIMEOUT=2 run mpirun -n 2 "$rank" learn : -n 1 sleep 1000
check "a rank that never comes is waited for until the time is over" \
  "$? $(sort -u "$work/out")" \
  "9 cannot meet the other ranks by PMIx: ETIMEDOUT; within 2 s (VERBENA_JOB_START_TIMEOUT) some have not opened their job"

run mpirun -n 2 sh -c "'$rank' learn && '$rank' learn"
check "a second program of a rank is told what it is" \
  "$? $(grep -c '^learnt' "$work/out") $(grep -c 'a rank is one program' "$work/out")" "9 2 2"

run mpirun -n 3 "$ring"
check "PEs of OpenSHMEM write to each other" "$? $(sort "$work/out" | xargs)" "0 $shmem_ring"

if command -v mpicc >/dev/null && echo '#include <mpi.h>' >"$work/mpi.c" && run mpicc -fsyntax-only "$work/mpi.c"; then
  # shellcheck disable=SC2046  # they are several words
  run "$build/bin/oshcc" $(mpicc --showme:compile) "$root/systems/shmem/test/with_mpi.c" $(mpicc --showme:link) -o "$work/both"
  check "a program with MPI and OpenSHMEM is built" "$?" 0
  run mpirun -n 3 "$work/both"
  check "it has both" "$? $(sort "$work/out" | xargs)" \
    "0 rank 0 is PE 0 of 3: sum 6 rank 1 is PE 1 of 3: sum 6 rank 2 is PE 2 of 3: sum 6"
else
  skip_part "MPI and OpenSHMEM in one program: there is no mpi.h; Debian has it in libopenmpi-dev"
fi

find_java
if [ "${#java[@]}" -gt 0 ]; then
  java=(mpirun -n 4 env "${java[@]}") # mpirun changes the arguments of a command that is called java
  run "${java[@]}" "$examples/Ranks.java"
  check "ranks in Java greet each other" "$? $(sort "$work/out" | xargs)" "0 $java_greetings"
  run "${java[@]}" "$examples/RankRing.java"
  check "the fabrics of ranks in Java make a ring" "$? $(sort "$work/out" | xargs)" "0 $java_ring"
fi

# Two hosts: mpirun reaches each by a command that stands in place of ssh.
make_hosts() {
  [ "$(id -u)" = 0 ] && command -v ip unshare >/dev/null || return 1
  ip netns add "$net-l" 2>/dev/null || return 1
  ip -n "$net-l" link set lo up
  ip -n "$net-l" link add bridge type bridge
  ip -n "$net-l" address add 10.78.0.1/24 dev bridge
  ip -n "$net-l" link set bridge up
  local number=1
  for name in a b; do
    number=$((number + 1))
    ip netns add "$net-$name"
    ip -n "$net-l" link add "to-$name" type veth peer name eth0 netns "$net-$name"
    ip -n "$net-l" link set "to-$name" master bridge up
    ip -n "$net-$name" address add "10.78.0.$number/24" dev eth0
    ip -n "$net-$name" link set eth0 up
    ip -n "$net-$name" link set lo up
  done
  cat >"$work/reach" <<SHELL
#!/bin/sh
host=\$1
shift
exec ip netns exec "$net-\$host" unshare --uts sh -c "hostname \$host; export TMPDIR=$work/\$host; mkdir -p \$TMPDIR $work/\$host; \$*"
SHELL
  chmod 700 "$work/reach"
}
if make_hosts; then
  hosts=(ip netns exec "$net-l" mpirun --mca plm_rsh_agent "$work/reach" --host a:2,b:2 -n 4)
  run "${hosts[@]}" "$rank" learn
  check "ranks of two hosts learn each other" "$? $(counted)" "0 4 learnt 4"
  run "${hosts[@]}" "$rank" place
  check "each host has its address" "$? $(sed 's/, key .*//; s/, crowded//' "$work/out" | sort | xargs)" \
    "0 rank 0 of 4, here 0 of 2, at 10.78.0.2 rank 1 of 4, here 1 of 2, at 10.78.0.2 rank 2 of 4, here 0 of 2, at 10.78.0.3 rank 3 of 4, here 1 of 2, at 10.78.0.3"
  # Each host has folders of its own, so that one reaches the other by TCP.
  cat >"$work/pe" <<'SHELL'
#!/bin/sh
folder=$(dirname "$0")/$(hostname)/shmem
mkdir -p -m 700 "$folder"
export VERBENA_SOFTNIC_DIR=$folder VERBENA_SHMEM_DIR=$folder/memory
exec "$@"
SHELL
  chmod 700 "$work/pe"
  SHMEM_INFO=1 run "${hosts[@]}" -x SHMEM_INFO "$work/pe" "$ring"
  check "PEs of two hosts write to each other" "$? $(sed 's/ mapped memory,.*/ mapped memory/' "$work/out" | sort | xargs)" \
    "0 4 PEs; 2 of them reached by mapped memory PE 0 was written to by PE 3 PE 1 was written to by PE 0 PE 2 was written to by PE 1 PE 3 was written to by PE 2"
else
  skip_part "ranks of two hosts: network namespaces cannot be made here"
fi

finish
