#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""instrument.py SOURCE_FOLDER OUT_FOLDER FILE...: copies C++ files with every condition on which they decline behind a
switch.

A condition is one of
  - an operand of || (or the whole) in `if (...)` whose branch declines: it returns declined(...), nothing, false, a
    null pointer, zero
    or a sentence; or skips: it leaves a loop or a function without an answer;
  - an operand of && in `return a && b;`;
  - what needs(a, "why") asks, which notes the reason where it does not hold: the note is dropped with it;
  - a check of .require(...) or .where(...) of a pattern.
Prints nothing; OUT_FOLDER/conditions.json lists them by number: file, line, kind and text, how many of that text came
before, where the statement begins (operands of one `if` share it), and whether it skips.
"""
import collections
import json
import pathlib
import re
import sys

import cpp_text

# Last statements of branches that decline: what answers no, and what only goes on with something else.
DECLINES = re.compile(
    r'return\s+(declined\s*\(.*|std::nullopt|nullptr|false|\{\}|-?[01]|no_value|"[^"]*".*|'
    r'(std::string|fmt::format)\(\s*".*|problem|(why|out\.problem) =\s.*|'
    r'(refuse|stopped_by|fail|stop|differ|wrong|mismatch)\(.*|Step::(stopped|failed)|MaskForm::none|ValueId\(\)|'
    r'Outcome\{\}|not_\w+\(.*)\s*;', re.S)
SKIPS = re.compile(r"(continue|break|return)\s*;")
STATES_REASON = re.compile(r"(?<!bool )\bneeds\(")  # notes why its first argument does not hold
DECLARATION = re.compile(
    r"\s*(const\s+)?(auto|[A-Za-z_][\w:"
    r"]*(<[^=]*>)?)\s*(const)?\s*[&*]*\s+[&*]*\s*[A-Za-z_]\w*\s*=[^=]|\s*(const\s+)?[\w:]+\s*[&*]+\s*\w+\s*=[^=]"
)


def last_statement(code, begin, end):
    """The last statement of a branch, a block or not, as text."""
    text = code[begin:end].strip()
    if not text.startswith("{"):
        return text
    inner = text[1:-1].rstrip()
    starts = [0] + [m.end() for m in re.finditer(r"[;{}]", inner)]
    for start in reversed(starts):
        if inner[start:].strip():
            return inner[start:].strip()
    return ""


def conditions_of(code):
    """(kind, begin, end, begin of its statement, whether it only skips) of every condition."""
    found = []
    for m in re.finditer(r"\bif\s*\(", code):
        close = cpp_text.closing(code, m.end() - 1)
        begin = cpp_text.split(code, m.end(), close, ";")[-1][0]
        last = last_statement(code, close + 1, cpp_text.statement_end(code, close + 1))
        skips = SKIPS.fullmatch(last) is not None
        if DECLARATION.match(code[begin:close]) or not (DECLINES.fullmatch(last) or SKIPS.fullmatch(last)):
            continue
        is_choice = len(cpp_text.split(code, begin, close, "?")) > 1
        operands = [(begin, close)] if is_choice else cpp_text.split(code, begin, close, "||")
        found += [("declines", b, e, begin, skips) for b, e in operands if not STATES_REASON.search(code, b, e)]
    for m in STATES_REASON.finditer(code):
        first = cpp_text.split(code, m.end(), cpp_text.closing(code, m.end() - 1), ",")[0]
        found.append(("holds", *first, first[0], False))
    for m in re.finditer(r"\breturn\b(?!\s*\[)", code):
        end = cpp_text.statement_end(code, m.end()) - 1
        operands = cpp_text.split(code, m.end(), end, "&&")
        if len(operands) > 1 and len(cpp_text.split(code, m.end(), end, "||")) == 1 and len(
                cpp_text.split(code, m.end(), end, "?")) == 1:
            found += [("holds", b, e, b, False) for b, e in operands]
    for m in re.finditer(r"\.(require|where)\s*\(", code):
        first = cpp_text.split(code, m.end(), cpp_text.closing(code, m.end() - 1), ",")[0]
        found.append(("droppable", *first, first[0], False))
    return sorted(found, key=lambda c: (c[1], -c[2]))


def instrument(text, first_number, file):
    """The text with its conditions numbered from first_number on, and their descriptions."""
    code = cpp_text.masked(text)
    inserts, listed, seen = collections.defaultdict(str), [], collections.Counter()
    for kind, begin, end, statement, skips in conditions_of(code):
        while code[begin].isspace() and begin < end:
            begin += 1
        while code[end - 1].isspace() and end > begin:
            end -= 1
        words = " ".join(text[begin:end].split())
        number = first_number + len(listed)
        cast = "" if kind == "droppable" else "static_cast<bool>("
        inserts[begin] += f"::lapidary::conditions::{kind}({number}, {cast}"
        inserts[end] = ("))" if cast else ")") + inserts[end]
        listed.append({
            "number": number,
            "file": file,
            "line": text.count("\n", 0, begin) + 1,
            "kind": kind,
            "text": words,
            "nth": seen[words],
            "statement": statement,
            "skips": skips
        })
        seen[words] += 1
    out, at = [], 0
    for position in sorted(inserts):
        out += [text[at:position], inserts[position]]
        at = position
    return f'#include "conditions/condition_switch.h"\n#line 1 "{file}"\n' + "".join(out) + text[at:], listed


def main():
    source, out, files = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sorted(sys.argv[3:])
    listed, first = [], 0
    for file in files:
        text, conditions = instrument((source / file).read_text(encoding="utf-8"), first, file)
        listed += conditions
        first += (len(conditions) + 12) // 16 * 16 + 16  # gaps, so that a condition more does not renumber other files
        target = out / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    (out / "conditions.json").write_text(json.dumps(listed, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
