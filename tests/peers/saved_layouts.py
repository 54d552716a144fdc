# SPDX-License-Identifier: Apache-2.0
"""Files that ONNX Runtime saved at level all open here without the block of channels being asked for.

    saved_layouts.py CLI MODELS REFERENCES [--only TEXT,...] [--most N]

Every model file below MODELS and every sample of `CLI sample` that ONNX Runtime lays out in blocks of channels when it
saves it at level all is run here as it is, with the recorded inputs below REFERENCES, else seeded ones. Told are the
files that ask for --channel-block, and those whose outputs are others than ONNX Runtime's: the block was judged wrongly.
Exit code 1 for one of the latter, or where more than N files ask (any number unless given).

Exit code 77 when the Python package onnxruntime is not installed: skipped.
"""
import argparse
import json
import pathlib
import sys
import tempfile

try:
    import numpy as np

    from onnxruntime_peer import LEFT_OUT, cli, difference, moves_by, seeded_inputs, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

TOO_SLOW = {"niivue", "bert-base", "gpt2"}  # minutes, and no convolution that is laid out


def inputs_of(path, original, references):
    recorded = sorted((references / path.stem).glob("*/inputs.npz"))
    if not recorded:
        return seeded_inputs(original)
    with np.load(recorded[0], allow_pickle=False) as archive:
        return {i.name: archive[i.name] for i in original.get_inputs()}


def judged(program, path, references, folder):
    """None: nothing was laid out. Else "asked", "fits" or how the outputs differ."""
    saved = folder / "saved.onnx"
    reference = session(path, "all", saved=saved)
    if b"com.microsoft.nchwc" not in saved.read_bytes():
        return None
    inputs = inputs_of(path, reference, references)
    names = [o.name for o in reference.get_outputs()]
    expected = reference.run(names, inputs)
    moves = moves_by(session(path, "disabled").run(names, inputs), expected)
    np.savez(folder / "inputs.npz", **inputs)
    try:
        cli(program, "run", saved, "--level", "disabled", "--inputs", folder / "inputs.npz", "--outputs",
            folder / "outputs.npz")
    except RuntimeError as error:
        if "channel-block" in str(error):
            return "asked"
        return str(error)[:300]
    with np.load(folder / "outputs.npz", allow_pickle=False) as archive:
        return difference([archive[n] for n in names], expected, moves) or "fits"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    verdicts = {}
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        listed = json.loads(cli(options.cli, "sample", "--list", "--json"))["samples"]
        samples = [root / f"{s['name']}.onnx" for s in listed]
        for path in [*sorted(options.models.rglob("*.onnx")), *samples]:
            is_wanted = any(text in path.stem for text in options.only.split(","))
            if not is_wanted or path.stem in TOO_SLOW or path.stem in LEFT_OUT:
                continue
            with tempfile.TemporaryDirectory() as work:
                try:
                    if path in samples:
                        cli(options.cli, "sample", path.stem, "-o", path)
                    verdict = judged(options.cli, path, options.references, pathlib.Path(work))
                except Exception as error:  # noqa: BLE001 - ONNX Runtime's own refusals are not looked at here
                    print(f"{path.stem}: left out: {' '.join(str(error).split())[:160]}", flush=True)
                    continue
                finally:
                    if path in samples:
                        path.unlink(missing_ok=True)
            if verdict:
                verdicts[path.stem] = verdict
                if verdict != "fits":
                    print(f"{path.stem}: {verdict}", flush=True)
    asked = sum(v == "asked" for v in verdicts.values())
    wrong = sum(v not in ("asked", "fits") for v in verdicts.values())
    print(f"{len(verdicts)} files laid out in blocks: {asked} ask for the block, {wrong} give other results")
    return 1 if wrong or (options.most is not None and asked > options.most) else 0


if __name__ == "__main__":
    sys.exit(main())
