#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes schemas_onnx.inc, schemas_ml.inc and schemas_contrib.inc beside itself.

Needs the PyPI packages onnx (1.20 or newer) and onnxruntime. Only facts are taken: operator names, versions,
arity, type constraints, attribute kinds and defaults. The line format is explained in schema.h.
"""

import pathlib
import re

import numpy as np
import onnx
import onnx.defs
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

MAX_OPSET = 28
NAMES = {"float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16", "float8e4m3fn": "f8e4m3fn",
         "float8e4m3fnuz": "f8e4m3fnuz", "float8e5m2": "f8e5m2", "float8e5m2fnuz": "f8e5m2fnuz",
         "float8e8m0": "f8e8m0", "float4e2m1": "f4e2m1", "float6e2m3": "f6e2m3", "float6e3m2": "f6e3m2",
         "int4": "i4", "uint4": "u4", "int2": "i2", "uint2": "u2",
         "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32",
         "int64": "i64", "uint64": "u64", "bool": "bool", "string": "string", "complex64": "c64",
         "complex128": "c128"}
ORDER = list(NAMES.values())
KINDS = {"INT": "i", "FLOAT": "f", "STRING": "s", "TENSOR": "t", "GRAPH": "g", "TYPE_PROTO": "y", "SPARSE_TENSOR": "S",
         "INTS": "is", "FLOATS": "fs", "STRINGS": "ss", "TENSORS": "ts", "GRAPHS": "gs", "TYPE_PROTOS": "ys",
         "SPARSE_TENSORS": "Ss"}
COLUMNS = 120
# Operators that ONNX dropped, never had, or took in later, and that exporters or ONNX Runtime write; at version 1.
LEGACY = ("Affine", "Crop", "DynamicSlice", "GivenTensorFill", "GRUUnit", "ImageScaler", "LayerNormalization",
          "MemcpyFromHost", "MemcpyToHost", "ParametricSoftplus", "Scale", "ScaledTanh", "SimplifiedLayerNormalization")


def type_text(spelling):
    """tensor(float) -> f32, seq(tensor(T)) -> seq(...), map(int64,float) -> map(i64,f32)."""
    text = re.sub(r"tensor\((\w+)\)", r"\1", spelling.replace(" ", "").replace("sparse_tensor", "sparse"))
    return re.sub(r"\w+", lambda m: NAMES.get(m.group(0), m.group(0)), text)


def parameter_text(parameter, type_spelling, homogeneous, min_arity):
    option = str(parameter.option).rsplit(".", 1)[-1]
    mark = ""
    if option == "Optional":
        mark = "?"
    elif option == "Variadic":
        mark = "*" + ("" if homogeneous else "~") + ("" if min_arity == 1 else str(min_arity))
    return re.sub(r"\W", "_", parameter.name) + mark + ":" + type_text(type_spelling)


def default_text(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        texts = (f"{value:.{digits}g}" for digits in (7, 8, 9))  # the fewest that give the same float32
        return repr(float(next(text for text in texts if np.float32(text) == np.float32(value))))
    if isinstance(value, int):
        return str(value)
    return ",".join(default_text(item) for item in value)


def attribute_text(name, attribute, default):
    kind = KINDS[str(attribute.type).rsplit(".", 1)[-1]]
    text = f"{name}:{kind}" + ("!" if attribute.required else "")
    if default is not None and default.name and default.type != onnx.AttributeProto.TENSOR:
        value = default_text(onnx.helper.get_attribute_value(default))
        assert not re.search(r"[\s\"\\]", value), (name, value)
        if value:
            text += "=" + value
    return text


def constraint_text(constraint):
    allowed = [type_text(t) for t in constraint.allowed_type_strs]
    allowed.sort(key=lambda t: (ORDER.index(t) if t in ORDER else len(ORDER), t))
    return constraint.type_param_str + "=" + ",".join(allowed)


def literals(text, width):
    """The string literal `text` as adjacent ones of at most `width` columns, split behind spaces and commas."""
    pieces, current = [], ""
    for word in re.findall(r"[^ ,]*[ ,]?", text[1:-1]):
        if current and len(current) + len(word) + 2 > width:
            pieces.append(f'"{current}"')
            current = ""
        current += word
    return pieces + [f'"{current}"']


def wrapped(macro, arguments):
    """`macro(arguments)` in lines of at most 120 columns."""
    lines, current = [], macro + "("
    for i, argument in enumerate(arguments):
        end = ")" if i == len(arguments) - 1 else ","
        space = "" if current.endswith("(") else " "
        if len(current) + len(space + argument + end) <= COLUMNS:
            current += space + argument + end
            continue
        pieces = literals(argument, COLUMNS - 5)
        lines += [current] + ["    " + piece for piece in pieces[:-1]]
        current = "    " + pieces[-1] + end
    return "\n".join(lines + [current])


def line(schema, default_of, type_of, homogeneous_of, min_arity_of, version=None):
    inputs = " ".join(parameter_text(p, type_of(p), homogeneous_of(p), min_arity_of(p, schema.min_input, schema.inputs))
                      for p in schema.inputs)
    outputs = " ".join(
        parameter_text(p, type_of(p), homogeneous_of(p), min_arity_of(p, schema.min_output, schema.outputs))
        for p in schema.outputs)
    types = " ".join(constraint_text(c) for c in schema.type_constraints)
    attributes = " ".join(attribute_text(name, a, default_of(a)) for name, a in sorted(schema.attributes.items()))
    if schema.deprecated:
        attributes = "@deprecated"
    return wrapped("LAPIDARY_SCHEMA", [f'"{schema.domain}"', f'"{schema.name}"', str(version or schema.since_version),
                                       f'"{inputs}"', f'"{outputs}"', f'"{types}"', f'"{attributes}"'])


def onnx_line(schema):
    return line(schema, lambda a: a.default_value, lambda p: p.type_str, lambda p: p.is_homogeneous,
                lambda p, minimum, all: p.min_arity)


def runtime_default(attribute):
    proto = onnx.AttributeProto()
    proto.ParseFromString(attribute._default_value)
    return proto


def runtime_line(schema):
    def min_arity(parameter, minimum, parameters):
        return max(0, minimum - (len(parameters) - 1))
    return line(schema, runtime_default, lambda p: p.typeStr, lambda p: p.isHomogeneous, min_arity, 1)


def write(name, source, lines):
    path = pathlib.Path(__file__).with_name(name)
    path.write_text(
        f"// SPDX-License-Identifier: Apache-2.0\n// Written by generate_schemas.py from {source}; do not edit.\n" +
        "\n".join(lines) + "\n")


def main():
    def key(schema):
        return (schema.domain, schema.name, schema.since_version)
    everything = sorted(onnx.defs.get_all_schemas_with_history(), key=key)
    source = f"the onnx package {onnx.__version__}"
    write("schemas_onnx.inc", source,
          [onnx_line(s) for s in everything if s.domain == "" and s.since_version <= MAX_OPSET])
    write("schemas_ml.inc", source, [onnx_line(s) for s in everything if s.domain == "ai.onnx.ml"])
    known = {(s.name, s.since_version) for s in everything if s.domain == ""}
    contrib, seen = [], set()
    for schema in sorted(runtime.get_all_operator_schema(), key=key):
        legacy = schema.domain == "" and schema.name in LEGACY and (schema.name, schema.since_version) not in known
        if (legacy or schema.domain in ("com.microsoft", "com.microsoft.nchwc")) and (schema.domain,
                                                                                      schema.name) not in seen:
            seen.add((schema.domain, schema.name))
            contrib.append(runtime_line(schema))
    write("schemas_contrib.inc", f"the onnxruntime package {onnxruntime.__version__}", contrib)


if __name__ == "__main__":
    main()
