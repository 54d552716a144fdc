# SPDX-License-Identifier: Apache-2.0
"""LAPIDARY_CUDA with and without a CUDA toolkit: AUTO goes on without one and says so, ON names what is missing.

    cuda_toolkit_test.py SOURCE

Configures plugins/cuda by itself in a scratch folder; nothing is built. Toolkits that will not do are scripts here.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

OLD = '#!/bin/sh\necho "Cuda compilation tools, release 11.8, V11.8.89"\n'
BROKEN = '#!/bin/sh\n[ "$1" = --version ] && echo "Cuda compilation tools, release 13.0, V13.0.88"\n'
MUTE = '#!/bin/sh\nexit 3\n'


class Configuring:
    def __init__(self, source, folder):
        self.source, self.build, self.failed = source / 'plugins' / 'cuda', folder / 'build', False
        self.empty = folder / 'empty'
        self.empty.mkdir()
        paths = [path for path in os.environ['PATH'].split(os.pathsep) if not (pathlib.Path(path) / 'nvcc').exists()]
        self.environment = dict(os.environ, PATH=os.pathsep.join(paths))
        for name in ('CUDACXX', 'CUDA_PATH'):
            self.environment.pop(name, None)

    def expect(self, wanted, code, sentence, folders=None):
        """LAPIDARY_CUDA=`wanted` with a toolkit looked for in `folders` alone."""
        done = subprocess.run(
            ['cmake', '-G', 'Ninja', '-S', self.source, '-B', self.build, f'-DLAPIDARY_CUDA={wanted}',
             '-UCMAKE_CUDA_COMPILER', f'-DLAPIDARY_CUDA_FOLDERS={folders or self.empty}'],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        reported = ' '.join(done.stdout.split())
        if (done.returncode == 0) != (code == 0):
            self.fail(f'{wanted}: exit code {done.returncode}, expected {code}', done.stdout)
        if sentence not in reported:
            self.fail(f'{wanted}: it does not say "{sentence}"', done.stdout)

    def fail(self, why, reported):
        self.failed = True
        print(f'FAILED: {why}\n{reported}')


def fake_toolkit(folder, name, script):
    nvcc = folder / name / 'bin' / 'nvcc'
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text(script)
    nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
    return nvcc.parent.parent


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        at = Configuring(source, folder)
        missing = f'there is no CUDA toolkit: nvcc is neither in PATH nor in {at.empty}'
        at.expect('OFF', 0, 'The CUDA provider is not built (LAPIDARY_CUDA is OFF), its emulated device is.')
        at.expect('AUTO', 0, f'The CUDA provider is not built, its emulated device is: {missing}.')
        at.expect('ON', 1, f'LAPIDARY_CUDA is ON, and {missing}. Name a toolkit\'s nvcc by CMAKE_CUDA_COMPILER, or '
                           'build without (LAPIDARY_CUDA=OFF).')
        at.expect('maybe', 1, 'LAPIDARY_CUDA is "maybe": expected ON, OFF or AUTO.')
        old = fake_toolkit(folder, 'old', OLD)
        too_old = f'the CUDA toolkit is 11.8 ({old}/bin/nvcc), and the kernels need 12.0, which knows C++20'
        at.expect('AUTO', 0, too_old, old)
        at.expect('ON', 1, too_old, old)
        mute = fake_toolkit(folder, 'mute', MUTE)
        at.expect('ON', 1, f'{mute}/bin/nvcc does not tell its version', mute)
        broken = fake_toolkit(folder, 'broken', BROKEN)
        at.expect('AUTO', 0, f'{broken}/bin/nvcc (CUDA 13.0) compiles no program here', broken)
        at.expect('ON', 1, f'{broken}/bin/nvcc (CUDA 13.0) compiles no program here', broken)
        toolkit = shutil.which('nvcc') or shutil.which('nvcc', path='/usr/local/cuda/bin')
        if toolkit:
            at.expect('AUTO', 0, f'The CUDA provider is built by {toolkit}', pathlib.Path(toolkit).parent.parent)
        else:
            print('no toolkit here: that AUTO builds with one was not seen')
        return 1 if at.failed else 0


if __name__ == '__main__':
    sys.exit(main())
