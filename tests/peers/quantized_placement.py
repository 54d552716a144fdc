#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random models quantized by lapidary-cli with the placement of ONNX Runtime, and by ONNX Runtime with the same ranges.

    quantized_placement.py LAPIDARY_CLI [--models N] [--seed S] [--keep FOLDER]

Of each model: the same values get pairs, scales, zero points, weights and biases are equal bit for bit, the file is
at most 3 % larger (but for the recipe in its metadata, some hundred bytes), and the files of both, as pairs (QDQ) and as quantized operators (QOperator), give the same
outputs within one quantum in both engines, or ours those that ONNX Runtime gives without optimizations. With
quantized operators ONNX Runtime places by other rules than with pairs: there each file is compared with itself alone.
What ONNX Runtime itself refuses to quantize or to run is counted and passed over.
Exit code 77 when the Python packages are not there: skipped.
"""
import argparse
import collections
import json
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime.quantization import QuantType
    from onnxruntime.quantization.calibrate import CalibrationMethod, TensorData, TensorsData
    from onnxruntime.quantization.onnx_quantizer import ONNXQuantizer
    from onnxruntime.quantization.qdq_quantizer import QDQQuantizer
    from onnxruntime.quantization.quant_utils import QuantizationMode
    from onnxruntime.quantization.registry import QDQRegistry, QLinearOpsRegistry
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

logging.disable(logging.CRITICAL)
ort.set_default_logger_severity(4)
TYPES = {"u8": TensorProto.UINT8, "s8": TensorProto.INT8}


class Builder:
    """A model of a few operators in a row, sometimes with a branch."""

    def __init__(self, random):
        self.random = random
        self.nodes, self.constants = [], []
        self.count = 0

    def constant(self, shape, scale=None):
        name = f"c{self.count}"
        self.count += 1
        scale = scale or 10.0**self.random.uniform(-1, 0.5)
        values = (self.random.normal(0, 1, shape) * scale).astype(np.float32)
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def fixed(self, values, dtype=np.int64):
        name = f"c{self.count}"
        self.count += 1
        self.constants.append(numpy_helper.from_array(np.array(values, dtype), name))
        return name

    def add(self, op, inputs, outputs=1, **attributes):
        names = [f"v{self.count + i}" for i in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(op, inputs, names, name=f"{op}_{self.count}", **attributes))
        return names[0] if outputs == 1 else names

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def image(self, x, shape):
        channels, side = shape
        kind = self.pick("Conv", "Conv", "Conv", "Relu", "Clip", "MaxPool", "AveragePool", "AddConstant", "AddSelf",
                         "Mul", "Sigmoid", "LeakyRelu", "Concat", "Pad", "Transpose", "Split", "Resize")
        if kind == "Conv":
            kernel, group = self.pick(1, 3), self.pick(1, 1, channels)
            out = channels * self.pick(1, 2)
            inputs = [x, self.constant((out, channels // group, kernel, kernel))]
            if self.pick(True, False):
                inputs.append(self.constant((out, )))
            return self.add("Conv", inputs, group=group, pads=[kernel // 2] * 4), (out, side)
        if kind in ("Relu", "Sigmoid", "LeakyRelu"):
            return self.add(kind, [x]), shape
        if kind == "Clip":
            return self.add("Clip", [x, self.fixed(0, np.float32), self.fixed(6, np.float32)]), shape
        if kind in ("MaxPool", "AveragePool") and side > 2:
            return self.add(kind, [x], kernel_shape=[2, 2], strides=[2, 2]), (channels, side // 2)
        if kind == "AddConstant":
            return self.add("Add", [x, self.constant((channels, 1, 1))]), shape
        if kind == "AddSelf":
            return self.add("Add", [x, self.add("Sigmoid", [x])]), shape
        if kind == "Mul":
            return self.add("Mul", [x, self.constant((1, channels, 1, 1))]), shape
        if kind == "Concat":
            return self.add("Concat", [x, self.add("LeakyRelu", [x], alpha=0.3)], axis=1), (2 * channels, side)
        if kind == "Pad":
            return self.add("Pad", [x, self.fixed([0, 0, 1, 1, 0, 0, 1, 1])]), (channels, side + 2)
        if kind == "Transpose":
            return self.add("Transpose", [x], perm=[0, 1, 3, 2]), shape
        if kind == "Split" and channels % 2 == 0:
            first, second = self.add("Split", [x, self.fixed([channels // 2, channels // 2])], 2, axis=1)
            return self.add("Add", [first, second]), (channels // 2, side)
        if kind == "Resize" and side < 8:
            return self.add("Resize", [x, "", self.fixed([1, 1, 2, 2], np.float32)], mode="nearest",
                            coordinate_transformation_mode="asymmetric", nearest_mode="floor"), (channels, 2 * side)
        return self.add("Relu", [x]), shape

    def matrix(self, x, shape):
        rows, width = shape
        kind = self.pick("Gemm", "MatMul", "MatMul", "MatMulSelf", "AddConstant", "Softmax", "Relu", "LayerNorm",
                         "Reshape", "Mul")
        if kind == "Gemm":
            out, transposed = self.pick(4, 6, 9), self.pick(0, 1)
            inputs = [x, self.constant((out, width) if transposed else (width, out))]
            if self.pick(True, False):
                inputs.append(self.constant((out, )))
            return self.add("Gemm", inputs, transB=transposed), (rows, out)
        if kind == "MatMul":
            out = self.pick(4, 6, 9)
            return self.add("MatMul", [x, self.constant((width, out))]), (rows, out)
        if kind == "MatMulSelf":
            return self.add("MatMul", [x, self.add("Transpose", [x], perm=[1, 0])]), (rows, rows)
        if kind == "AddConstant":
            return self.add("Add", [x, self.constant((width, ))]), shape
        if kind == "Softmax":
            return self.add("Softmax", [x], axis=-1), shape
        if kind == "LayerNorm":
            return self.add("LayerNormalization", [x, self.constant((width, )), self.constant((width, ))]), shape
        if kind == "Reshape":
            return self.add("Reshape", [x, self.fixed([width, rows])]), (width, rows)
        if kind == "Mul":
            return self.add("Mul", [x, self.constant((width, ))]), shape
        return self.add("Relu", [x]), shape

    def model(self):
        is_image = self.pick(True, False)
        shape = (self.pick(2, 3, 4), self.pick(4, 6)) if is_image else (self.pick(3, 5), self.pick(4, 8))
        declared = [1, shape[0], shape[1], shape[1]] if is_image else list(shape)
        value = "x"
        for _ in range(self.random.integers(1, 5)):
            value, shape = self.image(value, shape) if is_image else self.matrix(value, shape)
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, declared)
        wanted = helper.make_tensor_value_info(value, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "random", [given], [wanted], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return onnx.shape_inference.infer_shapes(model), declared


def cli(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: outputs are far off, which is not what is asked here
        raise RuntimeError(f"{' '.join(map(str, words[:2]))}: {done.stderr.strip()}")
    return done.stdout


def as_arrays(model):
    return {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}


def stored_values(model):
    """What is quantized: by the value that gets a pair, or the constant that is stored, its parameters and integers."""
    arrays, found = as_arrays(model), {}
    for node in model.graph.node:
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            continue
        is_constant = node.op_type == "DequantizeLinear" and node.input[0] in arrays
        if node.op_type == "DequantizeLinear" and not is_constant:
            continue
        zero = arrays[node.input[2]] if len(node.input) > 2 and node.input[2] else np.zeros(1, np.int32)
        found[node.input[0]] = (arrays[node.input[0]] if is_constant else None, arrays[node.input[1]], zero)
    return found


def differences(ours, theirs):
    text = []
    for name in sorted(set(ours) | set(theirs)):
        if name not in ours or name not in theirs:
            text.append(f"{name} is quantized {'by ONNX Runtime alone' if name in theirs else 'here alone'}")
            continue
        for what, a, b in zip(("integers", "scale", "zero point"), ours[name], theirs[name]):
            if a is None and b is None:
                continue
            if what == "zero point" and not np.any(a) and not np.any(b):
                continue
            if a is None or b is None or a.size != b.size or a.ravel().tobytes() != b.ravel().tobytes():
                text.append(f"{name}: {what} {np.ravel(a)[:4]} here, {np.ravel(b)[:4]} by ONNX Runtime")
    return text


def their_models(prepared, ranges, per_channel, act, weight):
    """Pairs and quantized operators by ONNX Runtime's quantizers with these ranges."""
    float_values = {v.name for v in [*prepared.graph.value_info, *prepared.graph.input, *prepared.graph.output]
                    if v.type.tensor_type.elem_type == TensorProto.FLOAT}
    operators = sorted(set(QLinearOpsRegistry) | set(QDQRegistry))
    made = []
    for quantizer in (QDQQuantizer, ONNXQuantizer):
        # Values that are not in the list take the parameters of another one, whatever their own range is.
        data = TensorsData(CalibrationMethod.MinMax, {
            name: TensorData(lowest=np.float32(ranges.get(name, (-1, 1))[0]),
                             highest=np.float32(ranges.get(name, (-1, 1))[1]))
            for name in float_values
        })
        copy = onnx.ModelProto()
        copy.CopyFrom(prepared)
        arguments = [copy, per_channel, False]
        if quantizer is ONNXQuantizer:
            arguments += [QuantizationMode.QLinearOps, True]
        arguments += [TYPES[weight], TYPES[act], data, [], [], operators, {}]
        try:
            model = quantizer(*arguments)
            model.quantize_model()
            made.append(model.model.model)
        except Exception:  # what it cannot quantize has no common class
            made.append(None)
    return made


