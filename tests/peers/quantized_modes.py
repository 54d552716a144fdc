#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes a labelled model in every mode and type that lapidary-cli knows, loads each file in ONNX Runtime and runs it
in both engines.

    build/peers/bin/python3 tests/peers/quantized_modes.py [--models FOLDER] [--only digits-cnn,...]

"apart" is the largest difference between the engines, as a share of the largest element; "SQNR" that of ONNX Runtime's
run against its run of the float model. Exit code 1 where a file does not load there, or the engines are further apart
than the mode allows.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import onnxruntime as ort

from quantized_models import CLI, ROOT, model_of, own_outputs, samples, sqnr

# Options, and how far the engines may be apart: integers that end in float are summed in another order at most; a
# result that is quantized may fall on the next step; float16 is computed by each engine as it likes.
MODES = {
    "dynamic": (["--mode", "dynamic"], 2e-2),
    "dynamic fused": (["--mode", "dynamic", "--fused"], 2e-2),
    "dynamic symmetric": (["--mode", "dynamic", "--symmetric-weights"], 2e-2),
    "dynamic fused symmetric": (["--mode", "dynamic", "--fused", "--symmetric-weights"], 2e-2),
    "dynamic 7-bit": (["--mode", "dynamic", "--safe-without-vnni"], 2e-2),
    "static": (["--mode", "static"], 2e-2),
    "static u8 weights": (["--mode", "static", "--weights", "u8"], 2e-2),
    "static s4 weights": (["--mode", "static", "--weights", "s4"], 2e-2),
    "static u4 weights": (["--mode", "static", "--weights", "u4"], 2e-2),
    "static u16": (["--mode", "static", "--act", "u16"], 2e-3),
    "static s16": (["--mode", "static", "--act", "s16", "--symmetric-act"], 2e-3),
    "static s8": (["--mode", "static", "--act", "s8"], 2e-2),
    "static 7-bit": (["--mode", "static", "--safe-without-vnni"], 2e-2),
    "qoperator": (["--mode", "static", "--format", "qoperator"], 2e-2),
    "qoperator s8": (["--mode", "static", "--format", "qoperator", "--act", "s8"], 2e-2),
    "weights4": (["--mode", "weights4"], 1e-4),
    "weights4 compensated": (["--mode", "weights4", "--compensate"], 1e-4),
    "weights4 symmetric": (["--mode", "weights4", "--symmetric-blocks", "--compensate"], 1e-4),
    "weights4 fitted": (["--mode", "weights4", "--fit-blocks"], 1e-4),
    "weights4 scaled": (["--mode", "weights4", "--fit-blocks", "--smooth", "auto"], 1e-4),
    "weights 5.5 bits": (["--mode", "weights4", "--bits", "5.5"], 1e-4),
    "fitted int4 blocks": (["--mode", "weights4", "--block-form", "dequantize", "--fit-blocks", "--symmetric-blocks"],
                           1e-4),
    "uint4 blocks": (["--mode", "weights4", "--block-form", "dequantize", "--compensate"], 1e-4),
    "int4 blocks": (["--mode", "weights4", "--block-form", "dequantize", "--symmetric-blocks", "--compensate"], 1e-4),
    "weights8": (["--mode", "weights8"], 1e-4),
    "fp8": (["--mode", "fp8"], 1e-4),
    "bf16": (["--mode", "bf16"], 1e-4),
    "fp16": (["--mode", "fp16"], 1e-2),
}


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # On x86 CPUs without VNNI products of u8 and s8 saturate there unless asked not to.
    options.add_session_config_entry("session.x64quantprecision", "1")
    # At its default, 4, float activations before weights of few bits are rounded to 8 bits.
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "0")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def outputs(path, feeds):
    run = session(path)
    return [run.run(None, feed) for feed in feeds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared/models")
    parser.add_argument("--only", default="digits-cnn,digits-vit,digits-lstm,digits-mbv2")
    parser.add_argument("--modes", default=",".join(MODES))
    options = parser.parse_args()
    failed = False
    print(f"{'model':14}{'mode':22}{'nodes':>7}{'kB':>8}{'SQNR dB':>9}{'apart':>10}")
    for name in options.only.split(","):
        model = model_of(options.models, name)
        calibration, evaluation, _ = samples(options.models, name)
        evaluation = evaluation[:4]
        expected = outputs(model, evaluation)
        names = [o.name for o in session(model).get_outputs()]
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            np.savez(folder / "data.npz", x=np.concatenate([feed["x"] for feed in calibration])[:80])
            for mode in options.modes.split(","):
                words, allowed = MODES[mode]
                file = folder / f"{mode.replace(' ', '_')}.onnx"
                run = subprocess.run([CLI, "quantize", model, "-o", file, "--data", folder / "data.npz", "--json",
                                      "--as-asked", "--quiet", *words], capture_output=True, text=True)
                if run.returncode not in (0, 1):  # 1: far off, which is for the comparison to say
                    print(f"{name:14}{mode:22}not quantized: {run.stderr.strip()}")
                    failed = True
                    continue
                nodes = json.loads(run.stdout)["quantized_nodes"]
                try:
                    theirs = outputs(file, evaluation)
                except Exception as problem:  # what ONNX Runtime raises has no common class
                    print(f"{name:14}{mode:22}not loaded: {str(problem)[:160]}")
                    failed = True
                    continue
                ours = own_outputs(file, evaluation, names, folder)
                apart = max(
                    float(np.abs(a.astype(np.float64) - b).max() / max(np.abs(a).max(), 1e-30))
                    for x, y in zip(theirs, ours) for a, b in zip(x, y))
                wrong = apart > allowed
                failed = failed or wrong
                print(f"{name:14}{mode:22}{nodes:7}{file.stat().st_size / 1e3:8.0f}{sqnr(expected, theirs):9.1f}"
                      f"{apart:10.1e}{'  too far' if wrong else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
