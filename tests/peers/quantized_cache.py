# SPDX-License-Identifier: Apache-2.0
"""GroupQueryAttention of com.microsoft over caches of 8 and 4 bits gives the cache of ONNX Runtime bit for bit, and its
output within 1e-3: ONNX Runtime's CPU kernels have caches of int8 and of packed 4 bits, not of float8.

    quantized_cache.py LAPIDARY_CLI     compares
    quantized_cache.py --record FILE    writes the cases with ONNX Runtime's outputs: tests/fixtures/attention/
                                        quantized_cache.json, which tests/core/operators/kernels/attention/quantized_cache_test.cpp reads

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper

    from generation_models import noise
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
HEADS, KEY_HEADS = 4, 2
SCALARS = {np.dtype(np.float32): "f32", np.dtype(np.int32): "i32", np.dtype(np.int8): "i8", np.dtype(np.uint8): "u8"}
KINDS = {"f32": TensorProto.FLOAT, "i32": TensorProto.INT32, "i8": TensorProto.INT8, "u8": TensorProto.UINT8}


def case(bits, scaling, size, sequence, capacity, lengths, total):
    """`lengths`: keys of each sequence with the new ones."""
    batch = len(lengths)
    width = (size + 1) // 2 if bits == 4 else size
    cache = np.frombuffer(np.random.RandomState(size + sequence).bytes(batch * KEY_HEADS * capacity * width), np.uint8)
    cache = cache.reshape(batch, KEY_HEADS, capacity, width)
    if bits == 8:
        cache = cache.view(np.int8)
    channels = 1 if scaling == "PER_TENSOR" else KEY_HEADS * size
    scale = (np.abs(noise((channels, ), 5)) + np.float32(0.25)) * np.float32(1 / 4 if bits == 4 else 1 / 64)
    inputs = {"query": noise((batch, sequence, HEADS * size), 1),
              "key": noise((batch, sequence, KEY_HEADS * size), 2) * 2,
              "value": noise((batch, sequence, KEY_HEADS * size), 3) * 2, "past_key": cache,
              "past_value": cache[:, :, ::-1].copy(), "seqlens_k": np.array(lengths, np.int32) - 1,
              "total_sequence_length": np.array([total], np.int32), "k_scale": scale, "v_scale": scale[::-1].copy()}
    return {"bits": bits, "scaling": scaling, "inputs": inputs}


def all_cases():
    for bits in (4, 8):
        for scaling in ("PER_TENSOR", "PER_CHANNEL"):
            yield case(bits, scaling, 8, 1, 3, [4], 4)
            yield case(bits, scaling, 8, 1, 6, [5, 3], 5)
            yield case(bits, scaling, 16, 3, 2, [5], 5)
    yield case(4, "PER_CHANNEL", 32, 1, 40, [33], 33)


def model_of(case):
    inputs = case["inputs"]
    order = ["query", "key", "value", "past_key", "past_value", "seqlens_k", "total_sequence_length", "", "", "", "",
             "", "k_scale", "v_scale"]
    node = helper.make_node("GroupQueryAttention", order, ["output", "present_key", "present_value"], "attention",
                            domain="com.microsoft", num_heads=HEADS, kv_num_heads=KEY_HEADS,
                            k_quant_type=case["scaling"], v_quant_type=case["scaling"],
                            kv_cache_bit_width=case["bits"])
    values = [helper.make_tensor_value_info(n, KINDS[SCALARS[a.dtype]], a.shape) for n, a in inputs.items()]
    cache = KINDS[SCALARS[inputs["past_key"].dtype]]
    results = [helper.make_tensor_value_info(n, TensorProto.FLOAT if n == "output" else cache, None)
               for n in ("output", "present_key", "present_value")]
    graph = helper.make_graph([node], "cache", values, results)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def outputs_of(case):
    session = ort.InferenceSession(model_of(case).SerializeToString(), providers=["CPUExecutionProvider"])
    outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, case["inputs"])))
    # Rows behind a sequence are unspecified.
    for name in ("present_key", "present_value"):
        for b, last in enumerate(case["inputs"]["seqlens_k"]):
            outputs[name][b, :, last + 1:] = 0
    return outputs


def problem_of(case, found, expected):
    for name, values in expected.items():
        mine = found[name].copy()
        if name != "output":
            for b, last in enumerate(case["inputs"]["seqlens_k"]):
                mine[b, :, last + 1:] = 0
        if mine.dtype != values.dtype or mine.shape != values.shape:
            return f"{name}: {mine.dtype}{mine.shape} where {values.dtype}{values.shape} was expected"
        distance = np.abs(mine.astype(np.float64) - values).max()
        if distance > (1e-3 if name == "output" else 0):
            return f"{name} differs by {distance}"
    return None


def compare(cli):
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in all_cases():
            count += 1
            onnx.save(model_of(case), str(folder / "model.onnx"))
            np.savez(folder / "inputs.npz", **case["inputs"])
            done = subprocess.run([cli, "run", folder / "model.onnx", "--level", "disabled", "--inputs",
                                   folder / "inputs.npz", "--outputs", folder / "outputs.npz", "--quiet"], capture_output=True, text=True)
            problem = done.stderr.strip() if done.returncode else problem_of(
                case, dict(np.load(folder / "outputs.npz", allow_pickle=False)), outputs_of(case))
            if problem:
                failed += 1
                shapes = {k: v.shape for k, v in case["inputs"].items()}
                print(f"{case['bits']} bits {case['scaling']} {shapes}: {problem[:400]}")
    print(f"{count} cases, {failed} differ")
    return 1 if failed else 0


def listed(values):
    return {"shape": list(values.shape), "type": SCALARS[values.dtype],
            "elements": [float(str(v)) if values.dtype == np.float32 else int(v) for v in values.ravel()]}


def record(path):
    lines = [json.dumps({"bits": case["bits"], "scaling": case["scaling"],
                         "inputs": {k: listed(v) for k, v in case["inputs"].items()},
                         "outputs": {k: listed(v) for k, v in outputs_of(case).items()}})
             for case in all_cases() if case["inputs"]["past_key"].shape[3] < 10]
    path.parent.mkdir(exist_ok=True)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", nargs="?")
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return 0
    if not options.cli:
        parser.error("the program is missing")
    return compare(options.cli)


if __name__ == "__main__":
    sys.exit(main())
