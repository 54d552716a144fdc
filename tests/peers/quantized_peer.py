# SPDX-License-Identifier: Apache-2.0
"""What ONNX Runtime's own tools make of a model, mode by mode, for quantized_models.py."""
import contextlib
import io
import shutil
import subprocess
import sys

import onnx
import onnx.version_converter
from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

# Modes, and the words that lapidary-cli has for them.
MODES = {
    "auto": ["--mode", "auto"],
    "static": ["--mode", "static"],
    "dynamic": ["--mode", "dynamic"],
    "weights4": ["--mode", "weights4"],
    "weights4-128": ["--mode", "weights4", "--block", "128"],
    "weights8": ["--mode", "weights8"],
    "fp16": ["--mode", "fp16"],
    "bf16": ["--mode", "bf16"],
}


class Reader:
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def files(model, folder, calibration, mode):
    """Those that ONNX Runtime's tools could write and that load there; none where they have no such mode."""
    ways = {"auto": all_ways, "static": static_ways, "dynamic": dynamic_ways, "fp16": half_ways}.get(mode)
    if ways is None:
        ways = block_ways if mode.startswith("weights") else lambda *_: []
    found = []
    for i, way in enumerate(ways(prepared(model, folder), calibration, mode)):
        path = folder / f"peer_{mode}_{i}.onnx"
        try:
            way(path)
            if loads(path):
                found.append(path)
        except Exception:  # some models it cannot quantize in some ways; of no common class
            pass
    return found


def loads(path):
    """In a process of its own: of an LSTM in float16 ONNX Runtime 1.32 dies."""
    program = f"import onnxruntime as ort; ort.InferenceSession({str(path)!r}, providers=['CPUExecutionProvider'])"
    return subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


def prepared(model, folder):
    """With the preprocessing that it advises."""
    shutil.copy(model, folder / "upgraded.onnx")
    opset = max(found.version for found in onnx.load(model).opset_import if found.domain in ("", "ai.onnx"))
    if opset < 13:  # per channel it writes files then that it does not load
        try:
            onnx.save(onnx.version_converter.convert_version(onnx.load(model), 13), folder / "upgraded.onnx")
        except Exception:  # as it came, then
            pass
    try:
        quant_pre_process(str(folder / "upgraded.onnx"), str(folder / "pre.onnx"), skip_symbolic_shape=True)
    except Exception:
        shutil.copy(folder / "upgraded.onnx", folder / "pre.onnx")
    return str(folder / "pre.onnx")


def static_ways(model, calibration, _):
    def way(per_channel, operators):
        return lambda path: quantize_static(model, str(path), Reader(calibration), quant_format=QuantFormat.QDQ,
                                            per_channel=per_channel, activation_type=QuantType.QUInt8,
                                            weight_type=QuantType.QInt8, op_types_to_quantize=operators)
    return [way(False, None), way(True, None), way(True, ["Conv", "MatMul", "Gemm"])]


def dynamic_ways(model, *_):
    def way(per_channel):
        return lambda path: quantize_dynamic(model, str(path), per_channel=per_channel, weight_type=QuantType.QInt8)
    return [way(False), way(True)]


def all_ways(*arguments):
    return static_ways(*arguments) + dynamic_ways(*arguments)


def named_files(model, folder, calibration, mode, quick=False):
    """Name and file of each way of modes dynamic and static that the prepared model can be quantized and loads in."""
    ways = {"dynamic": named_dynamic_ways, "static": named_static_ways}[mode](model, calibration, quick)
    for name, way in ways.items():
        path = folder / f"peer_{mode}_{name.replace(' ', '_')}.onnx"
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # calibration prints its progress
                way(path)
            if loads(path):
                yield name, path
        except Exception:  # some models it cannot quantize in some ways; of no common class
            pass


def named_dynamic_ways(model, _, quick):
    def way(**words):
        return lambda path: quantize_dynamic(model, str(path), **words)

    s8, u8 = QuantType.QInt8, QuantType.QUInt8
    ways = {"s8": way(weight_type=s8), "s8 channels": way(weight_type=s8, per_channel=True),
            "u8": way(weight_type=u8), "u8 channels": way(weight_type=u8, per_channel=True),
            "s8 channels, zero points": way(weight_type=s8, per_channel=True,
                                            extra_options={"WeightSymmetric": False})}
    if not quick:
        ways |= {"s8 channels, 7 bits": way(weight_type=s8, per_channel=True, reduce_range=True),
                 "s8 zero points": way(weight_type=s8, extra_options={"WeightSymmetric": False}),
                 "s8 channels, products": way(weight_type=s8, per_channel=True,
                                              op_types_to_quantize=["MatMul", "LSTM", "Conv"])}
    return ways


def named_static_ways(model, calibration, quick):
    def way(per_channel=True, method=CalibrationMethod.MinMax, operators=None, weight=QuantType.QInt8, **words):
        return lambda path: quantize_static(model, str(path), Reader(calibration), quant_format=QuantFormat.QDQ,
                                            per_channel=per_channel, activation_type=QuantType.QUInt8,
                                            weight_type=weight, op_types_to_quantize=operators,
                                            calibrate_method=method, **words)

    products = ["Conv", "MatMul", "Gemm"]
    ways = {"minmax": way(False), "minmax channels": way(), "minmax channels, products": way(operators=products)}
    if not quick:
        ways |= {"entropy channels": way(method=CalibrationMethod.Entropy),
                 "percentile channels": way(method=CalibrationMethod.Percentile),
                 "percentile channels, products": way(method=CalibrationMethod.Percentile, operators=products),
                 "u8 channels": way(weight=QuantType.QUInt8), "7 bits channels": way(reduce_range=True)}
    return ways


def block_ways(model, _, mode):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
    bits, block = 8 if mode.startswith("weights8") else 4, 128 if mode.endswith("128") else 32

    def way(symmetric):
        def write(path):
            made = MatMulNBitsQuantizer(onnx.load(model), bits=bits, block_size=block, is_symmetric=symmetric)
            made.process()
            if not any(node.op_type == "MatMulNBits" for node in made.model.model.graph.node):
                raise ValueError("nothing was quantized: Gemm and tables stay as they are")
            made.model.save_model_to_file(str(path))
        return write
    return [way(False), way(True)]


def half_ways(model, *_):
    def write(path):
        from onnxruntime.transformers.float16 import convert_float_to_float16
        onnx.save(convert_float_to_float16(onnx.load(model), keep_io_types=True), path)
    return [write]
