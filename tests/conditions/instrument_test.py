#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""instrument_test.py SOURCE_FOLDER: the instrumenter finds the conditions of the passes, and puts its switches where
they belong."""
import pathlib
import sys

from instrument import instrument

EXAMPLE = '''bool fits(const Node* n) {
    if (!n || n->op == "a || b") return false;  // if (x) return false;
    if (const auto* m = n->next) return false;
    if (n->size > 1 && n->last) { miss("why"); return false; }
    if (n->is_odd) return true;
    if (!n->b && !needs(n->c, "a c")) return false;
    if (n->d ? n->e || n->f : n->g) return stopped_by(why);
    if (n->h) return why =
        "wrapped", false;
    return n->a && all_of(n->list, [](int v) { return v == 0 && v < 2; });
}
'''
EXPECTED = [("declines", "!n"), ("declines", 'n->op == "a || b"'), ("declines", "n->size > 1 && n->last"),
            ("holds", "n->c"), ("declines", "n->d ? n->e || n->f : n->g"), ("declines", "n->h"),
            ("holds", "n->a"), ("holds", "all_of(n->list, [](int v) { return v == 0 && v < 2; })"),
            ("holds", "v == 0"), ("holds", "v < 2")]
NAMED = [
    "core/engine/passes/basic/elimination/eliminate_pool.cpp: node.outputs.size() > 1 && node.outputs[1]",
    "core/engine/passes/basic/elimination/eliminate_slice.cpp: slice.version >= 10 && has_list(slice, 4, \"steps\") && "
    "!(bounds.steps = list_of(context, slice, 4, \"steps\"))",
    "core/engine/passes/basic/elimination/eliminate_slice.cpp: constant_of(step) != 1",
    "core/engine/passes/lowering/rotary_embedding.cpp: half < 1"
]


def main():
    text, listed = instrument(EXAMPLE, 0, "example.cpp")
    found = [(c["kind"], c["text"]) for c in listed]
    assert found == EXPECTED, found
    assert '::lapidary::conditions::declines(0, static_cast<bool>(!n)) || ' in text, text

    source = pathlib.Path(sys.argv[1])
    names = set()
    for folder in ("core/engine/passes", "core/engine/patterns", "core/engine/rewrite"):
        for file in sorted((source / folder).rglob("*.cpp")):
            name = str(file.relative_to(source))
            names |= {f"{name}: {c['text']}" for c in instrument(file.read_text(encoding="utf-8"), 0, name)[1]}
    assert len(names) >= 500, len(names)
    missing = [n for n in NAMED if n not in names]
    assert not missing, missing
    print(f"{len(names)} different conditions")


if __name__ == "__main__":
    main()
