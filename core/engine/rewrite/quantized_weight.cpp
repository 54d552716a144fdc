// SPDX-License-Identifier: Apache-2.0
#include "rewrite/quantized_weight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <lapidary/base/error.h>

#include "tensor/packed_elements.h"

namespace lapidary {
namespace {

constexpr std::size_t elements_between_looks = 1 << 18;  // at the cancel flag

/// Finds the index of each element's scale: elements are [outer][channels][inner], scales [outer of
/// blocks][groups][inner of blocks].
struct ScaleLayout {
    std::int64_t outer = 1, channels = 1, inner = 1;
    std::int64_t block = 0, groups = 1;
    Shape shape;  // of the scales

    std::int64_t count() const { return block > 0 ? outer * groups * inner : groups; }
    std::int64_t of(std::int64_t o, std::int64_t c, std::int64_t i) const {
        return block > 0 ? (o * groups + c / block) * inner + i : c;
    }
};

ScaleLayout layout_of(const Tensor& weight, const WeightFormat& format) {
    ScaleLayout layout;
    if (!format.axis) {
        if (format.block != 0) fail_input("blocks of a weight need an axis");
        layout.inner = weight.size();
        return layout;
    }
    const std::int64_t axis = *format.axis < 0 ? *format.axis + weight.rank() : *format.axis;
    if (axis < 0 || axis >= weight.rank())
        fail_input("axis " + std::to_string(*format.axis) + " is none of a weight of shape " +
                   to_string(weight.shape()));
    if (format.block < 0 || (format.block > 0 && weight.rank() != 2))
        fail_input(
            "weights are quantized in blocks of at least one element of a matrix, not of shape " +
            to_string(weight.shape()));
    const auto at = static_cast<std::size_t>(axis);
    layout.channels = weight.dim(at);
    for (std::size_t d = 0; d < at; ++d) layout.outer *= weight.dim(d);
    for (std::size_t d = at + 1; d < weight.shape().size(); ++d) layout.inner *= weight.dim(d);
    layout.block = format.block;
    layout.groups = format.block > 0
                        ? layout.channels / format.block + (layout.channels % format.block != 0)
                        : layout.channels;
    if (format.block > 0) {
        layout.shape = weight.shape();
        layout.shape[at] = layout.groups;
    } else {
        layout.shape = {layout.channels};
    }
    return layout;
}

template <typename Visit>
void for_each_element(const ScaleLayout& layout, const CancelToken& cancel, const Visit& visit) {
    std::size_t element = 0;
    for (std::int64_t o = 0; o < layout.outer; ++o)
        for (std::int64_t c = 0; c < layout.channels; ++c)
            for (std::int64_t i = 0; i < layout.inner; ++i, ++element) {
                if (element % elements_between_looks == 0) cancel.throw_if_cancelled();
                visit(element, static_cast<std::size_t>(layout.of(o, c, i)));
            }
}

/// Blocks subtract in float32 and take the zero point from the stored scale.
AffineParameters block_parameters(float low, float high, const AffineFormat& format) {
    if (format.symmetric) {
        high = std::max(-low, high);
        low = -high;
    }
    const StoredRange stored = stored_range({format.dtype, format.symmetric, false});
    const auto scale =
        static_cast<float>(static_cast<double>(high - low) / (stored.highest - stored.lowest));
    const bool degenerate = scale < std::numeric_limits<float>::min();
    if (format.symmetric)
        return {degenerate ? 1 : scale,
                static_cast<std::int32_t>(std::nearbyint((stored.lowest + stored.highest) / 2.0))};
    if (degenerate) return {1, 0};
    const double zero_point =
        std::nearbyint(stored.lowest - static_cast<double>(low) / static_cast<double>(scale));
    return {scale, static_cast<std::int32_t>(
                       std::clamp<double>(zero_point, stored.lowest, stored.highest))};
}

void require_f32(const Tensor& weight) {
    if (weight.dtype() != DType::f32)
        fail_input("weights to quantize are f32, not " + std::string(name_of(weight.dtype())));
}

}  // namespace

Tensor swapped_axes(const Tensor& from) {
    const auto rank = from.shape().size();
    Shape shape = from.shape();
    std::swap(shape[rank - 1], shape[rank - 2]);
    const std::int64_t rows = from.shape()[rank - 2], columns = from.shape()[rank - 1],
                       planes = rows * columns == 0 ? 0 : from.size() / (rows * columns);
    Tensor to(from.dtype(), shape);
    const auto in = from.data<float>();
    const auto out = to.mutable_data<float>();
    for (std::int64_t p = 0; p < planes; ++p)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                out[static_cast<std::size_t>((p * columns + c) * rows + r)] =
                    in[static_cast<std::size_t>((p * rows + r) * columns + c)];
    return to;
}

Tensor stored_tensor(DType dtype, const Shape& shape, const std::vector<std::int32_t>& values) {
    Tensor tensor(dtype, shape);
    const auto fill = [&]<typename T>(T) {
        std::ranges::transform(values, tensor.mutable_data<T>().begin(),
                               [](std::int32_t v) { return static_cast<T>(v); });
    };
    switch (dtype) {
    case DType::i8: fill(std::int8_t{}); break;
    case DType::u8: fill(std::uint8_t{}); break;
    case DType::i16: fill(std::int16_t{}); break;
    case DType::u16: fill(std::uint16_t{}); break;
    case DType::i32: fill(std::int32_t{}); break;
    default:
        for (std::size_t i = 0; i < values.size(); ++i)
            set_packed(tensor, static_cast<std::int64_t>(i),
                       static_cast<std::uint8_t>(values[i] & 15));
    }
    return tensor;
}

std::vector<std::int32_t> stored_values(const Tensor& tensor) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(tensor.size()));
    const std::vector<std::int64_t> wide = to_int64s(tensor);
    std::ranges::transform(wide, values.begin(),
                           [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    return values;
}

QuantizedWeight quantize_weight(const Tensor& weight, const WeightFormat& format,
                                const CancelToken& cancel) {
    require_f32(weight);
    const ScaleLayout layout = layout_of(weight, format);
    const auto count = static_cast<std::size_t>(layout.count());
    // The smallest element of a tensor or channel, which may be above 0: affine_parameters() widens
    // the range.
    const float none = std::numeric_limits<float>::infinity();
    std::vector<float> low(count, layout.block > 0 ? 0 : none),
        high(count, layout.block > 0 ? 0 : -none);
    const auto from = weight.data<float>();
    for_each_element(layout, cancel, [&](std::size_t element, std::size_t group) {
        if (!std::isfinite(from[element]))
            fail_input("a weight that is not finite cannot be quantized");
        low[group] = std::min(low[group], from[element]);
        high[group] = std::max(high[group], from[element]);
    });
    std::vector<std::int32_t> zero_points(count);
    Tensor scale(DType::f32, layout.shape);
    for (std::size_t g = 0; g < count; ++g) {
        AffineParameters parameters;
        if (layout.block > 0) parameters = block_parameters(low[g], high[g], format.values);
        else if (low[g] <= high[g]) parameters = affine_parameters(low[g], high[g], format.values);
        scale.mutable_data<float>()[g] = parameters.scale;
        zero_points[g] = parameters.zero_point;
    }
    return quantize_weight_with(weight, scale,
                                stored_tensor(format.values.dtype, layout.shape, zero_points),
                                format, cancel);
}

QuantizedWeight quantize_weight_with(const Tensor& weight, const Tensor& scale,
                                     const Tensor& zero_point, const WeightFormat& format,
                                     const CancelToken& cancel) {
    require_f32(weight);
    const ScaleLayout layout = layout_of(weight, format);
    if (scale.shape() != layout.shape || zero_point.shape() != layout.shape)
        fail_input("scales of a weight of shape " + to_string(weight.shape()) + " are " +
                   to_string(layout.shape) + ", not " + to_string(scale.shape()));
    const StoredRange range = whole_range(format.values.dtype);
    const std::vector<std::int32_t> zero_points = stored_values(zero_point);
    std::vector<std::int32_t> values(static_cast<std::size_t>(weight.size()));
    for_each_element(layout, cancel, [&](std::size_t element, std::size_t group) {
        values[element] = stored_value(weight.data<float>()[element],
                                       {scale.data<float>()[group], zero_points[group]}, range);
    });
    return {stored_tensor(format.values.dtype, weight.shape(), values), scale, zero_point, format};
}

Tensor dequantized(const QuantizedWeight& weight, const CancelToken& cancel) {
    const ScaleLayout layout = layout_of(weight.values, weight.format);
    const std::vector<std::int32_t> values = stored_values(weight.values),
                                    zero_points = stored_values(weight.zero_point);
    Tensor out(DType::f32, weight.values.shape());
    const auto to = out.mutable_data<float>();
    for_each_element(layout, cancel, [&](std::size_t element, std::size_t group) {
        to[element] = static_cast<float>(values[element] - zero_points[group]) *
                      weight.scale.data<float>()[group];
    });
    return out;
}

}  // namespace lapidary
