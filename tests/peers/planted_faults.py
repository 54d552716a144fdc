# SPDX-License-Identifier: Apache-2.0
"""Forty faults that an export may have, each planted into a model of torch_networks.py.

FAULTS lists (network, what is wrong, function). The function changes the model and returns the names of the nodes that
a user would call the fault: one of them has to be named.
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Plant:
    """A model while a fault is planted."""

    def __init__(self, model):
        self.model, self.graph = model, model.graph

    def node(self, op, k=0, graph=None):
        return [node for node in (graph or self.graph).node if node.op_type == op][k]

    def readers(self, value):
        return {node.name for node in self.graph.node if value in node.input}

    def constant(self, name):
        return next(tensor for tensor in self.graph.initializer if tensor.name == name)

    def change(self, name, change):
        """Another content of an initializer."""
        tensor = self.constant(name)
        values = numpy_helper.to_array(tensor)
        tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(change(values)).astype(values.dtype), name))
        return self.readers(name)

    def add_constant(self, name, values):
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def set(self, node, **attributes):
        for name, value in attributes.items():
            kept = [attribute for attribute in node.attribute if attribute.name != name]
            del node.attribute[:]
            node.attribute.extend(kept)
            if value is not None:
                node.attribute.append(helper.make_attribute(name, value))
        return {node.name}

    def put(self, node, nodes):
        """These nodes instead of the one; names of those."""
        at = list(self.graph.node).index(node)
        rest = list(self.graph.node)
        rest[at:at + 1] = nodes
        del self.graph.node[:]
        self.graph.node.extend(rest)
        return {node.name for node in nodes}


def weight(name, change):
    return lambda plant: plant.change(name, change)


def attribute(op, k=0, **values):
    return lambda plant: plant.set(plant.node(op, k), **values)


def nudged(values):
    other = values.copy()
    other.reshape(-1)[::3] += 0.7
    return other


def weight_of(op, k, change, index=1):
    return lambda plant: plant.change(plant.node(op, k).input[index], change)


def operator(op, k, other, **attributes):
    """Another operator of the same inputs."""
    def change(plant):
        node = plant.node(op, k)
        node.op_type = other
        return plant.set(node, **attributes)
    return change


def without_bias(op, k):
    def change(plant):
        node = plant.node(op, k)
        del node.input[2:]
        return {node.name}
    return change


def without(op, k):
    """The node is left out; what it reads goes on. Named may be what comes next, too."""
    def change(plant):
        node = plant.node(op, k)
        names = {node.name} | plant.readers(node.output[0])
        for other in plant.graph.node:
            for i, name in enumerate(other.input):
                if name == node.output[0]:
                    other.input[i] = node.input[0]
        plant.graph.node.remove(node)
        return names
    return change


def swapped_inputs(op, k=0):
    def change(plant):
        node = plant.node(op, k)
        node.input[0], node.input[1] = node.input[1], node.input[0]
        return {node.name}
    return change


def floored_quantizer(k):
    """Rounds down where QuantizeLinear rounds to the nearest level."""
    def change(plant):
        node = plant.node("QuantizeLinear", k)
        scaled, down, shifted, cut = (f"{node.name}_{part}" for part in ("scaled", "down", "shifted", "cut"))
        zero = float(numpy_helper.to_array(plant.constant(node.input[2])))
        low = plant.add_constant(f"{cut}_low", np.float32(-128))
        high = plant.add_constant(f"{cut}_high", np.float32(127))
        return plant.put(node, [
            helper.make_node("Div", [node.input[0], node.input[1]], [scaled], scaled),
            helper.make_node("Floor", [scaled], [down], down),
            helper.make_node("Add", [down, plant.add_constant(f"{shifted}_by", np.float32(zero))], [shifted], shifted),
            helper.make_node("Clip", [shifted, low, high], [cut], cut),
            helper.make_node("Cast", [cut], list(node.output), node.name, to=TensorProto.INT8)])
    return change


def through_float16(op, k):
    """The node computes in float16, between two casts."""
    def change(plant):
        node = plant.node(op, k)
        before, inputs = [], []
        for i, name in enumerate(node.input):
            inputs.append(f"{node.name}_in_{i}")
            before.append(helper.make_node("Cast", [name], [inputs[-1]], inputs[-1], to=TensorProto.FLOAT16))
        narrow = helper.make_node(node.op_type, inputs, [f"{node.name}_narrow"], f"{node.name}_narrow")
        narrow.attribute.extend(node.attribute)
        after = helper.make_node("Cast", [f"{node.name}_narrow"], list(node.output), node.name, to=TensorProto.FLOAT)
        return plant.put(node, [*before, narrow, after])
    return change


def body_operator(op, k, other):
    def change(plant):
        node = plant.node(op, k, plant.node("Loop").attribute[0].g)
        node.op_type = other
        return {node.name}
    return change


def body_constant(plant):
    for node in plant.node("Loop").attribute[0].g.node:
        if node.op_type == "Constant":
            node.attribute[0].t.CopyFrom(numpy_helper.from_array(np.float32(0.2)))
            return {"/Mul", node.name}


def in_function(name, op, other=None, **attributes):
    """A node of a function; the call is named, or the node in it."""
    def change(plant):
        function = next(function for function in plant.model.functions if function.name == name)
        node = next(node for node in function.node if node.op_type == op)
        if other:
            node.op_type = other
        plant.set(node, **attributes)
        calls = {call.name for call in plant.graph.node if call.op_type == name}
        return calls | {f"{call}/{node.name}" for call in calls} | {node.name, *node.output}
    return change


def gates_exchanged(values):
    """Gates in the order of PyTorch, where ONNX has them in another."""
    i, o, f, c = np.split(values, 4, axis=1)
    return np.concatenate((i, f, c, o), axis=1)


def wrong_zero_point(plant):
    node = plant.node("DequantizeLinear", 0)
    zero = numpy_helper.to_array(plant.constant(node.input[2]))
    node.input[2] = plant.add_constant("other_zero_point", zero + np.int8(2))
    return {node.name}


FAULTS = [
    ("cnn", "weight of one layer changed", weight("blocks.1.conv.weight", nudged)),
    ("cnn", "bias dropped", without_bias("Conv", 2)),
    ("cnn", "slope of the activation", attribute("LeakyRelu", 1, alpha=0.2)),
    ("cnn", "padding counts in the average", attribute("AveragePool", count_include_pad=0)),
    ("cnn", "axis of the softmax", attribute("LogSoftmax", axis=0)),
    ("vit", "transposed weight", weight_of("MatMul", 2, np.transpose)),
    ("vit", "approximated GELU", attribute("Gelu", 1, approximate="tanh")),
    ("vit", "epsilon", attribute("LayerNormalization", 2, epsilon=0.1)),
    ("vit", "order of the concatenation", swapped_inputs("Concat")),
    ("vit", "scale of attention", weight_of("Div", 1, lambda values: values * 1.4)),
    ("bert", "wrong mask", weight_of("Mul", 0, lambda values: values * 0 - 0.5)),
    ("bert", "mask upside down", swapped_inputs("Sub")),
    ("bert", "mask left out of one layer", without("Add", 5)),
    ("bert", "row of the embeddings", weight("words.weight", lambda values: np.roll(values, 1, 0))),
    ("bert", "axis of the softmax", attribute("Softmax", 1, axis=1)),
    ("bert", "bias dropped", weight("layers.1.attention.v.bias", lambda values: values * 0)),
    ("gpt", "heads exchanged", attribute("Transpose", 4, perm=[0, 1, 2, 3])),
    ("gpt", "new keys before the cache", swapped_inputs("Concat", 2)),
    ("gpt", "weight of the last layer", weight_of("MatMul", -1, nudged)),
    ("gpt", "epsilon of the last norm", attribute("LayerNormalization", -1, epsilon=0.05)),
    ("gpt", "positions off by one", weight_of("Add", 0, lambda values: np.roll(values, 1, 0))),
    ("lstm", "gates exchanged", weight_of("LSTM", 1, gates_exchanged)),
    ("lstm", "bias of the recurrence dropped", weight_of("LSTM", 0, lambda values: values * 0, 3)),
    ("lstm", "runs backwards", attribute("LSTM", 1, direction="reverse")),
    ("unet", "coordinates of Resize", attribute("Resize", 0, coordinate_transformation_mode="asymmetric")),
    ("unet", "rounding of Resize", attribute("Resize", 1, nearest_mode="ceil")),
    ("unet", "inputs of the concatenation", swapped_inputs("Concat")),
    ("unet", "epsilon", attribute("InstanceNormalization", 0, epsilon=0.2)),
    ("unet", "kernel turned around", weight_of("ConvTranspose", 0, lambda values: values[:, :, ::-1, ::-1])),
    ("detector", "overflow of float16", through_float16("Mul", 3)),
    ("detector", "smallest scores", attribute("TopK", largest=0)),
    ("detector", "corner of the boxes", swapped_inputs("Sub")),
    ("detector", "bounds of Clip", weight_of("Clip", 0, lambda values: values * 0 + 0.05, 2)),
    ("loop", "activation of the body", body_operator("Tanh", 0, "Sigmoid")),
    ("loop", "constant of the body", body_constant),
    ("functions", "gate of a function", in_function("Silu", "Sigmoid", "HardSigmoid")),
    ("functions", "weight of one layer changed", weight_of("Gemm", 1, nudged)),
    ("int8", "quantizer rounds down", floored_quantizer(1)),
    ("int8", "scale of a quantizer", weight_of("QuantizeLinear", 2, lambda values: values * 1.25)),
    ("int8", "zero point of a dequantizer", wrong_zero_point),
]


def planted(path, change, to):
    """Writes the file with the fault; names of the nodes to be found."""
    model = onnx.load(path)
    names = change(Plant(model))
    onnx.save(model, to)
    return names
