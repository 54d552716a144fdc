// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/quantization/quantization.h"

#include <limits>

#include "kernels/reference/elementwise/cast_elements.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/movement/axis_view.h"

namespace lapidary::reference {
namespace {

/// Calls body(row, first, last) for stretches [first, last) of the rows, in parallel; a lone row is
/// cut into pieces.
template <typename Body>
void for_rows(KernelContext& context, const Granularity& g, const Body& body) {
    if (g.rows == 1) {
        for_ranges(context, g.inner, [&](std::int64_t begin, std::int64_t end) {
            body(std::int64_t{0}, begin, end);
        });
        return;
    }
    for_ranges(
        context, g.rows,
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) body(row, std::int64_t{0}, g.inner);
        },
        std::max<std::int64_t>(1, map_grain / std::max<std::int64_t>(1, g.inner)));
}

void require_zero_point(const Tensor& scale, const Tensor* zero_point) {
    if (zero_point && zero_point->size() != scale.size())
        fail_input("the zero point " + to_string(zero_point->shape()) + " and the scale " +
                   to_string(scale.shape()) + " differ in shape");
}

/// round(x / scale) + zero point, clamped to [low, high], stored as T.
template <typename T>
void quantize_integers(KernelContext& context, const float* x, const float* scale,
                       const std::vector<double>& zero, const Granularity& g, DType precision,
                       float low, float high, T* y) {
    for_rows(context, g, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
        const std::int64_t first = g.first_scale(row);
        for (std::int64_t k = begin; k < end; ++k) {
            const std::int64_t s = first + k * g.step;
            float quotient = x[row * g.inner + k] / scale[s];
            if (precision == DType::f16) quotient = Half(quotient);
            else if (precision == DType::bf16) quotient = BFloat16(quotient);
            const float value =
                std::nearbyint(quotient) +
                (zero.empty() ? 0.0f : static_cast<float>(zero[static_cast<std::size_t>(s)]));
            // NaN becomes the low end: both comparisons with it are false.
            y[row * g.inner + k] = static_cast<T>(value >= high ? high : value > low ? value : low);
        }
    });
}

}  // namespace

Granularity::Granularity(const Shape& x, const Shape& scale, std::int64_t axis,
                         std::int64_t block_size) {
    const std::int64_t count = element_count(x);
    if (element_count(scale) == 1 && (scale.size() <= 1 || block_size == 0)) {
        inner = count;
        return;
    }
    const AxisView view(x, axis);
    rows = view.outer * view.length;
    inner = view.inner;
    axis_length = std::max<std::int64_t>(1, view.length);
    if (scale.size() == 1 && block_size == 0) {
        if (scale[0] != view.length)
            fail_input("the scale has " + std::to_string(scale[0]) + " elements, but axis " +
                       std::to_string(axis) + " of " + to_string(x) + " has " +
                       std::to_string(view.length));
        inner_step = 1;
        return;
    }
    const auto at = static_cast<std::size_t>(normalize_axis(axis, static_cast<int>(x.size())));
    Shape expected = x;
    if (block_size <= 0 && scale.size() == x.size() && scale[at] > 0)
        block_size = (view.length + scale[at] - 1) / scale[at];
    if (block_size <= 0)
        fail_input("the scale " + to_string(scale) + " of a tensor " + to_string(x) +
                   " needs a positive block_size");
    expected[at] = view.length / block_size + (view.length % block_size != 0);
    if (scale != expected)
        fail_input("blocks of " + std::to_string(block_size) + " along axis " +
                   std::to_string(axis) + " of " + to_string(x) + " need a scale " +
                   to_string(expected) + ", found " + to_string(scale));
    block = block_size;
    step = 1;
    inner_step = inner;
    outer_step = expected[at] * inner;
}

