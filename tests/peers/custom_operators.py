# SPDX-License-Identifier: Apache-2.0
"""A library of custom operators gives equal results in ONNX Runtime and here.

    custom_operators.py CLI LIBRARY

Models with the operators of tests/plugins/custom_ops/custom_operators.cpp run in ONNX Runtime with the library
registered, by `run --custom-ops` here, and by `run --engine onnxruntime --custom-ops`: outputs are equal to the bit.
Operators that throw or crash end the program that runs them with a message that names them.

Exit code 77 when the Python packages onnxruntime, onnx or numpy are not installed: skipped.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
DOMAIN = "test.lapidary"


def model(nodes, inputs, outputs):
    graph = helper.make_graph(
        nodes, "custom", [helper.make_tensor_value_info(n, t, s) for n, t, s in inputs],
        [helper.make_tensor_value_info(n, t, s) for n, t, s in outputs])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1), helper.make_opsetid(DOMAIN + ".wrong", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def node(op, inputs, outputs, domain=DOMAIN, **attributes):
    return helper.make_node(op, inputs, outputs, domain=domain, **attributes)


def cases():
    random = np.random.RandomState(3)
    floats = random.standard_normal((3, 5)).astype(np.float32)
    yield "attributes", model(
        [node("Scale", ["x"], ["a"]), node("Scale", ["a"], ["y"], factor=0.3, offset=[0.25, 7.0])],
        [("x", FLOAT, ["n", 5])], [("y", FLOAT, ["n", 5])]), {"x": floats}
    yield "among operators of ONNX", model(
        [helper.make_node("Relu", ["x"], ["a"]), node("Sum", ["a", "x", "x"], ["b"], reduce="mean"),
         helper.make_node("Exp", ["b"], ["y"])],
        [("x", FLOAT, ["n", 5])], [("y", FLOAT, ["n", 5])]), {"x": floats}
    yield "an optional input", model(
        [node("Pick", ["x", "at"], ["y"]), node("Pick", ["x"], ["z"])],
        [("x", INT64, [4]), ("at", INT64, [2])], [("y", INT64, [None]), ("z", INT64, [None])]), {
            "x": np.array([5, 6, 7, 8], np.int64), "at": np.array([3, 1], np.int64)}
    yield "a variant of floats", model([node("Repeat", ["x"], ["y"])], [("x", FLOAT, [3, 5])],
                                       [("y", FLOAT, [6, 5])]), {"x": floats}
    yield "a variant of integers", model([node("Repeat", ["x"], ["y"])], [("x", INT64, [2])],
                                         [("y", INT64, [4])]), {"x": np.array([1, -2], np.int64)}


def run(cli, path, inputs, out, *options):
    return subprocess.run([cli, "run", path, "--level", "disabled", "--inputs", inputs, "--outputs", out, *options],
                          capture_output=True, text=True, errors="replace", timeout=120)


def outputs_of(path):
    if str(path).endswith(".npz"):
        with np.load(path, allow_pickle=False) as archive:
            return {n: archive[n] for n in archive.files}
    return None


def compare(cli, library, scratch):
    problems, compared = [], 0
    for name, proto, inputs in cases():
        path, archive = scratch / "model.onnx", scratch / "inputs.npz"
        onnx.save(proto, path)
        np.savez(archive, **inputs)
        options = ort.SessionOptions()
        options.log_severity_level = 3
        options.register_custom_ops_library(str(library))
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        expected = dict(zip([o.name for o in session.get_outputs()], session.run(None, inputs)))
        for engine in ((), ("--engine", "onnxruntime", "--onnxruntime", ort.__path__[0])):
            out = scratch / f"out{compared}.npz"
            result = run(cli, path, archive, out, "--custom-ops", library, *engine)
            compared += 1
            if result.returncode:
                problems.append(f"{name} {engine}: {result.stderr.strip()}")
                continue
            found = outputs_of(out)
            for output, value in expected.items():
                if not np.array_equal(found.get(output), value):
                    problems.append(f"{name} {engine}: output {output}: {found.get(output)} where {value} was expected")
    return problems, compared


def wrong_operators(cli, library, scratch):
    problems = []
    np.savez(scratch / "inputs.npz", x=np.ones(2, np.float32))
    for op, words in (("Throws", "threw an exception: no kernel on Tuesdays"), ("Crashes", "crashed in operator"),
                      ("Aborts", "crashed in operator"), ("Asks", "it calls KernelContext_GetResource"),
                      ("Refuses", "it wants a better input")):
        path = scratch / f"{op}.onnx"
        onnx.save(model([node(op, ["x"], ["y"], domain=DOMAIN + ".wrong")], [("x", FLOAT, [2])], [("y", FLOAT, [2])]),
                  path)
        result = run(cli, path, scratch / "inputs.npz", scratch / "none.npz", "--custom-ops", library)
        if result.returncode == 0 or words not in result.stderr or f"{DOMAIN}.wrong::{op}" not in result.stderr:
            problems.append(f"{op}: {result.returncode}: {result.stderr.strip()}")
        else:
            print(f"  {op}: {result.stderr.strip().splitlines()[-1]}")
    return problems


def main():
    cli, library = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        problems, compared = compare(cli, library, scratch)
        problems += wrong_operators(cli, library, scratch)
    for problem in problems:
        print(problem)
    print(f"{compared} runs compared with ONNX Runtime {ort.__version__}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
