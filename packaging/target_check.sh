#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/target_check.sh [--cuts N] [--cli PROGRAM]
#
# Jobs on another machine, through a real sshd on this one, with keys of its own and a free port:
#   - results equal those without ssh, and the times of bench lie within each other's intervals
#   - a second command sends nothing again
#   - N times (50 unless given) the connection is killed at a random moment, while files are sent or a model runs: the
#     command ends within 2 seconds with a sentence, and no worker is left; once the worker is killed
#   - a connection that is silent (sshd is stopped) is given up within 10 seconds
#   - nothing but the cache is left
# PROGRAM is build/bin/lapidary-cli unless given. Installs openssh-server where it is missing and this is root of a
# Debian. Takes some five minutes with 50 cuts.
set -euo pipefail
cd "$(dirname "$0")/.."

cuts=50 cli=$PWD/build/bin/lapidary-cli
while [ $# -gt 0 ]; do
    case $1 in
        --cuts) cuts=$2 && shift 2 ;;
        --cli) cli=$2 && shift 2 ;;
        *) sed -n '3,14s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
done

sshd=$(command -v sshd || echo /usr/sbin/sshd)
if [ ! -x "$sshd" ]; then
    [ "$(id -u)" = 0 ] || { echo "target_check.sh: sshd is not installed" >&2; exit 77; }
    apt-get install -y --no-install-recommends openssh-server openssh-client >/dev/null
fi
mkdir -p /run/sshd 2>/dev/null || true

work=$(mktemp -d)
server=
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT

ssh-keygen -q -t ed25519 -N '' -f "$work/host"
ssh-keygen -q -t ed25519 -N '' -f "$work/user"
cp "$work/user.pub" "$work/authorized"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/config" <<END
ListenAddress 127.0.0.1
Port $port
HostKey $work/host
AuthorizedKeysFile $work/authorized
StrictModes no
UsePAM no
PermitRootLogin yes
PidFile none
END
"$sshd" -D -e -f "$work/config" 2>"$work/sshd.log" &
server=$!
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/host.pub")" >"$work/known"
printf '#!/bin/sh\nexec ssh -F none -p %s -i %s -oIdentitiesOnly=yes -oUserKnownHostsFile=%s "$@"\n' \
    "$port" "$work/user" "$work/known" >"$work/ssh"
chmod +x "$work/ssh"
export LAPIDARY_SSH=$work/ssh
cache=$work/cache target=$(id -un)@127.0.0.1:$work/cache
failures=0

