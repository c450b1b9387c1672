#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh LIBRARY HEADER…: the functions that the library exports are those that the headers declare.
library=$1
shift
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(cat "$@" | tr '\n' ' ' | grep -o 'VBN_API [^;]*' | grep -o 'vbn_[a-z_]*(' | tr -d '(' | sort)
[ -n "$declared" ] && [ "$exported" = "$declared" ] && exit 0
printf 'exported:\n%s\ndeclared:\n%s\n' "$exported" "$declared"
exit 1
