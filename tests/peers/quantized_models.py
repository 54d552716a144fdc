#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes models with lapidary-cli, runs the results in ONNX Runtime and in Lapidary, and prints the table beside
what ONNX Runtime's own quantizer reaches.

    build/peers/bin/python3 tests/peers/quantized_models.py [--models FOLDER] [--only digits-cnn,...] [--no-peer]
    [--search]

Labelled models (FOLDER/labelled), and those that others trained (FOLDER/real, samples from FOLDER/inputs). Samples that
gave ranges are not those that are judged. SQNR in dB over all judged samples, mean over float outputs, in ONNX Runtime
with all optimizations. "top-1" is the share of right answers, or where there are no labels of answers that are the
float model's. "apart" is the largest difference between Lapidary's and ONNX Runtime's run of our file, both optimized
(so in integers: as floats, sums in another order may round a value to the neighbouring integer), as a share of the
largest element. Exit code 1 where a model stays below what it has to reach.
"""
import argparse
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime as ort

import real_samples

logging.disable(logging.WARNING)
ROOT = pathlib.Path(__file__).resolve().parents[2]
CLI = ROOT / "build/bin/lapidary-cli"
MODELS = [
    "digits-cnn", "digits-dw", "digits-dw-scaled", "digits-mbv2", "digits-seg", "digits-vit", "digits-vit-outlier",
    "digits-lstm", "wine-mlp", *real_samples.CASES
]
# What each model has to reach: static, dynamic.
MUST = {
    "digits-cnn": (39, None),
    "digits-dw": (36, None),
    "digits-dw-scaled": (33, 30),
    "digits-mbv2": (37.5, None),
    "digits-seg": (40, None),
    "digits-vit": (34.5, 39.5),
    "digits-vit-outlier": (34, 39),
    "digits-lstm": (None, 44),
    "wine-mlp": (28, 38),
    "mnist-8": (35, 42),
    "ultraface-rfb": (46, None),
    "yunet-n": (26.5, None),
    "superres": (43, None),
    "oww-embed": (24, 25),
    "magika": (33, 42.5),
    "dtln-1": (None, 49),
    "byte-lstm": (None, 52)
}
# The share of right answers, or of those of the float model, in mode static.
MUST_ANSWER = {"digits-dw-scaled": 0.93, "digits-vit-outlier": 0.90, "wine-mlp": 0.95, "magika": 0.98}


def model_of(folder, name):
    if name in real_samples.CASES:
        return real_samples.model_of(folder, name)
    return folder / f"labelled/{name}.onnx"


def samples(folder, name):
    if name in real_samples.CASES:
        return real_samples.samples(folder, name)
    archive = {"digits-seg": "digits-seg", "wine-mlp": "wine"}.get(name, "digits16")
    data = np.load(folder / f"labelled/{archive}.npz")
    is_image = data["test_x"].dtype == np.uint8

    def batches(x, size):
        x = x.astype(np.float32) / 127.5 - 1 if is_image else x.astype(np.float32)
        return [{"x": np.ascontiguousarray(x[i:i + size])} for i in range(0, len(x), size)]
    return batches(data["calib_x"], 4), batches(data["test_x"], 16), data["test_y"]


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # On x86 CPUs without VNNI products of u8 and s8 saturate there unless asked not to.
    options.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def outputs(path, feeds):
    run = session(path)
    return [run.run(None, feed) for feed in feeds]


def sqnr(expected, found):
    decibels = []
    for k, first in enumerate(expected[0]):
        if first.dtype == np.float32:
            x = np.concatenate([o[k].ravel() for o in expected]).astype(np.float64)
            y = np.concatenate([o[k].ravel() for o in found]).astype(np.float64)
            decibels.append(10 * np.log10((x * x).sum() / max(((x - np.nan_to_num(y)) ** 2).sum(), 1e-30)))
    return float(np.mean(decibels))


def top1(found, expected, labels):
    """Nothing where outputs are no scores of classes."""
    if labels is None:
        if expected[0][0].ndim != 2 or expected[0][0].shape[1] < 2:
            return None
        labels = np.concatenate([o[0] for o in expected]).argmax(1)
    return float((np.concatenate([o[0] for o in found]).argmax(1) == labels).mean())


def own_outputs(path, feeds, names, folder):
    results = []
    for i, feed in enumerate(feeds):
        np.savez(folder / "in.npz", **feed)
        subprocess.run([
            CLI, "run", path, "--level", "all", "--inputs", folder / "in.npz", "--outputs", folder / "out.npz",
            "--intra", "1", "--quiet"
        ],
                       check=True,
                       stdout=subprocess.DEVNULL)
        with np.load(folder / "out.npz") as archive:
            results.append([archive[n] for n in names])
    return results


class Reader:
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def peer(model, folder, calibration, mode):
    """The better of ONNX Runtime's per-tensor and per-channel files, with the preprocessing it advises."""
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process
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
    paths = []
    for per_channel in (False, True):
        path = folder / f"peer_{mode}_{per_channel}.onnx"
        try:
            if mode == "dynamic":
                quantize_dynamic(str(folder / "pre.onnx"),
                                 str(path),
                                 per_channel=per_channel,
                                 weight_type=QuantType.QInt8)
            else:
                quantize_static(str(folder / "pre.onnx"),
                                str(path),
                                Reader(calibration),
                                quant_format=QuantFormat.QDQ,
                                per_channel=per_channel,
                                activation_type=QuantType.QUInt8,
                                weight_type=QuantType.QInt8)
            session(path)
            paths.append(path)
        except Exception:  # some models it cannot quantize, per channel or at all; of no common class
            pass
    return paths


