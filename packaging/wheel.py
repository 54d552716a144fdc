# SPDX-License-Identifier: Apache-2.0
"""Packs a folder of a Python package as a wheel (binary distribution format, PEP 427), and prints its file.

    wheel.py FOLDER VERSION OUTPUT

The tag is that of the module _engine.*.so in the folder. Same contents and SOURCE_DATE_EPOCH give the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import re
import sys
import time
import zipfile

METADATA = """Metadata-Version: 2.1
Name: lapidary
Version: {version}
Summary: Runs, checks, profiles, optimizes and quantizes ONNX models
License: Apache-2.0
Requires-Python: =={python}.*
Requires-Dist: numpy>=1.21
Provides-Extra: tables
Requires-Dist: pandas; extra == "tables"
Description-Content-Type: text/markdown

{description}"""
ENTRY_POINTS = "[console_scripts]\nlapidary-cli = lapidary.program:main\n"
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def tag_of(folder):
    """("cp311", "linux_x86_64") of _engine.cpython-311-x86_64-linux-gnu.so"""
    modules = [path.name for path in folder.glob('_engine.*.so')]
    found = re.fullmatch(r'_engine\.cpython-(\d)(\d+)-(\w+)-linux-gnu\.so', modules[0]) if len(modules) == 1 else None
    if not found:
        sys.exit(f'wheel.py: expected one _engine.cpython-*-linux-gnu.so in {folder}, found {modules or "none"}')
    return found.group(1), found.group(2), f'linux_{found.group(3)}'


def files_of(folder, version):
    """Bytes by their names in the wheel, and whether they are programs."""
    major, minor, platform = tag_of(folder)
    interpreter = f'cp{major}{minor}'
    info = f'lapidary-{version}.dist-info'
    description = (SOURCE / 'resources' / 'help' / 'python.md').read_text()
    wheel = f'Wheel-Version: 1.0\nGenerator: lapidary wheel.py\nRoot-Is-Purelib: false\n' \
            f'Tag: {interpreter}-{interpreter}-{platform}\n'
    files = {}
    for path in sorted(folder.rglob('*')):
        if path.is_file():
            files[f'lapidary/{path.relative_to(folder).as_posix()}'] = (path.read_bytes(), os.access(path, os.X_OK))
    texts = {'METADATA': METADATA.format(version=version, python=f'{major}.{minor}', description=description),
             'WHEEL': wheel, 'entry_points.txt': ENTRY_POINTS}
    for name, text in texts.items():
        files[f'{info}/{name}'] = (text.encode(), False)
    for name in ('Apache-2.0.txt', 'README.md'):
        files[f'{info}/licenses/{name}'] = ((SOURCE / 'LICENSES' / name).read_bytes(), False)
    return files, info, f'lapidary-{version}-{interpreter}-{interpreter}-{platform}.whl'


def main():
    folder, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    files, info, name = files_of(folder, version)
    record = ''
    for file, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
        record += f'{file},sha256={digest},{len(content)}\n'
    files[f'{info}/RECORD'] = ((record + f'{info}/RECORD,,\n').encode(), False)
    seconds = max(int(os.environ.get('SOURCE_DATE_EPOCH', 315532800)), 315532800)  # a zip begins in 1980
    with zipfile.ZipFile(output / name, 'w', zipfile.ZIP_DEFLATED) as archive:
        for file, (content, is_program) in files.items():
            entry = zipfile.ZipInfo(file, time.gmtime(seconds)[:6])
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(output / name)


if __name__ == '__main__':
    main()
