// SPDX-License-Identifier: Apache-2.0
#include "rewrite/constant_math.h"

#include <cmath>
#include <cstring>

#include <lapidary/base/error.h>

#include "base/at.h"
#include "tensor/packed_elements.h"

namespace lapidary {
namespace {

template <typename T>
void fill(Tensor& tensor, const std::vector<double>& values) {
    auto out = tensor.mutable_data<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double v = values.size() == 1 ? values[0] : values[i];
        if constexpr (std::is_same_v<T, bool>) out[i] = v != 0;
        else if constexpr (std::is_integral_v<T>) out[i] = static_cast<T>(std::nearbyint(v));
        else
            out[i] =
                T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(v));
    }
}

}  // namespace

Tensor tensor_of_doubles(DType dtype, Shape shape, const std::vector<double>& values) {
    Tensor t(dtype, std::move(shape));
    if (values.size() != 1 && static_cast<std::int64_t>(values.size()) != t.size())
        fail(ErrorCode::internal, "a tensor of " + std::to_string(t.size()) + " elements from " +
                                      std::to_string(values.size()) + " values");
    switch (dtype) {
    case DType::f32: fill<float>(t, values); break;
    case DType::f64: fill<double>(t, values); break;
    case DType::f16: fill<Half>(t, values); break;
    case DType::bf16: fill<BFloat16>(t, values); break;
    case DType::i8: fill<std::int8_t>(t, values); break;
    case DType::i16: fill<std::int16_t>(t, values); break;
    case DType::i32: fill<std::int32_t>(t, values); break;
    case DType::i64: fill<std::int64_t>(t, values); break;
    case DType::u8: fill<std::uint8_t>(t, values); break;
    case DType::u16: fill<std::uint16_t>(t, values); break;
    case DType::u32: fill<std::uint32_t>(t, values); break;
    case DType::u64: fill<std::uint64_t>(t, values); break;
    case DType::boolean: fill<bool>(t, values); break;
    default:
        fail(ErrorCode::internal,
             "constants of type " + std::string(name_of(dtype)) + " cannot be made from numbers");
    }
    return t;
}

Tensor mapped(const Tensor& tensor, const std::function<double(double)>& f) {
    std::vector<double> values = to_doubles(tensor);
    if (values.empty()) return tensor;
    for (double& v : values) v = f(v);
    return tensor_of_doubles(tensor.dtype(), tensor.shape(), values);
}

Tensor scaled_along(const Tensor& tensor, std::size_t axis, const std::vector<double>& scale) {
    std::vector<double> values = to_doubles(tensor);
    if (values.empty()) return tensor;
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < tensor.shape().size(); ++i)
        inner *= static_cast<std::size_t>(tensor.shape()[i]);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= scale[i / inner % scale.size()];
    return tensor_of_doubles(tensor.dtype(), tensor.shape(), values);
}

Tensor transposed(const Tensor& tensor, const std::vector<std::int64_t>& permutation) {
    const std::size_t rank = permutation.size();
    Shape shape(rank);
    std::vector<std::int64_t> stride(rank, 1), step(rank);
    for (std::size_t i = rank; i-- > 1;) stride[i - 1] = stride[i] * tensor.shape()[i];
    for (std::size_t i = 0; i < rank; ++i) {
        shape[i] = at(tensor.shape(), permutation[i]);
        step[i] = at(stride, permutation[i]);
    }
    Tensor out(tensor.dtype(), shape);
    if (out.size() == 0) return out;
    const bool strings = tensor.dtype() == DType::string, packed = is_packed(tensor.dtype());
    const std::size_t width =
        strings || packed ? 0 : tensor.byte_size() / static_cast<std::size_t>(tensor.size());
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t from = 0;
    for (std::int64_t to = 0; to < out.size(); ++to) {
        if (strings)
            out.mutable_data<std::string>()[static_cast<std::size_t>(to)] =
                tensor.data<std::string>()[static_cast<std::size_t>(from)];
        else if (packed) set_packed(out, to, packed_at(tensor, from));
        else
            std::memcpy(
                static_cast<std::byte*>(out.mutable_raw()) + static_cast<std::size_t>(to) * width,
                tensor.bytes().data() + static_cast<std::size_t>(from) * width, width);
        for (std::size_t i = rank; i-- > 0;) {
            from += step[i];
            if (++index[i] < shape[i]) break;
            from -= step[i] * shape[i];
            index[i] = 0;
        }
    }
    return out;
}

}  // namespace lapidary
