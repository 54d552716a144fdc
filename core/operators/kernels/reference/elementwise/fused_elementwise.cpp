// SPDX-License-Identifier: Apache-2.0
// com.microsoft: BiasGelu, FastGelu, BiasAdd, BiasSplitGelu, BiasSoftmax, BiasDropout; old ai.onnx:
// ImageScaler, Crop.
#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {

void add(KernelContext&);
void gelu(KernelContext&);
void mul(KernelContext&);
void softmax(KernelContext&);

namespace {

Tensor sum_of(KernelContext& context, const Tensor& a, const Tensor& b) {
    return run_nested_one(context, add, {"Add"}, {a, b});
}

/// `bias` must have the length of the last dimension.
void require_bias(const KernelContext& context, const Tensor& x, const Tensor& bias) {
    if (x.rank() == 0 || bias.shape() != Shape{x.shape().back()})
        context.fail("the bias: expected [" + (x.rank() ? std::to_string(x.shape().back()) : "?") +
                     "], found " + to_string(bias.shape()));
}

}  // namespace

void bias_gelu(KernelContext& context) {
    require_bias(context, context.input(0), context.input(1));
    set_result(context, 0,
               run_nested_one(context, gelu, {"Gelu", 20},
                              {sum_of(context, context.input(0), context.input(1))}));
}

void fast_gelu(KernelContext& context) {
    Tensor x = context.input(0);
    if (const Tensor* bias = context.optional_input(1)) {
        require_bias(context, x, *bias);
        x = sum_of(context, x, *bias);
    }
    set_result(context, 0,
               run_nested_one(context, gelu,
                              NestedNode{"Gelu", 20}.set("approximate", std::string("tanh")), {x}));
}

/// X + bias + skip over [N, S, C].
void bias_add(KernelContext& context) {
    require_bias(context, context.input(0), context.input(1));
    set_result(
        context, 0,
        sum_of(context, sum_of(context, context.input(0), context.input(1)), context.input(2)));
}

/// (X + bias) split in two along the last dimension: left * Gelu(right).
void bias_split_gelu(KernelContext& context) {
    require_bias(context, context.input(0), context.input(1));
    const Tensor x =
        converted(context, sum_of(context, context.input(0), context.input(1)), DType::f32);
    const std::int64_t width = x.shape().back();
    if (width % 2 != 0)
        context.fail("input 0: the last dimension of " + to_string(x.shape()) + " is odd");
    Shape shape = x.shape();
    shape.back() = width / 2;
    Tensor left = context.scratch(DType::f32, shape), right = context.scratch(DType::f32, shape);
    const std::int64_t rows = width == 0 ? 0 : x.size() / width;
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* from = x.data<float>().data() + row * width;
        std::copy_n(from, width / 2, left.mutable_data<float>().data() + row * width / 2);
        std::copy_n(from + width / 2, width / 2,
                    right.mutable_data<float>().data() + row * width / 2);
    }
    const Tensor activated = run_nested_one(context, gelu, {"Gelu", 20}, {right});
    set_result(context, 0, run_nested_one(context, mul, {"Mul"}, {left, activated}),
               context.input(0).dtype());
}

void bias_softmax(KernelContext& context) {
    const Tensor x = sum_of(context, context.input(0), context.input(1));
    if (x.shape() != context.input(0).shape())
        context.fail("input 1: the bias " + to_string(context.input(1).shape()) +
                     " does not broadcast to " + to_string(context.input(0).shape()));
    // The dimensions from axis on are one distribution, as in Softmax-11.
    set_result(
        context, 0,
        run_nested_one(
            context, softmax,
            NestedNode{"Softmax", 11}.set("axis", context.node().int_attribute("axis", 1)), {x}));
}

/// Inference: data + bias (+ residual); the mask keeps everything.
void bias_dropout(KernelContext& context) {
    if (const Tensor* training = context.optional_input(bias_dropout_input::training_mode);
        training && training->size() == 1 && to_int64s(*training)[0] != 0)
        fail_unsupported("BiasDropout in training mode is not supported");
    Tensor y = sum_of(context, context.input(0), context.input(1));
    if (const Tensor* residual = context.optional_input(2)) y = sum_of(context, y, *residual);
    set_result(context, 0, y);
    if (context.wants_output(1))
        std::ranges::fill(context.output(1, DType::boolean, y.shape()).mutable_data<bool>(), true);
}

/// scale * X + bias[channel] over [N, C, H, W].
void image_scaler(KernelContext& context) {
    const Tensor& x = context.input(0);
    const float scale = context.node().float_attribute("scale", 1.0f);
    const std::vector<float> bias = context.node().floats_attribute("bias");
    if (x.rank() != 4)
        context.fail("input 0: expected [N, C, H, W], found " + to_string(x.shape()));
    if (!bias.empty() && static_cast<std::int64_t>(bias.size()) != x.dim(1))
        context.fail("attribute bias: expected " + std::to_string(x.dim(1)) + " elements, found " +
                     std::to_string(bias.size()));
    Tensor& y = context.output(0, x.dtype(), x.shape());
    const std::int64_t plane = x.dim(2) * x.dim(3);
    dispatch<FloatTypes>(x.dtype(), [&]<typename T>() {
        const T* in = x.data<T>().data();
        T* out = y.mutable_data<T>().data();
        for_ranges(context, x.size(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const compute_t<T> shift =
                    bias.empty() ? 0.0f : bias[static_cast<std::size_t>(i / plane % x.dim(1))];
                out[i] = static_cast<T>(
                    static_cast<compute_t<T>>(in[i]) * static_cast<compute_t<T>>(scale) + shift);
            }
        });
    });
}

/// Cuts `border` (left, top, right, bottom) off [N, C, H, W]; with attribute scale = (height,
/// width) that size is cut out from the left top border on.
void crop(KernelContext& context) {
    const Tensor& x = context.input(0);
    const auto border = context.node().ints_attribute("border"),
               scale = context.node().ints_attribute("scale");
    if (x.rank() != 4)
        context.fail("input 0: expected [N, C, H, W], found " + to_string(x.shape()));
    if (border.size() != 4)
        context.fail("attribute border: expected 4 elements, found " +
                     std::to_string(border.size()));
    const std::int64_t height = x.dim(2), width = x.dim(3), left = border[0], top = border[1];
    for (const std::int64_t b : border)
        if (b < 0 || b > std::max(height, width))
            context.fail("attribute border: " + std::to_string(b) + " is outside of " +
                         to_string(x.shape()));
    std::int64_t rows = height - top - border[3], columns = width - left - border[2];
    if (!scale.empty()) {
        if (scale.size() != 2)
            context.fail("attribute scale: expected 2 elements, found " +
                         std::to_string(scale.size()));
        rows = scale[0];
        columns = scale[1];
    }
    if (rows < 0 || columns < 0 || rows > height - top || columns > width - left)
        context.fail("the crop leaves " + std::to_string(rows) + " x " + std::to_string(columns) +
                     " of " + to_string(x.shape()));
    Tensor& y = context.output(0, x.dtype(), {x.dim(0), x.dim(1), rows, columns});
    dispatch<FloatTypes>(x.dtype(), [&]<typename T>() {
        const T* in = x.data<T>().data();
        T* out = y.mutable_data<T>().data();
        for (std::int64_t plane = 0; plane < x.dim(0) * x.dim(1); ++plane)
            for (std::int64_t row = 0; row < rows; ++row, out += columns)
                std::copy_n(in + (plane * height + top + row) * width + left, columns, out);
    });
}

}  // namespace lapidary::reference
