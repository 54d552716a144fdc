# SPDX-License-Identifier: Apache-2.0
"""packaging/windows/run_tests.py over a program that stands in for GoogleTest: tests that pass, fail, are skipped, end
the program, hang, or are never reached are all reported.

    wine_tests_test.py SOURCE
"""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = r"""
import sys, time
tests = {'Good.': ['One', 'Two'], 'Bad.': ['Fails', 'IsSkipped', 'Crashes', 'AfterIt', 'Hangs', 'AtTheEnd'],
         'Mute.': ['Is'], 'Late.': ['Is']}
option = dict(word.lstrip('-').split('=', 1) for word in sys.argv[1:] if '=' in word)
if '--gtest_list_tests' in sys.argv:
    for suite, names in tests.items():
        print(suite + '\r\n  ' + '\r\n  '.join(names) + '\r')
    sys.exit(0)
code = 0
for name in option['gtest_filter'].split(':'):
    if name == 'Mute.Is':
        sys.exit(4)
    print('[ RUN      ] ' + name, flush=True)
    if name == 'Bad.Crashes':
        print('last words', flush=True)
        sys.exit(5)
    if name == 'Bad.Hangs':
        time.sleep(60)
    if name == 'Late.Is':
        print('[       OK ] Late.Is (1 ms)', flush=True)
        time.sleep(60)
    said = {'Bad.Fails': ('file.cpp:3: Failure\n1 is not 2', 'FAILED  '),
            'Bad.IsSkipped': ('file.cpp:4: Skipped\nno links here', 'SKIPPED ')}.get(name, ('', '      OK '))
    if said[0]:
        print(said[0])
        code = 1 if 'FAILED' in said[1] else code
    print('[  ' + said[1] + '] ' + name + ' (1 ms)', flush=True)
sys.exit(code)
"""

EXPECTED = [
    'FAILED: Bad.Fails: file.cpp:3 | 1 is not 2',
    'SKIPPED: Bad.IsSkipped: file.cpp:4 | no links here',
    'FAILED: Bad.Crashes: the program ended with 5 last words',
    'not ended: Bad.Hangs: not ended after 2 s',
    'FAILED: Mute.Is: the program ended with 4',
    'not ended: Late.Is: behind it: not ended after 2 s',
    'stand_in: 10 tests: 4 passed, 3 failed, 1 skipped, 2 not ended, 0 not begun',
    'not built: tests/x.cpp: 3 tests',
]


def main():
    source = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'stand_in.py'
        program.write_text(PROGRAM)
        left_out = pathlib.Path(folder) / 'left_out.txt'
        left_out.write_text('tests/x.cpp: 3 tests\n')
        runner = [source / 'packaging' / 'windows' / 'run_tests.py', '--runner', sys.executable]
        done = subprocess.run([*runner, '--seconds', '2', '--not-built', left_out, program], stdout=subprocess.PIPE,
                              text=True, check=False)
        none = subprocess.run([*runner, '--all-seconds', '0', program], stdout=subprocess.PIPE, text=True, check=False)
    missing = [line for line in EXPECTED if line not in done.stdout.splitlines()]
    for line in missing:
        print('not reported:', line)
    if missing:
        print(done.stdout)
    if done.returncode != 1:
        print('exit code', done.returncode, 'expected 1')
    if 'stand_in: 10 tests: 0 passed, 0 failed, 0 skipped, 0 not ended, 10 not begun' not in none.stdout.splitlines():
        print('out of time:', none.stdout)
        return 1
    return 1 if missing or done.returncode != 1 else 0


if __name__ == '__main__':
    sys.exit(main())
