#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cyclomatic complexity of every function of core, app and views, as lizard (a Python package) counts it.

Fails where a function has more than 25 (McCabe: paths through it, each condition, case, && and || counts), or where 3 %
of all functions or more have over 15. The length of functions is checked by core_tests, which need no lizard.

usage: complexity.py SOURCE_FOLDER      exit code 77: lizard is missing
"""
import sys
from pathlib import Path

try:
    import lizard
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MOST, MANY, MOST_SHARE = 25, 15, 0.03

source = Path(sys.argv[1])
files = sorted(str(path) for folder in ("core", "app", "views") for ending in ("*.cpp", "*.h")
               for path in (source / folder).rglob(ending))
functions = [(function.cyclomatic_complexity, name, function.start_line, function.long_name)
             for name, function in ((analysis.filename, function) for analysis in lizard.analyze_files(files)
                                    for function in analysis.function_list)]
complex_ones = sorted((f for f in functions if f[0] > MOST), reverse=True)
for complexity, name, line, signature in complex_ones:
    print(f"{name}:{line}: {signature} has a cyclomatic complexity of {complexity}, the most is {MOST}")
many = sum(f[0] > MANY for f in functions)
share = many / max(1, len(functions))
print(f"{len(functions)} functions, {many} of them ({share:.2%}) of a cyclomatic complexity over {MANY}")
if len(functions) < 5000:
    sys.exit(f"only {len(functions)} functions were found below {source}")
if share >= MOST_SHARE:
    sys.exit(f"{share:.2%} of all functions have over {MANY}, fewer than {MOST_SHARE:.0%} may")
if complex_ones:
    sys.exit(1)
