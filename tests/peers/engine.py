# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime as the engine of this program: recorded models run, profile and place through one or several releases.

    engine.py CLI MODELS REFERENCES [--only TEXT] [--place PATH ...] [--levels all]

Each model below MODELS with inputs recorded below REFERENCES is profiled by `profile --engine onnxruntime` in each
release (--place: a library, virtual environment or interpreter; without one the Python that runs this script). Outputs
must be those of the same release asked from Python, the time of kernels must be on nodes of the model for at least 95 %,
and every node of the placement must have a provider. `CLI engines` must list each place, and one sentence each what is
wrong with a missing file, a text file, a provider that the release was built without, and a library of providers that
is a text.

Exit code 77 when the Python packages onnxruntime or numpy are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnxruntime  # noqa: F401 - the release that is asked unless another is named
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

LEAST_KNOWN = 0.95
ASKED = """
import sys, numpy as np, onnxruntime as ort
model, inputs, out, level = sys.argv[1:]
options = ort.SessionOptions()
options.log_severity_level = 4
options.graph_optimization_level = {"disabled": ort.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC, "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": ort.GraphOptimizationLevel.ORT_ENABLE_ALL}[level]
session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
with np.load(inputs, allow_pickle=False) as archive:
    values = {i.name: archive[i.name] for i in session.get_inputs()}
results = session.run(None, values)
np.savez(out, **{o.name: r for o, r in zip(session.get_outputs(), results) if isinstance(r, np.ndarray)
                 and r.dtype != object})
"""


def run(program, *arguments):
    return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, errors="replace")


def interpreter_of(place):
    path = pathlib.Path(place)
    if path.is_dir():
        return path / "bin" / "python3"
    return path if path.name.startswith("python") else pathlib.Path(sys.executable)


def expected_outputs(python, model, inputs, out, level):
    asked = run(python, "-c", ASKED, model, inputs, out, level)
    return None if asked.returncode == 0 else asked.stderr.strip().splitlines()[-1]


def differing(found, expected):
    """Both are the same program on the same machine: differences are those of threads alone."""
    with np.load(found, allow_pickle=False) as a, np.load(expected, allow_pickle=False) as b:
        for name in b.files:
            if name not in a.files:
                return f"output {name} is missing"
            x, y = a[name].astype(np.float64), b[name].astype(np.float64)
            if x.shape != y.shape:
                return f"output {name}: {x.shape} where {y.shape} was expected"
            bound = 1e-4 * max(1e-6, float(np.abs(y[np.isfinite(y)]).max(initial=0)))
            if not np.allclose(x, y, rtol=0, atol=bound, equal_nan=True):
                return f"output {name} differs by {float(np.nanmax(np.abs(x - y)))}"
    return None


def judged(cli, model, inputs, place, level, folder):
    """(problem or None, known share, nodes placed, version); None: that release does not run the model itself."""
    expected, found = folder / "expected.npz", folder / "found.npz"
    if expected_outputs(interpreter_of(place), model, inputs, expected, level):
        return None
    result = run(cli, "profile", model, "--engine", "onnxruntime", "--onnxruntime", place, "--level", level, "--inputs",
                 inputs, "--outputs", found, "--runs", 3, "--warmup", 1, "--intra", 2, "--json")
    if result.returncode:
        return " ".join(result.stderr.split())[-300:], 0, 0, ""
    reported = json.loads(result.stdout)
    placed = run(cli, "placement", model, "--engine", "onnxruntime", "--onnxruntime", place, "--level", level, "--json")
    nodes = json.loads(placed.stdout)["nodes"] if placed.returncode == 0 else []
    problem = None
    with np.load(expected, allow_pickle=False) as archive:
        names = archive.files
    if names and not found.exists():
        problem = "no outputs were written"
    elif names:
        problem = differing(found, expected)
    if not problem and reported["known_share"] < LEAST_KNOWN:
        problem = f"only {100 * reported['known_share']:.1f} % of the time is on nodes of the model"
    if not problem and placed.returncode:
        problem = " ".join(placed.stderr.split())[-200:]
    if not problem and not (nodes and all(n["provider"] for n in nodes)):
        problem = "the placement has no nodes, or nodes without a provider"
    return problem, reported["known_share"], len(nodes), reported["engine"]["version"]


def refusals(cli, place, model, version):
    """What is wrong is one sentence on the standard error, and nothing else is done."""
    problems = []
    release = tuple(int(number) for number in version.split(".")[:2])
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "libonnxruntime.so"
        text.write_text("this is a text")
        cases = [(["--onnxruntime", pathlib.Path(folder) / "missing"], "there is no libonnxruntime.so"),
                 (["--onnxruntime", text], "was not found"),
                 (["--onnxruntime", place, "--provider", "CUDA"], "without the provider"),
                 (["--onnxruntime", place, "--provider", "Rubbish"], "without the provider"),
                 (["--onnxruntime", place, "--fallback", "forbid"], "provider")]
        if release >= (1, 22):  # which take libraries of providers
            cases.append((["--onnxruntime", place, "--ort-provider-library", text, "--provider", "Own"],
                          "file too short"))
        for options, words in cases:
            result = run(cli, "run", model, "--engine", "onnxruntime", *options)
            lines = result.stderr.strip().splitlines()
            if result.returncode == 0 or len(lines) != 1 or words not in lines[0]:
                problems.append(f"{' '.join(map(str, options))}: {result.returncode}: {result.stderr.strip()}")
            else:
                print(f"  {lines[0]}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--place", action="append", default=[])
    parser.add_argument("--levels", default="all")
    options = parser.parse_args()
    places = options.place or [sys.prefix if (pathlib.Path(sys.prefix) / "pyvenv.cfg").exists() else sys.executable]
    cases = [(path, options.references / path.stem) for path in sorted(options.models.glob("*.onnx"))]
    cases = [(path, sorted(folder.glob("*/inputs.npz"))) for path, folder in cases if folder.is_dir()]
    cases = [(path, inputs[0]) for path, inputs in cases if inputs and options.only in path.stem]
    if not cases:
        print("skipped: there are no recorded models")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        for place in places:
            engines = json.loads(run(options.cli, "engines", "--onnxruntime", place, "--json").stdout)["engines"]
            found = [e for e in engines if e["name"] == "onnxruntime" and e["usable"]]
            if not found or not any(p["name"] == "CPU" and p["usable"] for p in found[0]["providers"]):
                problems.append(f"{place}: engines does not list it")
            for level in options.levels.split(","):
                judgements, left_out = [], 0
                for path, inputs in cases:
                    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
                    judgement = judged(options.cli, path, inputs, place, level, folder)
                    if judgement is None:
                        left_out += 1
                        continue
                    judgements.append(judgement)
                    if judgement[0]:
                        problems.append(f"{place}, {level}, {path.stem}: {judgement[0]}")
                version = next((j[3] for j in judgements if j[3]), "?")
                least = min((j[1] for j in judgements), default=0)
                print(f"ONNX Runtime {version}, level {level}: {len(judgements)} models, {left_out} left out that it "
                      f"does not run itself, least share of time on known nodes {100 * least:.1f} %, "
                      f"{sum(j[2] for j in judgements)} nodes placed")
            problems += refusals(options.cli, place, cases[0][0], found[0]["version"] if found else "0.0")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