def missed(name, column, decibels, answers):
    must, least = MUST[name][column], MUST_ANSWER.get(name) if column == 0 else None
    words = [f"must {must if must is not None else '-':>5}"]
    short = must is not None and decibels < must
    if least is not None:
        words.append(f"and {least:.2f}")
        short = short or answers < least
    return short, " ".join(words) + (" MISSED" if short else "")


def judge(name, options, folder):
    model = model_of(options.models, name)
    calibration, judged, labels = samples(options.models, name)
    data = folder / f"{name}_data"
    data.mkdir()
    for i, feed in enumerate(calibration):
        np.savez(data / f"{i:03}.npz", **feed)
    expected = outputs(model, judged)
    failures = 0
    for column, mode in enumerate(("static", "dynamic")):
        path = folder / f"{name}_{mode}.onnx"
        command = [CLI, "quantize", model, "-o", path, "--mode", mode, "--data", data, "--quiet", "--intra", "1"
                   ] + (["--search", "--budget", "0"] if options.search else [])
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name:20} {mode:8} failed: {done.stderr.strip()}", flush=True)
            failures += 1
            continue
        onnx.checker.check_model(str(path))
        found = outputs(path, judged)
        names = [o.name for o in session(path).get_outputs()]
        few = judged[:4]
        ours = own_outputs(path, few, names, folder)
        apart = max(
            float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-30)) for x, y in zip(ours, found) for a, b in zip(x, y))
        decibels, answers = sqnr(expected, found), top1(found, expected, labels)
        short, verdict = missed(name, column, decibels, answers)
        failures += short
        line = (f"{name:20} {mode:8} {decibels:6.1f} dB  top-1 {'  -  ' if answers is None else f'{answers:.3f}'}  "
                f"{path.stat().st_size / 1000:7.1f} kB  apart {apart:.4f}  {verdict}")
        if not options.no_peer:
            figures = [(sqnr(expected, outputs(p, judged)), p.stat().st_size / 1000)
                       for p in peer(model, folder, calibration, mode)]
            line += "  ONNX Runtime " + " / ".join(f"{d:.1f} dB {k:.1f} kB" for d, k in figures)
        print(line, flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared/models")
    parser.add_argument("--only", default=",".join(MODELS))
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--search", action="store_true", help="let lapidary-cli try its recipes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        failures = sum(judge(name, options, pathlib.Path(folder)) for name in options.only.split(","))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
