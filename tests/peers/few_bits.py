#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What few bits cost a decoder on text: Lapidary's weights in blocks beside those of ONNX Runtime's quantizers.

    build/peers/bin/python3 tests/peers/few_bits.py llm.onnx --calibration train.ids --text held_out.ids [--bits 4.5]

Both files hold numbers of tokens with spaces between them; those of --calibration are samples, a line each (at most
128 tokens), and are not judged on. Each model is judged by `lapidary-cli perplexity --against llm.onnx` on --text, so
that all run in one engine. Bits are those of all blocks: integers, scales and zero points, by the weights that they
stand for; ONNX Runtime's quantizers leave tables of embeddings float, which counts for nothing. Exit code 1 where the
best of Lapidary's within --bits is not below the best of ONNX Runtime's within it, in mean Kullback-Leibler
divergence.
"""
import argparse
import json
import logging
import pathlib
import subprocess
import sys
import tempfile

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLI = ROOT / "build/bin/lapidary-cli"

OURS = {
    "plain, blocks of 128": ["--block", "128"],
    "fitted": ["--block", "128", "--fit-blocks"],
    "fitted, scaled inputs": ["--block", "128", "--fit-blocks", "--smooth", "auto"],
    "compensated": ["--block", "128", "--compensate"],
    "compensated, fitted": ["--block", "128", "--compensate", "--fit-blocks"],
    "compensated, fitted, scaled inputs": ["--block", "128", "--compensate", "--fit-blocks", "--smooth", "auto"],
}


def bits_of(path):
    """Bits of a weight in blocks on average."""
    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    bits = weights = 0
    seen = set()
    for node in model.graph.node:
        numbers = {attribute.name: attribute.i for attribute in node.attribute}
        stored = node.input[1:] if node.op_type == "MatMulNBits" else [node.input[0], *node.input[2:]]
        if node.op_type not in ("MatMulNBits", "GatherBlockQuantized") or stored[0] in seen:
            continue
        seen.add(stored[0])
        size = sum(len(tensors[name].raw_data) for name in stored if name in tensors)
        bits += 8 * size
        if node.op_type == "MatMulNBits":
            weights += numbers["K"] * numbers["N"]
        else:
            weights += 8 * len(tensors[stored[0]].raw_data) // numbers.get("bits", 4)
    return bits / weights if weights else 0


def onnxruntime_files(source, folder):
    """Files of ONNX Runtime's quantizers; those that need a package which is missing are left out with a word."""
    from onnxruntime.quantization import matmul_nbits_quantizer as tools
    logging.getLogger("onnxruntime.quantization").setLevel(logging.WARNING)  # a line for each node else
    tools.logger.setLevel(logging.WARNING)
    kinds = {
        "ONNX Runtime, plain": lambda: tools.DefaultWeightOnlyQuantConfig(block_size=128, is_symmetric=False),
        "ONNX Runtime, plain symmetric": lambda: tools.DefaultWeightOnlyQuantConfig(block_size=128, is_symmetric=True),
        "ONNX Runtime, HQQ": lambda: tools.HQQWeightOnlyQuantConfig(block_size=128, bits=4)}
    for number, (name, config) in enumerate(kinds.items()):
        path = folder / f"theirs{number}.onnx"
        try:
            quantizer = tools.MatMulNBitsQuantizer(onnx.load(source), algo_config=config())
            quantizer.process()
            quantizer.model.save_model_to_file(str(path), False)
        except Exception as error:  # whatever the tool stumbles over is what its user sees
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            continue
        yield name, path


def tokenizer_of_numbers(path, folder):
    """A tokenizer that makes number N of the word N, so that tokens can be given as text."""
    most = max(int(word) for word in path.read_text().split())
    file = folder / "numbers.json"
    file.write_text(json.dumps({
        "model": {"type": "WordLevel", "unk_token": "0", "vocab": {str(i): i for i in range(most + 1)}},
        "pre_tokenizer": {"type": "WhitespaceSplit"}}))
    return file


def asked(cli, *words, may_fail=False):
    done = subprocess.run([str(cli), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in ((0, 1) if may_fail else (0,)):
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--calibration", type=pathlib.Path, required=True)
    parser.add_argument("--text", type=pathlib.Path, required=True)
    parser.add_argument("--bits", type=float, default=4.5)
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--cli", type=pathlib.Path, default=CLI)
    options = parser.parse_args()
    best = {True: None, False: None}  # by whether it is ours
    print(f"{'':36}{'bits':>6}{'divergence':>12}{'+-':>10}{'changed':>9}{'perplexity':>12}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = ["--data", options.calibration, "--vocabulary", tokenizer_of_numbers(options.calibration, folder)]

        def judge(title, path, ours):
            figures = json.loads(asked(options.cli, "perplexity", path, "--against", options.model, "--tokens",
                                       options.text, "--window", options.window, "--json"))
            bits, against = bits_of(path), figures["against"]
            share = 100 * against["changed"] / max(1, figures["tokens"])
            print(f"{title:36}{bits:6.2f}{against['kl']:12.6f}{against['kl_error']:10.6f}{share:8.2f}%"
                  f"{figures['perplexity']:12.4f}", flush=True)
            if bits <= options.bits and (best[ours] is None or against["kl"] < best[ours]):
                best[ours] = against["kl"]

        ways = {**OURS, f"--bits {options.bits:g}": ["--bits", options.bits],
                f"--bits {options.bits:g}, compensated": ["--bits", options.bits, "--compensate"]}
        for number, (title, words) in enumerate(ways.items()):
            path = folder / f"ours{number}.onnx"
            asked(options.cli, "quantize", options.model, "-o", path, "--mode", "weights4", "--as-asked", *words, *data,
                  may_fail=True)
            judge(title, path, True)
        for title, path in onnxruntime_files(options.model, folder):
            judge(title, path, False)
    if best[True] is None or best[False] is None:
        sys.exit("nothing to compare within the budget")
    print(f"ours by theirs: {best[True] / best[False]:.3f}")
    return 0 if best[True] < best[False] else 1


if __name__ == "__main__":
    sys.exit(main())
