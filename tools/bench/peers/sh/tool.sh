# SPDX-License-Identifier: Apache-2.0
# What peers share that have a tool of their own do the work (tools/bench/peers/README.md): source it, then call converse
# with the name and version, the settings, and have a function 'send NANOSECONDS' that calls report.

option() {
  local argument
  for argument in "${@:2}"; do
    [[ $argument != "--$1="* ]] || { printf '%s' "${argument#*=}"; return; }
  done
  printf -- '--%s is missing\n' "$1" >&2
  exit 2
}

say() { printf '{"role":"%s","event":"%s",%s}\n' "$1" "$2" "$3"; }

fail() {
  say sender failed "\"reason\":\"$1\""
  exit 1
}

# What the rate means as times of a first and a last message.
window() { # MESSAGES RATE
  printf '"first_ns":1,"last_ns":%d,"timed":%d' $(($1 * 1000000000 / ($2 > 0 ? $2 : 1) + 1)) "$1"
}

total=0
# Tells of a round; of round trips with the median time of one.
report() { # WORKLOAD MESSAGES RATE [ROUND_TRIP_NS]
  total=$((total + $2))
  if [ "$1" = latency ]; then
    say sender sent "\"messages\":$total,\"corrupted\":0,$(window "$2" "$3"),\"rtt\":[[$4,1]]"
  else
    say sender sent "\"messages\":$total"
  fi
  last="\"expected\":$2,\"lost\":0,\"duplicated\":0,\"corrupted\":0,\"reordered\":0,$(window "$2" "$3")"
}

converse() { # VERSION SETTINGS
  local role command number
  for role in receiver sender; do
    say "$role" ready "\"version\":\"$1\",\"settings\":\"$2\",\"checked\":false"
  done
  while read -r command number; do
    case $command in
      send) send "$number" ;;
      expect) say receiver received "$last" ;;
    esac
  done
}
