#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""near_misses.py FOLDER: the fewest of the cases that drop_conditions.py --search FOLDER found which catch all that
they catch together.

Appends them to tests/fixtures/near_misses/<folder>/<file>.graph, beside the cases that they are neighbours of in
tests/fixtures/passes/<folder>/<file>.graph. Read them before they are committed: each says what the passes do today.
"""
import json
import pathlib
import re
import sys

TARGET = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "near_misses"
MOST_LINES = 480


def chosen(cases):
    """Greedily: most that is new per line of text first."""
    open_ = {t for case in cases for t in case["catches"]}
    taken = []
    while open_:
        best = max(cases, key=lambda c: (len(open_ & set(c["catches"])) / (4 + c["text"].count("\n")), c["text"]))
        open_ -= set(best["catches"])
        taken.append(best)
    return taken


def append(case):
    number, name = 1, re.sub(r"_\d+$", "", case["file"])
    while True:
        file = TARGET / (name + (f"_{number}" if number > 1 else "") + ".graph")
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if before.count("\n") + case["text"].count("\n") < MOST_LINES:
            break
        number += 1
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before + ("\n" if before else "") + case["text"], encoding="utf-8")


def main():
    cases = [
        json.loads(line) for file in sorted(pathlib.Path(sys.argv[1]).glob("found_*.jsonl"))
        for line in file.open(encoding="utf-8")
    ]
    taken = chosen(cases)
    for case in sorted(taken, key=lambda c: (c["file"], c["text"])):
        append(case)
    caught = {t for case in taken for t in case["catches"]}
    print(f"{len(cases)} cases found, {len(taken)} taken, which catch {len(caught)} statements")


if __name__ == "__main__":
    main()
