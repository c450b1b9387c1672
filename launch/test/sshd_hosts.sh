#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sshd_hosts.sh BUILD [VERBENA]: jobs on two hosts, which are network namespaces with an sshd each. Whoever is killed, the
# launcher, an ssh or an sshd's session, no process of the job is left. With VERBENA, the command, its demo and benchmarks run there, too.
# Exits with 77 where that cannot be had, and says why at the end.
set -uo pipefail
build=$(readlink -f "${1:?usage: sshd_hosts.sh BUILD [VERBENA]}")
verbena=${2:-}
run="$build/bin/verbena-run"
rank="$build/launch/test/vbn-job-rank"
sshd=${SSHD:-$(command -v sshd || echo /usr/sbin/sshd)}

skip() {
  echo "$1"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "network namespaces need root"
for tool in ip ssh ssh-keygen "$sshd"; do command -v "$tool" >/dev/null || skip "$tool is not there"; done

work=$(mktemp -d)
net=vbn$$
servers=()
failures=0
cleanup() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null; done
  for name in l a b; do ip netns delete "$net-$name" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT

ip netns add "$net-l" 2>/dev/null || skip "network namespaces cannot be made here"
ip -n "$net-l" link add bridge type bridge
ip -n "$net-l" address add 10.77.0.1/24 dev bridge
ip -n "$net-l" link set bridge up
number=1
for name in a b; do
  number=$((number + 1))
  ip netns add "$net-$name"
  ip -n "$net-l" link add "to-$name" type veth peer name eth0 netns "$net-$name"
  ip -n "$net-l" link set "to-$name" master bridge up
  ip -n "$net-$name" address add "10.77.0.$number/24" dev eth0
  ip -n "$net-$name" link set eth0 up
  ip -n "$net-$name" link set lo up
done

# A key for the user and one for the servers, for this run alone.
ssh-keygen -q -t ed25519 -N '' -f "$work/user" && ssh-keygen -q -t ed25519 -N '' -f "$work/server"
cp "$work/user.pub" "$work/authorized"
mkdir -p /run/sshd
cat >"$work/sshd_config" <<CONFIG
HostKey $work/server
AuthorizedKeysFile $work/authorized
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
CONFIG
cat >"$work/ssh_config" <<CONFIG
Host a
  HostName 10.77.0.2
Host b
  HostName 10.77.0.3
Host *
  IdentityFile $work/user
  IdentitiesOnly yes
  BatchMode yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
CONFIG
for name in a b; do
  ip netns exec "$net-$name" "$sshd" -D -e -f "$work/sshd_config" 2>"$work/sshd.$name" &
  servers+=($!)
done

on_launcher() { ip netns exec "$net-l" "$@"; }
reach() { on_launcher ssh -F "$work/ssh_config" -o ConnectTimeout=5 "$1" true; }
for name in a b; do
  reached=no
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    if reach "$name" 2>/dev/null; then reached=yes && break; fi
    sleep 0.3
  done
  [ "$reached" = yes ] || skip "sshd does not run in a network namespace here: $(tail -n 1 "$work/sshd.$name")"
done

# Runs a job on both hosts; what it says lies in $work/out and $work/err.
job() { on_launcher "$run" --rsh "ssh -F $work/ssh_config" --host a:2,b:2 "$@" >"$work/out" 2>"$work/err"; }
check() {
  if [ "$2" = "$3" ]; then
    echo "passed: $1"
  else
    echo "FAILED: $1: '$2' instead of '$3'" && tail -n 5 "$work/err"
    failures=$((failures + 1))
  fi
}

job "$rank" learn
check "ranks of both hosts learn each other" "$? $(sort "$work/out" | uniq -c | xargs)" "0 4 learnt 4"

job sh -c 'echo "$VERBENA_JOB_RANK $VERBENA_JOB_HOST_ADDRESS"'
check "each host has its address" "$(sort "$work/out" | xargs)" "0 10.77.0.2 1 10.77.0.2 2 10.77.0.3 3 10.77.0.3"

job sh -c 'stat -c %a "$VERBENA_CLUSTER_KEY_FILE"; md5sum <"$VERBENA_CLUSTER_KEY_FILE"'
check "all have one key, each in a file of its own user" "$(sort "$work/out" | uniq -c | wc -l) $(grep -c 600 "$work/out")" "2 4"

job sh -c '[ $VERBENA_JOB_RANK != 3 ] || exit 6; sleep 1000'
check "the first failure is named" "$? $(grep -c "rank 3 on b ('sh') ended with status 6" "$work/err")" "6 1"

# Each host has its own softnic, which reaches the other's by TCP.
job sh -c "VERBENA_SOFTNIC_DIR=$work/nic.\$VERBENA_JOB_HOST_ADDRESS; export VERBENA_SOFTNIC_DIR; mkdir -pm 700 \$VERBENA_SOFTNIC_DIR
  exec '$build/launch/test/vbn-fabric-rank' exchange 10"
check "ranks of both hosts write into each other's memory" "$? $(sort "$work/out" | xargs -d '\n' printf '%s; ')" \
  "0 around the ring: 60; rank 0 was written to: 9; rank 1 was written to: 8; rank 2 was written to: 7; rank 3 was written to: 6; "

# What ranks leave behind is to go, too. The number makes them known.
mark=$((100000 + $$))
left() { pgrep -f "sleep $mark" | wc -l; }
none_left() {
  for _ in $(seq 300); do
    [ "$(left)" = 0 ] && echo none && return
    sleep 0.1
  done
  left
}
for victim in launcher ssh session; do
  job sh -c "setsid sleep $mark & echo up; exec sleep $mark" &
  waiting=$!
  for _ in $(seq 300); do [ "$(grep -c up "$work/out" 2>/dev/null)" = 4 ] && break || sleep 0.1; done
  launcher=$(pgrep -f "^$run --rsh ssh -F $work")
  case $victim in
    launcher) kill -9 "$launcher" ;;
    ssh) kill -9 "$(pgrep -P "$launcher" ssh | head -n 1)" ;;
    session) kill -9 "$(pgrep -P "${servers[1]}" | head -n 1)" ;;
  esac
  wait "$waiting"
  status=$?
  check "nothing is left when $victim is killed" "$(none_left)" none
  if [ "$victim" != launcher ]; then check "a lost host is named" "$status $(grep -c 'is lost' "$work/err")" "125 1"; fi
