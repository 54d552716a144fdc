// SPDX-License-Identifier: Apache-2.0
#include "quantize/sample_tensor.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <lapidary/error.h>

#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

bool is_plain_float(DType type) {
    return type == DType::f16 || type == DType::bf16 || type == DType::f32 || type == DType::f64;
}

bool is_plain_integer(DType type) { return is_integer(type) && !is_packed(type) && type != DType::u64; }

template <typename T>
Tensor integers(const Tensor& array, const std::string& input) {
    const std::vector<std::int64_t> values = to_int64s(array);
    Tensor made(dtype_of<T>, array.shape());
    const auto out = made.mutable_data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::in_range<T>(values[i]))
            fail_input("input " + quote(input) + " is of " + std::string(name_of(made.dtype())) +
                       ", which has no room for " + std::to_string(values[i]) + " at element " + std::to_string(i));
        out[i] = static_cast<T>(values[i]);
    }
    return made;
}

Tensor normalized(const Tensor& array, DType to, const ImageOptions& pixels) {
    const Shape& shape = array.shape();
    const bool has_channels = shape.size() == 4 && (shape[1] == 1 || shape[1] == 3);
    const std::size_t plane = has_channels ? static_cast<std::size_t>(shape[2] * shape[3]) : 1;
    const std::size_t channels = has_channels ? static_cast<std::size_t>(shape[1]) : 1;
    std::vector<double> values = to_doubles(array);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t c = i / plane % channels;
        values[i] = (static_cast<float>(values[i]) - pixels.mean[c]) / pixels.stddev[c];
    }
    return tensor_of_doubles(to, shape, values);
}

}  // namespace

bool converts_to_input(DType from, DType to) {
    if (from == to) return true;
    if (is_plain_float(to)) return is_plain_float(from) || from == DType::u8;
    return is_plain_integer(from) && is_plain_integer(to);
}

Tensor as_input_type(const Tensor& array, DType to, const std::string& input, const ImageOptions& pixels) {
    if (array.dtype() == to || !converts_to_input(array.dtype(), to)) return array;
    if (array.size() == 0) return Tensor(to, array.shape());
    if (is_plain_float(to))
        return array.dtype() == DType::u8 ? normalized(array, to, pixels)
                                          : tensor_of_doubles(to, array.shape(), to_doubles(array));
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

}  // namespace lapidary
