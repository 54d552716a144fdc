# SPDX-License-Identifier: Apache-2.0
"""Writes int8 variants of sample models with ONNX Runtime's own quantizer.

    quantize_variants.py CLI FOLDER [--models resnet50 mobilenetv2 bert-base]

CLI is lapidary-cli, FOLDER where the files go: NAME.onnx (float), NAME.qdq-u8s8.onnx (static: uint8 activations, int8
weights per channel, calibrated on seeded random inputs), NAME.qdq-s8s8.onnx (the same with int8 activations) and
NAME.dynamic.onnx (dynamic: int8 weights, activations quantized at run time). Files that are there already are kept.
Exit code 77 when the Python package onnxruntime or onnx is missing.
"""
import argparse
import logging
import pathlib
import subprocess
import sys

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic,
                                          quantize_static)
    from onnxruntime.quantization.shape_inference import quant_pre_process
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(3)
logging.getLogger().setLevel(logging.ERROR)
SIZES = {"batch": 1, "sequence": 128}
CALIBRATION_RUNS = {"bert-base": 2}


class RandomInputs(CalibrationDataReader):
    """Seeded inputs: floats normal(0, 1), masks of ones, types zero, indices below 1000."""

    def __init__(self, path, runs):
        session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        random = np.random.RandomState(1)
        self.batches = iter([{i.name: self.value(i, random) for i in session.get_inputs()} for _ in range(runs)])

    @staticmethod
    def value(port, random):
        shape = [d if isinstance(d, int) else SIZES.get(d, 1) for d in port.shape]
        if port.type == "tensor(float)":
            return random.standard_normal(shape).astype(np.float32)
        if "mask" in port.name:
            return np.ones(shape, np.int64)
        return random.randint(0, 2 if "type" in port.name else 1000, shape).astype(np.int64)

    def get_next(self):
        return next(self.batches, None)


def write(path, make):
    """Makes a file under another name first, so that an interrupted run leaves no half file."""
    if path.exists():
        return
    partial = path.with_suffix(".partial")
    make(partial)
    partial.rename(path)
    print(f"wrote {path.name}: {path.stat().st_size / 1e6:.1f} MB", flush=True)


def static(source, runs, activations):
    return lambda path: quantize_static(source,
                                        path,
                                        RandomInputs(source, runs),
                                        quant_format=QuantFormat.QDQ,
                                        per_channel=True,
                                        activation_type=activations,
                                        weight_type=QuantType.QInt8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", nargs="+", default=["resnet50", "mobilenetv2", "bert-base"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.models:
        original = options.folder / f"{name}.onnx"
        write(
            original, lambda path: subprocess.run(
                [options.cli, "sample", name, "-o", path], check=True, stdout=subprocess.DEVNULL))
        prepared = options.folder / f"{name}.prepared.onnx"
        try:
            quant_pre_process(str(original), str(prepared), skip_symbolic_shape=True)
        except Exception as problem:  # the quantizer works without, less well
            print(f"{name}: not prepared: {problem}")
            prepared = original
        runs = CALIBRATION_RUNS.get(name, 4)
        write(options.folder / f"{name}.qdq-u8s8.onnx", static(prepared, runs, QuantType.QUInt8))
        write(options.folder / f"{name}.qdq-s8s8.onnx", static(prepared, runs, QuantType.QInt8))
        write(options.folder / f"{name}.dynamic.onnx",
              lambda path: quantize_dynamic(prepared, path, per_channel=False, weight_type=QuantType.QInt8))
        if prepared != original:
            prepared.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
