# SPDX-License-Identifier: Apache-2.0
"""What is converted to a later opset is a valid file that ONNX Runtime loads and that computes the same there.

    upgrades.py LAPIDARY_CLI FOLDER [--opset 21] [--references FOLDER]

Every model of the folder that ONNX Runtime loads as it is: converted, it must load there too (without optimizing), pass
the checker of the onnx package where the original passes it, and agree with the original's outputs, on the inputs
recorded below --references, else seeded ones. Two things are only reported: a model that ONNX Runtime loads but
does not run on these inputs, and an output without shape, which the checker wants: a shape that only the file declared
and nothing proves is not written. Exit code 77 when the Python packages are not installed: skipped.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort

    from onnxruntime_peer import difference, seeded_inputs, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)


def load_problem(path):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the binding has an exception type for each status
        return str(error)
    return None


def expected_outputs(path, references):
    """(inputs, output names, outputs) of the original in ONNX Runtime, or None, reported, where it does not run."""
    try:
        original = session(path, "disabled")
        recorded = sorted((references / path.stem).glob("*/inputs.npz")) if references else []
        if recorded:
            with np.load(recorded[0], allow_pickle=False) as archive:
                values = {i.name: archive[i.name] for i in original.get_inputs()}
        else:
            values = seeded_inputs(original)
        return values, [o.name for o in original.get_outputs()], original.run(None, values)
    except Exception as error:  # noqa: BLE001 - every failure is reported
        print(f"{path.name}: not compared, ONNX Runtime does not run it: {' '.join(str(error).split())[:160]}")
        return None


def output_problem(path, expected):
    """How the outputs of a converted model differ from those of its original, or None."""
    values, names, outputs = expected
    try:
        return difference(session(path, "disabled").run(names, values), outputs, [0.0] * len(outputs))
    except Exception as error:  # noqa: BLE001
        return " ".join(str(error).split())[:300]


def checker_problem(path):
    try:
        onnx.checker.check_model(str(path))
    except onnx.checker.ValidationError as error:
        return str(error)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--opset", type=int, default=21)
    parser.add_argument("--references", type=pathlib.Path)
    args = parser.parse_args()
    if not args.folder.is_dir():
        print(f"skipped: there is no folder {args.folder}")
        return 77
    converted = compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in sorted(args.folder.glob("*.onnx")):
            opsets = [
                o.version for o in onnx.load(model, load_external_data=False).opset_import
                if o.domain in ("", "ai.onnx")
            ]
            if load_problem(model) or not opsets or opsets[0] > args.opset:
                continue
            out = pathlib.Path(folder, "converted.onnx")
            out.unlink(missing_ok=True)
            run = subprocess.run(
                [args.cli, "optimize", model, "--level", "disabled", "--opset",
                 str(args.opset), "-o", out],
                capture_output=True,
                text=True)
            problem = run.stderr.strip() if run.returncode else load_problem(out)
            if not problem and not checker_problem(model):
                problem = checker_problem(out)
            if problem and "Field 'shape' of 'type' is required" in problem:
                print(f"{model.name}: an output without shape")
                problem = None
            if not problem and (expected := expected_outputs(model, args.references)):
                compared += 1
                problem = output_problem(out, expected)
            converted += 1
            failed += bool(problem)
            if problem:
                print(f"{model.name}: {problem}")
    print(f"{converted} models converted to opset {args.opset}, {compared} compared, {failed} failed")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
