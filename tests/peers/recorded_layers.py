# SPDX-License-Identifier: Apache-2.0
"""What resources/record/record.py records of Keras and of Flax: each layer once, by its path, with what it gave.

    recorded_layers.py SOURCE CLI

A small model of each framework is run and recorded. Then a model with the same computation, whose nodes have the paths
as exporters write them, must agree with the recording, and one with a wrong weight must differ at that layer.

A framework that is not installed is left out with a message. Exit code 77 when none is: skipped.
"""
import json
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


def keras_run(record, file):
    """Runs a model of two layers; path, weight and bias of each."""
    if "KERAS_BACKEND" not in os.environ:
        for backend, package in (("tensorflow", "tensorflow"), ("torch", "torch"), ("jax", "jax")):
            try:
                __import__(package)
                os.environ["KERAS_BACKEND"] = backend
                break
            except ImportError:
                continue
    import keras
    keras.utils.set_random_seed(5)
    given = keras.Input((4,), name="pixels")
    hidden = keras.layers.Dense(6, activation="relu", name="hidden", bias_initializer="glorot_uniform")(given)
    model = keras.Model(given, keras.layers.Dense(3, name="head")(hidden), name="net")
    with record.Recorder(model, file):
        model(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
    return [(f"net/{name}", *model.get_layer(name).get_weights()) for name in ("hidden", "head")]


def flax_run(record, file):
    import flax.linen
    import jax

    class Net(flax.linen.Module):
        @flax.linen.compact
        def __call__(self, pixels):
            x = flax.linen.relu(flax.linen.Dense(6, name="hidden")(pixels))
            return flax.linen.Dense(3, name="head")(x)

    model, x = Net(), np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
    variables = model.init(jax.random.PRNGKey(5), x)
    with record.Recorder(model, file):
        model.apply(variables, x)
    return [(f"net/{name}", np.asarray(part["kernel"]), np.asarray(part["bias"]))
            for name, part in ((name, variables["params"][name]) for name in ("hidden", "head"))]


def save_model(layers, path, is_relu_inside):
    """The two layers as ONNX; ReLU belongs to the first layer where the framework counts it there."""
    nodes, constants, last = [], [], "pixels"
    for k, (scope, weight, bias) in enumerate(layers):
        constants += [numpy_helper.from_array(weight, f"w{k}"), numpy_helper.from_array(bias, f"b{k}")]
        nodes += [helper.make_node("MatMul", [last, f"w{k}"], [f"m{k}"], f"{scope}/MatMul"),
                  helper.make_node("Add", [f"m{k}", f"b{k}"], [f"a{k}"], f"{scope}/Add")]
        last = f"a{k}"
        if k == 0:
            nodes.append(helper.make_node("Relu", [last], ["r"], f"{scope}/Relu" if is_relu_inside else "net/Relu"))
            last = "r"
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, [2, 4])],
                              [helper.make_tensor_value_info(last, TensorProto.FLOAT, [2, 3])], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def diverge(cli, path, recording):
    done = subprocess.run([cli, "diverge", path, "--recorded", recording, "--json"], capture_output=True, text=True,
                          timeout=120)
    if done.returncode not in (0, 1):
        return {"verdict": done.stderr.strip(), "recording": {"modules": []}}
    return json.loads(done.stdout)


def check(cli, record, name, run, folder):
    """What is wrong; nothing where the framework is recorded as it should be."""
    recording, path = folder / f"{name}.npz", folder / f"{name}.onnx"
    layers = run(record, recording)
    index = json.loads(np.load(recording)["index"].tobytes())
    print(f"{name}: {index['framework']}, {[module['path'] for module in index['modules']]}")
    faults = []
    if not index["framework"].startswith(name) or len(index["inputs"]) != 1 or len(index["outputs"]) != 1:
        faults.append(f"{name}: {({key: index[key] for key in ('framework', 'inputs', 'outputs')})}")
    for scope in ("hidden", "head"):
        found = [module for module in index["modules"] if module["path"].split("/")[-1] == scope]
        if len(found) != 1 or not found[0]["class"].endswith("Dense") or "recorded_layers.py:" not in found[0]["line"]:
            faults.append(f"{name}: of {scope} there is {found}")
    save_model(layers, path, name == "keras")
    found = diverge(cli, path, recording)
    states = [module["state"] for module in found["recording"]["modules"]]
    if found["verdict"] != "same" or states.count("agrees") < 2:
        faults.append(f"{name}: the same model is said to be {found['verdict']}, {states}")
    scope, weight, bias = layers[1]
    save_model([layers[0], (scope, weight + 1, bias)], path, name == "keras")
    found = diverge(cli, path, recording)
    first = found["recording"].get("first")
    named = found["recording"]["modules"][first]["path"] if first is not None else found["verdict"]
    if named.split("/")[-1] != "head" or f"{scope}/MatMul" not in found["recording"]["suspects"]:
        faults.append(f"{name}: head is broken, {named} is named, {found['recording'].get('suspects')}")
    return faults


def main():
    source, cli = pathlib.Path(sys.argv[1]), sys.argv[2]
    sys.path.insert(0, str(source / "resources" / "record"))
    import record
    faults, checked = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, run in (("keras", keras_run), ("flax", flax_run)):
            try:
                __import__(name)
            except ImportError as missing:
                print(f"{name} is left out: the Python package {missing.name} is not installed")
                continue
            checked += 1
            faults += check(cli, record, name, run, pathlib.Path(folder))
    if checked == 0:
        print("skipped: neither Keras nor Flax is installed")
        return 77
    print("\n".join(faults) or f"{checked} frameworks checked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
