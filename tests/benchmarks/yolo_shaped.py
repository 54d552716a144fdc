# SPDX-License-Identifier: Apache-2.0
"""Writes a detector shaped like a small YOLO, with seeded random weights.

    yolo_shaped.py FILE.onnx [--size 320]

Five convolutions of stride 2 with SiLU (Sigmoid and Mul, as exporters write it), blocks that split, convolve and join,
pooling at three sizes, two enlargements to the nearest with joins, and three heads whose boxes are expectations over 16
bins. Input `images` f32 [1, 3, size, size]; output `detections` f32 [1, 4 + 20 classes, places].
Needs the Python packages numpy and onnx.
"""
import argparse
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CLASSES, BINS = 20, 16


class Network:
    """Nodes and weights as they are added."""

    def __init__(self):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(1)

    def constant(self, values, name):
        self.weights.append(numpy_helper.from_array(np.asarray(values), f"{name}_{len(self.weights)}"))
        return self.weights[-1].name

    def node(self, operator, inputs, outputs=1, **attributes):
        names = [f"{operator.lower()}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, name=f"{operator}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def conv(self, x, channels, filters, size=1, stride=1, activated=True):
        weight = self.random.standard_normal((filters, channels, size, size)) * np.sqrt(2 / (channels * size * size))
        bias = self.random.standard_normal(filters) * 0.02
        y = self.node("Conv", [x, self.constant(weight.astype(np.float32), "weight"),
                               self.constant(bias.astype(np.float32), "bias")],
                      kernel_shape=[size, size], strides=[stride, stride], pads=[size // 2] * 4)
        return self.node("Mul", [y, self.node("Sigmoid", [y])]) if activated else y

    def split_block(self, x, channels, filters, adds):
        """A convolution, whose halves go on: one as it is, the other through two more, and all of it is joined."""
        half = filters // 2
        parts = self.node("Split", [self.conv(x, channels, filters)], 2, axis=1)
        y = self.conv(self.conv(parts[1], half, half, 3), half, half, 3)
        if adds:
            y = self.node("Add", [parts[1], y])
        return self.conv(self.node("Concat", [*parts, y], axis=1), 3 * half, filters)

    def pooled(self, x, channels):
        steps = [self.conv(x, channels, channels // 2)]
        for _ in range(3):
            steps.append(self.node("MaxPool", [steps[-1]], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
        return self.conv(self.node("Concat", steps, axis=1), 2 * channels, channels)

    def enlarged(self, x):
        scales = self.constant(np.array([1, 1, 2, 2], np.float32), "scales")
        return self.node("Resize", [x, "", scales], mode="nearest", nearest_mode="floor",
                         coordinate_transformation_mode="asymmetric")

    def head(self, x, channels, places):
        """Four expectations over bins, and the classes."""
        boxes = self.conv(self.conv(x, channels, 64, 3), 64, 4 * BINS, activated=False)
        classes = self.conv(self.conv(x, channels, 64, 3), 64, CLASSES, activated=False)
        flat = lambda y, *shape: self.node("Reshape", [y, self.constant(np.array(shape, np.int64), "shape")])
        share = self.node("Softmax", [self.node("Transpose", [flat(boxes, 1, 4, BINS, places)], perm=[0, 1, 3, 2])],
                          axis=-1)
        bins = self.constant(np.arange(BINS, dtype=np.float32)[:, None], "bins")
        edges = flat(self.node("MatMul", [share, bins]), 1, 4, places)
        return self.node("Concat", [edges, self.node("Sigmoid", [flat(classes, 1, CLASSES, places)])], axis=1)


def model_of(size):
    net = Network()
    x = net.conv(net.conv("images", 3, 16, 3, 2), 16, 32, 3, 2)
    third = net.split_block(net.conv(net.split_block(x, 32, 32, True), 32, 64, 3, 2), 64, 64, True)
    fourth = net.split_block(net.conv(third, 64, 128, 3, 2), 128, 128, True)
    fifth = net.pooled(net.split_block(net.conv(fourth, 128, 256, 3, 2), 256, 256, True), 256)
    middle = net.split_block(net.node("Concat", [net.enlarged(fifth), fourth], axis=1), 384, 128, False)
    fine = net.split_block(net.node("Concat", [net.enlarged(middle), third], axis=1), 192, 64, False)
    middle = net.split_block(net.node("Concat", [net.conv(fine, 64, 64, 3, 2), middle], axis=1), 192, 128, False)
    coarse = net.split_block(net.node("Concat", [net.conv(middle, 128, 128, 3, 2), fifth], axis=1), 384, 256, False)
    heads = [net.head(x, channels, (size // step)**2)
             for x, channels, step in ((fine, 64, 8), (middle, 128, 16), (coarse, 256, 32))]
    net.nodes.append(helper.make_node("Concat", heads, ["detections"], name="join_heads", axis=2))
    places = sum((size // step)**2 for step in (8, 16, 32))
    graph = helper.make_graph(
        net.nodes, "yolo_shaped", [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, size, size])],
        [helper.make_tensor_value_info("detections", TensorProto.FLOAT, [1, 4 + CLASSES, places])], net.weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 8
    onnx.checker.check_model(made, full_check=True)
    return made


def write(path, size=320):
    onnx.save(model_of(size), str(path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--size", type=int, default=320, help="pixels of a side, a multiple of 32")
    options = parser.parse_args()
    write(options.file, options.size)


if __name__ == "__main__":
    main()
