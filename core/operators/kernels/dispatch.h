// SPDX-License-Identifier: Apache-2.0
// Calls a generic lambda with the storage type of a run-time element type.
#pragma once

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

template <typename... T>
struct TypeList {};

using FloatTypes = TypeList<float, double, Half, BFloat16>;
using SignedTypes = TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using IntegerTypes = TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                              std::uint16_t, std::uint32_t, std::uint64_t>;
using NumericTypes =
    TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
             std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using NumericOrBoolTypes =
    TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
             std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;

/// The type arithmetic is done in: float for the 16-bit floats, T itself otherwise.
template <typename T>
struct ComputeType {
    using type = T;
};
template <>
struct ComputeType<Half> {
    using type = float;
};
template <>
struct ComputeType<BFloat16> {
    using type = float;
};
template <typename T>
using compute_t = typename ComputeType<T>::type;

/// dispatch<FloatTypes>(x.dtype(), [&]<typename T>() { ... }). Throws not_supported naming the
/// type.
template <typename List, typename F>
void dispatch(DType dtype, F&& f) {
    [&]<typename... T>(TypeList<T...>) {
        const bool done =
            ((dtype == dtype_of<T> ? (f.template operator()<T>(), true) : false) || ...);
        if (!done)
            fail_unsupported("element type " + std::string(name_of(dtype)) +
                             " is not supported by this operator");
    }(List{});
}

/// For kernels that only move elements: calls f with an unsigned type of the element's width
/// (std::string for strings); 4-bit types are refused.
template <typename F>
void dispatch_by_width(DType dtype, F&& f) {
    if (dtype == DType::string) {
        f.template operator()<std::string>();
        return;
    }
    switch (bit_width(dtype)) {
    case 8: f.template operator()<std::uint8_t>(); return;
    case 16: f.template operator()<std::uint16_t>(); return;
    case 32: f.template operator()<std::uint32_t>(); return;
    case 64: f.template operator()<std::uint64_t>(); return;
    case 128: f.template operator()<std::complex<double>>(); return;
    default:
        fail_unsupported("element type " + std::string(name_of(dtype)) +
                         " is not supported by this operator");
    }
}

}  // namespace lapidary
