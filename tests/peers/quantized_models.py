#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes models with lapidary-cli, runs the results in ONNX Runtime and in Lapidary, and prints the table beside
what ONNX Runtime's own quantizer reaches.

    build/peers/bin/python3 tests/peers/quantized_models.py [--models FOLDER] [--own FOLDER] [--only digits-cnn,...]
    [--modes static,dynamic,...] [--no-peer] [--search]

Labelled models (FOLDER/labelled), and those that others trained (FOLDER/real, samples from FOLDER/inputs), or with
--own models of one's own, as own_models.py wants them laid. Samples that gave ranges are not those that are judged.
SQNR in dB over all judged samples, mean over float outputs, in ONNX Runtime with all optimizations. "top-1" is the
share of right answers, or where there are no labels of answers that are the float model's. "apart" is the largest
difference between Lapidary's and ONNX Runtime's run of our file, both optimized (so in integers: as floats, sums in
another order may round a value to the neighbouring integer), as a share of the largest element. "s" are the seconds
that quantizing took, "time" what a run of the file takes as a share of the float model's, with "slower" where
lapidary-cli says so. Exit code 1 where a model stays below what it has to reach: a model of one's own below the best of
ONNX Runtime's files.
"""
import argparse
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime as ort

import own_models
import quantized_peer
import real_samples

logging.disable(logging.WARNING)
ROOT = pathlib.Path(__file__).resolve().parents[2]
CLI = ROOT / "build/bin/lapidary-cli"
MODELS = [
    "digits-cnn", "digits-dw", "digits-dw-scaled", "digits-mbv2", "digits-seg", "digits-vit", "digits-vit-outlier",
    "digits-lstm", "wine-mlp", *real_samples.CASES
]
HAS_VNNI = "vnni" in pathlib.Path("/proc/cpuinfo").read_text()
MEASURING = 0.1  # dB by which figures of equal files may differ
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
    if not HAS_VNNI:  # products of u8 and s8 saturate there unless asked not to
        options.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def outputs(path, feeds):
    run = session(path)
    return [run.run(None, feed) for feed in feeds]


def sqnr(expected, found, most=np.inf):
    """In dB, mean over float outputs. An output counts with `most` at most: one that is exact would hide the others."""
    decibels = []
    for k, first in enumerate(expected[0]):
        if first.dtype == np.float32:
            x = np.concatenate([o[k].ravel() for o in expected]).astype(np.float64)
            y = np.concatenate([o[k].ravel() for o in found]).astype(np.float64)
            decibels.append(10 * np.log10((x * x).sum() / max(((x - np.nan_to_num(y)) ** 2).sum(), 1e-30)))
    return float(np.mean(np.minimum(decibels, most)))


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


def told_times(figures):
    """Share of the float model's time, and whether a note says that the file is slower."""
    times = figures.get("times")
    if not times:
        return "  time   -  "
    reported = any("slower" in note for note in figures["notes"])
    return f"  time {times['ratio']:5.2f}{' slower' if reported else ''}"


class Judge:
    """One model in one mode after the other."""

    def __init__(self, name, options, folder):
        self.name, self.options, self.folder = name, options, folder
        own = options.own is not None
        self.model = options.own / f"{name}.onnx" if own else model_of(options.models, name)
        found = own_models.samples(options.own, name) if own else samples(options.models, name)
        self.calibration, self.judged, self.labels = found
        self.data = folder / f"{name}_data"
        self.data.mkdir()
        for i, feed in enumerate(self.calibration):
            np.savez(self.data / f"{i:03}.npz", **feed)
        self.expected = outputs(self.model, self.judged)

    def failures(self):
        return sum(self.fails(mode) for mode in self.options.modes.split(","))

    def quantized(self, mode, path):
        words = quantized_peer.MODES[mode]
        command = [CLI, "quantize", self.model, "-o", path, *words, "--data", self.data, "--quiet", "--json", "--as-asked",
                   "--intra", "1"] + (["--search", "--budget", self.options.budget] if self.options.search else [])
        return subprocess.run(command, capture_output=True, text=True)

    def fails(self, mode):
        path, begin = self.folder / f"{self.name}_{mode}.onnx", time.monotonic()
        done = self.quantized(mode, path)
        seconds = time.monotonic() - begin
        if done.returncode not in (0, 1):  # 1: far off, which is for the comparison to say
            print(f"{self.name:20} {mode:8} failed: {done.stderr.strip()}", flush=True)
            return True
        onnx.checker.check_model(str(path))
        try:
            found = outputs(path, self.judged)
        except Exception as problem:  # what ONNX Runtime raises has no common class
            print(f"{self.name:20} {mode:8} not loaded: {str(problem)[:200]}", flush=True)
            return True
        decibels, answers = sqnr(self.expected, found), top1(found, self.expected, self.labels)
        share = "  -  " if answers is None else f"{answers:.3f}"
        line = (f"{self.name:20} {mode:8} {decibels:6.1f} dB  top-1 {share}  "
                f"{path.stat().st_size / 1000:7.1f} kB  apart {self.apart(path, found):.4f}  {seconds:5.1f} s"
                f"{told_times(json.loads(done.stdout))}")
        peers = []
        if not self.options.no_peer:
            for file in quantized_peer.files(self.model, self.folder, self.calibration, mode):
                peers.append((sqnr(self.expected, outputs(file, self.judged)), file.stat().st_size / 1000))
        short, verdict = self.verdict(mode, decibels, answers, peers)
        print(line + verdict + (f"  ONNX Runtime {' / '.join(f'{d:.1f} dB {k:.1f} kB' for d, k in peers)}"
                                if peers else ""), flush=True)
        return short

    def apart(self, path, found):
        names = [o.name for o in session(path).get_outputs()]
        ours = own_outputs(path, self.judged[:4], names, self.folder)
        return max(
            float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-30)) for x, y in zip(ours, found) for a, b in zip(x, y)
            if b.dtype.kind == "f" and b.size > 0)

    def verdict(self, mode, decibels, answers, peers):
        """True where it has missed what it has to reach, and the words."""
        if self.options.own is not None:
            short = bool(peers) and decibels < max(d for d, _ in peers) - MEASURING
            return short, "  BELOW" if short else ""
        column = {"static": 0, "dynamic": 1}.get(mode)
        must = None if column is None else MUST[self.name][column]
        least = MUST_ANSWER.get(self.name) if column == 0 else None
        words = [f"  must {must if must is not None else '-':>5}"]
        short = must is not None and decibels < must
        if least is not None:
            words.append(f"and {least:.2f}")
            short = short or answers < least
        return short, " ".join(words) + (" MISSED" if short else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared/models")
    parser.add_argument("--own", type=pathlib.Path, help="folder of models of one's own: see own_models.py")
    parser.add_argument("--only")
    parser.add_argument("--modes", default="static,dynamic", help=f"of {', '.join(quantized_peer.MODES)}")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--search", action="store_true", help="let lapidary-cli try its recipes")
    parser.add_argument("--budget", default="0", help="seconds that --search may take; 0: no limit")
    options = parser.parse_args()
    names = own_models.names(options.own) if options.own is not None else MODELS
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only.split(",") if options.only else names:
            failures += Judge(name, options, pathlib.Path(folder)).failures()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
