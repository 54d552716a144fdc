# SPDX-License-Identifier: Apache-2.0
"""Presets `minimal` and `dev` build because this build does: each of their compilations is one of this build's.

    presets_test.py SOURCE BUILD

Configures both presets in a scratch folder, `minimal` with Qt and GoogleTest hidden, and holds every compile command
against the one for the same file in BUILD. `dev` may differ in optimization, debug information, assertions of the
standard library and warnings as errors, nothing else: code that a macro of those could choose must be named below.
Warnings as errors are proven by BUILD itself where it is configured with LAPIDARY_WERROR (.ci/run does).
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
SWITCHES = re.compile(r'\bNDEBUG\b|\bQT_(NO_)?DEBUG\b|\bQ_ASSERT')
# The only code that depends on one of them: a default, and assertions, whose conditions compile either way.
NDEBUG_READERS = ['core/engine/include/lapidary/exec/session_options.h', 'core/foundation/base/assert.h']
# What `dev` sets differently; no code reads these.
FREE_FLAGS = re.compile(r'^(-O[0-3s]?|-g[0-3]?|-DNDEBUG|-DQT_NO_DEBUG|-D_GLIBCXX_ASSERTIONS|-Werror)$')
HIDDEN = {'minimal': ['Qt6', 'GTest', 'benchmark', 'ONNX'], 'dev': []}


def compilations(build, free_flags):
    """{(source below the build or source folder, object): its flags} of a configured build folder."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        place = str(build) + '/'
        words = [word.replace(place, 'BUILD/') for word in entry['command'].split()]
        words = [word for word in words if not word.startswith('-DLAPIDARY_TEST_DATA_DEFAULT=')]  # a folder of tests
        if free_flags:
            words = [word for word in words if not FREE_FLAGS.match(word)]
        else:
            words = [word for word in words if word != '-Werror']
        output = words[words.index('-o') + 1] if '-o' in words else ''  # one file may be compiled for several targets
        found[entry['file'].replace(place, 'BUILD/'), output] = words
    return found


def configure(source, preset, folder):
    hidden = [f'-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON' for name in HIDDEN[preset]]
    done = subprocess.run(['cmake', '--preset', preset, '-B', folder, *hidden], cwd=source, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(f'cmake --preset {preset} fails:\n{done.stdout}')


def differences(preset, wanted, built):
    for (file, output), words in wanted.items():
        twin = built.get((file, output))
        if twin is None:
            yield f'{preset} compiles {file} into {output}, which this build does not'
        elif words != twin:
            here, there = set(words) - set(twin), set(twin) - set(words)
            yield f'{preset} compiles {file} with {sorted(here)} in place of {sorted(there)}'


def readers_of_switches(source):
    for folder in ('core', 'app', 'views', 'plugins', 'tests'):
        for path in sorted((source / folder).rglob('*')):
            if path.suffix in ('.cpp', '.h', '.inc', '.c') and SWITCHES.search(path.read_text(errors='replace')):
                yield str(path.relative_to(source))


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    cache = (build / 'CMakeCache.txt').read_text()
    if 'CMAKE_BUILD_TYPE:STRING=Release\n' not in cache or re.search(r'^LAPIDARY_SANITIZE:STRING=.', cache, re.M):
        print('skipped: the build folder is not of the preset release')
        return SKIPPED
    faults = [f'{path} depends on NDEBUG or its like, which this test does not know'
              for path in readers_of_switches(source) if path not in NDEBUG_READERS]
    for preset in HIDDEN:
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder).resolve() / 'build'
            configure(source, preset, scratch)
            free = preset == 'dev'
            wanted = compilations(scratch, free)
            faults += differences(preset, wanted, compilations(build, free))
            print(f'{preset}: {len(wanted)} compilations')
    print('\n'.join(faults[:20]))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
