#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""help_names_test.py SOURCE: the help calls things what the program calls them.

- Menu paths in resources/help ("*Edit ▸ Settings*") consist of names that the window shows.
- Every key of the settings file stands in settings.md, and none that no code reads.
- So do the session options with their values, and none that the engine does not take.
- Every environment variable that a program reads stands somewhere in the help.
"""
import pathlib
import re
import sys


def sources(source, *folders):
    for folder in folders:
        for suffix in ("*.cpp", "*.h", "*.inc"):
            for file in sorted((source / folder).rglob(suffix)):
                yield file.read_text()


def plain(name):
    return name.replace("&&", "\0").replace("&", "").replace("\0", "&").strip().rstrip("….").strip()


def menu_paths(source, problems):
    shown = {plain(text) for code in sources(source, "views", "app")
             for text in re.findall(r'"((?:[^"\\]|\\.)*)"', code)}
    count = 0
    for page in sorted((source / "resources/help").glob("*.md")):
        text = re.sub(r"\s+", " ", re.sub(r"```.*?```", "", page.read_text(), flags=re.S))
        for path in re.findall(r"(?<!\*)\*([^*]*(?:▸| > )[^*]*)\*(?!\*)", text):
            count += 1
            for part in re.split("▸|>", path):
                if plain(part) not in shown:
                    problems.append(f"{page.name} names \"{path}\", and the window has no \"{plain(part)}\"")
    if count < 10:
        problems.append(f"only {count} menu paths were found in the help")
    return count


def setting_keys(source):
    keys = set()
    for code in sources(source, "app", "views"):
        if "QSettings" not in code:
            continue
        literal = r'(?:QStringLiteral\()?"([\w/]+)"'
        for body in re.split(r"\n}\n", code):  # a group holds to the end of its function
            group = re.search(r"beginGroup\(" + literal, body)
            begin = group.end() if group else len(body)
            read = re.compile(r"(?:\bvalue|setValue|\bsize|count)\(" + literal)
            keys.update(read.findall(body[:begin]))
            grouped = read.findall(body[begin:])
            keys.update(f"{group[1]}/{key}" for key in grouped)
            if group and not grouped:
                keys.add(group[1])
    return keys


def session_options(source, section, problems):
    taken = dict(re.findall(r'ConfigKey\{"([\w.]+)", "([^"]*)"', (source / "core/engine/exec/config.cpp").read_text()))
    listed = dict(re.findall(r"^\| `([\w.]+)` \| ([^|]*) \|", section, re.M))
    if len(taken) < 5:
        problems.append(f"only {len(taken)} session options were found in core/engine/exec/config.cpp")
    problems += [f"settings.md does not name the session option {key}" for key in sorted(taken.keys() - listed)]
    problems += [f"settings.md names the session option {key}, which no session takes"
                 for key in sorted(listed.keys() - taken)]
    for key in sorted(taken.keys() & listed):
        reported = re.findall("`([^`]+)`", listed[key])
        if reported and reported != taken[key].split():
            problems.append(f"settings.md says that {key} takes {reported}, and it takes {taken[key].split()}")


def reference(source, problems):
    page, environment = (source / "resources/help/settings.md").read_text().split("## Environment")
    page, options = page.split("## Session options")
    session_options(source, options, problems)
    listed = {key for line in re.findall(r"^\| (`.*?) \|", page, re.M) for key in re.findall(r"`([\w/]+)`", line)}
    help_pages = environment + "".join(file.read_text() for file in (source / "resources/help").glob("*.md"))
    keys = setting_keys(source)
    problems += [f"settings.md does not name the key {key}" for key in sorted(keys - listed)]
    problems += [f"settings.md names {key}, which no code reads" for key in sorted(listed - keys)]
    variables = {name for code in sources(source, "app", "core", "views", "plugins")
                 for name in re.findall(r'"(LAPIDARY_[A-Z_]+|NO_COLOR|XDG_\w+)"', code)}
    problems += [f"the help does not name the variable {name}" for name in sorted(variables)
                 if not re.search(rf"\b{name}\b", help_pages)]
    return len(keys), len(variables)


def main():
    source = pathlib.Path(sys.argv[1])
    problems = []
    paths = menu_paths(source, problems)
    keys, variables = reference(source, problems)
    print(*problems, sep="\n")
    print(f"{paths} menu paths, {keys} keys, {variables} variables, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
