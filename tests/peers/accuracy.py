# SPDX-License-Identifier: Apache-2.0
"""The figures of `accuracy` are those that an evaluation in Python with ONNX Runtime gives.

    accuracy.py LAPIDARY_CLI FOLDER

Every classifier of FOLDER/MANIFEST.md that reads digits16.npz runs on its 1000 test images: top-1 and top-5 must be the
same numbers, whole and as three shards that are merged. Exit code 77 when the Python packages or the models are not
there: skipped.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnxruntime as ort
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)


def cli(program, *words):
    done = subprocess.run([program, "accuracy", *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"accuracy exits with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def peer_figures(path, images, labels):
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    logits = session.run(None, {"x": images})[0]
    best = np.argsort(-logits, axis=1, kind="stable")[:, :5]
    return float((best[:, 0] == labels).mean()), float((best == labels[:, None]).any(axis=1).mean())


def figures(result):
    return result["top1"]["share"], result["topk"]["share"]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    data = folder / "digits16.npz"
    if not data.exists():
        print(f"skipped: there is no {data}")
        return 77
    arrays = np.load(data)
    images, labels = arrays["test_x"].astype(np.float32) / 127.5 - 1, arrays["test_y"]
    names = re.findall(r"^\| ([\w-]+) \| digits16 \|", (folder / "MANIFEST.md").read_text(encoding="utf-8"), re.M)
    failed = 0
    for name in names:
        path = folder / f"{name}.onnx"
        options = [
            "--data", data, "--array", "x=test_x", "--labels", f"{data}:test_y", "--mean", "127.5", "--std", "127.5"
        ]
        wanted = peer_figures(path, images, labels)
        whole = figures(cli(program, path, *options))
        with tempfile.TemporaryDirectory() as scratch:
            counts = [pathlib.Path(scratch) / f"part{i}.json" for i in range(3)]
            for i, file in enumerate(counts):
                cli(program, path, *options, "--shard", f"{i}/3", "--counts", file)
            merged = figures(cli(program, "--merge", *counts))
        same = all(abs(a - b) < 1e-9 for found in (whole, merged) for a, b in zip(found, wanted))
        failed += not same
        print(f"{name}: top-1 and top-5 {wanted}; here {whole}, merged {merged}{'' if same else ': DIFFER'}")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
