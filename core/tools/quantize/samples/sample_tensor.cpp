// SPDX-License-Identifier: Apache-2.0
#include "quantize/samples/sample_tensor.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include "quantize/samples/array_layout.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

bool is_plain_float(DType type) {
    return type == DType::f16 || type == DType::bf16 || type == DType::f32 || type == DType::f64;
}

bool is_plain_integer(DType type) {
    return is_integer(type) && !is_packed(type) && type != DType::u64;
}

template <typename T>
Tensor integers(const Tensor& array, const std::string& input) {
    const std::vector<std::int64_t> values = to_int64s(array);
    Tensor made(dtype_of<T>, array.shape());
    const auto out = made.mutable_data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::in_range<T>(values[i]))
            fail_input("input " + quote(input) + " is of " + std::string(name_of(made.dtype())) +
                       ", which has no room for " + std::to_string(values[i]) + " at element " +
                       std::to_string(i));
        out[i] = static_cast<T>(values[i]);
    }
    return made;
}

bool changes_values(const ImageOptions& images) {
    const ImageOptions plain;
    return images.mean != plain.mean || images.stddev != plain.stddev || images.bgr;
}

Tensor normalized(const Tensor& array, DType to, const ImageOptions& images) {
    const Shape& shape = array.shape();
    const bool is_last = has_channels_last(shape);
    const bool has_channels = is_picture_shape(shape);
    const std::size_t plane =
        has_channels && !is_last ? static_cast<std::size_t>(shape[2] * shape[3]) : 1;
    const std::size_t channels =
        has_channels ? static_cast<std::size_t>(shape[is_last ? 3 : 1]) : 1;
    const bool is_swapped = images.bgr && channels == 3;
    const std::vector<double> values = to_doubles(array);
    std::vector<double> made(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t c = i / plane % channels;
        const std::size_t from = is_swapped ? i - c * plane + (2 - c) * plane : i;
        made[i] = (static_cast<float>(values[from]) - images.mean[c]) / images.stddev[c];
    }
    return tensor_of_doubles(to, shape, made);
}

Tensor as_input_type(const Tensor& array, DType to, const std::string& input,
                     const ImageOptions& images) {
    const bool is_pixels =
        is_plain_float(to) &&
        (array.dtype() == DType::u8 || (is_plain_float(array.dtype()) && changes_values(images) &&
                                        is_picture_shape(array.shape())));
    if (!converts_to_input(array.dtype(), to) || (array.dtype() == to && !is_pixels)) return array;
    if (array.size() == 0) return Tensor(to, array.shape());
    if (is_pixels) return normalized(array, to, images);
    if (is_plain_float(to)) return tensor_of_doubles(to, array.shape(), to_doubles(array));
    switch (to) {
    case DType::i8: return integers<std::int8_t>(array, input);
    case DType::i16: return integers<std::int16_t>(array, input);
    case DType::i32: return integers<std::int32_t>(array, input);
    case DType::i64: return integers<std::int64_t>(array, input);
    case DType::u8: return integers<std::uint8_t>(array, input);
    case DType::u16: return integers<std::uint16_t>(array, input);
    case DType::u32: return integers<std::uint32_t>(array, input);
    default: return array;
    }
}

bool has_plain_elements(DType type) { return !is_packed(type) && type != DType::string; }

}  // namespace

bool converts_to_input(DType from, DType to) {
    if (from == to) return true;
    if (is_plain_float(to)) return is_plain_float(from) || from == DType::u8;
    return is_plain_integer(from) && is_plain_integer(to);
}

bool fits_input(const ArrayHeader& array, const Type& type, bool is_stack,
                const ImageOptions& images) {
    if (!type.is_tensor() || array.shape.empty() || !has_plain_elements(array.dtype)) return false;
    if (!converts_to_input(array.dtype, type.dtype)) return false;
    return !type.shape || array_fit(*type.shape, array.shape, is_stack, images).has_value();
}

Tensor as_input(const Tensor& array, const Type& type, const std::string& input,
                const ImageOptions& images) {
    if (!type.is_tensor()) return array;
    std::optional<ArrayFit> fit;
    if (type.shape && has_plain_elements(array.dtype()))
        fit = array_fit(*type.shape, array.shape(), false, images);
    return as_input_type(fit ? laid_out(array, *fit) : array, type.dtype, input, images);
}

PixelKind pixel_kind(const Tensor& array, const Type& type) {
    if (!type.is_tensor() || !is_plain_float(type.dtype)) return PixelKind::none;
    if (array.dtype() == DType::u8) return PixelKind::bytes;
    return is_plain_float(array.dtype()) && is_picture_shape(array.shape()) ? PixelKind::floats
                                                                            : PixelKind::none;
}

std::optional<std::string> turned_note(const Type& type, const Shape& array,
                                       const ImageOptions& images) {
    if (!type.is_tensor() || !type.shape || images.array_layout) return std::nullopt;
    const auto fit = array_fit(*type.shape, array, true, images);
    if (!fit || !fit->is_transposed) return std::nullopt;
    return std::string("arrays of shape ") + to_string(array) + " have their channels " +
           (fit->is_nchw ? "last, the input has them second: they are moved there"
                         : "second, the input has them last: they are moved there");
}

}  // namespace lapidary
