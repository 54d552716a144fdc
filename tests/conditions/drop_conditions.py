#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drops each condition on which code declines, in turn, and sees whether a test notices.

drop_conditions.py [passes|engine] [--build BUILD] [--file REGEX] [--sample N] [--operands] [--search FOLDER]

Builds the program of tests/conditions with that part's conditions behind switches, traces which test meets which
condition, and runs, for each statement that declines, the tests that meet it without it: a failure, a crash or a hang
catches it. A statement is a whole `if (a || b)` whose branch answers no (declined, nothing, false, a null pointer, a
reason), one operand of `return a && b`, or one check of .require() or .where(). Prints a table by file, and every
statement that nothing caught. tests/conditions/kept_PART.txt names those that may stay uncaught, under the reason. Exit
status 1: less than 90 % of the statements are caught, a survivor is not listed, or one that is listed is caught or
gone.

Beside it stands how many `if`s are caught that only skip (`continue`, `break`, a bare `return`): most of them choose
what a loop looks at or save work, so that they are only reported. --operands drops each operand of || alone too,
and reports how many of those are caught.
--search FOLDER then looks for near misses that catch survivors (near_miss_search.cpp); near_misses.py makes fixture
cases of them.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import threading

from mutants import Program, Server

HERE = pathlib.Path(__file__).resolve().parent
PARTS = {
    # program, its tests, conditions looked at (None: all)
    "passes": (
        "pass_conditions",
        "All/*:NearMisses/*:Fixtures/*:Random/LapgenSeed*/?:Random/LapgenSeed*/??:UnblockLayout*:RoundingCasts*:"
        "PassList*:Optimize*:Export*:Guard*:Bisect*:HeldInFloat32*",
        None),
    # Not those that measure, look at the machine or take long.
    "engine": (
        "engine_conditions",
        "*-OperatorProperties*:EngineDecisions*:*TakeLi*Time*:Onnx*:Profile*:*Trace*:*KernelsOnHostile*:"
        "*Samples*:*Speed*:Machine*:Measurement*:Sweep*:Bench*:*Threads*:Architecture*:IsaObjects*:*DeathTest*:"
        "LargePages*:"
        "Batcher*:Roofline*:Snippet*:Shared*:Html*:*_take_less_than_*", 200),
}
LEAST_CAUGHT = 0.9


def units_of(conditions, sort):
    """What is dropped at once: {name, file, line, numbers} of each statement, each skip or each operand of several."""
    groups = collections.defaultdict(list)
    for c in conditions:
        groups[c["file"], c["statement"]].append(c)
    if sort == "operands":
        chosen = [[c] for group in groups.values() if len(group) > 1 for c in group]
    else:
        chosen = [group for group in groups.values() if group[0]["skips"] == (sort == "skips")]
    units, seen = [], collections.Counter()
    for group in chosen:
        name = f"{group[0]['file']}: " + " || ".join(c["text"] for c in group)
        seen[name] += 1
        units.append({
            "name": name + (f" #{seen[name]}" if seen[name] > 1 else ""),
            "file": group[0]["file"],
            "line": group[0]["line"],
            "numbers": [c["number"] for c in group]
        })
    return units


def sampled(units, count):
    """The same ones each time, whatever is added elsewhere."""
    return sorted(units, key=lambda u: hashlib.sha256(u["name"].encode()).digest())[:count]


def kept_list(path):
    """Reason by name of a condition. A line `## reason` holds for the lines below it."""
    reasons, reason = {}, None
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line.startswith("## "):
            reason = line[3:]
        elif line.strip() and not line.startswith("# "):
            reasons[line.strip()] = reason
    return reasons


