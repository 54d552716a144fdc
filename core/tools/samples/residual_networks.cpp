// SPDX-License-Identifier: Apache-2.0
// ResNet, MobileNetV2, ShuffleNet V2: classifiers with skip connections. BatchNorm is folded into
// the convolutions, as PyTorch's exporter does in eval mode.
#include "samples/model_builder.h"
#include "samples/sample_models.h"

namespace lapidary::samples {
namespace {

ValueId classify(ModelBuilder& m, ValueId x, const std::string& path, std::int64_t channels) {
    x = m.op("GlobalAveragePool", {x});
    x = m.op("Flatten", {x}, {attribute("axis", 1)});
    return m.linear(x, path, channels, 1000);
}

Model resnet(const std::string& name, const std::vector<int>& blocks, bool bottleneck,
             std::uint64_t seed) {
    ModelBuilder m(name, 13, seed);
    ValueId x = m.input("input", DType::f32, {batch(), 3, 224, 224});
    x = m.max_pool(m.op("Relu", {m.conv(x, "conv1", 3, 64, 7, 2)}), 3, 2, 1);
    std::int64_t in = 64;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        const std::string layer = "layer" + std::to_string(stage + 1);
        ModelBuilder::Scope layer_scope(m, layer);
        const std::int64_t width = std::int64_t{64} << stage, out = bottleneck ? 4 * width : width;
        for (int i = 0; i < blocks[stage]; ++i) {
            const std::string path = layer + "." + std::to_string(i);
            ModelBuilder::Scope scope(m, path);
            const std::int64_t stride = i == 0 && stage > 0 ? 2 : 1;
            ValueId y = x;
            if (bottleneck) {
                y = m.op("Relu", {m.conv(y, path + ".conv1", in, width, 1)});
                y = m.op("Relu", {m.conv(y, path + ".conv2", width, width, 3, stride)});
                y = m.conv(y, path + ".conv3", width, out, 1);
            } else {
                y = m.op("Relu", {m.conv(y, path + ".conv1", in, width, 3, stride)});
                y = m.conv(y, path + ".conv2", width, out, 3);
            }
            if (stride != 1 || in != out) {
                ModelBuilder::Scope down(m, "downsample");
                x = m.conv(x, path + ".downsample.0", in, out, 1, stride);
            }
            x = m.op("Relu", {m.op("Add", {y, x})});
            in = out;
        }
    }
    m.output(classify(m, x, "fc", in), "logits", DType::f32, {batch(), 1000});
    return m.finish();
}

}  // namespace

Model resnet18(std::uint64_t seed) { return resnet("resnet18", {2, 2, 2, 2}, false, seed); }
Model resnet50(std::uint64_t seed) { return resnet("resnet50", {3, 4, 6, 3}, true, seed); }

Model mobilenetv2(std::uint64_t seed) {
    ModelBuilder m("mobilenetv2", 13, seed);
    ValueId x = m.input("input", DType::f32, {batch(), 3, 224, 224});
    // ReLU6 as torchvision's exporter writes it: Clip with two Constant inputs.
    const auto relu6 = [&](ValueId v) { return m.op("Clip", {v, m.scalar(0), m.scalar(6)}); };
    struct Stage {
        std::int64_t expand, channels, repeat, stride;
    };
    constexpr Stage stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    ModelBuilder::Scope features(m, "features");
    {
        ModelBuilder::Scope scope(m, "features.0");
        x = relu6(m.conv(x, "features.0.0", 3, 32, 3, 2));
    }
    std::int64_t in = 32;
    int index = 1;
    for (const Stage& s : stages) {
        for (std::int64_t i = 0; i < s.repeat; ++i, ++index) {
            const std::string path = "features." + std::to_string(index);
            ModelBuilder::Scope scope(m, path);
            const std::int64_t stride = i == 0 ? s.stride : 1, hidden = in * s.expand;
            ValueId y = x;
            if (s.expand != 1) y = relu6(m.conv(y, path + ".conv.0.0", in, hidden, 1));
            y = relu6(m.conv(y, path + ".conv.1.0", hidden, hidden, 3, stride, hidden));
            y = m.conv(y, path + ".conv.2", hidden, s.channels, 1);
            x = stride == 1 && in == s.channels ? m.op("Add", {x, y}) : y;
            in = s.channels;
        }
    }
    {
        ModelBuilder::Scope scope(m, "features.18");
        x = relu6(m.conv(x, "features.18.0", 320, 1280, 1));
    }
    m.output(classify(m, x, "classifier.1", 1280), "logits", DType::f32, {batch(), 1000});
    return m.finish();
}

Model shufflenet(std::uint64_t seed) {
    ModelBuilder m("shufflenet", 13, seed);
    ValueId x = m.input("input", DType::f32, {1, 3, 224, 224});
    const auto relu = [&](ValueId v) { return m.op("Relu", {v}); };
    x = m.max_pool(relu(m.conv(x, "conv1.0", 3, 24, 3, 2)), 3, 2, 1);
    const auto shuffle = [&](ValueId v, std::int64_t channels, std::int64_t size) {
        v = m.op("Reshape", {v, m.ints({1, 2, channels / 2, size, size})});
        v = m.op("Transpose", {v}, {list("perm", {0, 2, 1, 3, 4})});
        return m.op("Reshape", {v, m.ints({1, -1, size, size})});
    };
    std::int64_t in = 24, size = 56;
    constexpr std::int64_t widths[] = {116, 232, 464};
    constexpr int repeats[] = {4, 8, 4};
    for (int stage = 0; stage < 3; ++stage) {
        const std::string layer = "stage" + std::to_string(stage + 2);
        ModelBuilder::Scope layer_scope(m, layer);
        const std::int64_t out = widths[stage], half = out / 2;
        for (int i = 0; i < repeats[stage]; ++i) {
            const std::string path = layer + "." + std::to_string(i);
            ModelBuilder::Scope scope(m, path);
            const std::int64_t stride = i == 0 ? 2 : 1;
            ValueId left = x, right = x;
            std::int64_t right_in = in;
            if (i == 0) {
                size /= 2;
                ModelBuilder::Scope branch(m, "branch1");
                left = m.conv(left, path + ".branch1.0", in, in, 3, 2, in);
                left = relu(m.conv(left, path + ".branch1.2", in, half, 1));
            } else {
                const auto parts =
                    m.ops("Split", {x, m.ints({half, half})}, {attribute("axis", 1)}, 2);
                left = parts[0];
                right = parts[1];
                right_in = half;
            }
            {
                ModelBuilder::Scope branch(m, "branch2");
                right = relu(m.conv(right, path + ".branch2.0", right_in, half, 1));
                right = m.conv(right, path + ".branch2.3", half, half, 3, stride, half);
                right = relu(m.conv(right, path + ".branch2.5", half, half, 1));
            }
            x = shuffle(m.op("Concat", {left, right}, {attribute("axis", 1)}), out, size);
            in = out;
        }
    }
    x = relu(m.conv(x, "conv5.0", in, 1024, 1));
    x = m.op("ReduceMean", {x}, {list("axes", {2, 3}), attribute("keepdims", 0)});
    m.output(m.linear(x, "fc", 1024, 1000), "logits", DType::f32, {1, 1000});
    return m.finish();
}

}  // namespace lapidary::samples
