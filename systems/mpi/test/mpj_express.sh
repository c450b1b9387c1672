#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpj_express.sh BUILD [CLASSPATH]: the programs of src/programs on MPJ Express' own device, on its upper layers over our
# device, and on our package; the last two over shm, tcp and rdma on softnic. All say the same, but where MPJ Express is
# wrong: mpj_express.differences has what, and why. CLASSPATH has our classes, else those that 'mvn verify' has built are
# taken. Exits with 77 where MPJ Express is not installed, and says so at the end.
set -uo pipefail
build=$(readlink -f "${1:?usage: mpj_express.sh BUILD [CLASSPATH]}")
. "$(dirname "$0")/../../../launch/test/checking.sh"
trap 'rm -rf "$work"' EXIT
mpi="$root/systems/mpi"
ranks=4

export MPJ_HOME=/usr/share/mpj # its configuration, which it reads from there
theirs="$MPJ_HOME/lib/mpj.jar:/usr/share/java/log4j-1.2.jar"
for jar in ${theirs/:/ }; do
  [ -f "$jar" ] || skip "MPJ Express is not there: there is no $jar; Debian has it in libmpj-java"
done
jdk=$("$root/scripts/find-jdk" 2>/dev/null) || skip "there is no JDK 25"
modules=("$root"/{natives,fabric,node-fabric,launch/java,messaging/{core,transport-shm,transport-tcp,transport-rdma},systems/mpi})
ours=${2:-$(IFS=: && echo "${modules[*]/%//target/classes}")}

[ -n "${2:-}" ] || [ -d "$mpi/target/classes" ] || {
  echo "mpj_express: $mpi/target/classes is missing; build it:  mvn verify"
  exit 1
}

# compile FOLDER CLASSPATH
compile() {
  local sources
  mapfile -t sources < <(find "$mpi/src/$1" -name '*.java')
  "$jdk/bin/javac" -Xlint:all,-serial,-path -Werror -d "$work/$1" -cp "$2" "${sources[@]}"
}
compile programs "$theirs" && compile express "$theirs:$ours" || exit 1

java=("$jdk/bin/java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1)
launched=("$build/bin/verbena-run" -n "$ranks" -- "${java[@]}" -Dverbena.connect.timeout=60s
  "-Dverbena.native.library=$build/lib/libverbena.so" --enable-native-access=ALL-UNNAMED)
programs=io.verbena.mpi.programs.Programs

# play NAME COMMAND…: runs all programs; what they say is in $work/NAME, in the order of the ranks.
play() {
  timeout --kill-after 10 900 "${@:2}" >"$work/out" 2>"$work/err" </dev/null
  check "all programs end on $1" "$?" 0
  sort -s -n -t: -k1,1 "$work/out" >"$work/$1"
}

# same WHAT ONE OTHER: two files have the same lines.
same() {
  check "$1" "$(diff "$2" "$3" | grep -c '^[<>]') lines differ$(diff "$2" "$3" | head -n 4 | cut -c 1-150)" "0 lines differ"
}

# What has to be the same in a file: the lines that match no pattern.
agreed() { grep -vEf "$work/patterns" "$work/$1" >"$work/agreed"; }

grep -v '^#' "$mpi/test/mpj_express.differences" | cut -f 1 >"$work/patterns"
# Whether each pattern is needed still: MPJ Express and our package differ in lines that match it.
needed() {
  local pattern
  while read -r pattern; do
    cmp -s <(grep -E "$pattern" "$work/$1") <(grep -E "$pattern" "$work/niodev")
    check "MPJ Express still differs in '$pattern'" "$?" 1
  done <"$work/patterns"
}

play niodev "${java[@]}" -cp "$work/express" io.verbena.mpi.express.Niodev "$ranks" \
  "${java[@]}" -cp "$work/programs:$theirs" "$programs"
agreed niodev && mv "$work/agreed" "$work/wanted"

export VERBENA_RDMA_DEVICE=softnic
for transport in shm tcp rdma; do
  export VERBENA_TRANSPORT=$transport
  play "device-$transport" "${launched[@]}" -cp "$work/programs:$work/express:$theirs:$ours" \
    io.verbena.mpi.express.Express "$programs"
  same "MPJ Express says the same on our device over $transport" "$work/niodev" "$work/device-$transport"
  play "package-$transport" "${launched[@]}" -cp "$work/programs:$ours" "$programs"
  agreed "package-$transport"
  same "our package says the same over $transport" "$work/wanted" "$work/agreed"
done
needed package-shm
echo "$(wc -l <"$work/niodev") lines of $ranks ranks, in seven ways, $(wc -l <"$work/patterns") patterns of lines in which MPJ Express is wrong"
finish
