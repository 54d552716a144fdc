// SPDX-License-Identifier: Apache-2.0
// One element in, one element out: how the unary reference kernels walk a tensor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/kernel.h"

namespace lapidary::reference {

inline constexpr std::int64_t map_grain = 16384;  // elements worth a piece of their own
// elements between two looks at the cancel flag
inline constexpr std::int64_t cancel_interval = 65536;

/// Calls body(begin, end) over [0, count), in parallel when that is worth it, with cancel checks in
/// between.
template <typename Body>
void for_ranges(KernelContext& context, std::int64_t count, const Body& body,
                std::int64_t grain = map_grain) {
    const CancelToken& cancel = context.cancel();
    const auto checked = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; b += cancel_interval) {
            cancel.throw_if_cancelled();
            body(b, std::min(end, b + cancel_interval));
        }
    };
    if (count <= grain) checked(0, count);
    else context.threads().parallel_for(count, grain, checked);
}

/// out[i] = f(in[i]) with f on the compute type of In.
template <typename In, typename Out, typename F>
void map_elements(KernelContext& context, const Tensor& x, Tensor& y, const F& f) {
    const In* in = x.data<In>().data();
    Out* out = y.mutable_data<Out>().data();
    for_ranges(context, x.size(), [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            out[i] = static_cast<Out>(f(static_cast<compute_t<In>>(in[i])));
    });
}

/// 16-bit floats pass through a block of floats, so that f is compiled for float and double only.
template <typename T, typename F>
void map_narrow_floats(KernelContext& context, const Tensor& x, Tensor& y, const F& f) {
    const T* in = x.data<T>().data();
    T* out = y.mutable_data<T>().data();
    for_ranges(context, x.size(), [=](std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t block = 256;
        float values[block];
        for (std::int64_t b = begin; b < end; b += block) {
            const std::int64_t n = std::min(block, end - b);
            for (std::int64_t i = 0; i < n; ++i) values[i] = in[b + i];
            f(values, n);
            for (std::int64_t i = 0; i < n; ++i) out[b + i] = T(values[i]);
        }
    });
}

/// Output 0 = f of each element of input 0, for the float types. f takes and returns float or
/// double.
template <typename F>
void map_floats(KernelContext& context, const F& f) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, x.dtype(), x.shape());
    const auto in_place = [&](float* values, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) values[i] = f(values[i]);
    };
    switch (x.dtype()) {
    case DType::f32: map_elements<float, float>(context, x, y, f); break;
    case DType::f64: map_elements<double, double>(context, x, y, f); break;
    case DType::f16: map_narrow_floats<Half>(context, x, y, in_place); break;
    case DType::bf16: map_narrow_floats<BFloat16>(context, x, y, in_place); break;
    default:
        fail_unsupported("element type " + std::string(name_of(x.dtype())) +
                         " is not supported by this operator: expected a floating-point type");
    }
}

/// The same for the types of List, f being generic over every compute type.
template <typename List, typename F>
void map_types(KernelContext& context, const F& f) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, x.dtype(), x.shape());
    dispatch<List>(x.dtype(), [&]<typename T>() { map_elements<T, T>(context, x, y, f); });
}

/// Unsigned arithmetic wide enough that nothing promotes to a signed type: wraps like two's
/// complement.
template <typename T>
using wrapping_t = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

}  // namespace lapidary::reference
