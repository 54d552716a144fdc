// SPDX-License-Identifier: Apache-2.0
// MatMulInteger, QLinearMatMul, ConvInteger, QLinearConv. Products of centered 8- and 16-bit
// integers are summed in double by the plain MatMul and Conv kernels: every partial sum is below
// 2^53, so the result is exact.
#include "kernels/input_index.h"
#include "kernels/reference/quantization/integer_product.h"

#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/quantization/quantization.h"

namespace lapidary::reference {

void matmul(KernelContext& context);
void conv(KernelContext& context);

void require_integers(const KernelContext& context, const Tensor& x, const char* name) {
    if (!is_integer(x.dtype()))
        context.fail(std::string(name) + ": expected integers, found " +
                     std::string(name_of(x.dtype())));
}

Tensor centered(KernelContext& context, const Tensor& x, const Tensor* zero_point,
                const Shape& zero_shape) {
    Tensor out = converted(context, x, DType::f64);
    if (!zero_point || zero_point->size() == 0) return out;
    if (zero_point->dtype() != x.dtype())
        context.fail("a zero point is " + std::string(name_of(zero_point->dtype())) +
                     ", but its tensor is " + std::string(name_of(x.dtype())));
    const Shape shape = zero_point->size() == 1 ? Shape() : zero_shape;
    if (broadcast_shapes(x.shape(), shape) != x.shape())
        context.fail("the zero point " + to_string(zero_point->shape()) +
                     " does not broadcast to " + to_string(x.shape()));
    const Tensor zero = converted(context, *zero_point, DType::f64);
    combine<double, double>(context, out, shape, zero, out,
                            [](double a, double z) { return a - z; });
    return out;
}

Shape row_parameter_shape(const Tensor& parameter) {
    Shape shape = parameter.shape();
    if (shape.size() == 1 && shape[0] != 1) shape.push_back(1);
    return shape;
}

Tensor integer_matmul(KernelContext& context, const Tensor& a, const Tensor* a_zero,
                      const Tensor& b, const Tensor* b_zero) {
    require_integers(context, a, "A");
    require_integers(context, b, "B");
    return run_nested_one(
        context, matmul, {"MatMul"},
        {centered(context, a, a_zero, a_zero ? row_parameter_shape(*a_zero) : Shape()),
         centered(context, b, b_zero, b_zero ? b_zero->shape() : Shape())});
}

namespace {

/// Zero points of W may be one per output channel.
Tensor centered_filters(KernelContext& context, std::size_t w, std::size_t zero) {
    const Tensor* z = context.optional_input(zero);
    Shape shape = z ? z->shape() : Shape();
    if (shape.size() == 1 && shape[0] != 1)
        shape.resize(static_cast<std::size_t>(context.input(w).rank()), 1);
    return centered(context, context.input(w), z, shape);
}

/// The exact sums in int32, wrapping.
void set_sums(KernelContext& context, const Tensor& sums) {
    Tensor& y = context.output(0, DType::i32, sums.shape());
    map_elements<double, std::int32_t>(context, sums, y, [](double v) {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(v));
    });
}

/// y = saturate(round(sums * multiplier) + zero_point), the multiplier broadcasting to the sums.
void requantize(KernelContext& context, const Tensor& sums, const Shape& multiplier_shape,
                const Tensor& multiplier, const Tensor& zero_point, const Shape& zero_shape) {
    for (const Shape& shape : {multiplier_shape, zero_shape}) {
        if (broadcast_shapes(sums.shape(), shape) != sums.shape())
            context.fail("a scale or zero point " + to_string(shape) +
                         " does not broadcast to the output " + to_string(sums.shape()));
    }
    Tensor scaled = context.scratch(DType::f32, sums.shape());
    const Tensor accumulated = converted(context, sums, DType::f32);
    combine<float, float>(context, accumulated, multiplier_shape, multiplier, scaled,
                          [](float a, float m) { return std::nearbyint(a * m); });
    combine<float, float>(context, scaled, zero_shape, converted(context, zero_point, DType::f32),
                          scaled, [](float a, float z) { return a + z; });
    // A second quantization by one clamps and converts.
    Tensor& y = context.output(0, zero_point.dtype(), sums.shape());
    const Tensor one = Tensor::scalar(1.0f);
    quantize(context, scaled, one, nullptr, Granularity(sums.shape(), {}, 0, 0), DType::f32, true,
             y);
}

Tensor combined(KernelContext& context, const Tensor& a, const Shape& a_shape, const Tensor& b,
                const Shape& b_shape, bool divides) {
    Tensor out = context.scratch(DType::f32, broadcast_shapes(a_shape, b_shape));
    const Tensor left = converted(context, a, DType::f32).reshaped(a_shape),
                 right = converted(context, b, DType::f32);
    if (divides)
        combine<float, float>(context, left, b_shape, right, out,
                              [](float p, float q) { return p / q; });
    else
        combine<float, float>(context, left, b_shape, right, out,
                              [](float p, float q) { return p * q; });
    return out;
}

Tensor convolve(KernelContext& context, Tensor x, Tensor w) {
    return run_nested_one(context, conv, {"Conv", 22, window_attributes(context.node())},
                          {std::move(x), std::move(w)});
}

/// Moves the channels of [N, spatial..., C] to the front, or back.
Tensor moved_channels(KernelContext& context, const Tensor& x, bool to_front) {
    const std::size_t rank = x.shape().size();
    if (rank < 3) return x;
    Shape shape = x.shape();
    if (to_front) {
        shape.insert(shape.begin() + 1, shape.back());
        shape.pop_back();
    } else {
        shape.push_back(shape[1]);
        shape.erase(shape.begin() + 1);
    }
    Tensor out = context.scratch(x.dtype(), shape);
    const std::int64_t images = x.dim(0), channels = to_front ? x.shape().back() : x.dim(1);
    const std::int64_t positions = images * channels == 0 ? 0 : x.size() / images / channels;
    const std::int64_t rows = to_front ? positions : channels,
                       columns = to_front ? channels : positions;
    dispatch_by_width(x.dtype(), [&]<typename T>() {
        const T* in = static_cast<const T*>(x.raw());
        T* to = static_cast<T*>(out.mutable_raw());
        for (std::int64_t n = 0; n < images; ++n, in += rows * columns, to += rows * columns)
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < columns; ++c) to[c * rows + r] = in[r * columns + c];
    });
    return out;
}

}  // namespace

