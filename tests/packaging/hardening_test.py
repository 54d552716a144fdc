# SPDX-License-Identifier: Apache-2.0
"""What packaging/hardening.cmake promises of the programs, read from the built files by readelf and objdump.

    hardening_test.py PROGRAM... [--libraries LIBRARY...]

Programs are position-independent. Programs and libraries: their tables are read-only once they are resolved, which is
at the start, no segment is writable and executable, and no stack is executable. Programs call the checks of guarded
stacks and of the C library's sizes, and on x86-64 main() begins with a mark for indirect jumps.
"""
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def faults_of_file(path):
    segments = output('readelf', '-lW', path)
    dynamic = output('readelf', '-dW', path)
    if 'GNU_RELRO' not in segments:
        yield 'has no read-only part after relocation (RELRO)'
    if not re.search(r'BIND_NOW|Flags:.*\bNOW\b', dynamic):
        yield 'resolves its functions late (no BIND_NOW)'
    stack = re.search(r'^\s*GNU_STACK\s.*', segments, re.M)
    if not stack or re.search(r'\bR?WE\b', stack[0]):
        yield 'has an executable stack'
    if re.search(r'^\s*LOAD\s.*\bRWE\b', segments, re.M):
        yield 'has a segment that is writable and executable'
    if 'TEXTREL' in dynamic:
        yield 'relocates its code'


def faults_of_program(path):
    header = output('readelf', '-hW', path)
    dynamic = output('readelf', '-dW', path)
    symbols = output('readelf', '--dyn-syms', '-W', path)
    if not re.search(r'Type:\s+DYN', header) or not re.search(r'Flags:.*\bPIE\b', dynamic):
        yield 'is not position-independent (PIE)'
    if '__stack_chk_fail' not in symbols:
        yield 'guards no stack (-fstack-protector-strong)'
    if not re.search(r'\s__(?!stack)\w+_chk\b', symbols):
        yield 'calls no checked function of the C library (_FORTIFY_SOURCE)'
    if 'X86-64' in header and 'endbr64' not in output('objdump', '-d', '--disassemble=main', path):
        yield 'has no mark for indirect jumps at main() (-fcf-protection)'


def main():
    words = sys.argv[1:]
    if not shutil.which('readelf') or not shutil.which('objdump'):
        print('skipped: readelf and objdump are not installed')
        return SKIPPED
    at = words.index('--libraries') if '--libraries' in words else len(words)
    programs, libraries = words[:at], words[at + 1:]
    faults = [f'{pathlib.Path(path).name} {fault}' for path in programs + libraries for fault in faults_of_file(path)]
    faults += [f'{pathlib.Path(path).name} {fault}' for path in programs for fault in faults_of_program(path)]
    print('\n'.join(faults) or f'{len(programs)} programs and {len(libraries)} libraries: hardened')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
