#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes release_kernels.inc beside itself: which kernels of the CPU each release of ONNX Runtime has.

    generate_release_kernels.py PYTHON...

Each PYTHON is an interpreter with another release of the PyPI package onnxruntime, oldest first; this one has the
packages onnx and onnxruntime, the newest. Only facts are taken: what the packages list of their own kernels. The
format is explained in release_kernels.h. Left out are operators that every release has for all types that the schema
allows. Of those that ONNX defines as functions, which ONNX Runtime expands where it has no kernel, only the ones of
EXPANDED are listed: what kernel_need() knows of their bodies.
"""
import collections
import itertools
import json
import pathlib
import subprocess
import sys

import onnx.defs
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "operators" / "ops" / "schemas"))
from generate_schemas import LEGACY, MAX_OPSET, ORDER, type_text, wrapped  # noqa: E402

DUMP = """
import json, onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as runtime
print(json.dumps([onnxruntime.__version__, [
    [k.domain, k.op_name, list(k.version_range), k.type_constraints] for k in runtime.get_all_opkernel_def()
    if k.provider == "CPUExecutionProvider"]]))
"""
OPEN_END = 2**31 - 1
DOMAINS = ("", "ai.onnx.ml", "com.microsoft")
MOST_COMBINATIONS = 20000
EXPANDED = {"CastLike", "GreaterOrEqual", "LessOrEqual"}
WITHOUT_KERNELS = {"Constant"}  # made an initializer on load


class Operator:
    """One version of an operator: its type variables with what they allow, in the packages' spelling."""

    def __init__(self, schema, parameter_type):
        self.domain, self.name, self.since = schema.domain, schema.name, schema.since_version
        self.allowed = {c.type_param_str: frozenset(c.allowed_type_strs) for c in schema.type_constraints}
        parameters = list(schema.inputs) + list(schema.outputs)
        self.variable_of = {p.name: parameter_type(p) for p in parameters}
        used = {parameter_type(p) for p in parameters}
        self.allowed = {v: types for v, types in self.allowed.items() if v in used}

    def combinations(self, constraints):
        """What a kernel takes, as tuples of types in the order of the variables."""
        named = {v: None for v in self.allowed}
        for key, types in constraints.items():
            variable = key if key in self.allowed else self.variable_of.get(key)
            if variable in named:
                named[variable] = frozenset(types) & self.allowed[variable]
        choices = [sorted(self.allowed[v] if t is None else t) for v, t in named.items()]
        return set(itertools.product(*choices))


def operators():
    found = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        is_function = (schema.has_function or schema.has_context_dependent_function) and schema.name not in EXPANDED
        if schema.domain in DOMAINS and not schema.deprecated and not is_function:
            if schema.name in WITHOUT_KERNELS:
                continue
            if schema.domain or schema.since_version <= MAX_OPSET:
                found[schema.domain, schema.name, schema.since_version] = Operator(schema, lambda p: p.type_str)
    known = {(name, since) for domain, name, since in found if not domain}
    for schema in runtime.get_all_operator_schema():
        legacy = not schema.domain and schema.name in LEGACY and (schema.name, schema.since_version) not in known
        if (schema.domain == "com.microsoft" or legacy) and not schema.deprecated:
            found[schema.domain, schema.name, schema.since_version] = Operator(schema, lambda p: p.typeStr)
    return [o for _, o in sorted(found.items()) if count(o.allowed.values()) <= MOST_COMBINATIONS]


def count(sets):
    product = 1
    for s in sets:
        product *= max(1, len(s))
    return product


def takes(version_range, since):
    """As KernelDef of ONNX Runtime has it: an open range is of one version of the operator."""
    start, end = version_range
    return start == since or (end != OPEN_END and start <= since <= end)


def boxes(combinations, variables):
    """The combinations as products of sets of types, as few as joining finds."""
    found = [tuple(frozenset([t]) for t in c) for c in sorted(combinations)]
    for axis in range(len(variables)):
        joined = collections.defaultdict(frozenset)
        for box in found:
            joined[box[:axis] + box[axis + 1:]] |= box[axis]
        found = [rest[:axis] + (types,) + rest[axis:] for rest, types in joined.items()]
    return found


def types_text(types):
    names = [type_text(t) for t in types]
    return ",".join(sorted(names, key=lambda n: (ORDER.index(n) if n in ORDER else len(ORDER), n)))


def box_text(box, operator):
    texts = [
        f"{variable}={types_text(types)}" for (variable, allowed), types in zip(operator.allowed.items(), box)
        if types != allowed
    ]
    return " ".join(texts) or "any"


def kernels_text(operator, releases):
    """"15 T=f32,f64; 23 T=i8"; None: nothing to say."""
    known, pieces = set(), []
    everything = set(itertools.product(*map(sorted, operator.allowed.values())))
    oldest = releases[0][0]
    for minor, kernels in releases:
        now = set()
        for version_range, constraints in kernels.get((operator.domain, operator.name), ()):
            if takes(version_range, operator.since):
                now |= operator.combinations(constraints)
        if minor == oldest and now == everything:
            return None
        added = now - known
        known |= now
        if added:
            if known == everything:
                pieces.append(f"{minor} any")
                break
            pieces += [f"{minor} {box_text(b, operator)}" for b in boxes(added, operator.allowed)]
    return "; ".join(pieces)


def main():
    releases = []
    for python in [*sys.argv[1:], sys.executable]:
        version, listed = json.loads(subprocess.run([python, "-c", DUMP], capture_output=True, text=True,
                                                    check=True).stdout)
        kernels = collections.defaultdict(list)
        for domain, name, version_range, constraints in listed:
            kernels[domain, name].append((version_range, constraints))
        releases.append((int(version.split(".")[1]), kernels))
    releases.sort(key=lambda r: r[0])
    lines = []
    for operator in operators():
        text = kernels_text(operator, releases)
        if text is not None:
            lines.append(
                wrapped("LAPIDARY_RELEASE_KERNEL",
                        [f'"{operator.domain}"', f'"{operator.name}"', str(operator.since), f'"{text}"']))
    path = pathlib.Path(__file__).with_name("release_kernels.inc")
    path.write_text(
        "// SPDX-License-Identifier: Apache-2.0\n// Written by generate_release_kernels.py from the packages "
        f"onnxruntime 1.{releases[0][0]} to 1.{releases[-1][0]}; do not edit.\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
