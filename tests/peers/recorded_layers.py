# SPDX-License-Identifier: Apache-2.0
"""What resources/record/record.py records of Keras, of Flax and of functions of NumPy, JAX and TensorFlow: each layer
once, by its path, with what it gave.

    recorded_layers.py SOURCE CLI

A small model of each framework is run and recorded. Then a model with the same computation, whose nodes have the paths
as exporters write them, must agree with the recording, and one with a wrong weight must differ at that layer.

A framework that is not installed is left out with a message. Exit code 77 without onnx and NumPy: skipped.
"""
import functools
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


def functions_run(record, file, array, relu, is_compiled=lambda function: function):
    """Two calls of a function, each under its own path, in a function that is the model."""
    random = np.random.default_rng(5)
    parameters = [(random.standard_normal(shape).astype(np.float32), random.standard_normal(shape[1]).astype(np.float32))
                  for shape in ((4, 6), (6, 3))]

    def dense(x, part):
        return x @ array(part[0]) + array(part[1])

    hidden, head = (record.call(f"net/{name}", is_compiled(dense)) for name in ("hidden", "head"))

    def net(parameters, pixels):
        return head(relu(hidden(pixels, parameters[0])), parameters[1])

    model = record.call("", functools.partial(net, parameters))
    x = array(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
    before = np.asarray(model(x))
    with record.Recorder(model, file):
        during = np.asarray(model(x))
    if not np.allclose(before, during, rtol=1e-4, atol=1e-5):
        raise AssertionError("a recorded function computes something else")
    return [("net/hidden", *parameters[0]), ("net/head", *parameters[1])]


def numpy_run(record, file):
    return functions_run(record, file, np.asarray, lambda x: np.maximum(x, 0))


def jax_run(record, file):
    import jax
    return functions_run(record, file, jax.numpy.asarray, jax.nn.relu, jax.jit)


def tensorflow_run(record, file):
    import tensorflow
    return functions_run(record, file, tensorflow.convert_to_tensor, tensorflow.nn.relu)


def refusals(record, folder):
    """What is wrong with the errors for what cannot be recorded."""
    faults = []
    model = record.call("", lambda x: x)
    for what, text in ((lambda: record.Recorder(lambda x: x, folder / "n.npz"), "record.call"),
                       (lambda: record.Recorder(model, folder / "n.npz").__enter__().__exit__(None, None, None),
                        "the model was not called")):
        try:
            what()
            faults.append(f"no error that says {text}")
        except (TypeError, RuntimeError) as error:
            if text not in str(error):
                faults.append(f"{error} does not say {text}")
    if (folder / "n.npz").exists():
        faults.append("a recording of nothing was written")

    class Traced:
        dtype = "float32"

        def __array__(self, *_, **__):
            raise TypeError("it is traced")

    recording = record.Recording(folder / "n.npz")
    recording.module("layer", Traced())
    if "traced" not in recording.index["modules"][0]["outputs"][0].get("left_out", ""):
        faults.append("a traced value is not left out")
    return faults


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
        if len(found) != 1 or not found[0]["class"].lower().endswith("dense") or "recorded_layers.py:" not in found[0]["line"]:
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
        faults += refusals(record, pathlib.Path(folder))
        for name, run in (("numpy", numpy_run), ("keras", keras_run), ("flax", flax_run), ("jax", jax_run),
                          ("tensorflow", tensorflow_run)):
            try:
                __import__(name)
            except ImportError as missing:
                print(f"{name} is left out: the Python package {missing.name} is not installed")
                continue
            checked += 1
            faults += check(cli, record, name, run, pathlib.Path(folder))
    print("\n".join(faults) or f"{checked} frameworks checked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
