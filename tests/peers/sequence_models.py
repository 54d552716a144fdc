# SPDX-License-Identifier: Apache-2.0
"""Models over sequences with samples, made here: those that quantizers of other tools are good at.

`CASES` holds by name a function that gives the model, samples that give ranges and samples that judge. Weights are
random, but for the last layer, which is fitted to a target (ridge regression): its weights then differ in size as
trained ones do.
"""
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper


def features(model, feeds, name):
    """[samples, features]: a value of the model."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.output[:]
    copy.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    run = ort.InferenceSession(copy.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.concatenate([run.run(None, feed)[0].reshape(1, -1) for feed in feeds])


def fitted(x, wanted):
    """Weight [features, targets] and bias of the ridge regression."""
    mean = x.mean(0)
    centred = x - mean
    gram = centred.T @ centred + 1e-2 * np.trace(centred.T @ centred) / x.shape[1] * np.eye(x.shape[1])
    weight = np.linalg.solve(gram, centred.T @ (wanted - wanted.mean(0)))
    return weight.astype(np.float32), (wanted.mean(0) - mean @ weight).astype(np.float32)


def built(nodes, constants, inputs, outputs):
    graph = helper.make_graph(nodes, "sequence", inputs, outputs,
                              [numpy_helper.from_array(np.ascontiguousarray(v), k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model)


def replaced(model, **constants):
    for tensor in model.graph.initializer:
        if tensor.name in constants:
            tensor.CopyFrom(numpy_helper.from_array(constants[tensor.name], tensor.name))
    return model


def lstm_encoder(seed=0, words=800, width=64, hidden=96, targets=32, layers=1):
    """Tokens to a vector: an embedding, a bidirectional LSTM, the mean over time, a linear layer."""
    random = np.random.default_rng(seed)
    # Frequent words have longer vectors than rare ones.
    sizes = np.exp(random.normal(0, 0.5, (words, 1)))
    constants = {"table": (random.normal(0, 0.4, (words, width)) * sizes).astype(np.float32)}
    nodes = [helper.make_node("Gather", ["table", "tokens"], ["embedded"], "embedding"),
             helper.make_node("Transpose", ["embedded"], ["x0"], "by_time", perm=[1, 0, 2])]
    for i in range(layers):
        inner = width if i == 0 else 2 * hidden
        spread = np.exp(random.normal(0, 0.6, (2, 4 * hidden, 1)))
        constants[f"w{i}"] = (random.normal(0, 1 / np.sqrt(inner), (2, 4 * hidden, inner)) * spread).astype(np.float32)
        constants[f"r{i}"] = random.normal(0, 1 / np.sqrt(hidden), (2, 4 * hidden, hidden)).astype(np.float32)
        constants[f"b{i}"] = random.normal(0, 0.1, (2, 8 * hidden)).astype(np.float32)
        constants["joined"] = np.array([0, 0, 2 * hidden], np.int64)
        nodes += [helper.make_node("LSTM", [f"x{i}", f"w{i}", f"r{i}", f"b{i}"], [f"y{i}"], f"lstm{i}",
                                   hidden_size=hidden, direction="bidirectional"),
                  helper.make_node("Transpose", [f"y{i}"], [f"t{i}"], f"directions{i}", perm=[0, 2, 1, 3]),
                  helper.make_node("Reshape", [f"t{i}", "joined"], [f"x{i + 1}"], f"join{i}")]
    constants["weight"] = np.zeros((2 * hidden, targets), np.float32)
    constants["bias"] = np.zeros(targets, np.float32)
    nodes += [helper.make_node("ReduceMean", [f"x{layers}"], ["mean"], "mean", axes=[0], keepdims=0),
              helper.make_node("Gemm", ["mean", "weight", "bias"], ["code"], "head")]
    model = built(nodes, constants, [helper.make_tensor_value_info("tokens", TensorProto.INT64, ["batch", "length"])],
                  [helper.make_tensor_value_info("code", TensorProto.FLOAT, ["batch", targets])])

    def feeds(count):
        return [{"tokens": np.minimum(random.zipf(1.3, (1, random.integers(6, 24))), words) - 1} for _ in range(count)]
    fitting = feeds(400)
    wanted = np.stack([np.cos(np.outer(feed["tokens"][0], np.arange(1, targets + 1))).mean(0) for feed in fitting])
    weight, bias = fitted(features(model, fitting, "mean"), wanted)
    return replaced(model, weight=weight, bias=bias), feeds(32), feeds(60)


def stacked_lstm_encoder():
    return lstm_encoder(seed=1, words=400, width=48, hidden=64, targets=16, layers=2)


def sensor_windows(random, count, window, sensors):
    """Sensors of an engine that wears out: ranges differ a thousandfold, most drift a little."""
    scale = 10.0**random.uniform(-1.5, 1.5, sensors)
    drift, offset = random.normal(0, 1, sensors), random.normal(2, 1, sensors)
    wear = random.uniform(0, 1, count)
    time = np.linspace(0, 0.1, window)[:, None]
    found = [(offset + drift * (w + time) + random.normal(0, 0.15, (window, sensors))) * scale for w in wear]
    return np.stack(found).astype(np.float32)[:, None], wear


def remaining_life(seed=0, window=20, sensors=20, channels=10, unit_scale=False):
    """Convolutions along the time of a window of sensors, then two linear layers to one figure."""
    random = np.random.default_rng(seed)
    data, wear = sensor_windows(random, 800, window, sensors)
    if unit_scale:
        data = (data - data.min((0, 2), keepdims=True)) / np.ptp(data, (0, 2), keepdims=True).clip(1e-6)
    constants, nodes, value = {}, [], "window"
    sizes = [1, channels, channels, channels, channels, 1]
    for i, (inner, outer) in enumerate(zip(sizes, sizes[1:])):
        kernel = 3 if outer == 1 else 10
        constants[f"w{i}"] = random.normal(0, np.sqrt(2 / (inner * kernel)), (outer, inner, kernel, 1)) \
            .astype(np.float32)
        constants[f"b{i}"] = random.normal(0, 0.05, outer).astype(np.float32)
        pads = [(kernel - 1) // 2, 0, kernel // 2, 0]
        nodes += [helper.make_node("Conv", [value, f"w{i}", f"b{i}"], [f"c{i}"], f"conv{i}", pads=pads),
                  helper.make_node("Relu", [f"c{i}"], [f"a{i}"], f"relu{i}")]
        value = f"a{i}"
    flat = window * sensors
    constants |= {"dense": random.normal(0, np.sqrt(2 / flat), (100, flat)).astype(np.float32),
                  "dense_bias": random.normal(0, 0.05, 100).astype(np.float32),
                  "weight": np.zeros((100, 1), np.float32), "bias": np.zeros(1, np.float32)}
    nodes += [helper.make_node("Flatten", [value], ["flat"], "flatten"),
              helper.make_node("Gemm", ["flat", "dense", "dense_bias"], ["d"], "dense", transB=1),
              helper.make_node("Relu", ["d"], ["da"], "relu_dense"),
              helper.make_node("Gemm", ["da", "weight", "bias"], ["life"], "head")]
    model = built(nodes, constants,
                  [helper.make_tensor_value_info("window", TensorProto.FLOAT, ["batch", 1, window, sensors])],
                  [helper.make_tensor_value_info("life", TensorProto.FLOAT, ["batch", 1])])
    all_feeds = [{"window": data[i:i + 1]} for i in range(len(data))]
    wanted = (100 * (1 - wear))[:, None]
    weight, bias = fitted(features(model, all_feeds[:600], "da"), wanted[:600])
    return replaced(model, weight=weight, bias=bias), all_feeds[600:664], all_feeds[664:]


CASES = {
    "lstm-encoder": lstm_encoder,
    "lstm-encoder-2": stacked_lstm_encoder,
    "remaining-life": remaining_life,
    "remaining-life-unit": lambda: remaining_life(seed=3, unit_scale=True),
}
