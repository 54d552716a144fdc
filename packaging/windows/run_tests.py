#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py [--runner WORDS] [--seconds S] [--all-seconds S] [--filter F] [--not-built FILE] PROGRAM...: GoogleTest
programs where a test may crash, hang or be too slow to be waited for.

Runs each test suite in a process of its own, started by the words of --runner (such as "wine"). One that ends before
its tests do, or takes longer than S seconds (--seconds, 300), is started again behind the test that it was at, which
counts as failed or as not ended. After --all-seconds no further suite is begun. Prints each test that did not pass with
its reason, and a line for each program:

    core_tests: 1203 tests: 1190 passed, 3 failed, 8 skipped, 1 not ended, 1 not begun

and those of --not-built (a line each), which no program holds. Exit code 1 where a test failed.
"""
import argparse
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

RESULT = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:,| \()")
BEGUN = re.compile(r"^\[ RUN +\] (\S+)")
SAID = re.compile(r"^(.*): (Failure|Skipped)$")
most_names = 100  # of tests in one command line, which Windows bounds
WORDS = {"passed": "OK", "failed": "FAILED", "skipped": "SKIPPED"}


def listed(runner, program, chosen):
    """{suite: [names of its tests]} of a program."""
    with tempfile.TemporaryFile() as output:
        subprocess.run([*runner, program, "--gtest_list_tests", f"--gtest_filter={chosen}"], check=True,
                       stdout=output, timeout=600)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    suites, suite = {}, None
    for line in printed.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  ") and suite:
            suites[suite].append(suite + name.strip())
        elif name.endswith("."):
            suite = name
            suites.setdefault(suite, [])
    return suites


def read(text):
    """({test: result}, {test: what it said}, the test that was begun and not ended or None) of a program's output."""
    results, reasons, at, said = {}, {}, None, []
    for line in text.splitlines():
        if begun := BEGUN.match(line):
            at, said = begun[1], []
        elif (result := RESULT.match(line)) and result[2] == at:
            results[at] = result[1]
            reasons[at] = said
            at = None
        elif at:
            said.append(line)
    if at:
        reasons[at] = said
    return results, reasons, at


def run_tests(runner, program, tests, seconds):
    """What the program printed, and why it ended: "" in order, else in words."""
    command = [*runner, program, "--gtest_color=no", "--gtest_filter=" + ":".join(tests)]
    why = ""
    with tempfile.TemporaryFile() as output:  # servers of the runner's own would hold a pipe open
        with subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True) as child:
            try:
                child.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                why = f"not ended after {seconds:g} s"
        if not why and child.returncode not in (0, 1):
            why = f"the program ended with {child.returncode}"
        output.seek(0)
        return output.read().decode(errors="replace"), why


def run_suite(runner, program, tests, seconds):
    """{test: (result, reason)}; results as in WORDS, and "not ended"."""
    found, left = {}, list(tests)
    while left:
        asked = left[:most_names]
        text, why = run_tests(runner, program, asked, seconds)
        results, reasons, at = read(text)
        for test, result in results.items():
            shown = [SAID.sub(r"\1", line).strip() for line in reasons[test] if line.strip()]
            found[test] = (result, " | ".join(shown[:6]))
        if at:
            last = next((line.strip() for line in reversed(reasons[at]) if line.strip()), "")
            ended = "not ended" if why.startswith("not ended") else "FAILED"
            found[at] = (ended, " ".join(filter(None, [why or "the program ended", last])))
        elif why and results:
            at = list(results)[-1]
            found[at] = ("not ended" if why.startswith("not ended") else "FAILED", f"behind it: {why}")
        rest = [test for test in left if test not in found]
        if len(rest) == len(left):  # it says nothing at all
            found |= {test: ("FAILED", why or "the program printed no result") for test in asked}
            rest = left[len(asked):]
        left = rest
    return found


def summary(name, results, total):
    counts = {word: sum(1 for result, _ in results.values() if result == name) for word, name in WORDS.items()}
    counts["not ended"] = sum(1 for result, _ in results.values() if result == "not ended")
    counts["not begun"] = total - len(results)
    return f"{name}: {total} tests: " + ", ".join(f"{count} {word}" for word, count in counts.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", default="")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--all-seconds", type=float, default=float("inf"))
    parser.add_argument("--filter", default="*")
    parser.add_argument("--not-built", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    runner, end = shlex.split(options.runner), time.monotonic() + options.all_seconds
    lines, failed = [], False
    for program in options.programs:
        suites = listed(runner, program, options.filter)
        name, results = pathlib.Path(program).stem, {}
        for suite, tests in suites.items():
            if time.monotonic() > end:
                print(f"{name}: {suite[:-1]}, {len(tests)} tests: not begun, the time is over", flush=True)
                continue
            ended = run_suite(runner, program, tests, options.seconds)
            results |= ended
            for test, (result, reason) in ended.items():
                if result != "OK":
                    print(f"{result}: {test}: {reason[:600]}", flush=True)
        lines.append(summary(name, results, sum(map(len, suites.values()))))
        print(lines[-1], flush=True)
        failed = failed or any(result == "FAILED" for result, _ in results.values())
    print("\n" + "\n".join(lines))
    if options.not_built:
        for line in options.not_built.read_text().splitlines():
            print("not built: " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