done

# A host whose wire is cut says nothing; its connection does not end.
job --lost-after 3 sh -c "echo up; exec sleep $mark" &
waiting=$!
for _ in $(seq 300); do [ "$(grep -c up "$work/out" 2>/dev/null)" = 4 ] && break || sleep 0.1; done
ip -n "$net-l" link set to-b down
wait "$waiting"
check "a host that is cut off is lost" "$? $(grep -c 'host b is lost: nothing was heard of it for 3 s' "$work/err")" "125 1"
check "it ends its ranks itself" "$(none_left)" none
ip -n "$net-l" link set to-b up

if [ -n "$verbena" ]; then
  printf 'a\nb\n' >"$work/hosts"
  export VERBENA_RUN_RSH="ssh -F $work/ssh_config"
  command_line() { on_launcher "$verbena" "$@" >"$work/out" 2>"$work/err"; }
  # These hosts have one /dev/shm, which real ones do not: so the transport is named.
  command_line bench throughput --hosts "$work/hosts" --transport tcp --messages 20000 --warmup 0.2 --repeat 2
  check "throughput between two hosts" "$? $(grep -c 'throughput over tcp' "$work/out") $(grep -c 'arrived once' "$work/out")" "0 1 1"
  command_line bench latency --hosts "$work/hosts" --transport tcp --messages 2000 --warmup 0.2 --repeat 2
  check "latency between two hosts" "$? $(grep -c 'latency over tcp' "$work/out") $(grep -c 'arrived once' "$work/out")" "0 1 1"
  yes 'the quick brown fox jumps over the lazy dog' | head -n 5000 >"$work/text"
  command_line demo --transport tcp --hosts "$work/hosts" "$work/text"
  check "the demo on two hosts" "$? $(grep -c 'Nothing was lost' "$work/out")" "0 1"
fi

[ "$failures" = 0 ]