fail() {
    echo "  FAILED: $*"
    failures=$((failures + 1))
}
now() { date +%s%N; }
# Processes of sshd that serve connections, but not what runs in them.
sessions() {
    local queue=("$server") id child
    while [ ${#queue[@]} -gt 0 ]; do
        id=${queue[0]} queue=("${queue[@]:1}")
        for child in $(pgrep -P "$id" || true); do
            case $(cat "/proc/$child/comm" 2>/dev/null) in sshd*) echo "$child"; queue+=("$child") ;; esac
        done
    done
}
# Kills the connection that there is, or the next one: a command has several, one behind the other.
cut_connections() {
    local found
    for _ in $(seq 600); do
        found=$(sessions)
        [ -z "$found" ] || break
        sleep 0.05
    done
    # shellcheck disable=SC2086
    kill -KILL $found 2>/dev/null || true
}
workers() { pgrep -f "^$cache/programs/" || true; }
no_worker_left() {
    for _ in $(seq 100); do
        [ -n "$(workers)" ] || return 0
        sleep 0.1
    done
    return 1
}
# The milliseconds until the process $1 ended, from now on; $2: after which it is given up.
time_to_end() {
    local begin
    begin=$(now)
    while kill -0 "$1" 2>/dev/null; do
        [ $((($(now) - begin) / 1000000)) -lt "$2" ] || break
        sleep 0.02
    done
    echo $((($(now) - begin) / 1000000))
}

for _ in $(seq 100); do "$work/ssh" -oBatchMode=yes "$(id -un)@127.0.0.1" true 2>/dev/null && break; sleep 0.1; done

echo "results"
"$cli" sample squeezenet -o "$work/net.onnx" >/dev/null
"$cli" run "$work/net.onnx" --seed 3 --json >"$work/here.json"
begin=$(now)
"$cli" run "$work/net.onnx" --seed 3 --json --on "$target" >"$work/there.json"
echo "  first command: $((($(now) - begin) / 1000000)) ms"
begin=$(now)
"$cli" run "$work/net.onnx" --seed 3 --json --on "$target" >"$work/there.json"
echo "  second command: $((($(now) - begin) / 1000000)) ms"
python3 - "$work/here.json" "$work/there.json" <<'END' || fail "other outputs"
import json, sys
here, there = (json.load(open(name)) for name in sys.argv[1:])
print('  on', there['on']['target'], there['on']['cores'], 'cores', there['on']['cpu'])
sys.exit(here['outputs'] != there['outputs'] or here['file'] != there['file'])
END
[ "$(find "$cache/files" -mindepth 1 -maxdepth 1 -type d | wc -l)" = 1 ] || fail "the model was sent again"
[ "$(find "$cache/programs" -mindepth 1 -maxdepth 1 | wc -l)" = 1 ] || fail "the program was sent again"

echo "times"
"$cli" bench "$work/net.onnx" --seconds 4 --json >"$work/bench_here.json"
"$cli" bench "$work/net.onnx" --seconds 4 --json --on "$target" >"$work/bench_there.json"
python3 - "$work/bench_here.json" "$work/bench_there.json" <<'END' || fail "times differ by more than their intervals"
import json, sys
spans = []
for name in sys.argv[1:]:
    found = []
    def look(value):
        if isinstance(value, dict):
            if 'median_ms' in value:
                found.append(value)
            for member in value.values():
                look(member)
        elif isinstance(value, list):
            for member in value:
                look(member)
    look(json.load(open(name)))
    first = found[0]
    interval = first.get('interval_ms') or first.get('ci_ms') or [first.get('low_ms', 0), first.get('high_ms', 1e9)]
    spans.append((interval[0], first['median_ms'], interval[1]))
    print('  median %.3f ms (%.3f to %.3f)' % (first['median_ms'], interval[0], interval[1]))
sys.exit(spans[0][0] > spans[1][2] or spans[1][0] > spans[0][2])
END

echo "cuts"
longest=0
for cut in $(seq "$cuts"); do
    # every fifth time the model has to be sent first
    [ $((cut % 5)) != 0 ] || rm -rf "$cache/files"
    "$cli" profile "$work/net.onnx" --runs 100000 --on "$target" >"$work/out" 2>"$work/err" &
    command=$!
    sleep "$(python3 -c 'import random; print(random.uniform(0.05, 2.5))')"
    cut_connections
    took=$(time_to_end "$command" 20000)
    kill -KILL "$command" 2>/dev/null || true
    code=0
    wait "$command" 2>/dev/null || code=$?
    [ "$took" -le "$longest" ] || longest=$took
    [ "$took" -le 2000 ] || fail "cut $cut: the command ended after $took ms"
    if [ "$code" != 3 ] || ! grep -q 127.0.0.1 "$work/err"; then
        fail "cut $cut: exit code $code: $(tail -1 "$work/err")"
    fi
    no_worker_left || fail "cut $cut: a worker is left"
done
echo "  $cuts connections killed; the longest until the command ended: $longest ms"
[ ! -s "$work/err" ] || sed 's/^/  /' "$work/err"

for what in killed silent; do
    echo "$what"
    "$cli" profile "$work/net.onnx" --runs 100000 --on "$target" >"$work/out" 2>"$work/err" &
    command=$!
    for _ in $(seq 600); do [ -n "$(workers)" ] && break; sleep 0.1; done
    sleep 2
    stopped=$(sessions)
    if [ "$what" = killed ]; then
        for id in $(workers); do kill -KILL "$id" 2>/dev/null || true; done
        most=2000
    else
        for id in $stopped; do kill -STOP "$id" 2>/dev/null || true; done
        most=10000
    fi
    took=$(time_to_end "$command" 30000)
    kill -KILL "$command" 2>/dev/null || true
    code=0
    wait "$command" 2>/dev/null || code=$?
    echo "  ended after $took ms, exit code $code: $(tail -1 "$work/err")"
    if [ "$took" -gt "$most" ] || [ "$code" != 3 ]; then fail "$what: $took ms, exit code $code"; fi
    for id in $stopped; do kill -CONT "$id" 2>/dev/null || true; done
    no_worker_left || fail "$what: a worker is left"
done

echo "what is left"
find "$cache" -mindepth 1 -maxdepth 1 -printf '  %f\n' | sort
left=$(find "$cache" -mindepth 1 -maxdepth 1 ! -name files ! -name parts ! -name programs)
[ -z "$left" ] || fail "left: $left"

[ "$failures" = 0 ] && echo "all is well" || { echo "$failures failures"; exit 1; }
