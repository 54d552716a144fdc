// SPDX-License-Identifier: Apache-2.0
// Convolutions in bfloat16: how they are cut, by plain code on every CPU, and whole sessions. The
// reference kernel gets operands that were rounded before, so that only the order of sums differs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>

#include "base/threads/session_threads.h"
#include "core/kernels/convolution/plain_bf16_convolution.h"
#include "kernels/convolution/bf16_planes.h"
#include "ops/channel_block.h"
#include "ops/geometry/window.h"
#include "support/kernel_compare.h"

namespace lapidary {
namespace {

struct Case {
    std::int64_t images, channels, filters, height, width, kernel[2];
    std::vector<std::int64_t> strides, pads;  // begin of both axes, end of both
    std::int64_t dilation = 1;
    std::string activation = {};
    bool has_bias = true, has_sum = false;

    std::string text() const {
        return std::to_string(images) + " of " + std::to_string(channels) + " to " +
               std::to_string(filters) + ", " + std::to_string(height) + " x " +
               std::to_string(width) + ", taps " + std::to_string(kernel[0]) + " x " +
               std::to_string(kernel[1]) + ", strides " + to_string(strides) + ", pads " +
               to_string(pads) + ", dilation " + std::to_string(dilation) + " " + activation;
    }
    WindowAxis axis(std::size_t i) const {
        const WindowAttributes window{.kernel = {kernel[0], kernel[1]},
                                      .strides = strides,
                                      .dilations = {dilation, dilation},
                                      .pads_begin = {pads[0], pads[1]},
                                      .pads_end = {pads[2], pads[3]}};
        return window_axis(window, i, i == 0 ? height : width, kernel[i]);
    }
    Shape x() const { return {images, channels, height, width}; }
    Shape w() const { return {filters, channels, kernel[0], kernel[1]}; }
    Shape y() const { return {images, filters, axis(0).output, axis(1).output}; }
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {1, 64, 64, 9, 7, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, "Relu", true, true},
        {2, 16, 16, 5, 20, {3, 3}, {2, 2}, {1, 1, 1, 1}, 1, "", false},
        {1, 48, 80, 12, 11, {1, 1}, {1, 1}, {0, 0, 0, 0}, 1, "Sigmoid"},
        {1, 80, 48, 13, 14, {1, 1}, {2, 2}, {0, 0, 0, 0}, 1, "", true, true},
        {1, 112, 32, 10, 9, {5, 5}, {1, 2}, {2, 2, 2, 2}, 1, "HardSwish"},
        {3, 32, 208, 7, 7, {3, 3}, {1, 1}, {1, 1, 1, 1}},
        {1, 32, 32, 17, 15, {7, 7}, {2, 2}, {3, 3, 3, 3}, 1, "Relu"},
        {1, 32, 32, 11, 12, {3, 3}, {1, 1}, {2, 2, 2, 2}, 2},
        {1, 32, 32, 11, 12, {3, 2}, {2, 3}, {0, 3, 2, 1}, 2},
        {1, 32, 48, 6, 5, {3, 3}, {4, 5}, {6, 6, 0, 7}},
        {1, 208, 32, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}},
    };
    return all;
}

Tensor rounded(const Tensor& t) {
    Tensor r = t.clone();
    for (float& v : r.mutable_data<float>()) v = static_cast<float>(BFloat16(v));
    return r;
}

struct Operands {
    Tensor x, w;
    std::optional<Tensor> bias, sum;
};

Operands operands_of(const Case& c, std::uint32_t seed) {
    Operands o{test::noise(c.x(), seed), test::noise(c.w(), seed + 1, 0.3f), {}, {}};
    if (c.has_bias) o.bias = test::noise({c.filters}, seed + 2);
    if (c.has_sum) o.sum = test::noise(c.y(), seed + 3);
    return o;
}

Attribute named(std::string name, AttributeValue value) {
    return test::attribute(std::move(name), std::move(value));
}

Tensor expected_of(const Case& c, const Operands& o, bool rounds) {
    std::vector<Attribute> attributes{
        named("channel_block", AttributeValue(std::int64_t{16})),
        named("strides", AttributeValue(c.strides)), named("pads", AttributeValue(c.pads)),
        named("dilations", AttributeValue(std::vector<std::int64_t>{c.dilation, c.dilation}))};
    if (!c.activation.empty())
        attributes.push_back(test::attribute("activation", c.activation.c_str()));
    std::vector<RuntimeValue> inputs{rounds ? rounded(o.x) : o.x, rounds ? rounded(o.w) : o.w,
                                     RuntimeValue(), RuntimeValue()};
    if (o.bias) inputs[2] = *o.bias;
    if (o.sum) inputs[3] = *o.sum;
    return test::run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, inputs, attributes);
}

