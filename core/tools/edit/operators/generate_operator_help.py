#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes operator_help.inc beside itself: the first sentence of what ONNX and ONNX Runtime say of each operator and
attribute in its newest version.

Needs the PyPI packages onnx and onnxruntime.
"""

import pathlib
import re

import onnx
import onnx.defs
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

MOST = 240  # letters of a sentence
ABBREVIATIONS = ("e.g.", "i.e.", "a.k.a.", "etc.", "vs.", "w.r.t.", "resp.")


def first_sentence(text):
    """Without markup, in one line, with a full stop; empty where there is none."""
    text = text.replace("\r", "").strip()
    text = re.split(r"```|\n\s*\n|\n\s*[*-] |\$\$|https?://|<[a-z]+>", text)[0]
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\s+", " ", text.replace("**", "").replace("\\", "")).strip()
    for match in re.finditer(r"[.!?](?= |$)", text):
        words = text[:match.end()]
        if not words.endswith(ABBREVIATIONS):
            text = words
            break
    text = text.rstrip(" :;,(")
    if len(text) > MOST:
        return text[:MOST].rsplit(" ", 1)[0].rstrip(" ,.;:") + " …"
    if not re.search(r"\w{2}", text):
        return ""
    text = text[0].upper() + text[1:] if re.match(r"[a-z]+( |$)", text) else text
    return text if text[-1] in ".!?" else text + "."


def line(domain, name, attribute, text):
    quoted = text.replace('"', '\\"')
    start = f'LAPIDARY_OPERATOR_HELP("{domain}", "{name}", "{attribute}",'
    if len(start) + len(quoted) < 116:
        return f'{start} "{quoted}")'
    pieces, current = [], ""
    for word in re.findall(r"\S+ ?", quoted):
        if len(current) + len(word) > 110:
            pieces.append(current)
            current = ""
        current += word
    pieces.append(current)
    return "\n".join([start] + [f'    "{piece}"' for piece in pieces]) + ")"


def main():
    newest = {}
    for schema in onnx.defs.get_all_schemas():
        if schema.domain in ("", "ai.onnx.ml"):
            newest[(schema.domain, schema.name)] = schema
    for schema in runtime.get_all_operator_schema():
        if schema.domain == "com.microsoft":
            newest.setdefault((schema.domain, schema.name), schema)
    lines = []
    for (domain, name), schema in sorted(newest.items()):
        texts = [("", schema.doc or "")]
        texts += [(attribute, found.description or "") for attribute, found in sorted(schema.attributes.items())]
        lines += [line(domain, name, attribute, first_sentence(text))
                  for attribute, text in texts if first_sentence(text)]
    source = f"onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}"
    pathlib.Path(__file__).with_name("operator_help.inc").write_text(
        "// SPDX-License-Identifier: Apache-2.0\n"
        f"// Written by generate_operator_help.py from the packages {source}; do not edit.\n"
        "// Domain, operator, attribute (empty: of the operator), sentence.\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
