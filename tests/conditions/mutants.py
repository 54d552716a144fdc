# SPDX-License-Identifier: Apache-2.0
"""Runs an instrumented test program: once to see which test meets which condition, then once per dropped statement."""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

MOST_MILLISECONDS = 6000  # of tests per statement, as they took when traced


class Program:
    """An instrumented test program, and which conditions said no in which of its tests."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.milliseconds = {}
        self.tests_of = collections.defaultdict(list)  # by number of a condition

    def trace(self, tests):
        """Runs the tests with every condition in place. Ends the script where one fails: nothing could be said then."""
        with tempfile.NamedTemporaryFile("r", suffix=".trace") as file:
            environment = {**os.environ, "LAPIDARY_CONDITION_TRACE": file.name, "GTEST_FILTER": tests}
            status = subprocess.run([self.path, "--gtest_brief=1"],
                                    env=environment,
                                    stdout=subprocess.DEVNULL,
                                    check=False).returncode
            rows = [line.rstrip("\n").split("\t") for line in file]
        failed = [name for name, outcome, *_ in rows if outcome != "passed"]
        if status != 0 or failed:
            raise SystemExit(
                f"{self.path.name} ended with {status} before any condition was dropped: "
                f"{', '.join(failed) or 'behind ' + rows[-1][0]}"
            )
        for name, _, milliseconds, numbers in rows:
            self.milliseconds[name] = int(milliseconds)
            for number in numbers.split():
                self.tests_of[int(number)].append(name)

    def tests_for(self, numbers, last):
        """Tests that meet one of the conditions, `last` first, then the quick ones."""
        chosen, cost = [], 0
        meeting = {test for number in numbers for test in self.tests_of.get(number, ())}
        for test in sorted(meeting, key=lambda t: (t != last, self.milliseconds[t], t)):
            cost += self.milliseconds[test] + 1
            if chosen and cost > MOST_MILLISECONDS:
                break
            chosen.append(test)
        return chosen


class Server:
    """A process of the program that drops one statement after the other."""

    def __init__(self, program):
        self.program = program
        self.process = subprocess.Popen([program.path, "--serve"],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        text=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def _ask(self, numbers, tests):
        self.process.stdin.write(f"{','.join(map(str, numbers))} {':'.join(tests)}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer == "nothing ran":
            print(f"the tests changed while they were looked at: there is no {tests[0]} any more",
                  file=sys.stderr,
                  flush=True)
            os._exit(2)  # ends all threads
        return None if answer == "-" else answer or tests[0]

    def catcher(self, numbers, last=None):
        """A test that fails, crashes or hangs while the conditions are dropped; None when none does. `last` is asked
        first."""
        tests = self.program.tests_for(numbers, last)
        if last in tests[:1] and len(tests) > 1:
            return self._ask(numbers, tests[:1]) or self._ask(numbers, tests[1:])
        return self._ask(numbers, tests) if tests else None