void quantize(KernelContext& context, const Tensor& x, const Tensor& scale,
              const Tensor* zero_point, const Granularity& granularity, DType precision,
              bool saturate, Tensor& y) {
    require_zero_point(scale, zero_point);
    const Tensor in = converted(context, x, DType::f32),
                 scales = converted(context, scale, DType::f32);
    const float* px = in.data<float>().data();
    const float* ps = scales.data<float>().data();
    const std::vector<double> zero = zero_point ? to_doubles(*zero_point) : std::vector<double>();
    switch (y.dtype()) {
    case DType::u8:
        quantize_integers(context, px, ps, zero, granularity, precision, 0, 255,
                          y.mutable_data<std::uint8_t>().data());
        return;
    case DType::i8:
        quantize_integers(context, px, ps, zero, granularity, precision, -128, 127,
                          y.mutable_data<std::int8_t>().data());
        return;
    case DType::u16:
        quantize_integers(context, px, ps, zero, granularity, precision, 0, 65535,
                          y.mutable_data<std::uint16_t>().data());
        return;
    case DType::i16:
        quantize_integers(context, px, ps, zero, granularity, precision, -32768, 32767,
                          y.mutable_data<std::int16_t>().data());
        return;
    case DType::u2:
    case DType::i2:
    case DType::u4:
    case DType::i4: {
        Tensor wide = context.scratch(DType::i8, x.shape());
        const auto codes = static_cast<float>(1 << bit_width(y.dtype()));
        const float low = is_signed_integer(y.dtype()) ? -codes / 2 : 0, high = low + codes - 1;
        quantize_integers(context, px, ps, zero, granularity, precision, low, high,
                          wide.mutable_data<std::int8_t>().data());
        convert_into(context, wide, y);
        return;
    }
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz:
    case DType::f4e2m1: {
        Tensor wide = context.scratch(DType::f32, x.shape());
        float* out = wide.mutable_data<float>().data();
        const Granularity& g = granularity;
        for_rows(context, g, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            for (std::int64_t k = begin; k < end; ++k) {
                const std::int64_t s = g.first_scale(row) + k * g.step, i = row * g.inner + k;
                out[i] =
                    px[i] / ps[s] +
                    (zero.empty() ? 0.0f : static_cast<float>(zero[static_cast<std::size_t>(s)]));
            }
        });
        cast_elements(context, wide, y, {.saturate = saturate});
        return;
    }
    default:
        fail_unsupported("element type " + std::string(name_of(y.dtype())) +
                         " is no quantized type");
    }
}

void dequantize(KernelContext& context, const Tensor& x, const Tensor& scale,
                const Tensor* zero_point, const Granularity& granularity, Tensor& y) {
    require_zero_point(scale, zero_point);
    const Tensor scales = converted(context, scale, DType::f32);
    const float* ps = scales.data<float>().data();
    const std::vector<double> zero = zero_point ? to_doubles(*zero_point) : std::vector<double>();
    Tensor wide = y.dtype() == DType::f32 ? y : context.scratch(DType::f32, y.shape());
    float* out = wide.mutable_data<float>().data();
    const Granularity& g = granularity;
    const auto run = [&](const auto* in) {
        using T = std::remove_cvref_t<decltype(*in)>;
        for_rows(context, g, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            const std::int64_t first = g.first_scale(row);
            for (std::int64_t k = begin; k < end; ++k) {
                const std::int64_t s = first + k * g.step, i = row * g.inner + k;
                if constexpr (std::is_integral_v<T>) {
                    // Exact: both are integers of at most 32 bits.
                    out[i] = static_cast<float>(
                                 in[i] - (zero.empty() ? 0.0 : zero[static_cast<std::size_t>(s)])) *
                             ps[s];
                } else {
                    out[i] =
                        (in[i] - (zero.empty()
                                      ? 0.0f
                                      : static_cast<float>(zero[static_cast<std::size_t>(s)]))) *
                        ps[s];
                }
            }
        });
    };
    if (is_integer(x.dtype()) && is_packed(x.dtype()))
        run(converted(context, x, DType::i8).data<std::int8_t>().data());
    else if (is_float(x.dtype())) run(converted(context, x, DType::f32).data<float>().data());
    else
        dispatch<TypeList<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::int32_t>>(
            x.dtype(), [&]<typename T>() { run(x.data<T>().data()); });
    if (y.dtype() != DType::f32) convert_into(context, wide, y);
}

Tensor dequantized(KernelContext& context, const Tensor& x, const Tensor& scale,
                   const Tensor* zero_point, std::int64_t axis) {
    Tensor y = context.scratch(DType::f32, x.shape());
    if (zero_point && zero_point->size() == 1 && scale.size() > 1) {
        // One zero point for all channels: allowed by several com.microsoft operators.
        Tensor spread = context.scratch(DType::f64, scale.shape());
        std::ranges::fill(spread.mutable_data<double>(), scalar_of(*zero_point, "zero point"));
        dequantize(context, x, scale, &spread, Granularity(x.shape(), scale.shape(), axis, 0), y);
        return y;
    }
    dequantize(context, x, scale, zero_point, Granularity(x.shape(), scale.shape(), axis, 0), y);
    return y;
}

void set_quantized(KernelContext& context, std::size_t index, const Tensor& x, const Tensor& scale,
                   const Tensor* zero_point, DType dtype) {
    Tensor& y = context.output(index, dtype, x.shape());
    quantize(context, x, scale, zero_point, Granularity(x.shape(), scale.shape(), 0, 0), DType::f32,
             true, y);
}

double scalar_of(const Tensor& tensor, const char* what) {
    if (tensor.size() != 1)
        fail_input(std::string(what) + ": expected one element, found shape " +
                   to_string(tensor.shape()));
    return to_doubles(tensor)[0];
}

DynamicRange dynamic_range(const float* x, std::int64_t count) {
    float low = 0, high = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        low = std::min(low, x[i]);
        high = std::max(high, x[i]);
    }
    const float scale = high == low ? 1.0f : (high - low) / 255.0f;
    const float zero = std::clamp(0.0f - low / scale, 0.0f, 255.0f);
    return {scale, static_cast<std::uint8_t>(std::nearbyint(zero))};
}

}  // namespace lapidary::reference