/// Sums of the same products in another order.
void expect_close(const Case& c, const Tensor& found, const Tensor& expected) {
    ASSERT_EQ(found.shape(), expected.shape());
    const double tolerance =
        1e-5 + 1e-6 * std::sqrt(static_cast<double>(c.channels * c.kernel[0] * c.kernel[1]));
    const auto x = found.data<float>(), y = expected.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance * std::max(1.0f, std::abs(y[i]))) << "element " << i;
}

/// By the cut of the kernel, with these steps, into bands that fit the cache.
Tensor convolved(const Case& c, const Operands& o, const Bf16ConvolutionKernels& kernels,
                 int threads, std::size_t cache) {
    using namespace bf16_convolution;
    const std::int64_t taps = c.kernel[0] * c.kernel[1];
    std::vector<std::uint16_t> filters(
        static_cast<std::size_t>(packed_elements(c.filters, c.channels, taps)), 0x7fc0);
    for (std::int64_t i = 0; i < c.filters / 16; ++i)
        pack_filters(o.w.data<float>().data() + i * 16 * c.channels * taps, i, c.filters,
                     c.channels, taps, filters.data());
    const Planes planes = planes_of(c.axis(0), c.axis(1), c.channels, c.filters, cache);
    // what is read before it was written would be NaN
    std::vector<std::uint16_t> memory(planes.workspace_bytes() / 2 + 1, 0x7fc0);
    // an output on the sum, as the planner may place it
    Tensor y = o.sum ? o.sum->clone() : Tensor(DType::f32, c.y());
    const auto pool = make_session_threads(threads);
    CancelToken cancel;
    Image image;
    image.filters = filters.data();
    image.bias = o.bias ? o.bias->data<float>().data() : nullptr;
    if (!c.activation.empty()) image.activation = *activation_of(c.activation);
    for (std::int64_t i = 0; i < c.images; ++i) {
        image.x = o.x.data<float>().data() + i * o.x.size() / c.images;
        image.y = y.mutable_data<float>().data() + i * y.size() / c.images;
        image.sum = o.sum ? image.y : nullptr;
        convolve_image(planes, image, kernels, *pool, cancel,
                       reinterpret_cast<std::byte*>(memory.data()));
    }
    return y;
}

TEST(Bf16Convolution, IsCutIntoBandsAndPlanes) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.text());
        const Operands o = operands_of(c, 1);
        const Tensor expected = expected_of(c, o, true);
        for (const int threads : {1, 2})
            for (const std::size_t cache :
                 {std::size_t{1}, std::size_t{20'000}, std::size_t{2} << 20}) {
                SCOPED_TRACE(std::to_string(threads) + " threads, cache " + std::to_string(cache));
                expect_close(c, convolved(c, o, test::plain_bf16::kernels, threads, cache),
                             expected);
                if (const Bf16ConvolutionKernels* const tiles = bf16_convolution_kernels())
                    expect_close(c, convolved(c, o, *tiles, threads, cache), expected);
                if (testing::Test::HasFatalFailure()) return;
            }
    }
}

TEST(Bf16Convolution, PixelsAreRoundedAsByPlainCode) {
    if (!bf16_convolution_kernels()) GTEST_SKIP() << "this CPU has no tiles";
    Tensor values = test::noise({2, 5, 16}, 3);
    const auto data = values.mutable_data<float>();
    data[0] = std::numeric_limits<float>::quiet_NaN();
    data[1] = -std::numeric_limits<float>::infinity();
    data[2] = std::numeric_limits<float>::max();
    data[3] = 1.00390625f;  // between two numbers, the even one below
    data[4] = 1.01171875f;  // above
    data[5] = 1e-42f;
    for (const bool has_upper : {true, false})
        for (const std::int64_t step : {16, 32}) {
            std::vector<std::uint16_t> found(5 * 32, 7), expected = found;
            Bf16Pixels p;
            p.lower = data.data();
            p.upper = has_upper ? data.data() + 5 * 16 : nullptr;
            p.pixel_step = step;
            p.count = step == 16 ? 5 : 3;
            p.to = found.data();
            bf16_convolution_kernels()->round_pixels(p);
            p.to = expected.data();
            test::plain_bf16::round_pixels(p);
            EXPECT_EQ(found, expected);
        }
}

