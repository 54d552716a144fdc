# SPDX-License-Identifier: Apache-2.0
"""How often the gate of `lapidary-cli ci` is wrong, on the machine it runs on. To be run while nothing else runs.

    gate_trials.py CLI [--rounds 100] [--planted 34] [--limit 5] [--slow-down 0.1] [--json F]

Each round makes baselines of three models anew, then checks the same models against them in another process: three
trials of which none is slower. In the first rounds the models are then checked once more with a slowdown planted: each
run waits busily for that share of its time. A trial ends as kept, worse or unresolved:

- a false alarm is `worse` where nothing is slower: at most 7 of 300;
- a miss is `kept` where a slowdown is planted: at most 5 of 100;
- unresolved trials are neither; they are counted apart, and exit code 7 has to tell of them.

Exit code 1 when there are too many of the first two, or a round's exit code does not fit its verdicts. 100 rounds take
an hour or two. Ctrl-C ends early and reports what was found.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ALARMS_OF_300, MISSES_OF_100 = 7, 5


class Trials:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.faults = []
        (folder / "models.json").write_text(
            json.dumps({
                "defaults": {
                    "threads": options.intra,
                    "seconds": options.seconds,
                    "gate_seconds": options.gate_seconds,
                    "seeds": 1,
                    "limits": {"slower": options.limit}
                },
                "models": [{"model": f"sample:{name}"} for name in options.models]
            }))

    def ci(self, *words):
        command = [str(word) for word in [self.options.cli, "ci", "models.json", "--json", *words]]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in (0, 1, 7):
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.returncode, json.loads(done.stdout)

    def checked(self, *words):
        """The trial of each model: verdict, change and interval."""
        code, found = self.ci(*words)
        trials = []
        for model in found["models"]:
            check = next(check for check in model["checks"] if check["check"] == "time")
            trials.append({
                "model": model["name"],
                "verdict": check["verdict"],
                "change": check["change"],
                "interval": check["change_interval"],
                "sentence": check["sentence"]
            })
        verdicts = {trial["verdict"] for trial in trials}
        fitting = 1 if "worse" in verdicts else 7 if "unresolved" in verdicts else 0
        if code != fitting:
            self.faults.append(f"exit code {code} where the verdicts are {sorted(verdicts)}")
        return trials

    def round(self, is_planted):
        code, _ = self.ci("--update-baseline")
        if code != 0:
            sys.exit(f"making the baselines ended with {code}")
        same = self.checked()
        return same, self.checked("--slow-down", self.options.slow_down) if is_planted else []


def shown(trials, wrong):
    for trial in trials:
        if trial["verdict"] == wrong:
            print(f"  {trial['model']}: {trial['sentence']}", flush=True)


def counted(title, trials, wrong, name, most_share):
    counts = collections.Counter(trial["verdict"] for trial in trials)
    most = most_share * len(trials)
    print(f"{title}: {len(trials)} trials, {counts[wrong]} {name} (at most {most:g}), "
          f"{counts['unresolved']} unresolved, {counts['kept']} kept, {counts['worse']} worse")
    for model in sorted({trial["model"] for trial in trials}):
        own = collections.Counter(trial["verdict"] for trial in trials if trial["model"] == model)
        print(f"  {model}: {own[wrong]} {name}, {own['unresolved']} unresolved of {sum(own.values())}")
    return counts[wrong] <= most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("--models", nargs="+", default=["squeezenet", "lenet", "bert-tiny"], help="names of samples")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--planted", type=int, default=34, help="rounds that are also checked with a slowdown")
    parser.add_argument("--intra", type=int, default=1)
    parser.add_argument("--limit", type=float, default=5, help="per cent")
    parser.add_argument("--slow-down", type=float, default=0.1, help="share of a run's time")
    parser.add_argument("--seconds", type=float, default=2, help="of measuring a model, at first")
    parser.add_argument("--gate-seconds", type=float, default=10, help="of measuring until the limit is decided")
    parser.add_argument("--json", type=pathlib.Path, help="write all trials there")
    options = parser.parse_args()
    options.cli = options.cli.resolve()
    start = time.monotonic()
    if os.getloadavg()[0] > 0.5:
        print(f"this machine has other work (load {os.getloadavg()[0]:.1f}): what follows says little", flush=True)
    same, planted = [], []
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(options, pathlib.Path(folder))
        try:
            for number in range(options.rounds):
                found, slowed = trials.round(number < options.planted)
                same += found
                planted += slowed
                shown(found, "worse")
                shown(slowed, "kept")
                print(f"round {number + 1}: {' '.join(trial['verdict'] for trial in found + slowed)}", flush=True)
        except KeyboardInterrupt:
            print("ended early")
        faults = trials.faults
    fine = [counted("nothing is slower", same, "worse", "false alarms", ALARMS_OF_300 / 300)]
    if planted:
        fine.append(counted(f"{100 * options.slow_down:g} % slower", planted, "kept", "missed", MISSES_OF_100 / 100))
    print(f"limit {options.limit:g} %, {options.intra} thread{'s' if options.intra > 1 else ''}, "
          f"took {time.monotonic() - start:.0f} s")
    print("\n".join(faults), end="\n" if faults else "")
    if options.json:
        options.json.write_text(json.dumps({"same": same, "planted": planted}, indent=1))
    return 0 if all(fine) and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
