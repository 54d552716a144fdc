// SPDX-License-Identifier: Apache-2.0
// Two tensors in, one out, with numpy broadcasting: how the binary reference kernels walk their
// operands.
#pragma once

#include "kernels/reference/elementwise/broadcast_loop.h"
#include "kernels/reference/elementwise/elementwise_map.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

/// The shape of input 1 as opset < 7 aligns it: with attributes broadcast = 1 and axis, its
/// dimensions start at that axis of input 0. Later opsets: the shape itself.
Shape second_operand_shape(const KernelContext& context, const Shape& a, const Shape& b);
/// Throws unless both operands have one element type.
void require_same_dtype(const KernelContext& context, const Tensor& a, const Tensor& b);
/// A copy in another element type (working memory): how 16-bit floats reach kernels written for
/// float.
Tensor converted(KernelContext& context, const Tensor& tensor, DType dtype);
/// Converts every element into `out`, which has the same shape.
void convert_into(KernelContext& context, const Tensor& tensor, Tensor& out);

/// out = f(a, b) on one row; a step of 0 repeats the first element.
template <typename T, typename Out, typename F>
void combine_row(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, Out* out,
                 std::int64_t n, const F& f) {
    if (a_step && b_step)
        for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], b[i]));
    else if (a_step)
        for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], b[0]));
    else
        for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[0], b[i * b_step]));
}

template <typename T, typename Out, typename F>
void combine(KernelContext& context, const Tensor& a, const Shape& b_shape, const Tensor& b,
             Tensor& y, const F& f) {
    const BroadcastLoop loop(y.shape(), {&a.shape(), &b_shape});
    const T* pa = a.data<T>().data();
    const T* pb = b.data<T>().data();
    Out* out = y.mutable_data<Out>().data();
    const std::int64_t a_step = loop.step(0), b_step = loop.step(1);
    loop.run(context, [&](const BroadcastLoop::Row& row) {
        combine_row(pa + row.offsets[0], a_step, pb + row.offsets[1], b_step, out + row.output,
                    row.count, f);
    });
}

/// Output 0 = f(input 0, input 1) in the inputs' type, one of List; 16-bit floats are computed in
/// float.
template <typename List, typename F>
void combine_types(KernelContext& context, const F& f) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    require_same_dtype(context, a, b);
    const Shape b_shape = second_operand_shape(context, a.shape(), b.shape());
    Tensor& y = context.output(0, a.dtype(), broadcast_shapes(a.shape(), b_shape));
    if (a.dtype() == DType::f16 || a.dtype() == DType::bf16) {
        dispatch<List>(DType::f32, [&]<typename T>() {
            Tensor wide = context.scratch(DType::f32, y.shape());
            combine<T, T>(context, converted(context, a, DType::f32), b_shape,
                          converted(context, b, DType::f32), wide, f);
            convert_into(context, wide, y);
        });
        return;
    }
    dispatch<List>(a.dtype(), [&]<typename T>() { combine<T, T>(context, a, b_shape, b, y, f); });
}

/// Output 0 (bool) = f(input 0, input 1).
template <typename List, typename F>
void compare_types(KernelContext& context, const F& f) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    require_same_dtype(context, a, b);
    const Shape b_shape = second_operand_shape(context, a.shape(), b.shape());
    Tensor& y = context.output(0, DType::boolean, broadcast_shapes(a.shape(), b_shape));
    if (a.dtype() == DType::f16 || a.dtype() == DType::bf16) {
        combine<float, bool>(context, converted(context, a, DType::f32), b_shape,
                             converted(context, b, DType::f32), y, f);
        return;
    }
    dispatch<List>(a.dtype(),
                   [&]<typename T>() { combine<T, bool>(context, a, b_shape, b, y, f); });
}

using WideTypes = TypeList<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                           std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

/// Integer division as ONNX has it: towards zero; the smallest value divided by -1 wraps to itself.
template <typename T>
T divide(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        if (b == 0) fail_input("integer division by zero");
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return static_cast<T>(0 - static_cast<wrapping_t<T>>(a));
        }
        return static_cast<T>(a / b);
    } else {
        return a / b;
    }
}

}  // namespace lapidary::reference
