# SPDX-License-Identifier: Apache-2.0
"""Reads just enough C++ to find parentheses, operands and statements."""
import re

_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'',
    re.S)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def masked(text):
    """The text with comments and what literals hold blanked, at the same positions."""
    def blank(m):
        s = m.group(0)
        inner = "".join("\n" if c == "\n" else " " for c in s)
        return '"' + inner[1:-1] + '"' if s[0] in "\"'R" else inner
    return _LITERAL.sub(blank, text)


def closing(code, at):
    """Position of the bracket that closes the one at `at`; -1 when there is none."""
    depth = 0
    for i in range(at, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return -1


def split(code, begin, end, separator):
    """Spans between the separators that no bracket encloses. Template brackets look like comparisons."""
    spans, start, i = [], begin, begin
    while i < end:
        if code[i] in _PAIRS:
            i = closing(code, i)
        elif code.startswith(separator, i):
            spans.append((start, i))
            i += len(separator)
            start = i
            continue
        i += 1
    return spans + [(start, end)]


def statement_end(code, begin):
    """Position behind the statement that begins there: behind its `;` or its block."""
    i = begin
    while i < len(code):
        if code[i] == "{" and not code[begin:i].strip():
            return closing(code, i) + 1
        if code[i] in _PAIRS:
            i = closing(code, i)
        elif code[i] == ";":
            return i + 1
        i += 1
    return len(code)
