# SPDX-License-Identifier: Apache-2.0
"""Writes int8 variants of models, with ONNX Runtime's own quantizer and with lapidary-cli.

    quantize_variants.py CLI FOLDER [--models resnet50 squeezenet yolo-shaped ...] [--recorded REAL]

CLI is lapidary-cli, FOLDER where the files go: NAME.onnx (float); by ONNX Runtime's quantizer NAME.qdq-u8s8.onnx
(static: uint8 activations, int8 weights per channel, calibrated on seeded random inputs), and of resnet50, mobilenetv2
and bert-base NAME.qdq-s8s8.onnx (the same with int8 activations) and NAME.dynamic.onnx (dynamic: int8 weights,
activations quantized at run time); by `lapidary-cli quantize --mode static` NAME.static.onnx, but of bert-base. Models
are samples of the CLI, yolo-shaped (yolo_shaped.py), and some of the files below REAL where that is given; of those
that REAL/../inputs has pictures for NAME.samples/*.npz are written too, where Pillow and scikit-learn are there. Files
that are there already are kept.
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
    import onnx.version_converter
    import onnxruntime as ort
    from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic,
                                          quantize_static)
    from onnxruntime.quantization.shape_inference import quant_pre_process
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

import yolo_shaped

ort.set_default_logger_severity(3)
logging.getLogger().setLevel(logging.ERROR)
SIZES = {"batch": 1, "sequence": 128}
CALIBRATION_RUNS = {"bert-base": 2}
IN_EVERY_KIND = ("resnet50", "mobilenetv2", "bert-base")
SAMPLES = [*IN_EVERY_KIND, "squeezenet", "shufflenet", "unet"]
RECORDED = ["fastestdet", "superres-espcn-resize", "yunet-n-320", "selfie-seg-landscape", "ultraface-rfb-320"]


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
    partial = path.with_suffix(".partial.onnx")
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


def float_model(options, name):
    """Makes NAME.onnx, of opset 13 or later: before, pairs cannot be per channel."""
    def make(path):
        if name == "yolo-shaped":
            return yolo_shaped.write(path)
        if name not in RECORDED:
            words = [options.cli, "sample", name, "-o", path]
            return subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        found = onnx.load(options.recorded / f"{name}.onnx")
        if max(used.version for used in found.opset_import if used.domain in ("", "ai.onnx")) < 13:
            found = onnx.version_converter.convert_version(found, 13)
        return onnx.save(found, path)

    return make


# Name of the input, height and width, values from those of a picture; channels come first but where said otherwise.
PICTURES = {
    "fastestdet": ("input.1", 352, 352, lambda x: x[..., ::-1] / 255),
    "superres-espcn-resize": ("onnx::Relu_0", 128, 128, lambda x: x / 255),
    "yunet-n-320": ("input", 320, 320, lambda x: x[..., ::-1]),
    "selfie-seg-landscape": ("input_1:0", 144, 256, lambda x: x / 255),
    "ultraface-rfb-320": ("input", 240, 320, lambda x: (x - 127) / 128)
}
CHANNELS_LAST = ("selfie-seg-landscape",)


def write_samples(options, name):
    """NAME.samples from photographs; without the packages that read them nothing, and inputs are generated later."""
    folder = options.folder / f"{name}.samples"
    if name not in PICTURES or folder.exists():
        return
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
    try:
        import real_samples
        learned, _, _ = real_samples.pictures(options.recorded.parent, *PICTURES[name])
    except (ImportError, OSError) as missing:
        print(f"{name}: no samples: {missing}")
        return
    folder.mkdir()
    for i, feed in enumerate(learned):
        values = {key: x.transpose(0, 2, 3, 1) if name in CHANNELS_LAST else x for key, x in feed.items()}
        np.savez(folder / f"{i:02}.npz", **values)


def own_static(options, source):
    """By lapidary-cli; code 1 means that it is far off, which says nothing of the time."""
    def make(path):
        samples = source.with_suffix(".samples")
        data = ["--data", samples] if samples.exists() else ["--generate", "8"]
        words = [options.cli, "quantize", source, "-o", path, "--mode", "static", *data, "--as-asked", "--quiet"]
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{source.name}: {done.stderr.strip()}")

    return make


def prepared_file(options, name, original):
    """What ONNX Runtime's quantizer is given: with shapes, and optimized."""
    prepared = options.folder / f"{name}.prepared.onnx"
    try:
        quant_pre_process(str(original), str(prepared), skip_symbolic_shape=True)
    except Exception as problem:  # the quantizer works without, less well
        print(f"{name}: not prepared: {problem}")
        return original
    return prepared


def write_variants(options, name):
    original = options.folder / f"{name}.onnx"
    write(original, float_model(options, name))
    write_samples(options, name)
    if name != "bert-base":
        write(options.folder / f"{name}.static.onnx", own_static(options, original))
    prepared = prepared_file(options, name, original)
    runs = CALIBRATION_RUNS.get(name, 4)
    write(options.folder / f"{name}.qdq-u8s8.onnx", static(prepared, runs, QuantType.QUInt8))
    if name in IN_EVERY_KIND:
        write(options.folder / f"{name}.qdq-s8s8.onnx", static(prepared, runs, QuantType.QInt8))
        write(options.folder / f"{name}.dynamic.onnx",
              lambda path: quantize_dynamic(prepared, path, per_channel=False, weight_type=QuantType.QInt8))
    if prepared != original:
        prepared.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", nargs="+", help="all unless given")
    parser.add_argument("--recorded", type=pathlib.Path, help="folder of the models that others trained")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    models = options.models or [*SAMPLES, "yolo-shaped", *(RECORDED if options.recorded else [])]
    for name in models:
        if name in RECORDED and not options.recorded:
            sys.exit(f"{name} is a recorded model: say by --recorded where those are")
        write_variants(options, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
