#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Length and cyclomatic complexity of every function, as lizard (a Python package) counts them.

Fails where a function has a higher complexity (McCabe: paths through it, each condition, case, && and || counts) or more
lines than RULES says for its folder, or where 3 % of the functions of core, app and views have over 15. A switch counts
once in plugins and tests, where kernels and cases are chosen by it.

usage: complexity.py SOURCE_FOLDER      exit code 77: lizard is missing
"""
import sys
from pathlib import Path

try:
    import lizard
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MANY, MOST_SHARE = 15, 0.03
# folder, most complexity, most lines. Kernels of CUDA are written out, because a call there costs registers; a test is a
# list of what is expected.
RULES = [("core", 25, 80), ("app", 25, 80), ("views", 25, 80), ("plugins", 36, 80), ("tests", 30, 130)]
TABLES = {"mistakes", "cases"}  # lists of test cases, which are no functions to read
SWITCH_COUNTS_ONCE = {"plugins", "tests"}


def functions_below(folder):
    files = sorted(str(path) for ending in ("*.cpp", "*.h", "*.cu", "*.cuh") for path in folder.rglob(ending))
    extensions = lizard.get_extensions(["modified"] if folder.name in SWITCH_COUNTS_ONCE else [])
    for analysis in lizard.analyze_files(files, exts=extensions):
        for function in analysis.function_list:
            yield analysis.filename, function


def main():
    source = Path(sys.argv[1])
    count = many = wrong = 0
    for folder, most, longest in RULES:
        for name, function in functions_below(source / folder):
            place = f"{name}:{function.start_line}: {function.long_name}"
            lines = function.end_line - function.start_line + 1
            if function.cyclomatic_complexity > most:
                wrong += 1
                print(f"{place} has a cyclomatic complexity of {function.cyclomatic_complexity}, the most is {most}")
            if lines > longest and function.name.split("::")[-1] not in TABLES:
                wrong += 1
                print(f"{place} has {lines} lines, the most is {longest}")
            if folder not in SWITCH_COUNTS_ONCE:
                count += 1
                many += function.cyclomatic_complexity > MANY
    share = many / max(1, count)
    print(f"{count} functions of core, app and views, {many} of them ({share:.2%}) of a cyclomatic complexity over {MANY}")
    if count < 5000:
        sys.exit(f"only {count} functions were found below {source}")
    if share >= MOST_SHARE:
        sys.exit(f"{share:.2%} of all functions have over {MANY}, fewer than {MOST_SHARE:.0%} may")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
