#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/slurm_check.sh [--cli PROGRAM] [--samples N] [--quick] [--keep]
#
# Runs farms on a real Slurm: one slurmctld and two slurmd ("farm1", "farm2") on this machine, with munge, all of them
# started here on ports and in a folder of their own, and ended here. Needs root, and Debian's packages slurm-wlm and
# munge.
#
#   sweep       four sample models in four shards
#   accuracy    N samples (100,000 unless given) in 8 shards; in between the node farm2 is killed with its shard
#   search      quantize --search of a sample model in 8 shards
#
# What is merged has to equal one run without shards: accuracy and search to the last digit. --quick takes 40,000
# samples and the smallest model. --keep leaves the folder. Exit code 1: something differs, 77: Slurm is not there.
set -euo pipefail
cd "$(dirname "$0")/.."

cli=build/bin/lapidary-cli samples=100000 sample=lenet keep=
while [ $# -gt 0 ]; do
    case $1 in
    --cli) cli=${2:?--cli: a program is missing} && shift ;;
    --samples) samples=${2:?--samples: a number is missing} && shift ;;
    --quick) samples=40000 sample=mlp ;;
    --keep) keep=1 ;;
    *) echo "slurm_check.sh: unknown option $1" >&2 && exit 2 ;;
    esac
    shift
done
for program in slurmctld slurmd sbatch munged python3; do
    command -v $program >/dev/null || { echo "skipped: $program is not there (Debian: slurm-wlm, munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmctld and slurmd are started as root"; exit 77; }

LAPIDARY_CLI=$(realpath "$cli")
export LAPIDARY_CLI
packaging=$PWD/packaging
work=$(mktemp -d /tmp/lapidary-slurm.XXXXXX)
chmod 755 "$work"
host=$(hostname -s)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    [ -n "$keep" ] && echo "kept: $work" || rm -rf "$work"
}
trap finish EXIT

# ---- Slurm
mkdir -p "$work"/{munge,state,spool1,spool2,log,job}
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chown -R munge: "$work/munge" && chmod 755 "$work/munge" && chmod 400 "$work/munge/key"
setpriv --reuid=munge --regid=munge --clear-groups munged --foreground --force --key-file="$work/munge/key" \
    --socket="$work/munge/socket" --pid-file="$work/munge/pid" --log-file="$work/munge/log" \
    --seed-file="$work/munge/seed" 2>/dev/null &
pids+=($!)
cat >"$work/slurm.conf" <<END
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=26817
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=15
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=5,requeue_delay=1
JobRequeue=1
NodeName=farm1 NodeHostname=$host NodeAddr=127.0.0.1 Port=26818 CPUs=1 RealMemory=1000
NodeName=farm2 NodeHostname=$host NodeAddr=127.0.0.1 Port=26819 CPUs=1 RealMemory=1000
PartitionName=main Nodes=farm[1-2] Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
slurmctld -D 2>"$work/log/slurmctld.err" &
pids+=($!)
start_node() {
    mkdir -p "$work/spool.farm$1"
    slurmd -D -N "farm$1" 2>"$work/log/farm$1.err" &
    eval "node$1=$!"
    pids+=($!)
}
start_node 1
start_node 2
for _ in $(seq 60); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break
    sleep 1
done
[ "$(sinfo -h -t idle -o %D)" = 2 ] || {
    echo "the two nodes did not come up:"
    tail -n 5 "$work"/log/*
    exit 1
}
echo "Slurm $(slurmctld -V | cut -d' ' -f2): farm1 and farm2 are up"

# ---- the jobs
cd "$work/job"
python3 "$packaging/slurm_check_data.py" "$samples"
"$LAPIDARY_CLI" sample "$sample" -o searched.onnx >/dev/null
failed=0

# plan NAME SHARDS WORDS...: behind -- the command
plan() {
    "$LAPIDARY_CLI" farm plan "$1.json" --slurm "$1.sh" "${@:2}" >/dev/null
    bash "$1.sh" >"$1.jobs"
}
# merged NAME: waits for the job that merges
merged() {
    local last
    last=$(sed -n '$s/.*, merge \([0-9]*\);.*/\1/p' "$1.jobs")
    for _ in $(seq 1800); do
        [ -n "$(squeue -h -j "$last" 2>/dev/null)" ] || break
        sleep 1
    done
    if [ ! -e "$1.merged.json" ]; then
        echo "$1: nothing was merged"
        tail -n 20 "$1.results"/slurm-*.log
        failed=1
        return 1
    fi
}
# kill_node N: its slurmd and all processes of its jobs at once, as a loss of power would
kill_node() {
    local node=node$1 job found pid parent
    job=$(squeue -h -w "farm$1" -t running -o %A | head -n 1)
    found=$(scontrol listpids "$job" "farm$1" 2>/dev/null | awk 'NR > 1 && $1 > 1 { print $1 }' || true)
    for pid in $found; do
        parent=$(ps -o ppid= -p "$pid" | tr -d ' ' || true)
        if [ -n "$parent" ] && [ "$(ps -o comm= -p "$parent" || true)" = slurmstepd ]; then
            found="$parent $found"
        fi
    done
    echo "killed on farm$1: slurmd and $(wc -w <<<"$found") processes of job $job"
    for pid in ${!node} $found; do kill -KILL "$pid" 2>/dev/null || true; done
}

begin=$SECONDS
plan sweep --models sample:mlp --models sample:lenet --models sample:squeezenet --models sample:bert-tiny --shards 4 \
    -- sweep --intra 1 --seconds 0.2
merged sweep && python3 "$packaging/slurm_check_data.py" rows sweep.merged.json 4 || failed=1
echo "sweep: 4 shards in $((SECONDS - begin)) s"

begin=$SECONDS
plan accuracy --shards 8 -- accuracy net.onnx --data data.npz --array x=x --labels data.npz:y --intra 1
for _ in $(seq 600); do # until a shard is begun on farm2
    lost=$(squeue -h -w farm2 -t running -o %K | head -n 1)
    [ -n "$lost" ] && [ -e "accuracy.results/shard-$lost.part" ] && break
    sleep 0.1
done
kill_node 2
if [ -e "accuracy.results/shard-$lost.json" ]; then
    echo "shard $lost was done before farm2 was killed: give it more --samples" && failed=1
else
    echo "accuracy: farm2 was killed with shard $lost, which had no result"
fi
sleep 20 # longer than SlurmdTimeout: the node counts as lost
start_node 2
merged accuracy || true
took=$((SECONDS - begin))
begin=$SECONDS
"$LAPIDARY_CLI" accuracy net.onnx --data data.npz --array x=x --labels data.npz:y --intra 1 --json >whole.json
echo "accuracy: $samples samples in 8 shards in $took s, in one run in $((SECONDS - begin)) s"
python3 "$packaging/slurm_check_data.py" accuracy accuracy.merged.json whole.json || failed=1

search=(quantize searched.onnx --mode static --generate 10 --search --budget 0 --as-asked --intra 1)
begin=$SECONDS
plan search --shards 8 -- "${search[@]}"
merged search || true
took=$((SECONDS - begin))
begin=$SECONDS
"$LAPIDARY_CLI" "${search[@]}" --json >found.json
echo "search: 8 shards in $took s, in one run in $((SECONDS - begin)) s"
python3 "$packaging/slurm_check_data.py" search search.merged.json found.json || failed=1

[ $failed = 0 ] && echo "merged figures equal those of one run" || echo "FAILED"
exit $failed
