# SPDX-License-Identifier: Apache-2.0
"""What Polygraphy saves is read as a recording, and the node that differs from it is named.

    dumps.py SOURCE CLI

Values of a small model are saved by the package's own classes, once right and once with one value changed. The test
value_dump_test.cpp holds the format itself. Exit code 77 when the Python packages polygraphy or onnx are not installed:
skipped.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper
    from polygraphy.comparator import IterationResult, RunResults
    from polygraphy.json import save_json
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)


def save_model(path):
    nodes = [helper.make_node("Abs", ["x"], ["a"], "first"), helper.make_node("Neg", ["a"], ["b"], "second"),
             helper.make_node("Exp", ["b"], ["y"], "third")]
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [3])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def save_dump(folder, change):
    x = np.array([1, -2, 0.5], np.float32)
    values = {"a": abs(x), "b": -abs(x), "y": np.exp(-abs(x))}
    values["b"] = values["b"] + np.float32(change)
    folder.mkdir()
    save_json([{"x": x}], str(folder / "inputs.json"))
    results = RunResults()
    results.append(("onnxrt-runner-N0", [IterationResult(values, runtime=0.1, runner_name="onnxrt-runner-N0")]))
    results.save(str(folder / "outputs.json"))


def main():
    cli, faults = sys.argv[2], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        save_model(folder / "net.onnx")
        for change, status, suspects in ((0, 0, []), (0.25, 1, ["second"])):
            dump = folder / f"dump-{status}"
            save_dump(dump, change)
            done = subprocess.run([cli, "diverge", folder / "net.onnx", "--recorded", dump, "--json"],
                                  capture_output=True, text=True, timeout=120)
            found = json.loads(done.stdout)["recording"]["suspects"] if done.returncode < 2 else done.stderr
            if done.returncode != status or found != suspects:
                faults.append(f"changed by {change}: expected {status}, {suspects}; found {done.returncode}, {found}")
    print("\n".join(faults) or "what Polygraphy saved is read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
