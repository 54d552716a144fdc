// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/tensor.h>

#include <lapidary/base/error.h>

#include "tensor/packed_elements.h"

namespace lapidary {
namespace {

template <typename Out, typename In>
std::vector<Out> widened(const Tensor& t) {
    const auto in = t.data<In>();
    std::vector<Out> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<Out>(in[i]);
    return out;
}

template <typename Out, typename Decode>
std::vector<Out> decoded(const Tensor& t, Decode decode) {
    std::vector<Out> out(static_cast<std::size_t>(t.size()));
    for (std::int64_t i = 0; i < t.size(); ++i)
        out[static_cast<std::size_t>(i)] = static_cast<Out>(decode(i));
    return out;
}

template <typename Out>
bool widen_integers(const Tensor& t, std::vector<Out>& out) {
    switch (t.dtype()) {
    case DType::i8: out = widened<Out, std::int8_t>(t); return true;
    case DType::i16: out = widened<Out, std::int16_t>(t); return true;
    case DType::i32: out = widened<Out, std::int32_t>(t); return true;
    case DType::i64: out = widened<Out, std::int64_t>(t); return true;
    case DType::u8: out = widened<Out, std::uint8_t>(t); return true;
    case DType::u16: out = widened<Out, std::uint16_t>(t); return true;
    case DType::u32: out = widened<Out, std::uint32_t>(t); return true;
    case DType::u64: out = widened<Out, std::uint64_t>(t); return true;
    case DType::boolean: out = widened<Out, bool>(t); return true;
    case DType::u2:
    case DType::u4:
        out = decoded<Out>(t, [&](std::int64_t i) { return packed_at(t, i); });
        return true;
    case DType::i2:
    case DType::i4:
        out = decoded<Out>(t, [&](std::int64_t i) { return signed_packed_at(t, i); });
        return true;
    default: return false;
    }
}

}  // namespace

std::vector<std::int64_t> to_int64s(const Tensor& tensor) {
    std::vector<std::int64_t> out;
    if (!widen_integers(tensor, out))
        fail_input("expected an integer tensor, found " + std::string(name_of(tensor.dtype())));
    return out;
}

std::vector<double> to_doubles(const Tensor& tensor) {
    std::vector<double> out;
    if (widen_integers(tensor, out)) return out;
    const auto* bytes = static_cast<const std::uint8_t*>(tensor.raw());
    const auto f8 = [&](float (*convert)(std::uint8_t)) {
        return decoded<double>(tensor, [&](std::int64_t i) { return convert(bytes[i]); });
    };
    switch (tensor.dtype()) {
    case DType::f32: return widened<double, float>(tensor);
    case DType::f64: return widened<double, double>(tensor);
    case DType::f16: return widened<double, Half>(tensor);
    case DType::bf16: return widened<double, BFloat16>(tensor);
    case DType::f8e4m3fn: return f8(f8e4m3fn_to_float);
    case DType::f8e4m3fnuz: return f8(f8e4m3fnuz_to_float);
    case DType::f8e5m2: return f8(f8e5m2_to_float);
    case DType::f8e5m2fnuz: return f8(f8e5m2fnuz_to_float);
    case DType::f8e8m0: return f8(f8e8m0_to_float);
    case DType::f4e2m1:
        return decoded<double>(
            tensor, [&](std::int64_t i) { return f4e2m1_to_float(packed_at(tensor, i)); });
    default: fail_input("expected a numeric tensor, found " + std::string(name_of(tensor.dtype())));
    }
}

}  // namespace lapidary
