#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a model that lapidary-cli quantizes is worse than what ONNX Runtime's quantizer makes of it, or larger.

    quantized_gaps.py LAPIDARY_CLI [--models FOLDER] [--only NAME,...] [--modes static,dynamic] [--kinds asked,default]
    [--quick]

Models: those of sequence_models.py, labelled and real ones of FOLDER with samples of their own (quantized_models.py),
and the other real ones with samples near their recorded inputs. Samples that give ranges are not those that judge, and
are the same for both. ONNX Runtime quantizes in many ways: per tensor and per channel, with weights of s8 and u8, of 7
bits, with ranges of all three methods, and with the nodes of products alone; each file counts.

`asked` is the mode with --as-asked, `default` the mode without. All files run in ONNX Runtime with all optimizations.
SQNR in dB over all judged samples, mean over float outputs, of which one counts with 60 at most. A file of ours is
behind where one of ONNX Runtime's is
    better by more than 0.5 dB and at most half larger (one that is larger keeps most in float), or
    smaller by more than 1 % and at least as good.
Neither counts where both files are above 60 dB or below 5 dB: the difference is invisible, or both are useless.
Exit code 1 where one is behind, 77 where the Python packages are not there: skipped. --quick takes some small models,
and fewer ways.
"""
import argparse
import json
import logging
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort

    import quantized_peer
    import quantized_models
    import real_samples
    import sequence_models
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

logging.disable(logging.CRITICAL)
ort.set_default_logger_severity(4)
LABELLED = ["digits-cnn", "digits-dw", "digits-dw-scaled", "digits-mbv2", "digits-seg", "digits-vit",
            "digits-vit-outlier", "digits-lstm", "wine-mlp"]
QUICK = ["lstm-encoder", "remaining-life-unit", "digits-lstm", "wine-mlp"]
PRODUCTS = {"Conv", "MatMul", "Gemm", "LSTM", "Attention", "ConvTranspose"}
# niivue: half a minute a run; fns-candy: seconds a run and a gigabyte for ranges.
LEFT_OUT = {"niivue", "fns-candy"}
SAME_INPUTS = {"mnist-opt-wonnx": "mnist-8"}  # and names
LEAST_GAP, LEAST_SHARE, OTHER_TRADE = 0.5, 1.01, 1.5
ENOUGH, USELESS = 60, 5


def is_float(path):
    """Products with weights of float32, and nothing in integers."""
    nodes = onnx.load(path).graph.node
    types = {node.op_type for node in nodes}
    return bool(types & PRODUCTS) and not any("Quantize" in t or "Integer" in t or t.startswith("QLinear")
                                              for t in types)


def near(array, random):
    """Floats about the recorded ones; other numbers in another order, but for masks and lengths."""
    if array.dtype.kind == "f":
        noise = random.normal(0, 0.05 * (array.std() + 1e-6), array.shape)
        return np.asarray(array * random.uniform(0.8, 1.2) + noise, array.dtype)
    if array.ndim == 0 or array.shape[-1] < 2:
        return array
    return random.permuted(array, axis=-1)


def near_recorded(folder, name, learned=16, judged=8):
    """A model of less than a megabyte is judged on eight times as many: a few samples decide by chance."""
    judged *= 8 if (folder / "real" / f"{name}.onnx").stat().st_size < 1 << 20 else 1
    random = np.random.default_rng(7)
    recorded = [dict(np.load(path)) for path in sorted((folder / "ref" / name).glob("*/inputs.npz"))]
    feeds = [{key: near(value, random) for key, value in recorded[i % len(recorded)].items()}
             for i in range(learned + judged)]
    return feeds[:learned], feeds[learned:]


def case(name, options, folder):
    """Path of the model and both lists of feeds."""
    if name in sequence_models.CASES:
        model, learned, judged = sequence_models.CASES[name]()
        onnx.save(model, folder / f"{name}.onnx")
        return folder / f"{name}.onnx", learned, judged
    if name in SAME_INPUTS:
        learned, judged, _ = quantized_models.samples(options.models, SAME_INPUTS[name])
        return options.models / "real" / f"{name}.onnx", learned, judged
    if name in LABELLED or name in real_samples.CASES:
        learned, judged, _ = quantized_models.samples(options.models, name)
        return quantized_models.model_of(options.models, name), learned, judged
    return options.models / "real" / f"{name}.onnx", *near_recorded(options.models, name)


def names_of(options):
    if options.only:
        return options.only.split(",")
    if options.quick:
        return [n for n in QUICK if n in sequence_models.CASES or options.models is not None]
    names = [*sequence_models.CASES]
    if options.models is None:
        return names
    known = {*real_samples.FILES.values(), *LEFT_OUT}
    others = [path.stem for path in sorted((options.models / "real").glob("*.onnx"), key=lambda p: p.stat().st_size)
              if path.stem not in known and (options.models / "ref" / path.stem).is_dir() and is_float(path)]
    return names + LABELLED + others + [*real_samples.CASES]


def judged_file(path, feeds, expected):
    """SQNR and bytes."""
    return quantized_models.sqnr(expected, quantized_models.outputs(path, feeds), ENOUGH), path.stat().st_size


def our_file(cli, model, data, path, mode, kind):
    done = subprocess.run([cli, "quantize", model, "-o", path, "--mode", mode, "--data", data, "--quiet", "--json",
                           "--intra", "1"] + (["--as-asked"] if kind == "asked" else []), capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: far off, which is for the comparison to say
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def is_behind(ours, peers):
    """The words, by the worst of each kind; nothing where it is not."""
    words = []
    better = [p for p in peers if p[1] > ours[0] + LEAST_GAP and p[2] <= OTHER_TRADE * ours[1]
              and ours[0] < ENOUGH and p[1] > USELESS]
    smaller = [p for p in peers if ours[1] > LEAST_SHARE * p[2] and p[1] >= min(ours[0], ENOUGH) and p[1] > USELESS]
    if better:
        best = max(better, key=lambda p: p[1])
        words.append(f"BEHIND by {best[1] - ours[0]:.1f} dB ({best[0]})")
    if smaller:
        least = min(smaller, key=lambda p: p[2])
        words.append(f"LARGER by {100 * (ours[1] / least[2] - 1):.1f} % ({least[0]})")
    return ", ".join(words)


def figures(name, found):
    return f"{name} {found[0]:.1f} dB {found[1] / 1000:.1f} kB"


def are_comparable(outputs):
    """Tensors all, at least one of them of float32, and finite."""
    values = [value for one in outputs for value in one]
    if not all(isinstance(value, np.ndarray) for value in values):
        return False
    floats = [value for value in values if value.dtype == np.float32]
    return bool(floats) and all(np.isfinite(value).all() for value in floats)


def their_files(prepared, name, mode, options, folder, learned, judged, expected):
    """Name, SQNR and bytes of each file of ONNX Runtime; remembered ones as they were."""
    known = json.loads(options.remember.read_text()) if options.remember and options.remember.exists() else {}
    key = f"{name} {mode}"
    if key in known:
        return known[key]
    found = []
    for way, path in quantized_peer.named_files(prepared, folder, learned, mode, options.quick):
        try:
            found.append((way, *judged_file(path, judged, expected)))
        except Exception:  # what does not run there has no common class
            continue
        path.unlink()
    if options.remember:
        options.remember.write_text(json.dumps(known | {key: found}, indent=1))
    return found


def compare(name, options, folder):
    """Files of ours that are behind."""
    model, learned, judged = case(name, options, folder)
    expected = quantized_models.outputs(model, judged)
    if not are_comparable(expected):
        print(f"{name:22} left out: its outputs are no tensors of finite float32", flush=True)
        return 0
    data = folder / "data"
    data.mkdir()
    for i, feed in enumerate(learned):
        np.savez(data / f"{i:03}.npz", **feed)
    prepared = quantized_peer.prepared(model, folder)
    behind = 0
    for mode in options.modes.split(","):
        peers = their_files(prepared, name, mode, options, folder, learned, judged, expected)
        for kind in filter(None, options.kinds.split(",")):
            path = folder / f"ours_{mode}_{kind}.onnx"
            our_file(options.cli, model, data, path, mode, kind)
            ours = judged_file(path, judged, expected)
            words = is_behind(ours, peers)
            behind += bool(words)
            best = max(peers, key=lambda p: p[1], default=None)
            least = min(peers, key=lambda p: p[2], default=None)
            print(f"{name:22} {mode:8} {kind:8} {figures('', ours)}  ONNX Runtime" +
                  (f" best {figures(best[0], best[1:])}, smallest {figures(least[0], least[1:])}" if peers else " none")
                  + f"  {words}", flush=True)
            if options.all:
                for peer in peers:
                    print(f"    {figures(peer[0], peer[1:])}", flush=True)
    return behind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--models", type=pathlib.Path, help="holds labelled, real, inputs and ref")
    parser.add_argument("--only")
    parser.add_argument("--modes", default="dynamic,static")
    parser.add_argument("--kinds", default="asked,default")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--remember", type=pathlib.Path,
                        help="file that keeps the figures of ONNX Runtime's files for the next time")
    parser.add_argument("--all", action="store_true", help="print each file of ONNX Runtime")
    options = parser.parse_args()
    if options.models is not None and not (options.models / "labelled").is_dir():
        options.models = None
    behind = 0
    for name in names_of(options):
        with tempfile.TemporaryDirectory() as folder:
            try:
                behind += compare(name, options, pathlib.Path(folder))
            except Exception as problem:  # the other models are still to be compared
                print(f"{name:22} FAILED: {type(problem).__name__}: {str(problem)[:300]}", flush=True)
                behind += 1
    print(f"{behind} behind")
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
