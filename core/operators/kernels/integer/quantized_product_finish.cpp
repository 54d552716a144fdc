// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/quantized_product_finish.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

/// convert() of the elements of an input that holds one or one per column, for every column.
template <typename From, typename T, typename Convert>
void spread(KernelContext& context, const Tensor& t, const ByteLayout& layout, const char* name,
            T* to, const Convert& convert) {
    if (t.size() != 1 && t.size() != layout.columns)
        context.fail(std::string(name) + ": expected one value or " +
                     std::to_string(layout.columns) + ", found " + to_string(t.shape()));
    const std::span<const From> from = t.data<From>();
    if (from.size() == 1) std::fill_n(to, layout.columns, convert(from[0]));
    else std::transform(from.begin(), from.end(), to, convert);
    std::fill_n(to + layout.columns, layout.padded_columns() - layout.columns, T{});
}

template <typename T>
void spread(KernelContext& context, const Tensor& t, const ByteLayout& layout, const char* name,
            T* to) {
    spread<T>(context, t, layout, name, to, [](T value) { return value; });
}

/// Zero points of B, less `shift`, and whether one of them is not 0.
bool spread_zeros(KernelContext& context, const Tensor& zero, const ByteLayout& layout,
                  std::int32_t shift, std::int32_t* to) {
    constexpr const char* name = "the zero point of B";
    const auto shifted = [shift](std::int32_t value) { return value - shift; };
    if (zero.dtype() == DType::i8) spread<std::int8_t>(context, zero, layout, name, to, shifted);
    else spread<std::uint8_t>(context, zero, layout, name, to, shifted);
    return std::any_of(to, to + layout.columns, [](std::int32_t value) { return value != 0; });
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
    bool has_zeros = b_shift != 0;
    if (b_zero) has_zeros = spread_zeros(context, *b_zero, layout, b_shift, columns.zeros);
    else if (has_zeros) std::fill_n(columns.zeros, layout.padded_columns(), -b_shift);
    if (has_zeros) f.column_zero = columns.zeros;
    const std::int32_t* sums_plus = nullptr;
    if (sum_bias) {
        auto* plus = reinterpret_cast<std::int32_t*>(columns.bias);
        spread(context, *sum_bias, layout, "C", plus);
        sums_plus = plus;
    }
    byte_column_offsets(layout, packed, a_zero, sums_plus, f.column_zero, columns.offsets);
    f.column_offset = columns.offsets;
    if (!b_scale) return f;  // sums

    const float a_scale = alpha * a_quantization.scale;
    const bool is_one_scale = b_scale->size() == 1;
    if (y_scale && !roles.divides_last) {
        const float y = scale_of(context, static_cast<std::size_t>(roles.y_scale));
        if (is_one_scale) {
            f.scale = a_scale * b_scale->data<float>()[0] / y;
            f.is_bounded = std::fabs(f.scale) < 1;
        } else
            spread<float>(context, *b_scale, layout, "the scale of B", columns.scales,
                          [&](float b) { return a_scale * b / y; });
    } else {
        f.scale = is_one_scale ? a_scale * b_scale->data<float>()[0] : a_scale;
        if (!is_one_scale) spread(context, *b_scale, layout, "the scale of B", columns.scales);
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
            spread(context, *bias, layout, "the bias", columns.bias);
            f.bias = columns.bias;
        }
        f.activation = activation;
        f.activate = activation_kernels().apply;
    }
    return f;
}

}  // namespace lapidary