void matmul_integer(KernelContext& context) {
    set_sums(context,
             integer_matmul(context, context.input(0), context.optional_input(2), context.input(1),
                            context.optional_input(integer_matmul_input::b_zero_point)));
}

void qlinear_matmul(KernelContext& context) {
    namespace in = qlinear_matmul_input;
    const Tensor &a_scale = context.input(1), &b_scale = context.input(in::b_scale),
                 &y_scale = context.input(in::y_scale), &y_zero = context.input(in::y_zero_point);
    if (is_float(context.input(0).dtype())) {  // float8 operands: no integer sums
        const Tensor a =
            dequantized(context, context.input(0), a_scale, context.optional_input(2), -2);
        const Tensor b = dequantized(context, context.input(in::b), b_scale,
                                     context.optional_input(in::b_zero_point), -1);
        set_quantized(context, 0, run_nested_one(context, matmul, {"MatMul"}, {a, b}), y_scale,
                      &y_zero, y_zero.dtype());
        return;
    }
    const Tensor sums =
        integer_matmul(context, context.input(0), context.optional_input(2), context.input(in::b),
                       context.optional_input(in::b_zero_point));
    const Tensor product =
        combined(context, a_scale, row_parameter_shape(a_scale), b_scale, b_scale.shape(), false);
    const Tensor multiplier =
        combined(context, product, product.shape(), y_scale, row_parameter_shape(y_scale), true);
    if (broadcast_shapes(sums.shape(), multiplier.shape()) != sums.shape() &&
        multiplier.size() != 1)
        context.fail("the scales combine to " + to_string(multiplier.shape()) +
                     ", which does not broadcast to " + to_string(sums.shape()));
    requantize(context, sums, multiplier.size() == 1 ? Shape() : multiplier.shape(), multiplier,
               y_zero, y_zero.size() == 1 ? Shape() : row_parameter_shape(y_zero));
}

void conv_integer(KernelContext& context) {
    require_integers(context, context.input(0), "x");
    require_integers(context, context.input(1), "w");
    set_sums(context,
             convolve(context, centered(context, context.input(0), context.optional_input(2), {}),
                      centered_filters(context, 1, conv_integer_input::w_zero_point)));
}

/// ai.onnx QLinearConv; the com.microsoft one adds the attribute channels_last.
void qlinear_conv(KernelContext& context) {
    namespace in = qlinear_conv_input;
    require_integers(context, context.input(0), "x");
    require_integers(context, context.input(in::w), "w");
    const bool channels_last = context.node().int_attribute("channels_last", 0) != 0;
    const Tensor &x_scale = context.input(1), &w_scale = context.input(in::w_scale),
                 &y_scale = context.input(in::y_scale), &y_zero = context.input(in::y_zero_point);
    scalar_of(y_scale, "y_scale");
    scalar_of(y_zero, "y_zero_point");
    scalar_of(x_scale, "x_scale");
    Tensor x = centered(context, context.input(0), context.optional_input(2), {});
    if (channels_last) x = moved_channels(context, x, true);
    Tensor sums =
        convolve(context, std::move(x), centered_filters(context, in::w, in::w_zero_point));
    const std::int64_t filters = sums.dim(1);
    if (const Tensor* bias = context.optional_input(in::bias)) {
        if (bias->shape() != Shape{filters})
            context.fail("input 8: expected a bias [" + std::to_string(filters) + "], found " +
                         to_string(bias->shape()));
        Shape shape(static_cast<std::size_t>(sums.rank()) - 1, 1);
        shape[0] = filters;
        combine<double, double>(context, sums, shape, converted(context, *bias, DType::f64), sums,
                                wrapped_sum);
    }
    if (w_scale.size() != 1 && w_scale.shape() != Shape{filters})
        context.fail("input 4: expected one scale or [" + std::to_string(filters) + "], found " +
                     to_string(w_scale.shape()));
    const Tensor product = combined(context, x_scale, {}, w_scale, w_scale.shape(), false);
    const Tensor multiplier = combined(context, product, product.shape(), y_scale, {}, true);
    Shape shape;
    if (multiplier.size() != 1) {
        shape.assign(static_cast<std::size_t>(sums.rank()) - 1, 1);
        shape[0] = filters;
    }
    if (channels_last) {
        sums = moved_channels(context, sums, false);
        if (!shape.empty()) shape = {filters};
    }
    requantize(context, sums, shape, multiplier, y_zero, {});
}

}  // namespace lapidary::reference
