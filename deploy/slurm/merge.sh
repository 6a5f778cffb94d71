#!/bin/sh
# One report of the results of batch.sh; the status is the worst.
#
#SBATCH --job-name=seltl-merge
#SBATCH --ntasks=1
#SBATCH --mem=4G
#SBATCH --time=1:00:00
set -eu
exec "${SELTL:-seltl}" batch merge "${1:-${OUT:-results}}"
