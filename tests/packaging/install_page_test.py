# SPDX-License-Identifier: Apache-2.0
"""Commands of the help page about installing name one package each, with all packages in one folder.

    install_page_test.py SOURCE VERSION
"""
import fnmatch
import pathlib
import re
import sys


def packages(version):
    """Names of what packaging/package.sh and arm64.sh --archive make."""
    names = ('lapidary', 'lapidary-cli', 'liblapidary-dev', 'lapidary-cuda')
    debian = [f'{name}_{version}_amd64.deb' for name in names]
    rpm = [f'{name}-{version}-1.x86_64.rpm' for name in names if name != 'liblapidary-dev']
    archives = [f'lapidary-{version}-x86_64', f'lapidary-cli-{version}-x86_64', f'lapidary-cli-{version}-aarch64']
    files = debian + rpm + [name + '.tar.zst' for name in archives] + [archives[0] + '.run', 'SHA256SUMS']
    return files + [f'lapidary-{version}.spdx.json', f'lapidary-{version}.licences.txt'], archives


def patterns(page):
    """Words of its commands that name files by a pattern, for each machine."""
    words = set()
    for block in re.findall(r'^```text\n(.*?)^```$', page, re.M | re.S):
        for word in block.replace('$(uname -m)', '@machine@').split():
            if '*' in word:
                words |= {word.replace('@machine@', machine) for machine in ('x86_64', 'aarch64')}
    return sorted(words)


def main():
    source, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    page = (source / 'resources' / 'help' / 'install.md').read_text()
    files, folders = packages(version)
    failed, meant = False, set()
    for word in patterns(page):
        first, slash, _ = word.removeprefix('./').partition('/')
        found = [name for name in (folders if slash else files) if fnmatch.fnmatchcase(name, first)]
        meant |= set(found)
        if len(found) != 1:
            print(f'install.md: "{word}" means {found or "nothing"}, expected one file')
            failed = True
    for name in files:
        # for programs, for devices that few have, and what goes with the packages
        if name not in meant and not name.startswith(('liblapidary', 'lapidary-cuda', f'lapidary-{version}.')) \
                and name != 'SHA256SUMS':
            print(f'install.md has no command for {name}')
            failed = True
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
