# SPDX-License-Identifier: Apache-2.0
"""What is converted to an earlier opset loads in ONNX Runtime and computes the same there, or the node is named.

    opset_down.py LAPIDARY_CLI FOLDER... [--opsets 13,17] [--only TEXT] [--part K/N]

Every .onnx file below the folders that is of a later opset than 17 is converted to each of the opsets. What is written
must be of that opset, load in ONNX Runtime where the original loads, and give the same outputs on the inputs of
test_data_set_0 beside the model, else on seeded ones. Of a random operator only that it loads. What is refused must name
a node; the reasons are counted. Exit code 77 when the Python packages are not installed or no folder is there: skipped.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnx.numpy_helper
    import onnxruntime as ort

    from onnxruntime_peer import seeded_inputs, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
NOT_SUPPORTED = 4  # exit code
RANDOM = {"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
          "RandomUniformLike"}
NEWEST_OLD = 17


def opset_of(model):
    return next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)


def loaded(path):
    """(session, None), or (None, why ONNX Runtime does not load it)."""
    try:
        return session(path, "disabled"), None
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return None, " ".join(str(error).split())[:240]


def inputs_of(path, names):
    """The recorded inputs of a node case by name, or None."""
    values = {}
    pieces = sorted((path.parent / "test_data_set_0").glob("input_*.pb"), key=lambda p: int(p.stem.split("_")[1]))
    if len(pieces) != len(names):
        return None
    for piece, name in zip(pieces, names):
        tensor = onnx.TensorProto()
        try:
            tensor.ParseFromString(piece.read_bytes())
            values[name] = onnx.numpy_helper.to_array(tensor)
        except Exception:  # noqa: BLE001 - a sequence or an optional value
            return None
    return values


def expected_of(path, original):
    """(inputs, outputs) of the original in ONNX Runtime, or None where it does not run."""
    try:
        values = inputs_of(path, [i.name for i in original.get_inputs()]) or seeded_inputs(original)
        return values, original.run(None, values)
    except Exception:  # noqa: BLE001 - every failure is a result
        return None


def differs(found, expected):
    if isinstance(expected, (list, tuple)):
        return len(found) != len(expected) or any(differs(f, e) for f, e in zip(found, expected))
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return True
    if expected.dtype.kind not in "fc":
        return not np.array_equal(found, expected)
    rough = 1e-2 if expected.dtype == np.float16 else 1e-4
    return not np.allclose(found, expected, rtol=rough, atol=rough, equal_nan=True)


def problem_of(written, opset, original, expected, is_random):
    if opset_of(onnx.load(str(written), load_external_data=False)) != opset:
        return "is of another opset than was asked for"
    if original is None:
        return None  # ONNX Runtime reads neither
    converted, problem = loaded(written)
    if problem or expected is None or is_random:
        return problem
    try:
        outputs = converted.run(None, expected[0])
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return " ".join(str(error).split())[:240]
    bad = [o.name for o, f, e in zip(converted.get_outputs(), outputs, expected[1]) if differs(f, e)]
    return f"differs at {', '.join(bad)}" if bad else None


def sweep(args, counts, reasons):
    failed = 0
    k, n = (int(x) for x in args.part.split("/"))
    files = sorted(p for folder in args.folders for p in folder.rglob("*.onnx") if not args.only or args.only in str(p))
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder, "converted.onnx")
        for path in files[k - 1::n]:
            try:
                model = onnx.load(str(path), load_external_data=False)
            except Exception:  # noqa: BLE001 - damaged on purpose
                continue
            if opset_of(model) <= NEWEST_OLD:
                continue
            is_random = any(node.op_type in RANDOM for node in model.graph.node)
            original = expected = None
            asked = False
            for opset in args.opsets:
                written.unlink(missing_ok=True)
                run = subprocess.run([args.cli, "optimize", path, "--level", "disabled", "--opset", str(opset), "-o",
                                      written], capture_output=True, text=True)
                if run.returncode == NOT_SUPPORTED and "node " in run.stderr:
                    counts["refused"] += 1
                    reasons[re.sub(r'"[^"]*"|\d+', "_", run.stderr.strip().split(": ", 2)[-1])[:110]] += 1
                    continue
                if run.returncode:
                    problem = run.stderr.strip()[:300]
                else:
                    if not asked:
                        original, asked = loaded(path)[0], True
                        expected = expected_of(path, original) if original else None
                    problem = problem_of(written, opset, original, expected, is_random)
                    counts["compared" if expected else "converted only"] += 1
                if problem:
                    failed += 1
                    print(f"{path.parent.name}/{path.name} to {opset}: {problem}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--opsets", type=lambda text: [int(x) for x in text.split(",")], default=[13, 17])
    parser.add_argument("--only")
    parser.add_argument("--part", default="1/1")
    args = parser.parse_args()
    args.folders = [f for f in args.folders if f.is_dir()]
    if not args.folders:
        print("skipped: there is no folder of models")
        return 77
    counts, reasons = collections.Counter(), collections.Counter()
    failed = sweep(args, counts, reasons)
    for reason, times in reasons.most_common(40):
        print(f"  {times} x {reason}")
    print(", ".join(f"{times} {what}" for what, times in sorted(counts.items())) + f", {failed} failed")
    return 1 if failed or not counts["compared"] else 0


if __name__ == "__main__":
    sys.exit(main())
