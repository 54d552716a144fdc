# SPDX-License-Identifier: Apache-2.0
"""What ONNX Runtime's own tools make of a model, mode by mode, for quantized_models.py."""
import shutil
import subprocess
import sys

import onnx
import onnx.version_converter
from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static
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
