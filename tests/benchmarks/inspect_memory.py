# SPDX-License-Identifier: Apache-2.0
"""Peak memory of looking inside a model, against plain runs of it.

    inspect_memory.py CLI [--blocks N] [--width N] [--rows N] [--onnxruntime PATH] [--keep FOLDER]

Writes a network of five nodes a block, of which every first half's values are read again in the second half, and the
same network with one weight changed; as given 2,000 nodes and 400 MB of weights. Measured are the peaks of processes:
`run` of both, `inspect` of every value, `diverge` of both, and with --onnxruntime `diverge --engine onnxruntime`.
Exit code 1 where inspect takes more than 1.5 times a plain run, diverge more than 1.5 times the sum of both, or
diverge runs models more than four times. Exit code 77 when the Python package onnx is not installed: skipped.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ALLOWED = 1.5


def network(path, blocks, width, rows, changed=None):
    """Blocks of MatMul, Add, Relu, Mul, Add; block i of the second half adds a value of the first half."""
    random = np.random.default_rng(7)
    nodes, weights, skips, value = [], [], [], "x"

    def weight(name, shape, scale):
        weights.append(numpy_helper.from_array((random.standard_normal(shape) * scale).astype(np.float32), name))
        return name

    for i in range(blocks):
        w = weight(f"w{i}", (width, width), width ** -0.5)
        if i == changed:
            values = numpy_helper.to_array(weights[-1]).copy()
            values[0] += 0.5
            weights[-1].CopyFrom(numpy_helper.from_array(values, w))
        b = weight(f"b{i}", (width,), 0.1)
        nodes += [helper.make_node("MatMul", [value, w], [f"p{i}"], f"/block.{i}/MatMul"),
                  helper.make_node("Add", [f"p{i}", b], [f"s{i}"], f"/block.{i}/Add"),
                  helper.make_node("Relu", [f"s{i}"], [f"r{i}"], f"/block.{i}/Relu"),
                  helper.make_node("Mul", [f"r{i}", "half"], [f"m{i}"], f"/block.{i}/Mul")]
        if i < blocks // 2:
            skips.append(f"m{i}")
            other = value
        else:
            other = skips.pop() if skips else value
        nodes.append(helper.make_node("Add", [f"m{i}", other], [f"y{i}"], f"/block.{i}/Sum"))
        value = f"y{i}"
    weights.append(numpy_helper.from_array(np.float32(0.5), "half"))
    nodes[-1].output[0] = "y"
    graph = helper.make_graph(nodes, "blocks", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, width])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, width])], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def peak_of(arguments, codes=(0,)):
    """Peak memory of the process in bytes, and what it printed. Exits where its exit code is none of these."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([str(argument) for argument in arguments], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if process.returncode not in codes:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {process.returncode}")
    return usage.ru_maxrss * 1024, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("--blocks", type=int, default=400)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--onnxruntime", help="its library, folder or interpreter")
    parser.add_argument("--keep", help="a folder for the networks")
    given = parser.parse_args()
    folder = tempfile.TemporaryDirectory() if not given.keep else None
    place = pathlib.Path(given.keep or folder.name)
    place.mkdir(parents=True, exist_ok=True)
    a, b = place / "a.onnx", place / "b.onnx"
    # In processes that end: the peak of a child is at least what its parent held when it was started.
    for path, changed in (a, None), (b, given.blocks // 3):
        writer = multiprocessing.Process(target=network, args=(path, given.blocks, given.width, given.rows, changed))
        writer.start()
        writer.join()
        if writer.exitcode:
            return 1
    print(f"{5 * given.blocks} nodes, {a.stat().st_size / 1e6:.0f} MB")
    faults = []

    def measure(what, arguments, plain=None, codes=(0,)):
        peak, text = peak_of([given.cli, *arguments], codes)
        share = f"  {peak / plain:.2f} of the plain run{'s' if what.startswith('diverge') else ''}" if plain else ""
        print(f"{what:34} {peak / 1e6:8.0f} MB{share}", flush=True)
        if plain and peak > ALLOWED * plain:
            faults.append(f"{what}: more than {ALLOWED} times")
        return peak, text

    def runs(what, text, most_engine=None):
        found = json.loads(text)
        print(f"{'':34} {found['runs']} runs, {found.get('engine_runs', 0)} of the engine; "
              f"{found['verdict']}; {found['causes'][0]['node_a'] if found['causes'] else 'no cause'}")
        if found["runs"] > 4:
            faults.append(f"{what}: {found['runs']} runs")
        if [cause["node_a"] for cause in found["causes"][:1]] not in ([], [f"/block.{given.blocks // 3}/MatMul"]):
            faults.append(f"{what}: names another node")

    # As inspect and diverge run models: as the file has them, one kernel per node.
    plain = ["--level", "disabled", "--session-passes", "off"]
    of_a, _ = measure("run A", ["run", a, *plain])
    of_b, _ = measure("run B", ["run", b, *plain])
    measure("run A, level all", ["run", a])
    measure("inspect, all values", ["inspect", a, "--value", "*", "--json"], of_a)
    measure("inspect, one value", ["inspect", a, "--value", "r7", "--json"], of_a)
    _, text = measure("diverge A A, level disabled, all",
                      ["diverge", a, "--level", "disabled", "--level", "all", "--json"], 2 * of_a)
    runs("diverge of levels", text)
    _, text = measure("diverge A B", ["diverge", a, b, "--json"], of_a + of_b, (1,))
    runs("diverge", text)
    if given.onnxruntime:
        engine = ["--engine", "onnxruntime", "--onnxruntime", given.onnxruntime]
        of_engine, _ = measure("run A, ONNX Runtime", ["run", a, "--level", "disabled", *engine])
        _, text = measure("diverge A B, ONNX Runtime runs B", ["diverge", a, b, *engine, "--json"],
                          of_a + of_engine, (1,))
        runs("diverge in an engine", text)
    for fault in faults:
        print(f"FAILED  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
