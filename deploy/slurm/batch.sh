#!/bin/sh
# A work list as an array of Slurm: docs/batch.md.
#
#   job=$(LIST=work.list OUT=results sbatch --parsable deploy/slurm/batch.sh)
#   sbatch --dependency=afterany:$job deploy/slurm/merge.sh results
#
# Each task of the array is a shard. To do some of them once more, say how many there were:
#
#   LIST=work.list OUT=results SHARDS=8 sbatch --array=3,7 deploy/slurm/batch.sh
#
#SBATCH --job-name=seltl-batch
#SBATCH --array=0-7
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
exec "${SELTL:-seltl}" batch run "${LIST:-work.list}" --out "${OUT:-results}" ${SHARDS:+--shards "$SHARDS"}