def their_run(path, feed, level=ort.GraphOptimizationLevel.ORT_ENABLE_ALL):
    """Without VNNI products of u8 and s8 saturate there unless asked not to, which not all operators know of."""
    for precise in ("1", "0"):
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = level
        options.add_session_config_entry("session.x64quantprecision", precise)
        try:
            return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]).run(None, feed)[0]
        except Exception:
            if precise == "0":
                raise


def our_run(program, path, folder):
    cli(program, "run", path, "--level", "disabled", "--inputs", folder / "in.npz", "--outputs", folder / "out.npz",
        "--intra", 1, "--quiet")
    with np.load(folder / "out.npz") as archive:
        return archive[archive.files[0]]


def bytes_of(model):
    """Of the file, without its metadata: what made it, which ONNX Runtime does not say."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    bare.ClearField("metadata_props")
    return len(bare.SerializeToString())


def check(program, seed, folder, counts):
    random = np.random.default_rng(seed)
    model, shape = Builder(random).model()
    onnx.save(model, folder / "float.onnx")
    cli(program, "optimize", folder / "float.onnx", "-o", folder / "prepared.onnx", "--level", "basic", "--quiet")
    prepared = onnx.shape_inference.infer_shapes(onnx.load(folder / "prepared.onnx"))
    (folder / "data").mkdir()
    for i in range(4):
        np.savez(folder / f"data/{i}.npz", x=random.normal(0, 1, shape).astype(np.float32))
    feed = {"x": random.normal(0, 1, shape).astype(np.float32)}
    np.savez(folder / "in.npz", **feed)
    per_channel, act = bool(random.integers(2)), ["u8", "s8"][random.integers(2)]
    weight = "s8"
    words = ["--mode", "static", "--placement", "onnxruntime", "--range", "minmax", "--no-bias-correction", "--act",
             act, "--data", folder / "data", "--layers", "--json", "--quiet"]
    words += [] if per_channel else ["--per-tensor"]
    made = json.loads(cli(program, "quantize", folder / "prepared.onnx", "-o", folder / "pairs.onnx", "--as-asked",
                          *words))
    cli(program, "quantize", folder / "prepared.onnx", "-o", folder / "operators.onnx", "--format", "qoperator",
        "--as-asked", *words)
    ranges = {r["value"]: r["seen"] for r in made["ranges"]}
    problems = []
    pairs, operators = their_models(prepared, ranges, per_channel, act, weight)
    ours = onnx.load(folder / "pairs.onnx")
    if pairs is None:
        counts["not quantized by ONNX Runtime"] += 1
    else:
        problems += differences(stored_values(ours), stored_values(pairs))
        onnx.save(pairs, folder / "their_pairs.onnx")
        counts["bytes of ours"] += bytes_of(ours)
        counts["bytes of theirs"] += bytes_of(pairs)
        counts["bytes of our recipes, beside"] += sum(len(p.key) + len(p.value) for p in ours.metadata_props)
    if operators is not None:
        onnx.save(operators, folder / "their_operators.onnx")
    arrays = as_arrays(ours)
    last = [n for n in ours.graph.node if n.output[0] == ours.graph.output[0].name][0]
    quantum = float(arrays[last.input[1]]) if last.op_type == "DequantizeLinear" else None
    results = {}
    for name in ("pairs", "operators", "their_pairs", "their_operators"):
        path = folder / f"{name}.onnx"
        if not path.exists():
            continue
        try:
            results[f"{name} there"] = their_run(path, feed)
        except Exception as problem:
            if not name.startswith("their"):
                problems.append(f"{name} does not run in ONNX Runtime: {str(problem)[:200]}")
            counts[f"{name} not run by ONNX Runtime"] += 1
            continue
        results[f"{name} here"] = our_run(program, path, folder)
    if quantum is None:
        counts["output stays float"] += 1
        return problems
    counts["compared"] += 1
    compared = [(f"{name} here", f"{name} there") for name in ("pairs", "operators", "their_pairs", "their_operators")]
    compared.append(("pairs there", "their_pairs there"))
    for a, b in compared:
        if a in results and b in results:
            steps = float(np.abs(results[a].astype(np.float64) - results[b]).max()) / quantum
            word = "equal" if steps < 0.01 else "one step" if steps < 1.01 else "more"
            if word == "more" and a in ("pairs here", "operators here", "their_pairs here"):
                # A fused kernel may be a step off what the pairs say, which later operators make more of.
                pairs_file = folder / ("their_pairs.onnx" if a.startswith("their") else "pairs.onnx")
                said = their_run(pairs_file, feed, ort.GraphOptimizationLevel.ORT_DISABLE_ALL)
                if float(np.abs(results[a].astype(np.float64) - said).max()) < 1.01 * quantum:
                    word = "more, but as ONNX Runtime runs the pairs without optimizations"
            counts[f"{a} / {b}: {word}"] += 1
            if word == "more":
                problems.append(f"{a} and {b} are {steps:.1f} steps of the output apart")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path, help="copy the files of models that differ here")
    options = parser.parse_args()
    counts, failed = collections.Counter(), 0
    for seed in range(options.seed, options.seed + options.models):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            problems = check(options.program, seed, folder, counts)
            failed += bool(problems)
            for problem in problems:
                print(f"model {seed}: {problem}", flush=True)
            if problems and options.keep:
                shutil.copytree(folder, options.keep / str(seed), dirs_exist_ok=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    larger = counts["bytes of ours"] > 1.03 * counts["bytes of theirs"]
    print(f"{options.models} models, {failed} differ{', files are more than 3 % larger' if larger else ''}")
    return 1 if failed or larger else 0


if __name__ == "__main__":
    sys.exit(main())
