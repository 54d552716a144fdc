// SPDX-License-Identifier: Apache-2.0
// Sessions that round to float16 on convolutions of one tap over blocks of channels: they give what
// the same product gives as a MatMul, to the last bit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>

#include "kernels/vector/product/half_tiles.h"
#include "ops/channel_block.h"
#include "support/kernel_compare.h"

namespace lapidary {
namespace {

struct Pointwise {
    std::int64_t images, channels, height, width, filters;
    std::int64_t pixels() const { return height * width; }
    std::string sizes() const {
        return std::to_string(channels) + " channels, " + std::to_string(filters) + " filters, " +
               std::to_string(pixels()) + " pixels";
    }
};

/// [images, rows, columns] as [images, columns / 16, rows, 16], in the shape of an image.
Tensor in_channel_blocks(const Tensor& rows, const Pointwise& c) {
    const std::int64_t columns = rows.dim(2);
    Tensor blocks(DType::f32, {c.images, columns, c.height, c.width});
    const auto from = rows.data<float>();
    const auto to = blocks.mutable_data<float>();
    for (std::int64_t n = 0; n < c.images; ++n)
        for (std::int64_t i = 0; i < c.pixels(); ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                to[static_cast<std::size_t>(n * columns * c.pixels() +
                                            (j / 16 * c.pixels() + i) * 16 + j % 16)] =
                    from[static_cast<std::size_t>((n * c.pixels() + i) * columns + j)];
    return blocks;
}

/// [channels, filters] as filters in blocks.
Tensor filters_of(const Tensor& matrix) {
    const std::int64_t channels = matrix.dim(0), filters = matrix.dim(1);
    Tensor blocks(DType::f32, {filters, channels, 1, 1});
    const auto from = matrix.data<float>();
    const auto to = blocks.mutable_data<float>();
    for (std::int64_t k = 0; k < channels; ++k)
        for (std::int64_t n = 0; n < filters; ++n)
            to[static_cast<std::size_t>((n / 16 * channels + k) * 16 + n % 16)] =
                from[static_cast<std::size_t>(k * filters + n)];
    return blocks;
}

/// With these constants in place of those that the text makes up.
ModelPtr model_with(const std::string& text, const NamedValues& constants) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft.nchwc"] = 1;
    model->metadata.emplace_back(std::string(channel_block_key), "16");
    model->graph = parse_graph(text, {.opset = 20});
    GraphEdit edit(model->graph);
    for (const auto& [name, value] : constants)
        edit.set_constant(model->graph.find_value(name), value.tensor());
    return model;
}

Tensor result_of(const ModelPtr& model, const NamedValues& inputs, const char* compute) {
    SessionOptions options;
    options.resources.config[std::string(compute_key)] = compute;
    return Session::compile(model, options).run(inputs).outputs.at(0).second.tensor();
}

TEST(HalfConvolution, OfOneTapIsTheProduct) {
    for (const Pointwise& c : {Pointwise{2, 528, 5, 7, 144}, Pointwise{1, 80, 6, 8, 832}}) {
        SCOPED_TRACE(c.sizes());
        const std::string in = std::to_string(c.channels), out = std::to_string(c.filters),
                          n = std::to_string(c.images), pixels = std::to_string(c.pixels()),
                          size = std::to_string(c.height) + "," + std::to_string(c.width);
        const Tensor x = test::noise({c.images, c.pixels(), c.channels}, 1),
                     s = test::noise({c.images, c.pixels(), c.filters}, 2),
                     w = test::noise({c.channels, c.filters}, 3, 0.1f),
                     bias = test::noise({c.filters}, 4);
        const ModelPtr product =
            model_with("(x: f32[" + n + "," + pixels + "," + in + "], s: f32[" + n + "," + pixels +
                           "," + out + "]) -> (y)\na = MatMul(x, w: f32[" + in + "," + out +
                           "])\nb = Add(a, c: f32[" + out + "])\nd = Add(b, s)\ny = Relu(d)\n",
                       {{"w", w}, {"c", bias}});
        const ModelPtr convolution =
            model_with("(x: f32[" + n + "," + in + "," + size + "], s: f32[" + n + "," + out + "," +
                           size + "]) -> (y)\ny = com.microsoft.nchwc::Conv(x, w: f32[" + out +
                           "," + in + ",1,1], c: f32[" + out + "], s) {activation: \"Relu\"}\n",
                       {{"w", filters_of(w)}, {"c", bias}});
        const NamedValues rows{{"x", x}, {"s", s}},
            blocks{{"x", in_channel_blocks(x, c)}, {"s", in_channel_blocks(s, c)}};
        test::for_each_isa([&](Isa isa) {
            SCOPED_TRACE(name_of(isa));
            const Tensor found = result_of(convolution, blocks, "fp16");
            const Tensor expected = half_tile_kernels()
                                        ? in_channel_blocks(result_of(product, rows, "fp16"), c)
                                        : result_of(convolution, blocks, "exact");
            EXPECT_TRUE(same_contents(found, expected));
        });
    }
}

TEST(HalfConvolution, FiltersBeyondFloat16StayFloat) {
    const Pointwise c{1, 64, 8, 8, 64};
    Tensor w = test::noise({64, 64}, 3);
    w.mutable_data<float>()[5] = 1e6f;
    const ModelPtr model = model_with(
        "(x: f32[1,64,8,8]) -> (y)\ny = com.microsoft.nchwc::Conv(x, w: f32[64,64,1,1])\n",
        {{"w", filters_of(w)}});
    const NamedValues inputs{{"x", in_channel_blocks(test::noise({1, 64, 64}, 1), c)}};
    EXPECT_TRUE(same_contents(result_of(model, inputs, "fp16"), result_of(model, inputs, "exact")));
}

}  // namespace
}  // namespace lapidary