/// One convolution of blocks with these constants.
ModelPtr model_of(const Case& c, const Operands& o) {
    const auto listed = [](const Shape& shape) {
        std::string s = to_string(shape);  // [1,2]
        return "f32" + s;
    };
    std::string text = "(x: " + listed(c.x()) + (c.has_sum ? ", s: " + listed(c.y()) : "") +
                       ") -> (y)\ny = com.microsoft.nchwc::Conv(x, w: " + listed(c.w()) +
                       (c.has_bias ? ", b: f32[" + std::to_string(c.filters) + "]" : "") +
                       (c.has_sum ? ", s" : "") + ") {strides: " + to_string(c.strides) +
                       ", pads: " + to_string(c.pads) + ", dilations: [" +
                       std::to_string(c.dilation) + "," + std::to_string(c.dilation) + "]";
    if (!c.activation.empty()) text += ", activation: \"" + c.activation + "\"";
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft.nchwc"] = 1;
    model->metadata.emplace_back(std::string(channel_block_key), "16");
    model->graph = parse_graph(text + "}\n", {.opset = 20});
    GraphEdit edit(model->graph);
    edit.set_constant(model->graph.find_value("w"), o.w);
    if (o.bias) edit.set_constant(model->graph.find_value("b"), *o.bias);
    return model;
}

Session session_of(const Case& c, const Operands& o, int threads = 1) {
    SessionOptions options;
    options.resources.threads = threads;
    options.winograd = false;  // it is further from the reference, where there are no tiles
    options.resources.config[std::string(compute_key)] = "bf16";
    return Session::compile(model_of(c, o), options);
}

Tensor result_of(Session& session, const Operands& o) {
    NamedValues inputs{{"x", o.x}};
    if (o.sum) inputs.emplace_back("s", *o.sum);
    return session.run(inputs).outputs.at(0).second.tensor();
}

TEST(Bf16Convolution, OfSessionsOnEveryInstructionSet) {
    for (const Case& c : cases())
        for (const int threads : {1, 2}) {
            SCOPED_TRACE(c.text());
            test::for_each_isa([&](Isa isa) {
                if (threads == 2 && isa != Isa::avx512_amx) return;
                SCOPED_TRACE(name_of(isa));
                Operands o = operands_of(c, 1);
                Session session = session_of(c, o, threads);
                for (std::uint32_t run = 1; run < 4; ++run) {
                    const Operands changed = operands_of(c, run * 10);
                    o.x = changed.x;
                    o.sum = changed.sum;
                    expect_close(c, result_of(session, o),
                                 expected_of(c, o, bf16_convolution_kernels() != nullptr));
                }
            });
        }
}

TEST(Bf16Convolution, WhatIsNotFiniteStaysSo) {
    const Case c{1, 32, 32, 6, 6, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, "Relu"};
    Operands o = operands_of(c, 1);
    const auto x = o.x.mutable_data<float>();
    x[0] = std::numeric_limits<float>::infinity();             // pixel 0
    x[16 * 35 + 3] = std::numeric_limits<float>::quiet_NaN();  // the last pixel
    Session session = session_of(c, o);
    const Tensor found = result_of(session, o), expected = expected_of(c, o, true);
    const auto y = found.data<float>(), z = expected.data<float>();
    for (std::size_t i = 0; i < y.size(); ++i) {
        EXPECT_EQ(std::isnan(y[i]), std::isnan(z[i])) << i;
        EXPECT_EQ(std::isinf(y[i]), std::isinf(z[i])) << i;
    }
}

/// Whether the session rounds nothing.
bool is_exact(const Case& c, const Operands& o) {
    SessionOptions exact;
    exact.winograd = false;
    Session rounding = session_of(c, o), plain = Session::compile(model_of(c, o), exact);
    return same_contents(result_of(rounding, o), result_of(plain, o));
}

TEST(Bf16Convolution, FiltersBeyondBfloat16StayFloat) {
    const Case c{1, 32, 32, 6, 6, {3, 3}, {1, 1}, {1, 1, 1, 1}};
    Operands o = operands_of(c, 1);
    EXPECT_EQ(is_exact(c, o), bf16_convolution_kernels() == nullptr);
    o.w.mutable_data<float>()[40] = std::numeric_limits<float>::max();
    EXPECT_TRUE(is_exact(c, o));
}

TEST(Bf16Convolution, WindowsThatReachFarStayFloat) {
    for (const std::int64_t dilation : {64, 65, 1'000'000}) {
        const Case c{
            1, 32, 32, 6, 6, {3, 3}, {1, 1}, {dilation, dilation, dilation, dilation}, dilation};
        EXPECT_EQ(is_exact(c, operands_of(c, 1)), dilation > 64 || !bf16_convolution_kernels());
    }
}

}  // namespace
}  // namespace lapidary
