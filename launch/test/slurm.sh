#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh BUILD: jobs whose ranks Slurm's srun starts, with PMIx and without, native ones and such in Java; and verbena-run in
# an allocation. Slurm is of one machine, and this test's own: processes, ports, folder and munge key. Exits with 77 where that
# cannot be had, and says why at the end.
set -uo pipefail
build=$(readlink -f "${1:?usage: slurm.sh BUILD}")
. "$(dirname "$0")/checking.sh"
PATH=$PATH:/usr/sbin
servers=()
cleanup() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null; done
  for server in "${servers[@]}"; do wait "$server" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT

for tool in slurmctld slurmd srun salloc sinfo; do command -v "$tool" >/dev/null || skip "$tool is not there; Debian has it in slurm-wlm"; done
command -v munged >/dev/null || skip "munged is not there; Debian has it in munge"

host=$(hostname -s)
ports=$((30000 + $$ % 1000 * 2)) # below those that Linux gives to who asks for any
chmod 711 "$work"                # munged wants nobody else to be able to write on the way to its socket
mkdir -p "$work/spool" "$work/state"
(umask 077 && head -c 128 /dev/urandom >"$work/munge.key")
munged --foreground --force --socket="$work/munge.socket" --key-file="$work/munge.key" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge.seed" >"$work/munged" 2>&1 &
servers+=($!)
cat >"$work/slurm.conf" <<CONFIG
ClusterName=verbena
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$ports
SlurmdPort=$((ports + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONFIG
export SLURM_CONF="$work/slurm.conf"
for _ in $(seq 50); do [ -S "$work/munge.socket" ] && break || sleep 0.1; done
slurmctld -D -c -f "$SLURM_CONF" >"$work/slurmctld" 2>&1 &
servers+=($!)
slurmd -D -c -f "$SLURM_CONF" >"$work/slurmd" 2>&1 &
servers+=($!)
for _ in $(seq 100); do
  [ "$(timeout 5 sinfo -h -o %T 2>/dev/null)" = idle ] && break
  sleep 0.2
done
[ "$(timeout 5 sinfo -h -o %T 2>/dev/null)" = idle ] ||
  skip "Slurm does not run here: $(cat "$work/munged" "$work/slurmctld" "$work/slurmd" "$work"/*.log 2>/dev/null | grep -i error | head -n 1)"

# Native ranks and such in Java; the arguments are those of srun.
check_job() {
  local how=$1
  run srun -n 4 --overcommit "$how" "$rank" learn
  check "ranks learn each other ($how)" "$? $(counted)" "0 4 learnt 4"
  run srun -n 4 --overcommit "$how" "$rank" place
  check "each has its place ($how)" "$? $(sed 's/, crowded//; s/, key .*//' "$work/out" | sort | xargs)" \
    "0 rank 0 of 4, here 0 of 4, at 127.0.0.1 rank 1 of 4, here 1 of 4, at 127.0.0.1 rank 2 of 4, here 2 of 4, at 127.0.0.1 rank 3 of 4, here 3 of 4, at 127.0.0.1"
  check "all have one key ($how)" "$(sed 's/.*, key //' "$work/out" | sort -u | wc -l)" 1
  run srun -n 4 --overcommit "$how" "$hello"
  check "nodes with that key open ($how)" "$? $(wc -l <"$work/out")" "0 4"
  run srun -n 4 --overcommit --kill-on-bad-exit "$how" "$rank" fail 2
  # Its status is the highest: of those that it has ended.
  check "srun names the rank that fails, and ends the others ($how)" \
    "$? $(counted) $(grep -c 'task 2: Exited with exit code 6' "$work/err") $(ranks_left)" "143 4 learnt 4 1 0"
  run srun -n 4 --overcommit --kill-on-bad-exit=0 "$how" "$rank" ends 1
  check "a rank's end is told to the others ($how)" "$? $(counted)" "3 3 rank 3 ended with 137"
  run srun -n 1 "$how" "$rank" learn
  check "a job may have one rank ($how)" "$? $(counted)" "0 1 learnt 1"
  run srun -n 3 --overcommit "$how" "$ring"
  check "PEs of OpenSHMEM write to each other ($how)" "$? $(sort "$work/out" | xargs)" "0 $shmem_ring"
  [ "${#java[@]}" -gt 0 ] || return 0
  run srun -n 4 --overcommit "$how" "${java[@]}" "$examples/Ranks.java"
  check "ranks in Java greet each other ($how)" "$? $(sort "$work/out" | xargs)" "0 $java_greetings"
  run srun -n 4 --overcommit "$how" "${java[@]}" "$examples/RankRing.java"
  check "the fabrics of ranks in Java make a ring ($how)" "$? $(sort "$work/out" | xargs)" "0 $java_ring"
}

find_java
if srun --mpi=pmix -n 1 true 2>/dev/null; then
  check_job --mpi=pmix
else
  skip_part "srun --mpi=pmix: Slurm has no plug-in for it here, or that lacks libpmix.so (Debian: libpmix-dev)"
fi

run srun -n 4 --overcommit --mpi=none "$rank" learn
check "without a key file it is said what to do" "$? $(sort -u "$work/out")" \
  "9 cannot find this process' place in its job on VERBENA_CLUSTER_KEY_FILE: Slurm without PMIx hands out no key: name a file that has one, the same for all ranks, and that only its user can read"
(umask 077 && printf 'a key of the user' >"$work/key")
export VERBENA_CLUSTER_KEY_FILE="$work/key"
check_job --mpi=none
chmod 604 "$work/key"
run srun -n 2 --overcommit --mpi=none "$rank" learn
check "a key file that others may read is refused" "$? $(grep -o "its mode is 604; run 'chmod 600" "$work/out" | sort -u)" \
  "9 its mode is 604; run 'chmod 600"
chmod 600 "$work/key"

# The port is taken by somebody who says nothing.
VERBENA_JOB_PORT=$ports VERBENA_JOB_START_TIMEOUT=2 run srun -n 2 --overcommit --mpi=none "$rank" learn
check "a port that is taken is named" "$(grep -c "EADDRINUSE; choose another port by VERBENA_JOB_PORT" "$work/out")" 1
unset VERBENA_CLUSTER_KEY_FILE

run salloc -n 2 --overcommit "$build/bin/verbena-run" "$rank" learn
check "verbena-run has hosts and slots of the allocation" "$? $(counted)" "0 2 learnt 2"
run salloc -n 1 "$build/bin/verbena-run" --host localhost:3 "$rank" learn
check "hosts that are given go before those of the allocation" "$? $(counted)" "0 3 learnt 3"

finish
