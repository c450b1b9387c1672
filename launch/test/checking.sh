# SPDX-License-Identifier: Apache-2.0
# What tests of jobs that others start have in common; read by them, not run. They set `build`, and have set -uo pipefail.
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
rank="$build/launch/test/vbn-job-rank"
hello="$build/launch/examples/hello"
ring="$build/systems/shmem/test/shmem-ring"
failures=0
skipped=()
export LC_ALL=C
unset VERBENA_CLUSTER_KEY_FILE VERBENA_JOB_PORT VERBENA_JOB_INTERFACE VERBENA_JOB_HOSTS

for program in "$rank" "$hello"; do
  [ -x "$program" ] && continue
  echo "$program is not built; build it:  scripts/native build $build"
  exit 2
done
work=$(mktemp -d)

# The whole test cannot run here.
skip() {
  echo "$1"
  exit 77
}

# A part of it cannot; it is named again at the end.
skip_part() {
  echo "skipped: $1"
  skipped+=("$1")
}

# check WHAT GOT WANTED
check() {
  if [ "$2" = "$3" ]; then
    echo "passed: $1"
  else
    echo "FAILED: $1: '$2' instead of '$3'"
    tail -n 8 "$work/out" "$work/err"
    failures=$((failures + 1))
  fi
}

# Runs a command; what it says lies in $work/out and $work/err. One that hangs fails.
run() { timeout --kill-after 10 180 "$@" >"$work/out" 2>"$work/err" </dev/null; }

# Lines that are the same, with how often they come: "4 learnt 4".
counted() { sort "$work/out" | uniq -c | xargs; }

# Sets `java` to what runs an example of `$examples`; empty, with what is missing named, where none can be run.
examples="$root/examples/src/main/java/io/verbena/examples"
find_java() {
  local jdk classpath="$root/tools/cli/target/fast/classpath"
  java=()
  jdk=$("$root/scripts/find-jdk" 2>/dev/null) || { skip_part "ranks in Java: there is no JDK 25" && return; }
  [ -f "$classpath" ] || { skip_part "ranks in Java: they are not built; './verbena devices' does it" && return; }
  java=("$jdk/bin/java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dverbena.connect.timeout=60s -p "$(<"$classpath")"
    --enable-native-access=io.verbena,io.verbena.natives,io.verbena.transport.shm)
}

# The words of three PEs of ring.c, of four ranks of Ranks, and of RankRing.
shmem_ring="PE 0 was written to by PE 2 PE 1 was written to by PE 0 PE 2 was written to by PE 1"
java_greetings="rank 0 of 4 greets 3 rank 1 of 4 greets 0 rank 2 of 4 greets 1 rank 3 of 4 greets 2"
java_ring="rank 0 of 4 has 1 from rank 1 rank 1 of 4 has 2 from rank 2 rank 2 of 4 has 3 from rank 3 rank 3 of 4 has 0 from rank 0"

# Processes of the ranks' program that are still there after a while.
ranks_left() {
  local left=0
  for _ in $(seq 100); do
    left=$(pgrep -f "^$rank fail" | wc -l)
    [ "$left" = 0 ] && break
    sleep 0.1
  done
  echo "$left"
}

finish() {
  for each in "${skipped[@]}"; do echo "not run here: $each"; done
  [ "$failures" = 0 ]
}
