# SPDX-License-Identifier: Apache-2.0
"""Rules in text files rewrite small models as onnxscript's own rules do.

    onnxscript_rules.py SOURCES CLI

Each model is rewritten by one rule of onnxscript, and by the rule of resources/rules/common.rules that says the same.
Both results must have the same numbers of operators, but for constants and Identity, which onnxscript writes where
readers could take the input. Both must give the outputs of the model in ONNX
Runtime. Models that nearly fit must be left alone by both, and the reason must be told.

Exit code 77 when a Python package is not installed: skipped.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    from onnxscript.rewriter import rewrite
    from onnxscript.rewriter.rules import common
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

RANDOM = np.random.default_rng(7)


def ints(*values):
    return np.array(values, dtype=np.int64)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def model(nodes, inputs, constants=None, output_type=TensorProto.FLOAT, outputs=("y",)):
    """Nodes are (operator, inputs, output, attributes); inputs are name: shape."""
    graph = helper.make_graph(
        [helper.make_node(op, reads, [writes], **attributes) for op, reads, writes, attributes in nodes], "graph",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, output_type, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return onnx.shape_inference.infer_shapes(made, data_prop=True)


def normalized(first, constants, shape):
    channels = 3
    return model([first, ("BatchNormalization", ["c", "scale", "shift", "mean", "variance"], "y", {})], {"x": shape},
                 {**constants, "scale": floats(channels), "shift": floats(channels), "mean": floats(channels),
                  "variance": np.abs(floats(channels)) + 1})


def cases():
    """(name of our rule, name of onnxscript's, whether it applies, model)"""
    two = lambda op, a, b: [(op, ["x"], "a", a), (op, ["a"], "y", b)]
    yield "cast_cast", "cast_cast_rule", True, model(
        two("Cast", {"to": TensorProto.FLOAT}, {"to": TensorProto.FLOAT16}), {"x": [2, 3]}, None, TensorProto.FLOAT16)
    yield "cast_to_same", "no_op_cast_rule", True, model(
        [("Cast", ["x"], "a", {"to": TensorProto.FLOAT}), ("Neg", ["a"], "y", {})], {"x": [2, 3]})
    yield "cast_to_same", "no_op_cast_rule", False, model(
        [("Cast", ["x"], "y", {"to": TensorProto.FLOAT16})], {"x": [2, 3]}, None, TensorProto.FLOAT16)
    for op, ours, theirs, neutral in (("Add", "add_zero", "add_0_rule", 0), ("Sub", "sub_zero", "sub_0_rule", 0),
                                      ("Mul", "mul_one", "mul_by_1_rule", 1), ("Div", "div_one", "div_by_1_rule", 1)):
        for value in (neutral, 2):
            yield ours, theirs, value == neutral, model([(op, ["x", "c"], "a", {}), ("Neg", ["a"], "y", {})],
                                                        {"x": [2, 3]}, {"c": np.float32(value)})
    yield "transpose_transpose", "transpose_transpose_rule", True, model(
        two("Transpose", {"perm": [2, 0, 1]}, {"perm": [0, 2, 1]}), {"x": [2, 3, 4]})
    yield "transpose_identity", "no_op_transpose_rule", True, model(
        [("Transpose", ["x"], "a", {"perm": [0, 1, 2]}), ("Neg", ["a"], "y", {})], {"x": [2, 3, 4]})
    yield "transpose_identity", "no_op_transpose_rule", False, model(
        [("Transpose", ["x"], "y", {"perm": [0, 2, 1]})], {"x": [2, 3, 4]})
    yield "reshape_reshape", "reshape_reshape_rule", True, model(
        [("Reshape", ["x", "p"], "a", {}), ("Reshape", ["a", "q"], "y", {})], {"x": [2, 3]},
        {"p": ints(6), "q": ints(3, 2)})
    yield "expand_to_same", "no_op_expand_rule", True, model(
        [("Expand", ["x", "s"], "a", {}), ("Neg", ["a"], "y", {})], {"x": [2, 3]}, {"s": ints(2, 3)})
    yield "expand_to_same", "no_op_expand_rule", False, model([("Expand", ["x", "s"], "y", {})], {"x": [1, 3]},
                                                              {"s": ints(2, 3)})
    for first, second in ((1, 0), (0, 1), (0, 2)):
        yield "unsqueeze_unsqueeze", "unsqueeze_unsqueeze_rule", True, model(
            [("Unsqueeze", ["x", "p"], "a", {}), ("Unsqueeze", ["a", "q"], "y", {})], {"x": [2, 3]},
            {"p": ints(first), "q": ints(second)})
    yield "matmul_add_to_gemm", "matmul_add_to_gemm_rule", True, model(
        [("MatMul", ["x", "w"], "a", {}), ("Add", ["a", "b"], "y", {})], {"x": [2, 3]},
        {"w": floats(3, 4), "b": floats(4)})
    yield "matmul_add_to_gemm", "matmul_add_to_gemm_rule", False, model(
        [("MatMul", ["x", "w"], "a", {}), ("Add", ["a", "b"], "y", {})], {"x": [5, 2, 3]},
        {"w": floats(3, 4), "b": floats(4)})
    yield "slice_everything", "collapse_slice_rule", True, model(
        [("Slice", ["x", "b", "e", "c", "d"], "a", {}), ("Neg", ["a"], "y", {})], {"x": [2, 3]},
        {"b": ints(0), "e": ints(3), "c": ints(1), "d": ints(1)})
    yield "flatten_to_reshape", "flatten_to_reshape_rule", True, model(
        [("Flatten", ["x"], "y", {"axis": 1})], {"x": [2, 3, 4]})
    conv = ("Conv", ["x", "w"], "c", {})
    yield "batch_norm_into_conv_without_bias", "fuse_batchnorm_into_conv_rule", True, normalized(
        conv, {"w": floats(3, 2, 3, 3)}, [1, 2, 6, 6])
    yield "batch_norm_into_conv", "fuse_batchnorm_into_conv_rule", True, normalized(
        ("Conv", ["x", "w", "b"], "c", {}), {"w": floats(3, 2, 3, 3), "b": floats(3)}, [1, 2, 6, 6])
    yield "batch_norm_into_gemm", "fuse_batchnorm_into_gemm_rule", True, normalized(
        ("Gemm", ["x", "w", "b"], "c", {}), {"w": floats(4, 3), "b": floats(3)}, [2, 4])
    yield "pad_into_conv", "fuse_pad_into_conv_rule", True, model(
        [("Pad", ["x", "p"], "a", {}), ("Conv", ["a", "w"], "y", {})], {"x": [1, 2, 5, 5]},
        {"p": ints(0, 0, 1, 1, 0, 0, 1, 1), "w": floats(3, 2, 3, 3)})
    yield "pad_into_conv", "fuse_pad_into_conv_rule", False, model(
        [("Pad", ["x", "p"], "a", {}), ("Conv", ["a", "w"], "y", {})], {"x": [1, 1, 5, 5]},
        {"p": ints(0, 1, 1, 1, 0, 0, 1, 1), "w": floats(3, 2, 3, 3)})


def counts(graph_model):
    return collections.Counter(n.op_type for n in graph_model.graph.node if n.op_type not in {"Constant", "Identity"})


def outputs(graph_model, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(graph_model.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"]).run(None, inputs)


def problem_of(program, rules, ours, theirs, applies, original, folder):
    source, target, report = folder / "model.onnx", folder / "ours.onnx", folder / "report.json"
    onnx.save(original, source)
    done = subprocess.run([program, "optimize", source, "--rules", rules, "--level", "disabled", "--only-pass",
                           f"user:{ours}", "-o", target, "--report", report], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        return done.stderr.strip()
    mine, other = onnx.load(target), rewrite(onnx.load(source), [getattr(common, theirs)])
    if counts(mine) != counts(other):
        return f"{dict(counts(mine))} here, {dict(counts(other))} there"
    if (counts(mine) != counts(original)) != applies:
        return f"expected that both {'apply' if applies else 'decline'}: {dict(counts(mine))}"
    reasons = [miss["reason"] for miss in json.loads(report.read_text())["near_misses"]]
    if not applies and not reasons:
        return "left alone without a reason"
    inputs = {i.name: RANDOM.standard_normal([d.dim_value for d in i.type.tensor_type.shape.dim]).astype(np.float32)
              for i in original.graph.input}
    for a, b in zip(outputs(mine, inputs), outputs(original, inputs)):
        if a.dtype != b.dtype or a.shape != b.shape or not np.allclose(a, b, rtol=1e-3, atol=1e-4):
            return "other outputs than the model"
    return ""


def main():
    sources, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    rules = sources / "resources/rules/common.rules"
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for ours, theirs, applies, original in cases():
            total += 1
            problem = problem_of(program, rules, ours, theirs, applies, original, pathlib.Path(folder))
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'ok'}  {ours} and {theirs}: {problem or 'the same'}")
    print(f"{total - failed} of {total} models rewritten alike")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
