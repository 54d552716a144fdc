#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What few bits cost a decoder on text: Lapidary's weights in blocks beside those of ONNX Runtime's quantizers.

    build/peers/bin/python3 tests/peers/few_bits.py [--bits 4.5] [--keep FOLDER]
    build/peers/bin/python3 tests/peers/few_bits.py llm.onnx --calibration train.ids --text held_out.ids [--bits 4.5]

Without a model two small ones are trained (text_decoders.py), in a few minutes; --keep FOLDER keeps them, and takes
those that are there. Both files of a model hold numbers of tokens with spaces between them; those of --calibration are
samples, a line each (at most 128 tokens), and are not judged on. Each model is judged by `lapidary-cli perplexity
--against llm.onnx` on --text, so that all run in one engine. Bits are those of all blocks: integers, scales and zero
points, by the weights that they stand for; the others' quantizers leave tables of embeddings float, which counts for
nothing. NNCF takes part where it is installed. Exit code 1 where the best of Lapidary's within --bits is not below the
best of the others' within it, in mean Kullback-Leibler divergence.
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


def nncf_files(source, folder):
    """The file of NNCF's weights in blocks; it is left out with a word where NNCF is missing or refuses the model."""
    try:
        import nncf
    except ImportError:
        print("NNCF: not installed")
        return
    path = folder / "nncf.onnx"
    try:
        # Of a table that is gathered from it makes a product of the token numbers, which no engine takes.
        tables = nncf.IgnoredScope(types=["Gather"], validate=False)
        # Zero points it does not pack as MatMulNBits has them; ONNX Runtime refuses them, too.
        onnx.save(nncf.compress_weights(onnx.load(source), mode=nncf.CompressWeightsMode.INT4_SYM, group_size=128,
                                        all_layers=True, ignored_scope=tables), path)
    except Exception as error:  # whatever the tool stumbles over is what its user sees
        print(f"NNCF: {type(error).__name__}: {str(error)[:200]}")
        return
    yield "NNCF, plain symmetric", path


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


def compare(model, calibration, text, options):
    """Prints a line for each way. The best divergence of Lapidary by the best of the others; None: nothing fits."""
    best = {True: None, False: None}  # by whether it is ours
    print(f"{'':36}{'bits':>6}{'divergence':>12}{'+-':>10}{'changed':>9}{'perplexity':>12}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = ["--data", calibration, "--vocabulary", tokenizer_of_numbers(calibration, folder)]

        def judge(title, path, ours):
            figures = json.loads(asked(options.cli, "perplexity", path, "--against", model, "--tokens", text,
                                       "--window", options.window, "--json"))
            bits, against = bits_of(path), figures["against"]
            share = 100 * against["changed"] / max(1, figures["tokens"])
            print(f"{title:36}{bits:6.2f}{against['kl']:12.6f}{against['kl_error']:10.6f}{share:8.2f}%"
                  f"{figures['perplexity']:12.4f}", flush=True)
            if 0 < bits <= options.bits and (best[ours] is None or against["kl"] < best[ours]):
                best[ours] = against["kl"]

        ways = {**OURS, f"--bits {options.bits:g}": ["--bits", options.bits],
                f"--bits {options.bits:g}, compensated": ["--bits", options.bits, "--compensate"],
                f"--bits {options.bits:g}, compensated, rotated": ["--bits", options.bits, "--compensate", "--rotate",
                                                                   "hadamard"],
                f"--bits {options.bits:g}, compensated, scaled": ["--bits", options.bits, "--compensate", "--smooth",
                                                                  "auto"]}
        for number, (title, words) in enumerate(ways.items()):
            path = folder / f"ours{number}.onnx"
            asked(options.cli, "quantize", model, "-o", path, "--mode", "weights4", "--as-asked", *words, *data,
                  may_fail=True)
            judge(title, path, True)
        for files in (onnxruntime_files, nncf_files):
            for title, path in files(model, folder):
                judge(title, path, False)
    if best[True] is None or best[False] is None:
        return None
    return best[True] / best[False]


def trained_models(folder):
    """Title, model, calibration and text of each; those that the folder has are not trained again."""
    try:
        import text_decoders
    except ImportError as error:
        sys.exit(f"no model is given, and none can be trained: {error}")
    for name in text_decoders.MODELS:
        place = folder / name.split("'")[0].lower()
        place.mkdir(parents=True, exist_ok=True)
        files = [place / file for file in ("float.onnx", "calibration.ids", "held_out.ids")]
        if not all(file.exists() for file in files):
            *files, loss = text_decoders.train(name, place)
            print(f"trained {name} to {loss:.2f} nats a byte", flush=True)
        yield name, *files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, nargs="?")
    parser.add_argument("--calibration", type=pathlib.Path)
    parser.add_argument("--text", type=pathlib.Path)
    parser.add_argument("--bits", type=float, default=4.5)
    parser.add_argument("--window", type=int, default=128)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--cli", type=pathlib.Path, default=CLI)
    options = parser.parse_args()
    if options.model and not (options.calibration and options.text):
        parser.error("a model needs --calibration and --text")
    with tempfile.TemporaryDirectory() as name:
        models = ([(str(options.model), options.model, options.calibration, options.text)] if options.model
                  else trained_models(options.keep or pathlib.Path(name)))
        fine = True
        for title, model, calibration, text in models:
            print(title)
            ratio = compare(model, calibration, text, options)
            fine = fine and ratio is not None and ratio < 1
            print("nothing to compare within the budget" if ratio is None else f"ours by the others': {ratio:.3f}",
                  flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
