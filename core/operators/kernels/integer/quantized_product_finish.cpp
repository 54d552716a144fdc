// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/quantized_product_finish.h"

#include <algorithm>
#include <cmath>

#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

/// Per-column values of an input that holds one or one per column.
template <typename T, typename Get>
void spread(KernelContext& context, const Tensor& t, const ByteLayout& layout, const char* name,
            T* to, const Get& get) {
    if (t.size() != 1 && t.size() != layout.columns)
        context.fail(std::string(name) + ": expected one value or " +
                     std::to_string(layout.columns) + ", found " + to_string(t.shape()));
    for (std::int64_t n = 0; n < layout.columns; ++n) to[n] = get(t.size() == 1 ? 0 : n);
    std::fill_n(to + layout.columns, layout.padded_columns() - layout.columns, T{});
}

}  // namespace

const Tensor* QuantizedProductFinish::optional(KernelContext& context, int role) const {
    return role == QuantizedProductRoles::none
               ? nullptr
               : context.optional_input(static_cast<std::size_t>(role));
}

ByteFinish QuantizedProductFinish::of(KernelContext& context, const ByteLayout& layout,
                                      const std::byte* packed, DType a_dtype, DType b_dtype,
                                      ByteScale a_quantization,
                                      const ProductColumns& columns) const {
    ByteFinish f;
    const Tensor *b_scale = optional(context, roles.b_scale),
                 *b_zero = optional(context, roles.b_zero), *bias = optional(context, roles.bias),
                 *sum_bias = optional(context, roles.sum_bias),
                 *y_scale = optional(context, roles.y_scale);
    // A is read as u8, B as i8.
    const std::int32_t a_zero = a_quantization.zero_point + (a_dtype == DType::i8 ? 128 : 0),
                       b_shift = b_dtype == DType::u8 ? 128 : 0;
    if (b_zero && b_zero->dtype() != b_dtype)
        context.fail("the zero point of B is " + std::string(name_of(b_zero->dtype())) +
                     ", but B is " + std::string(name_of(b_dtype)));
    bool has_zeros = b_shift != 0 && !b_zero;
    if (b_zero)
        for (std::int64_t i = 0; i < b_zero->size(); ++i)
            has_zeros |= byte_at(*b_zero, i) != b_shift;
    if (has_zeros) {
        if (b_zero)
            spread(context, *b_zero, layout, "the zero point of B", columns.zeros,
                   [&](std::int64_t n) { return byte_at(*b_zero, n) - b_shift; });
        else std::fill_n(columns.zeros, layout.padded_columns(), -b_shift);
        f.column_zero = columns.zeros;
    }
    const std::int32_t* sums_plus = nullptr;
    if (sum_bias) {
        auto* plus = reinterpret_cast<std::int32_t*>(columns.bias);
        spread(context, *sum_bias, layout, "C", plus, [&](std::int64_t n) {
            return sum_bias->data<std::int32_t>()[static_cast<std::size_t>(n)];
        });
        sums_plus = plus;
    }
    byte_column_offsets(layout, packed, a_zero, sums_plus, f.column_zero, columns.offsets);
    f.column_offset = columns.offsets;
    if (!b_scale) return f;  // sums

    const auto b_scale_at = [&](std::int64_t n) {
        return b_scale->data<float>()[static_cast<std::size_t>(n)];
    };
    const float a_scale = alpha * a_quantization.scale;
    const bool is_one_scale = b_scale->size() == 1;
    if (y_scale && !roles.divides_last) {
        const float y = scale_of(context, static_cast<std::size_t>(roles.y_scale));
        if (is_one_scale) {
            f.scale = a_scale * b_scale_at(0) / y;
            f.is_bounded = std::fabs(f.scale) < 1;
        } else
            spread(context, *b_scale, layout, "the scale of B", columns.scales,
                   [&](std::int64_t n) { return a_scale * b_scale_at(n) / y; });
    } else {
        f.scale = is_one_scale ? a_scale * b_scale_at(0) : a_scale;
        if (!is_one_scale)
            spread(context, *b_scale, layout, "the scale of B", columns.scales, b_scale_at);
        if (y_scale) f.divisor = scale_of(context, static_cast<std::size_t>(roles.y_scale));
    }
    if (!is_one_scale) f.column_scale = columns.scales;
    f.to = y_scale ? ByteFinish::To::bytes : ByteFinish::To::real;
    if (y_scale) {
        const Tensor* zero = optional(context, roles.y_zero);
        const DType dtype = zero ? zero->dtype() : a_dtype;
        f.is_signed = dtype == DType::i8;
        f.zero_point = zero ? zero_point_of(context, static_cast<std::size_t>(roles.y_zero)) : 0;
        f.low = f.is_signed ? -128 : 0;
        f.high = f.low + 255;
    } else {
        if (bias) {
            spread(context, *bias, layout, "the bias", columns.bias, [&](std::int64_t n) {
                return bias->data<float>()[static_cast<std::size_t>(n)];
            });
            f.bias = columns.bias;
        }
        f.activation = activation;
        f.activate = activation_kernels().apply;
    }
    return f;
}

}  // namespace lapidary
