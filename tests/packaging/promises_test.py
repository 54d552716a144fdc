# SPDX-License-Identifier: Apache-2.0
"""resources/help/reliability.md is held against the sources.

    promises_test.py SOURCE

- The promises P1 to P18 are there, in this order, and each names tests that exist: of GoogleTest in tests/, or of CTest
  in a CMakeLists.txt there.
- The table of limits has the members of Limits with their defaults.
"""
import pathlib
import re
import sys

UNITS = {'': 1, 'MiB': 1 << 20, 'GiB': 1 << 30}


def existing_tests(source):
    found = set()
    for path in (source / 'tests').rglob('*.cpp'):
        for suite, name in re.findall(r'^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)', path.read_text(), re.M):
            found.add(f'{suite}.{name}')
    for path in (source / 'tests').rglob('CMakeLists.txt'):
        found |= set(re.findall(r'add_test\(\s*NAME (\w+)', path.read_text()))
    for path in (source / 'tests/fuzz').glob('*targets.inc'):
        found |= {f'fuzz_{name}' for name in re.findall(r'^FUZZ_TARGET\((\w+)\)', path.read_text(), re.M)}
    return found


def faults_of_promises(page, tests):
    rows = re.findall(r'^\| (P\d+) \|[^|]*\|([^|]*)\|', page, re.M)
    if [row[0] for row in rows] != [f'P{number}' for number in range(1, 19)]:
        yield f'the promises are not P1 to P18: {[row[0] for row in rows]}'
    for promise, cell in rows:
        named = re.findall(r'`([^`]+)`', cell)
        if not named:
            yield f'{promise} names no test'
        for name in named:
            if name not in tests:
                yield f'{promise} names {name}, which is no test'


def number_of(text):
    """`16ull << 30` or `5'000'000`."""
    number, _, shift = re.sub(r"'|u?ll|u\b", '', text.replace('u ', ' ')).partition('<<')
    return int(number) << int(shift or 0)


def faults_of_limits(page, header):
    declared = {name: number_of(value) for name, value in
                re.findall(r'^\s+(?:int|std::\w+) (\w+) = ([^;]+);', header, re.M)}
    listed = {name: int(number) * UNITS[unit] for name, number, unit in
              re.findall(r'^\| `(\w+)` \| (\d+) ?(\w*) \|', page, re.M)}
    if len(declared) < 10:
        yield f'only {len(declared)} limits were found in limits.h'
    for name in sorted(declared.keys() | listed.keys()):
        if declared.get(name) != listed.get(name):
            yield f'{name} is {declared.get(name)} in limits.h and {listed.get(name)} on the page'


def main():
    source = pathlib.Path(sys.argv[1])
    page = (source / 'resources/help/reliability.md').read_text()
    header = (source / 'core/foundation/include/lapidary/base/limits.h').read_text()
    tests = existing_tests(source)
    faults = [*faults_of_promises(page, tests), *faults_of_limits(page, header)]
    print('\n'.join(faults) or f'18 promises and their limits: fine, of {len(tests)} tests')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
