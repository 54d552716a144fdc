# SPDX-License-Identifier: Apache-2.0
"""What we export loads in ONNX Runtime and computes the same there.

    lapgen_exports.py LAPGEN [--models 200] [--seed 1] [--keep FOLDER] [--python PYTHON ...]

Random models of lapgen are exported for each target at every level. Where ONNX Runtime loads and runs the model as it
was, every export must load there too, without optimizing, and give the same outputs: of the same type and shape, NaN
and infinities in the same places, floats within 1e-3 of the output's largest magnitude. Outputs that move further than
that when the inputs move by 1e-6 are not compared, nor are the values of models with half precision, whose rounding
exports may leave out.

The checker of ONNX takes every export of what it took before, of the IR version that its opset asks for, whatever that
of the model was; exports for a release of ONNX Runtime keep to what that release reads. Where that release is at hand
(an interpreter named with --python or in LAPIDARY_PEER_PYTHONS), they load there, too, unless a note says that
another execution provider has to run a node.

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort

    from onnxruntime_process import named_runtimes
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
RELEASES = {17: (9, 20), 20: (10, 21), 32: (14, 28)}  # 1.N: the newest IR version and opset that it reads
HALF = {onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16}


def session(path):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def has_half(model):
    values = list(model.graph.value_info) + list(model.graph.input) + list(model.graph.output)
    casts = [a.i for n in model.graph.node if n.op_type == "Cast" for a in n.attribute if a.name == "to"]
    return any(v.type.tensor_type.elem_type in HALF for v in values) or any(t in HALF for t in casts) or any(
        i.data_type in HALF for i in model.graph.initializer)


def nudged(inputs):
    sign = lambda a: np.where(np.arange(a.size).reshape(a.shape) % 2 == 0, a.dtype.type(1e-6), a.dtype.type(-1e-6))
    return {
        k: a + sign(a) * np.maximum(np.abs(a), a.dtype.type(0.1)) if a.dtype == np.float32 else a
        for k, a in inputs.items()
    }


def difference(found, expected):
    """How two outputs differ, or None."""
    a, b = np.asarray(found), np.asarray(expected)
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{a.dtype}{list(a.shape)} where {b.dtype}{list(b.shape)} was expected"
    if b.dtype.kind != "f":
        step = 1 if b.dtype in (np.int8, np.uint8) else 0
        bad = np.abs(a.astype(np.int64) - b.astype(np.int64)) > step if b.dtype.kind in "iu" else a != b
    else:
        finite = np.abs(b[np.isfinite(b)].astype(np.float64))
        bound = 1e-3 * (finite.max() if finite.size else 0) + 1e-6
        with np.errstate(invalid="ignore"):
            near = np.abs(a.astype(np.float64) - b.astype(np.float64)) <= bound
        bad = ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))
    if not bad.any():
        return None
    at = np.unravel_index(np.argmax(bad), bad.shape) if bad.shape else ()
    return (f"{int(bad.sum())} of {bad.size} elements differ, first at {tuple(map(int, at))}: {a[at]} where {b[at]} was "
            f"expected")


def checker_problem(path):
    """What ONNX's checker says of a file, or None."""
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as error:  # noqa: BLE001
        return " ".join(str(error).split())[:300]
    return None


def release_of(path):
    """17 for what is written for ONNX Runtime 1.17, 0 for no release."""
    words = path.stem.split("_")
    return int(words[1]) if words[0] == "release" else 0


def release_problems(folder, runtimes, counts):
    """Which exports for a release do not load in it, though some release at hand loads the model."""
    asked = {r: [p for p in sorted(folder.glob("release_*.onnx")) if release_of(p) == r.minor] for r in runtimes}
    found = {r: r.judge(folder / "original.onnx", files) for r, files in asked.items()}
    if all(problem for problem, _ in found.values()):
        return []
    notes = (folder / "notes.txt").read_text().splitlines() if (folder / "notes.txt").exists() else []
    reported = {line.split(":")[0] for line in notes if "another execution provider" in line}
    problems = []
    for runtime, (_, files) in found.items():
        for path, text in files.items():
            if text and "NOT_IMPLEMENTED" in text and pathlib.Path(path).stem in reported:
                counts["said to need another execution provider"] += 1
            elif text:
                problems.append(f"{path}: ONNX Runtime {runtime.version}: {text}")
            else:
                counts[f"loaded in {runtime.version}"] += 1
    return problems


def form_problems(folder, counts):
    """What is wrong with the form of one model's exports, run or not."""
    problems = []
    was_good = checker_problem(folder / "original.onnx") is None
    for path in sorted(folder.glob("*_*.onnx")):
        model = onnx.load(path, load_external_data=False)
        opset = max(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
        ir, most_opset = RELEASES.get(release_of(path), (max(10, least_ir(opset)), opset))
        if model.ir_version > ir or opset > most_opset:
            problems.append(f"{path}: IR version {model.ir_version} and opset {opset}, expected at most {ir} and "
                            f"{most_opset}")
        if was_good:
            counts["exports checked"] += 1
            if text := checker_problem(path):
                problems.append(f"{path}: checker: {text}")
    return problems


def least_ir(opset):
    """The oldest IR version of a release of ONNX that has the opset."""
    return min((row[1] for row in onnx.helper.VERSION_TABLE if row[2] >= opset), default=onnx.IR_VERSION)


def check(folder, counts):
    """Problems of one model's exports."""
    try:
        original = session(folder / "original.onnx")
        with np.load(folder / "inputs.npz") as archive:
            inputs = {k: archive[k] for k in archive.files}
        expected = original.run(None, inputs)
        moved = original.run(None, nudged(inputs))
    except Exception:  # what ONNX Runtime has no kernel for
        counts["models that ONNX Runtime does not run as they were"] += 1
        return []
    names = [o.name for o in original.get_outputs()]
    steady = [difference(m, e) is None for m, e in zip(moved, expected)]
    loose = has_half(onnx.load(folder / "original.onnx"))
    problems = []
    for path in sorted(folder.glob("*_*.onnx")):
        counts["exports"] += 1
        try:
            found = session(path).run(names, inputs)
        except Exception as error:
            problems.append(f"{path}: refused: {' '.join(str(error).split())[-300:]}")
            continue
        for name, f, e, is_steady in zip(names, found, expected, steady):
            same_form = np.asarray(f).shape == np.asarray(e).shape and np.asarray(f).dtype == np.asarray(e).dtype
            text = difference(f, e) if not same_form or (is_steady and not loose) else None
            counts["outputs compared"] += bool(is_steady and not loose)
            if text:
                problems.append(f"{path}: output {name}: {text}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lapgen")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the models; else a temporary one")
    parser.add_argument("--python", action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        subprocess.run(
            [options.lapgen, "--models",
             str(options.models), "--seed",
             str(options.seed), "--exports",
             str(folder)],
            check=True)
        counts, problems = collections.Counter(), []
        runtimes = named_runtimes(options.python)
        for model in (folder / str(seed) for seed in range(options.seed, options.seed + options.models)):
            problems += check(model, counts) + form_problems(model, counts)
            problems += release_problems(model, runtimes, counts)
        for runtime in runtimes:
            runtime.close()
    print("\n".join(problems))
    print(f"{options.models} models, {len(problems)} problems; " + ", ".join(f"{n} {what}"
                                                                             for what, n in sorted(counts.items())))
    if counts["exports"] < 4 * options.models:
        print("too few exports were tried to say anything")
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
