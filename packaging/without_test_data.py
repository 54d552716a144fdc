#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every test that looks for the folder of test data again, as in a clone that has none beside it.

    without_test_data.py BUILD_FOLDER ASKED

ASKED is the file that tests wrote under LAPIDARY_TEST_DATA_ASKED while they ran with the folder: a line "PROGRAM, tab,
TEST" for each that asked for it, so that no list of them is kept by hand. Of a test that several programs hold (one of
them with sanitizers) one runs it. Commands of CTest that have a path in the folder among their words run with a path
that leads nowhere in its place. All have to pass, or to be skipped. Exit code 1 where one fails."""
import collections, concurrent.futures, json, os, subprocess, sys, tempfile, time

NOWHERE = "/nonexistent/lapidary_test_data"
LONGEST = 900  # seconds of one process


def tests_that_asked(path):
    """The names by program. A program that asked before its first test is there with what GoogleTest checks itself."""
    programs, seen = collections.defaultdict(set), set()
    with open(path) as lines:
        asked = sorted({tuple(line.rstrip("\n").split("\t")) for line in lines if "\t" in line})
    for program, test in asked:
        if test and test in seen:
            continue
        seen.add(test or program)
        programs[program].add(test or "GoogleTestVerification.*")
    return programs


def processes_of(programs, folder, environment, shards):
    """One process for each shard of each program: what to call it, its words and its environment."""
    for program, tests in programs.items():
        flags = os.path.join(folder, os.path.basename(program))
        with open(flags, "w") as file:
            file.write("--gtest_brief=1\n--gtest_filter=" + ":".join(sorted(tests)) + "\n")
        count = min(shards, len(tests))
        for shard in range(count):
            yield (f"{os.path.basename(program)}, {len(tests)} tests, part {shard + 1} of {count}",
                   [program, "--gtest_flagfile=" + flags],
                   environment | {"GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(shard)}, None)


def commands_of(build, data, environment):
    """CTest's tests whose words name the folder."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-LE", "^timed$"], check=True,
                            capture_output=True, text=True)
    for test in json.loads(listed.stdout)["tests"]:
        words = test.get("command", [])
        if not any(data in word for word in words):
            continue
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        own = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        yield (test["name"], [word.replace(data, NOWHERE) for word in words], environment | own,
               properties.get("SKIP_RETURN_CODE"))


def run(process, folder):
    name, words, environment, skipped_by = process
    start = time.monotonic()
    try:
        ended = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, errors="replace",
                               timeout=LONGEST)
        code, output = ended.returncode, ended.stdout + ended.stderr
    except subprocess.TimeoutExpired:
        code, output = -1, f"it did not end in {LONGEST} s"
    is_good = code == 0 or code == skipped_by
    return is_good, f"{'good' if is_good else 'FAILED'}  {name}, {time.monotonic() - start:.0f} s", output


def configured_data(build):
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        for line in cache:
            if line.startswith("LAPIDARY_TEST_DATA:"):
                return line.split("=", 1)[1].strip()
    return ""


def main():
    build, asked = sys.argv[1:]
    environment = os.environ | {"LAPIDARY_TEST_DATA": NOWHERE, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("LAPIDARY_TEST_DATA_ASKED", None)
    programs = tests_that_asked(asked)
    if not programs:
        sys.exit(f"{asked} names no test: none ran with LAPIDARY_TEST_DATA_ASKED")
    jobs = os.cpu_count() or 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        processes = list(processes_of(programs, folder, environment, jobs))
        processes += commands_of(build, configured_data(build), environment)
        for good, line, output in pool.map(lambda process: run(process, folder), processes):
            print(line, flush=True)
            if not good:
                failed += 1
                print(output[-20000:], flush=True)
    print(f"without test data: {sum(map(len, programs.values()))} tests, {failed} processes failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
