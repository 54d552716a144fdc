#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what ONNX Runtime's quantizer computes, for tests/quantize/numerics_test.cpp.

    build/peers/bin/python3 tests/peers/record_quantization.py > tests/fixtures/quantize/numerics.json
"""
import json
import types

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import quant_utils as q
from onnxruntime.quantization.qdq_quantizer import QDQQuantizer

TYPES = {"i8": TensorProto.INT8, "u8": TensorProto.UINT8, "i16": TensorProto.INT16, "u16": TensorProto.UINT16,
         "i4": TensorProto.INT4, "u4": TensorProto.UINT4}


def ranges(random):
    fixed = [(0, 0), (-1, 1), (0, 6), (-3, 0), (2, 5), (-5, -2), (1e-38, 1e-38), (-1e-39, 1e-39), (-3.4e38, 3.4e38),
             (-0.5, 127.5)]
    return fixed + [tuple(sorted(random.normal(0, 10.0 ** random.integers(-4, 4), 2))) for _ in range(14)]


def flat(array):
    return [int(v) for v in np.asarray(array).ravel()]


def floats(array):
    return [float(v) for v in np.asarray(array, np.float32).ravel()]


def parameters(random):
    for low, high in ranges(random):
        low, high = np.float32(low), np.float32(high)
        for name, onnx_type in TYPES.items():
            for symmetric in (False, True):
                for reduced in (False, True):
                    least, most = q.get_qmin_qmax_for_qType(onnx_type, reduced, symmetric)
                    zero_point, scale = q.compute_scale_zp(np.array(low), np.array(high), least, most, symmetric)
                    yield {
                        "low": float(low),
                        "high": float(high),
                        "type": name,
                        "symmetric": symmetric,
                        "reduced": reduced,
                        "scale": float(scale),
                        "zero_point": int(zero_point)
                    }


def tensors(random):
    for shape in ((6, 10), (4, 3, 3, 2), (9, 5)):
        weight = (random.normal(0, 1, shape) * np.exp(random.normal(0, 2, (shape[0], ) + (1, ) *
                                                                    (len(shape) - 1)))).astype(np.float32)
        weight[0] = 0
        yield weight


def weights(all_weights):
    for number, weight in enumerate(all_weights):
        shape = weight.shape
        for name, onnx_type in TYPES.items():
            for symmetric in (False, True):
                for axis, block in ((None, 0), (0, 0), (len(shape) - 1, 0), (0, 4), (1, 4)):
                    if block and len(shape) != 2:
                        continue
                    if block:
                        zero_point, scale = q.compute_scale_zp_blocked(weight, onnx_type, axis, block, symmetric)
                    elif axis is None:
                        zero_point, scale = q.compute_data_quant_params(weight.ravel(), onnx_type, symmetric)
                    else:
                        both = [
                            q.compute_data_quant_params(weight.take(i, axis).ravel(), onnx_type, symmetric)
                            for i in range(shape[axis])
                        ]
                        zero_point, scale = np.array([z for z, _ in both]), np.array([s for _, s in both])
                    stored = q.quantize_onnx_initializer(numpy_helper.from_array(weight, "w"), onnx_type, zero_point,
                                                         scale, axis, "q", block)
                    yield {"weight": number, "type": name, "symmetric": symmetric, "axis": axis, "block": block,
                           "scale": floats(scale), "zero_point": flat(zero_point.astype(np.int32)),
                           "values": flat(numpy_helper.to_array(stored).astype(np.int32))}


def biases(random):
    adjust = QDQQuantizer._adjust_weight_scale_for_int32_bias
    for channels in (1, 5):
        for per_channel in (False, True):
            for input_scale in (0.02, 1e-6, 3e-9):
                bias = (random.normal(0, 1, channels) * 10.0 ** random.integers(-3, 4, channels)).astype(np.float32)
                scale = np.abs(random.normal(0, 1e-3, channels if per_channel else ())).astype(np.float32)
                scale = np.array(scale, np.float32)
                proto = numpy_helper.from_array(bias, "b")
                before = floats(scale)
                _, enlarged = adjust(types.SimpleNamespace(), np.array(input_scale, np.float32), scale, "w", proto,
                                     per_channel)
                step = np.float32(input_scale) * enlarged * 1.0
                stored = np.clip((bias.astype(np.float64) / np.asarray(step, np.float64)).round(), -2.0**31,
                                 2.0**31 - 1)
                yield {
                    "bias": floats(bias),
                    "input_scale": float(np.float32(input_scale)),
                    "per_channel": per_channel,
                    "weight_scale": before,
                    "enlarged": floats(enlarged),
                    "scale": floats(step),
                    "values": flat(stored.astype(np.int64))
                }


def main():
    random = np.random.default_rng(7)
    all_weights = list(tensors(random))
    out = {
        "tensors": [{
            "shape": w.shape,
            "elements": floats(w)
        } for w in all_weights],
        "parameters": list(parameters(random)),
        "weights": list(weights(all_weights)),
        "biases": list(biases(random))
    }
    print("{")
    for i, (key, cases) in enumerate(out.items()):
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
        print(f'"{key}":[\n{lines}\n]{"," if i + 1 < len(out) else ""}')
    print("}")


if __name__ == "__main__":
    main()
