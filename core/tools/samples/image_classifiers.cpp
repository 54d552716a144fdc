// SPDX-License-Identifier: Apache-2.0
// Plain feed-forward classifiers: MLP, LeNet, SqueezeNet.
#include "samples/model_builder.h"
#include "samples/sample_models.h"

namespace lapidary::samples {
namespace {}  // namespace

Model mlp(std::uint64_t seed) {
    ModelBuilder m("mlp", 17, seed);
    ValueId x = m.input("input", DType::f32, {batch(), 784});
    const std::int64_t sizes[] = {784, 256, 128, 10};
    for (int i = 0; i < 3; ++i) {
        {
            ModelBuilder::Scope scope(m, "layers." + std::to_string(2 * i));
            x = m.linear(x, "layers." + std::to_string(2 * i), sizes[i], sizes[i + 1]);
        }
        if (i == 2) break;
        ModelBuilder::Scope scope(m, "layers." + std::to_string(2 * i + 1));
        x = m.op("Relu", {x});
    }
    m.output(x, "logits", DType::f32, {batch(), 10});
    return m.finish();
}

Model lenet(std::uint64_t seed) {
    ModelBuilder m("lenet", 17, seed);
    ValueId x = m.input("input", DType::f32, {batch(), 1, 28, 28});
    x = m.max_pool(m.op("Relu", {m.conv(x, "conv1", 1, 6, 5)}), 2, 2, 0);
    {
        const ValueId w = m.weight("conv2.weight", {16, 6, 5, 5}, 0.11f),
                      b = m.weight("conv2.bias", {16}, 0.05f);
        ModelBuilder::Scope scope(m, "conv2");
        x = m.op(
            "Conv", {x, w, b},
            {list("kernel_shape", {5, 5}), list("pads", {0, 0, 0, 0}), list("strides", {1, 1})});
    }
    x = m.max_pool(m.op("Relu", {x}), 2, 2, 0);
    x = m.op("Flatten", {x}, {attribute("axis", 1)});
    x = m.op("Relu", {m.linear(x, "fc1", 400, 120)});
    x = m.op("Relu", {m.linear(x, "fc2", 120, 84)});
    m.output(m.linear(x, "fc3", 84, 10), "logits", DType::f32, {batch(), 10});
    return m.finish();
}

Model squeezenet(std::uint64_t seed) {
    ModelBuilder m("squeezenet", 13, seed);
    ValueId x = m.input("input", DType::f32, {batch(), 3, 224, 224});
    const auto fire = [&](ValueId in, int index, std::int64_t channels, std::int64_t squeeze,
                          std::int64_t expand) {
        const std::string path = "features." + std::to_string(index);
        ModelBuilder::Scope scope(m, path);
        const ValueId s = m.op("Relu", {m.conv(in, path + ".squeeze", channels, squeeze, 1)});
        const ValueId a = m.op("Relu", {m.conv(s, path + ".expand1x1", squeeze, expand, 1)});
        const ValueId b = m.op("Relu", {m.conv(s, path + ".expand3x3", squeeze, expand, 3)});
        return m.op("Concat", {a, b}, {attribute("axis", 1)});
    };
    {
        ModelBuilder::Scope scope(m, "features");
        const ValueId w = m.weight("features.0.weight", {64, 3, 3, 3}, 0.27f),
                      b = m.weight("features.0.bias", {64}, 0.05f);
        x = m.op(
            "Conv", {x, w, b},
            {list("kernel_shape", {3, 3}), list("pads", {0, 0, 0, 0}), list("strides", {2, 2})});
        x = m.max_pool(m.op("Relu", {x}), 3, 2, 0, true);
        x = fire(fire(x, 3, 64, 16, 64), 4, 128, 16, 64);
        x = m.max_pool(x, 3, 2, 0, true);
        x = fire(fire(x, 6, 128, 32, 128), 7, 256, 32, 128);
        x = m.max_pool(x, 3, 2, 0, true);
        x = fire(fire(x, 9, 256, 48, 192), 10, 384, 48, 192);
        x = fire(fire(x, 11, 384, 64, 256), 12, 512, 64, 256);
    }
    ModelBuilder::Scope scope(m, "classifier");
    x = m.op("Relu", {m.conv(x, "classifier.1", 512, 1000, 1)});
    x = m.op("GlobalAveragePool", {x});
    m.output(m.op("Flatten", {x}, {attribute("axis", 1)}), "logits", DType::f32, {batch(), 1000});
    return m.finish();
}

}  // namespace lapidary::samples
