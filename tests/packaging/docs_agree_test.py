# SPDX-License-Identifier: Apache-2.0
"""README and help are held against the program.

    docs_agree_test.py SOURCE CLI

- Every command of lapidary-cli that they name exists, with every option given to it, and every command is named.
- The commands that they say take no --json are those.
- The exit codes that they list are those of app/cli/exit_code.h.
- What they say of words that changed their meaning is what the program does (STALE).
"""
import pathlib
import re
import subprocess
import sys

# Phrases that are not true of the program, with what is.
STALE = [
    (r'\*disabled\* \(as it is\)', 'level disabled makes constants of Constant nodes; no level runs the file as it is'),
    (r'without a window,? (all )?(what|that) the window does|does all that the window does',
     'projects, undo and the drawn graph are the window\'s alone'),
]


def declared_commands(cli):
    """Options by command, as `man --markdown` lists them."""
    text = subprocess.run([cli, 'man', '--markdown'], stdout=subprocess.PIPE, check=True, text=True).stdout
    commands = {}
    for section in re.split(r'^## ', text, flags=re.M)[1:]:
        name, _, body = section.partition('\n')
        if not re.fullmatch('[a-z]+', name.strip()):
            continue
        listed = re.findall(r'^- `([^`]*)`', body, flags=re.M)
        commands[name.strip()] = {word.rstrip(',') for line in listed for word in line.split() if word.startswith('-')}
    return commands


def options_of(words, pattern):
    return [word.split('=')[0].rstrip('.,:)') for word in words[1:] if re.match(pattern, word)]


def commands_in(text):
    """(command, options) of each lapidary-cli line, continued lines joined, and of `command --option` in a sentence."""
    text = re.sub(r'\\\n\s*', ' ', text)
    for line in re.findall(r'lapidary-cli ([a-z][^\n`|]*)', text):
        line = re.split(r'[|>#;]|&&', line)[0]
        for part in re.split(r' -- | then ', line):  # behind -- commands for a farm
            words = part.split() or ['']
            yield words[0].rstrip('.,:'), options_of(words, r'--?[a-z]')
    for line in re.findall(r'`([a-z]+ [^`]*--[^`]*)`', text):
        words = line.split()
        yield words[0], options_of(words, r'--[a-z]')


def check_commands(pages, commands, problems):
    named, seen = set(), 0
    for page, text in pages.items():
        prose = ' '.join(re.findall(r'`([^`\n]*)`', text))
        named.update(word for word in commands if re.search(rf'(^|[\s`]){word}($|[\s`])', prose))
        for command, options in commands_in(text):
            if command not in commands:
                if 'lapidary-cli ' + command in text and command not in ('version',):
                    problems.append(f'{page} names the command {command}, which is not there')
                continue
            named.add(command)
            for option in options:
                seen += 1
                if option not in commands[command]:
                    problems.append(f'{page}: {command} has no option {option}')
    problems += [f'neither README nor help names the command {name}' for name in sorted(commands.keys() - named)]
    if seen < 50:
        problems.append(f'only {seen} options were found in README and help')
    return seen


def check_exit_codes(source, pages, problems):
    code = (source / 'app/cli/exit_code.h').read_text()
    numbers = set(re.findall(r'exit_\w+ = (\d+)', code))
    for page, text in pages.items():
        listed = re.search(r'Exit codes: (.*?)\.\s', re.sub(r'\s+', ' ', text) + ' ')
        if listed and {n for n in re.findall(r'(?:^|, )(\d+) ', listed[1])} != numbers:
            problems.append(f'{page} lists the exit codes "{listed[1]}", and app/cli/exit_code.h has {sorted(numbers)}')
        for number in re.findall(r'exit codes? (\d+)', text):
            if number not in numbers:
                problems.append(f'{page} names exit code {number}, which no command returns')


def check_json(pages, commands, problems):
    without = {name for name, options in commands.items() if '--json' not in options}
    for page, text in pages.items():
        for found in re.finditer(r'All commands( but [^.]*?)? take `--json`', re.sub(r'\s+', ' ', text)):
            named = set(re.findall(r'`([a-z]+)`', found[1] or ''))
            if named != without:
                problems.append(f'{page}: commands without --json are {sorted(without)}, listed are {sorted(named)}')


def main():
    source, cli = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = [source / 'README.md', *sorted((source / 'resources/help').glob('*.md'))]
    pages = {str(file.relative_to(source)): file.read_text() for file in files}
    problems = []
    commands = declared_commands(cli)
    options = check_commands(pages, commands, problems)
    check_json(pages, commands, problems)
    check_exit_codes(source, pages, problems)
    for page, text in pages.items():
        for pattern, truth in STALE:
            if re.search(pattern, re.sub(r'\s+', ' ', text)):
                problems.append(f'{page} says "{pattern}": {truth}')
    print('\n'.join(problems) or f'{len(pages)} pages, {options} options: they agree with the program')
    return bool(problems)


if __name__ == '__main__':
    sys.exit(main())
