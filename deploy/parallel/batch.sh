#!/bin/sh
# A work list with GNU parallel: docs/batch.md.
#
#   deploy/parallel/batch.sh work.list results [SHARDS [OPTION OF PARALLEL...]]
#
# On several machines that have the folder in common, with as many options of parallel as
# wanted:
#
#   deploy/parallel/batch.sh work.list results 64 --sshloginfile machines --workdir .
set -eu
list=${1:?"usage: batch.sh LIST RESULTS [SHARDS [OPTION...]]"}
out=${2:?"usage: batch.sh LIST RESULTS [SHARDS [OPTION...]]"}
shards=${3:-$(nproc)}
shift $(($# < 3 ? $# : 3))
seltl=${SELTL:-seltl}
seq "$shards" | parallel --halt never --line-buffer "$@" "$seltl" batch run "$list" --out "$out" --shard "{}/$shards" || true
exec "$seltl" batch merge "$out"
