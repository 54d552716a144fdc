# SPDX-License-Identifier: Apache-2.0
"""Operators on tensors of 9 and 12 dimensions give what ONNX Runtime gives, at levels disabled and all, where it runs
them; what it refuses is refused here too or runs, but never ends the program.

    ranks.py LAPIDARY_CLI

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
SIZES = [2, 1, 3, 1, 2, 1, 2, 1, 2, 1, 1, 2]


def ints(*values):
    return np.array(values, np.int64)


def elementwise(x, y):
    yield "Add", [x, y], {}
    yield "Mul", [x, y[0]], {}
    yield "Sum", [x, y, x], {}
    yield "Where", [x > 0, x, y], {}
    yield "PRelu", [x, y], {}
    yield "Pow", [np.abs(x), y], {}
    yield "Mod", [x, y], {"fmod": 1}
    yield "Greater", [x, y], {}
    yield "Xor", [x > 0, y > 0], {}
    yield "BitShift", [(np.abs(x) * 3).astype(np.uint8), np.abs(y).astype(np.uint8)], {"direction": "LEFT"}
    yield "Cast", [x], {"to": TensorProto.FLOAT16}
    yield "Gelu", [x], {}
    yield "QuantizeLinear", [x, np.array([.1, .2, .3], np.float32)], {"axis": 2}


def along_axes(x):
    rank = x.ndim
    yield "ReduceSum", [x, ints(0, 2, rank - 1)], {"keepdims": 0}
    yield "ReduceMax", [x, ints(1, 4)], {}
    yield "ReduceMean", [x, ints(2, 4, 6)], {}
    yield "ReduceL2", [x, ints(0, 4, 8)], {"keepdims": 0}
    yield "ArgMax", [x], {"axis": 2}
    for axis in (2, -1):
        yield "Softmax", [x], {"axis": axis}
    yield "LogSoftmax", [x], {"axis": 4}
    yield "Hardmax", [x], {"axis": 2}
    yield "LpNormalization", [x], {"axis": 2}
    yield "TopK", [x, ints(2)], {"axis": 2}
    yield "CumSum", [x, np.int64(2)], {}
    yield "LayerNormalization", [x, np.ones(x.shape[-1], np.float32)], {"axis": -1}
    yield "LayerNormalization", [x, np.ones(x.shape[4:], np.float32)], {"axis": 4}
    yield "GroupNormalization", [x, np.ones(1, np.float32), np.ones(1, np.float32)], {"num_groups": 1}
    yield "MeanVarianceNormalization", [x], {"axes": [0, 2]}
    yield "InstanceNormalization", [x, np.ones(1, np.float32), np.ones(1, np.float32)], {}
    yield "BatchNormalization", [x] + [np.ones(1, np.float32)] * 4, {}


def movement(x, y, random):
    rank, shape = x.ndim, list(x.shape)
    yield "Transpose", [x], {"perm": [int(p) for p in random.permutation(rank)]}
    yield "Slice", [x, ints(0, 1), ints(9, 9), ints(0, 2), ints(1, 1)], {}
    yield "Slice", [x, ints(-1, -1, -1), ints(-99, -99, -99), ints(0, 2, 4), ints(-1, -1, -1)], {}
    pads = [0] * (2 * rank)
    pads[2] = pads[rank + 4] = 1
    yield "Pad", [x, ints(*pads), np.float32(3)], {}
    for mode in ("edge", "reflect", "wrap"):
        yield "Pad", [x, ints(*pads)], {"mode": mode}
    repeats = [1] * rank
    repeats[1] = repeats[4] = 2
    yield "Tile", [x, ints(*repeats)], {}
    yield "Expand", [y, ints(*shape)], {}
    yield "Concat", [x, x], {"axis": 4}
    yield "Split", [x], {"axis": 4, "num_outputs": 2}
    yield "Gather", [x, ints(1, 0, 1)], {"axis": 2}
    yield "GatherElements", [x, random.integers(0, 3, shape)], {"axis": 2}
    yield "GatherND", [x, np.array([[0, 0, 1], [1, 0, 2]])], {}
    yield "ScatterND", [x, np.array([[0, 0, 1], [1, 0, 2]]), np.ones([2] + shape[3:], np.float32)], {}
    yield "ScatterElements", [x, random.integers(0, 3, shape), x * 2], {"axis": 2, "reduction": "add"}
    yield "Compress", [x, np.array([True, False, True])], {"axis": 2}
    yield "NonZero", [x > 0], {}
    yield "OneHot", [x.astype(np.int64), ints(3), np.array([0, 1], np.float32)], {"axis": 3}
    yield "Reshape", [x, ints(0, -1)], {}
    yield "Squeeze", [x, ints(1, 3)], {}
    yield "Unsqueeze", [x, ints(0, 4, 9)], {}
    yield "Flatten", [x], {"axis": 3}
    yield "Trilu", [x], {}


def products(x, random):
    rank, shape = x.ndim, list(x.shape)
    weight = random.standard_normal([shape[-1], 4]).astype(np.float32)
    yield "MatMul", [x, weight], {}
    yield "MatMul", [x, np.broadcast_to(weight, shape[:-2] + list(weight.shape)).copy()], {}
    yield "Einsum", [x, x], {"equation": "...i,...j->...ij"}
    yield "Det", [random.standard_normal(shape[:-2] + [3, 3]).astype(np.float32)], {}
    window = [2] + [1] * (rank - 3)
    pads = [1] + [0] * (2 * (rank - 2) - 1)
    yield "Conv", [x, np.ones([2, 1] + [1] * (rank - 2), np.float32)], {}
    yield "Conv", [x, np.ones([2, 1] + window, np.float32)], {"pads": pads}
    yield "ConvTranspose", [x, np.ones([1, 2] + [1] * (rank - 2), np.float32)], {}
    yield "MaxPool", [x], {"kernel_shape": window, "pads": pads}
    yield "AveragePool", [x], {"kernel_shape": [1] * (rank - 2)}
    yield "GlobalAveragePool", [x], {}
    yield "Resize", [x, np.array([], np.float32), np.array([1, 1, 2] + [1] * (rank - 3), np.float32)], {}


def cases():
    for rank in (9, 12):
        random = np.random.default_rng(rank)
        shape = SIZES[:rank - 1] + [3]
        x = random.standard_normal(shape).astype(np.float32)
        y = random.standard_normal([s if i % 2 else 1 for i, s in enumerate(shape)]).astype(np.float32)
        for family in (elementwise(x, y), along_axes(x), movement(x, y, random), products(x, random)):
            for op, inputs, attributes in family:
                yield rank, op, [np.asarray(value) for value in inputs], attributes


def model_of(op, inputs, attributes):
    """What is not the first input nor as large is an initializer."""
    outputs = ["o0", "o1"] if op in ("Split", "TopK") else ["o0"]
    names = ["" if op == "Resize" and value.size == 0 else f"i{i}" for i, value in enumerate(inputs)]
    given = {n: v for i, (n, v) in enumerate(zip(names, inputs)) if n and (i == 0 or v.ndim > 3)}
    node = helper.make_node(op, names, outputs, **attributes)
    declared = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
                for n, v in given.items()]
    constants = [numpy_helper.from_array(v, n) for n, v in zip(names, inputs) if n and n not in given]
    graph = helper.make_graph([node], "ranks", declared, [helper.make_empty_tensor_value_info(o) for o in outputs],
                              constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), given, outputs


def run_peer(model, given):
    try:
        return ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, given)
    except Exception:  # of many types: this operator is not for such ranks
        return None


def compare(cli, folder, op, inputs, attributes):
    """What is wrong, or nothing."""
    model, given, outputs = model_of(op, inputs, attributes)
    expected = run_peer(model, given)
    onnx.save(model, folder / "m.onnx")
    np.savez(folder / "i.npz", **given)
    for level in ("disabled", "all"):
        command = [cli, "run", folder / "m.onnx", "--level", level, "--inputs", folder / "i.npz", "--outputs",
                   folder / "o.npz"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode not in (0, 3, 4) or (ran.returncode != 0 and expected is not None):
            return f"level {level}: exit code {ran.returncode}: {ran.stderr.strip()}"
        if expected is None:
            continue
        found = np.load(folder / "o.npz")
        for name, value in zip(outputs, expected):
            if found[name].shape != value.shape or not np.allclose(found[name], value, 1e-4, 1e-5):
                return f"level {level}: {name} differs"
    return None


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for rank, op, inputs, attributes in cases():
            count += 1
            if wrong := compare(sys.argv[1], pathlib.Path(folder), op, inputs, attributes):
                failed += 1
                print(f"{op} of rank {rank}: {wrong}")
    print(f"{count} cases, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
