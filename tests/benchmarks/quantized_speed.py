# SPDX-License-Identifier: Apache-2.0
"""Sizes and speeds of quantized sample models beside their float twins, in one thread; for an idle machine.

    quantized_speed.py CLI [--models bert-base,resnet50,mobilenetv2,bert-tiny] [--seconds S] [--folder F] [--json F]

Of each model and mode: the bytes of the file, and the time of a run, both optimized as sessions do, measured in turn by
`lapidary-cli bench`. What has to be reached stands beside: dynamic BERT-base at most 0.27 of the bytes and at least 2.5
times as fast, static ResNet-50 2.5, MobileNetV2 1.7 times; weights of matrices 6 times smaller in 4 bits with blocks of
32 rows, 7 times with 128; and no result that is slower than its float twin and does not say so. The speeds are asked of
CPUs with VNNI: on others they are printed as what they are, and not judged. Exit code 1 when something is missed.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

SIZES = {"bert-base": ["--dim", "batch=1", "--dim", "sequence=128"],
         "bert-tiny": ["--dim", "batch=1", "--dim", "sequence=128"]}
# Words of quantize, most of the bytes, least times the speed; None: nothing is asked for.
CASES = {
    "bert-base": [("dynamic", ["--mode", "dynamic"], 0.27, 2.5),
                  ("weights4, 32", ["--mode", "weights4", "--block", "32"], None, None),
                  ("weights4, 128", ["--mode", "weights4", "--block", "128"], None, None)],
    "resnet50": [("static", ["--mode", "static"], None, 2.5), ("dynamic", ["--mode", "dynamic"], None, None)],
    "mobilenetv2": [("static", ["--mode", "static"], None, 1.7), ("dynamic", ["--mode", "dynamic"], None, None)],
    "bert-tiny": [("dynamic", ["--mode", "dynamic"], None, None), ("static", ["--mode", "static"], None, None)],
}
BLOCKS = {"weights4, 32": 6, "weights4, 128": 7}  # times smaller: matrices of products alone


def has_vnni():
    """The CPU multiplies and adds 8-bit integers in one instruction; nothing: not known."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        return None
    return bool({"avx512_vnni", "avx_vnni", "asimddp"} & set(flags))


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(str(w) for w in words)}: {done.stderr.strip()}")
    return done.stdout


def matrix_bytes(cli, float_file, quantized_file):
    """Bytes of the weights of products in 2 dimensions, before and after, from the initializers of both files."""
    try:
        import onnx
    except ImportError:
        return None
    before, after = onnx.load(float_file), onnx.load(quantized_file)
    names = {n.input[1] for n in before.graph.node if n.op_type in ("MatMul", "Gemm")}
    size = {t.name: len(t.raw_data) for t in before.graph.initializer}
    float_bytes = sum(size[n] for n in names if n in size)
    stored = {t.name: len(t.raw_data) for t in after.graph.initializer}
    packed = {name for n in after.graph.node if n.op_type == "MatMulNBits" for name in n.input[1:4] if name}
    return float_bytes, sum(stored.get(name, 0) for name in packed)


def samples(options, original, sizes, folder):
    """Words of quantize for samples of the sizes that are measured: what it says of speed is of those then."""
    if not sizes:
        return ["--generate", 16]
    size_of = dict(word.split("=") for word in sizes[1::2])
    inputs = json.loads(call(options.cli, "info", original, "--json"))["inputs"]
    random, data = np.random.default_rng(0), folder / "samples"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    for i in range(16):  # all of them are tokens, masks and types: 0 and 1 fit each
        np.savez(data / f"{i:02}.npz", **{one["name"]: random.integers(
            0, 2, [int(size_of.get(size, size)) for size in one["shape"]], np.int64) for one in inputs})
    return ["--data", data]


def measure(options, name, folder):
    rows, original = [], folder / f"{name}.onnx"
    call(options.cli, "sample", name, "-o", original)
    sizes = SIZES.get(name, [])
    data = samples(options, original, sizes, folder)
    for mode, words, most_bytes, least_speed in CASES[name]:
        file = folder / f"{name}.{mode.replace(', ', '.')}.onnx"
        reported = json.loads(call(options.cli, "quantize", original, "-o", file, *words, *data, "--json"))
        row = {"model": name, "mode": mode, "bytes": file.stat().st_size / original.stat().st_size,
               "most_bytes": most_bytes, "least_speed": least_speed, "notes": reported["notes"], "missed": []}
        if mode in BLOCKS and (sized := matrix_bytes(options.cli, original, file)):
            row["matrices_smaller"] = sized[0] / sized[1]
            if row["matrices_smaller"] < BLOCKS[mode]:
                row["missed"].append(f"matrices {row['matrices_smaller']:.2f} times smaller, not {BLOCKS[mode]}")
        found = json.loads(call(options.cli, "bench", original, file, "--level", "extended", "--intra", 1, "--seconds",
                                options.seconds, "--no-memory", "--json", *sizes))["configurations"]
        float_ms, ms = (c["ours"]["median_ms"] for c in found)
        row |= {"float_ms": float_ms, "ms": ms, "speed": float_ms / ms}
        if most_bytes and row["bytes"] > most_bytes:
            row["missed"].append(f"{row['bytes']:.3f} of the bytes, not {most_bytes}")
        if least_speed and options.judge_speed and row["speed"] < least_speed:
            row["missed"].append(f"{row['speed']:.2f} times as fast, not {least_speed}")
        if ms > 1.1 * float_ms and not any("slower" in note for note in reported["notes"]):
            row["missed"].append("slower than its float twin, and quantize did not say so")
        rows.append(row)
        print(f"{name:12} {mode:14} {row['bytes']:6.3f} of the bytes  {float_ms:8.2f} -> {ms:8.2f} ms  "
              f"{row['speed']:5.2f}x" + (f"  matrices {row['matrices_smaller']:.2f}x smaller"
                                         if "matrices_smaller" in row else "") +
              (f"  MISSED: {'; '.join(row['missed'])}" if row["missed"] else ""), flush=True)
        file.unlink()
    original.unlink()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("--models", default=",".join(CASES))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--folder", type=pathlib.Path, help="where files of up to 450 MB lie for a while")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures there")
    options = parser.parse_args()
    if os.getloadavg()[0] > 0.5:
        print(f"this machine has other work (load {os.getloadavg()[0]:.1f}): times say little", flush=True)
    options.judge_speed = has_vnni() is not False
    if not options.judge_speed:
        print("this CPU has no VNNI: speeds of 8-bit integers are those of AVX2 or less, not judged", flush=True)
    rows = []
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for name in options.models.split(","):
            rows += measure(options, name, pathlib.Path(folder))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if any(row["missed"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
