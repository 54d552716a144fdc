#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drops each condition on which code declines, in turn, and sees whether a test notices.

drop_conditions.py [passes|engine] [--build BUILD] [--file REGEX] [--sample N]

Builds the program of tests/conditions with that part's conditions behind switches, traces which test meets which condition, and runs, for
each condition, the tests that meet it without it: a failure, a crash or a hang catches it. Prints a table by file, and every condition
that nothing caught. tests/conditions/kept_PART.txt names those that may stay uncaught, under the reason. Exit status 1: less than 90 %
are caught, a survivor is not listed, or one that is listed is caught or gone.
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
    "passes": ("pass_conditions", "All/*:Fixtures/*:Random/LapgenSeed*/?:Random/LapgenSeed*/??:UnblockLayout*:RoundingCasts*:PassList*:Optimize*:Export*", None),
    "engine": ("engine_conditions", "*Infer*:*Shape*:StorageSharing*:MemoryPlanner*:MemoryReport*:*Kernel*:Session*:*Pattern*-*Samples*:*Speed*", 200),
}
LEAST_CAUGHT = 0.9


def name_of(c):
    return f"{c['file']}: {c['text']}" + (f" #{c['nth'] + 1}" if c["nth"] else "")


def sampled(conditions, count):
    """The same conditions each time, whatever is added elsewhere."""
    return sorted(conditions, key=lambda c: hashlib.sha256(name_of(c).encode()).digest())[:count]


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


def verdicts_of(program, conditions, cache_file, jobs):
    """By name: the test that caught it, "" when none did, None when no test met it."""
    cache = json.loads(cache_file.read_text()) if cache_file.exists() else {"of": None, "caught_by": {}}
    now, known = fingerprint(program), cache["caught_by"]
    found = {}

    waiting = list(reversed(conditions))

    def work():
        server = Server(program)
        while waiting:
            c = waiting.pop()
            name = name_of(c)
            if len(found) % 100 == 0:
                print(f"{len(found)} of {len(conditions)}", file=sys.stderr, flush=True)
            if cache["of"] == now and name in known:
                found[name] = known[name]
            elif c["number"] not in program.tests_of:
                found[name] = None
            else:
                found[name] = server.catcher(c["number"], known.get(name)) or ""
        server.close()

    workers = [threading.Thread(target=work) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    cache_file.write_text(json.dumps({"of": now, "caught_by": {**(known if cache["of"] == now else {}), **found}}, indent=0))
    return found


def print_table(conditions, verdicts):
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for c in conditions:
        verdict = verdicts[name_of(c)]
        for key in (c["file"], "all"):
            rows[key][0] += 1
            rows[key][1 if verdict else 2] += 1
    print(f"{'file':62}{'dropped':>8}{'caught':>8}{'survive':>8}")
    for file in sorted(rows, key=lambda f: (f == "all", f)):
        print(f"{file:62}" + "".join(f"{n:8}" for n in rows[file]))


def judge_part(args):
    target, tests, sample = PARTS[args.part]
    build = pathlib.Path(args.build)
    if not args.no_build:
        subprocess.run(["cmake", "--build", build, "--target", target], check=True, stdout=subprocess.DEVNULL)
    program = Program(build / "bin" / target)
    listing = build / "tests/conditions" / f"{target}_sources/conditions.json"
    everything = json.loads(listing.read_text(encoding="utf-8"))
    conditions = sorted(sampled(everything, args.sample or sample or len(everything)), key=lambda c: c["number"])
    conditions = [c for c in conditions if re.search(args.file, c["file"])]
    program.trace(tests)
    verdicts = verdicts_of(program, conditions, build / "tests/conditions" / f"{target}_verdicts.json", args.jobs)

    print_table(conditions, verdicts)
    reasons = kept_list(HERE / f"kept_{args.part}.txt")
    survivors = [c for c in conditions if not verdicts[name_of(c)]]
    for c in survivors:
        what = "met by no test" if verdicts[name_of(c)] is None else "met, and nothing failed"
        print(f"{'kept' if name_of(c) in reasons else 'SURVIVES'} ({what}) line {c['line']}: {name_of(c)}")
    looked_at = {name_of(c) for c in conditions}
    stale = [n for n in reasons if (n in looked_at and verdicts[n]) or (n not in {name_of(c) for c in everything})]
    for name in stale:
        print(f"STALE, caught or gone: {name}")
    share = 1 - len(survivors) / len(conditions)
    print(f"{len(conditions)} conditions, {100 * share:.1f} % caught, {len(survivors)} survive, {sum(name_of(c) not in reasons for c in survivors)} without a reason")
    return 0 if share >= LEAST_CAUGHT and not stale and all(name_of(c) in reasons for c in survivors) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=sorted(PARTS), default="passes")
    parser.add_argument("--build", default="build", help="folder of a configured build")
    parser.add_argument("--file", default="", help="only conditions of files that match this regular expression")
    parser.add_argument("--sample", type=int, help="how many conditions, the same ones each time")
    parser.add_argument("--no-build", action="store_true", help="the program is there")
    parser.add_argument("--jobs", type=int, default=2)
    sys.exit(judge_part(parser.parse_args()))


if __name__ == "__main__":
    main()
