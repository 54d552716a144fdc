# SPDX-License-Identifier: Apache-2.0
"""What `lapidary-cli quantize --mode auto` makes of models, and how fast that is, here and in ONNX Runtime.

Of each float model that quantize_variants.py wrote: the recipe that was chosen, the bytes of its constants and its SQNR
against the float model, its time against that of the float model at level all in both engines, and both engines on the
file that was written. Samples are those in NAME.samples beside the model, generated where there are none.
"""
import json
import shlex
import subprocess
import tempfile
import pathlib

TITLE = "Quantized by `--mode auto`"
BUDGET = 20  # seconds for the recipes of each mode
LEFT_OUT = ("bert-base",)  # takes minutes for each recipe


def jobs(options):
    """(name, file, samples)"""
    for path in sorted(options.int8.glob("*.onnx")) if options.int8 else []:
        if "." in path.stem or path.stem in LEFT_OUT:
            continue
        samples = path.with_suffix(".samples")
        yield path.stem, path, ["--data", samples] if samples.is_dir() else ["--generate", 16]


def call(options, words):
    """What it prints as JSON; else why there is none."""
    words = shlex.split(options.launcher) + [str(w) for w in words]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return None, lines[-1] if lines else f"it ended with code {done.returncode}"


def measure(options, name, path, samples):
    """Stores what was found as results/quantizing/NAME.json."""
    target = options.results / "quantizing" / f"{name}.json"
    if options.keep and target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    peer = ["--onnxruntime", options.onnxruntime] if options.onnxruntime else []
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / f"{name}.auto.onnx"
        reported, problem = call(options, [options.cli, "quantize", path, "-o", written, "--mode", "auto", *samples,
                                       "--budget", BUDGET, "--intra", 1, "--in-onnxruntime", "--quiet", "--json"])
        found = None
        if reported and written.exists():
            found, problem = call(options, [options.cli, "bench", written, "--vs", "onnxruntime", "--intra",
                                            options.intra, "--seconds", options.seconds, "--no-memory", *peer, "--json"])
        result = {"name": name, "error": problem} if not found else found | {"name": name, "quantized": reported}
    target.write_text(json.dumps(result, indent=1))
    print(name, problem or row_text(row_of(result)), flush=True)


def row_of(result):
    reported = result["quantized"]
    times, theirs = reported.get("times") or {}, reported.get("times_onnxruntime") or {}
    sizes = reported["constant_bytes"]
    return {
        "model": result["name"],
        "recipe": reported["trials"][reported["best_trial"]]["name"] if reported.get("trials") else reported["mode"],
        "bytes_share": sizes["after"] / sizes["before"] if sizes["before"] else None,
        "sqnr_db": reported["sqnr_db"] if isinstance(reported["sqnr_db"], (int, float)) else None,
        "time_share": times.get("ratio"),
        "time_share_onnxruntime": theirs.get("ratio"),
        "ratios": {str(c["intra"]): c["ratio"]["median"] for c in result["configurations"] if "ratio" in c}
    }


def row_text(row):
    shown = lambda value: "-" if value is None else f"{value:.2f}"
    return (f"{row['recipe']}: {shown(row['sqnr_db'])} dB, {shown(row['time_share'])} of the float model's time, in ONNX "
            f"Runtime {shown(row['time_share_onnxruntime'])}; against ONNX Runtime {row['ratios']}")


def rows(options):
    """Of everything measured, sorted by name."""
    found = [json.loads(p.read_text()) for p in sorted((options.results / "quantizing").glob("*.json"))]
    return [row_of(result) for result in found if "quantized" in result]