def fingerprint(program):
    """Of all that a verdict depends on."""
    digest = hashlib.sha256(program.path.read_bytes())
    for file in sorted(p for p in (HERE.parent / "fixtures").rglob("*") if p.is_file()):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def verdicts_of(program, units, cache_file, jobs):
    """By name: the test that caught it, "" when none did, None when no test met it."""
    cache = json.loads(cache_file.read_text()) if cache_file.exists() else {"of": None, "caught_by": {}}
    now, known = fingerprint(program), cache["caught_by"]
    found = {}
    waiting = list(reversed(units))

    def work():
        server = Server(program)
        while waiting:
            unit = waiting.pop()
            name = unit["name"]
            if len(found) % 100 == 0:
                print(f"{len(found)} of {len(units)}", file=sys.stderr, flush=True)
            if cache["of"] == now and name in known:
                found[name] = known[name]
            elif not any(n in program.tests_of for n in unit["numbers"]):
                found[name] = None
            else:
                found[name] = server.catcher(unit["numbers"], known.get(name)) or ""
        server.close()

    workers = [threading.Thread(target=work) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    cache_file.write_text(json.dumps({"of": now, "caught_by": {**known, **found}}, indent=0))
    return found


def print_table(units, verdicts):
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for unit in units:
        for key in (unit["file"], "all"):
            rows[key][0] += 1
            rows[key][1 if verdicts[unit["name"]] else 2] += 1
    print(f"{'file':62}{'dropped':>8}{'caught':>8}{'survive':>8}")
    for file in sorted(rows, key=lambda f: (f == "all", f)):
        print(f"{file:62}" + "".join(f"{n:8}" for n in rows[file]))


def print_share(what, units, verdicts):
    caught = sum(bool(verdicts[u["name"]]) for u in units)
    print(f"{len(units)} {what}, {100 * caught / max(1, len(units)):.1f} % caught, {len(units) - caught} survive")


def search(program, survivors, folder, seconds, jobs):
    """Runs the search for near misses of the survivors."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    targets = folder / "targets.txt"
    targets.write_text("".join(",".join(map(str, u["numbers"])) + "\n" for u in survivors))
    (folder / "names.txt").write_text("".join(u["name"] + "\n" for u in survivors))
    runs = [
        subprocess.Popen([program.path, "--search", targets, folder,
                          str(seconds), str(shard),
                          str(jobs)]) for shard in range(jobs)
    ]
    for run in runs:
        run.wait()


def judge_part(args):
    target, tests, sample = PARTS[args.part]
    build = pathlib.Path(args.build)
    if not args.no_build:
        subprocess.run(["cmake", "--build", build, "--target", target], check=True, stdout=subprocess.DEVNULL)
    program = Program(build / "bin" / target)
    conditions = json.loads(
        (build / "tests/conditions" / f"{target}_sources/conditions.json").read_text(encoding="utf-8"))
    everything = units_of(conditions, "statements")
    wanted = {
        u["name"]
        for u in sampled(everything, args.sample or sample or len(everything)) if re.search(args.file, u["file"])
    }
    units = [u for u in everything if u["name"] in wanted]
    others = {
        sort: [u for u in units_of(conditions, sort) if re.search(args.file, u["file"])]
        for sort in ["skips"] + ["operands"] * args.operands
    }
    if args.sample or sample:
        others = {}
    program.trace(tests)
    cache = build / "tests/conditions" / f"{target}_verdicts.json"
    verdicts = verdicts_of(program, units + [u for list_ in others.values() for u in list_], cache, args.jobs)

    print_table(units, verdicts)
    reasons = kept_list(HERE / f"kept_{args.part}.txt")
    survivors = [u for u in units if not verdicts[u["name"]]]
    for unit in survivors:
        name = unit["name"]
        what = "met by no test" if verdicts[name] is None else "met, and nothing failed"
        print(f"{'kept' if name in reasons else 'SURVIVES'} ({what}) line {unit['line']}: {name}")
    existing = {u["name"] for u in everything}
    stale = [n for n in reasons if (n in wanted and verdicts[n]) or n not in existing]
    for name in stale:
        print(f"STALE, caught or gone: {name}")
    for sort, list_ in others.items():
        print_share({
            "skips": "ifs that only skip",
            "operands": "operands of ifs that have several"
        }[sort], list_, verdicts)
    print_share("statements that decline", units, verdicts)
    nameless = sum(u["name"] not in reasons for u in survivors)
    print(f"{nameless} survive without a reason")
    if args.search:
        search(program, survivors, args.search, args.seconds, args.jobs)
    return 0 if len(survivors) <= (1 - LEAST_CAUGHT) * len(units) and not stale and nameless == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=sorted(PARTS), default="passes")
    parser.add_argument("--build", default="build", help="folder of a configured build")
    parser.add_argument("--file", default="", help="only statements of files that match this regular expression")
    parser.add_argument("--sample", type=int, help="how many statements, the same ones each time")
    parser.add_argument("--operands", action="store_true", help="drop each operand of || alone too")
    parser.add_argument("--search", metavar="FOLDER", help="look for near misses that catch survivors")
    parser.add_argument("--seconds", type=int, default=1800, help="how long to look")
    parser.add_argument("--no-build", action="store_true", help="the program is there")
    parser.add_argument("--jobs", type=int, default=2)
    sys.exit(judge_part(parser.parse_args()))


if __name__ == "__main__":
    main()
