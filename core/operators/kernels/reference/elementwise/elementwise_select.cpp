// SPDX-License-Identifier: Apache-2.0
// Where, Clip, Cast and the operators of any number of inputs: Max, Min, Sum, Mean.
#include <algorithm>
#include <cstring>
#include <limits>

#include <lapidary/tensor/float16.h>

#include "kernels/elementwise/kept_finite.h"
#include "kernels/reference/elementwise/cast_elements.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/text_room.h"

namespace lapidary::reference {
namespace {

/// Folds all inputs with f, left to right, then maps each result with `finish`.
template <typename List, typename F, typename G>
void fold_inputs(KernelContext& context, const F& f, const G& finish) {
    const Tensor& first = context.input(0);
    Shape shape = first.shape();
    for (std::size_t i = 1; i < context.input_count(); ++i) {
        require_same_dtype(context, first, context.input(i));
        shape = broadcast_shapes(shape, context.input(i).shape());
    }
    Tensor& y = context.output(0, first.dtype(), shape);
    const bool narrow = first.dtype() == DType::f16 || first.dtype() == DType::bf16;
    const DType compute = narrow ? DType::f32 : first.dtype();
    dispatch<List>(compute, [&]<typename T>() {
        Tensor total = narrow ? context.scratch(DType::f32, shape) : y;
        T* out = total.mutable_data<T>().data();
        for (std::size_t i = 0; i < context.input_count(); ++i) {
            const Tensor input = converted(context, context.input(i), compute);
            const T* in = input.data<T>().data();
            const BroadcastLoop loop(shape, {&input.shape()});
            const std::int64_t step = loop.step(0);
            loop.run(context, [&](const BroadcastLoop::Row& row) {
                const T* source = in + row.offsets[0];
                T* target = out + row.output;
                if (i == 0)
                    for (std::int64_t k = 0; k < row.count; ++k) target[k] = source[k * step];
                else
                    for (std::int64_t k = 0; k < row.count; ++k)
                        target[k] = static_cast<T>(f(target[k], source[k * step]));
            });
        }
        finish(out, total.size());
        if (narrow) convert_into(context, total, y);
    });
}

constexpr auto keep_as_is = [](auto*, std::int64_t) {};

template <typename T>
bool is_nan_value(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    else return false;
}

template <typename T>
void cast_finite(const Tensor& x, Tensor& y, float largest) {
    std::ranges::transform(x.data<float>(), y.mutable_data<T>().begin(),
                           [largest](float v) { return T(kept_finite(v, largest)); });
}

}  // namespace

/// NaN in any input gives NaN, as numpy.maximum does.
void max(KernelContext& context) {
    fold_inputs<WideTypes>(
        context, [](auto a, auto b) { return is_nan_value(a) || a > b ? a : b; }, keep_as_is);
}

void min(KernelContext& context) {
    fold_inputs<WideTypes>(
        context, [](auto a, auto b) { return is_nan_value(a) || a < b ? a : b; }, keep_as_is);
}

void sum(KernelContext& context) {
    fold_inputs<TypeList<float, double>>(
        context, [](auto a, auto b) { return a + b; }, keep_as_is);
}

void mean(KernelContext& context) {
    const auto inputs = static_cast<float>(context.input_count());
    fold_inputs<TypeList<float, double>>(
        context, [](auto a, auto b) { return a + b; },
        [inputs](auto* values, std::int64_t n) {
            for (std::int64_t i = 0; i < n; ++i) values[i] /= inputs;
        });
}

void clip(KernelContext& context) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, x.dtype(), x.shape());
    dispatch<NumericTypes>(x.dtype(), [&]<typename T>() {
        using C = compute_t<T>;
        C low = std::numeric_limits<C>::lowest(), high = std::numeric_limits<C>::max();
        bool has_low = false, has_high = false;
        if (context.version() < 11) {
            has_low = context.node().has_attribute("min");
            has_high = context.node().has_attribute("max");
            if (has_low) low = static_cast<C>(context.node().float_attribute("min", 0));
            if (has_high) high = static_cast<C>(context.node().float_attribute("max", 0));
        } else {
            const auto bound = [&](std::size_t index, C& value, bool& has) {
                const Tensor* tensor = context.optional_input(index);
                if (!tensor) return;
                require_same_dtype(context, x, *tensor);
                if (tensor->size() != 1)
                    context.fail("input " + std::to_string(index) +
                                 ": expected a scalar, found shape " + to_string(tensor->shape()));
                value = static_cast<C>(tensor->data<T>()[0]);
                has = true;
            };
            bound(1, low, has_low);
            bound(2, high, has_high);
        }
        map_elements<T, T>(context, x, y, [=](C value) {
            if (has_low && value < low) value = low;
            if (has_high && value > high) value = high;
            return value;
        });
    });
}

void where(KernelContext& context) {
    const Tensor& condition = context.input(0);
    const Tensor& x = context.input(1);
    const Tensor& z = context.input(2);
    require_same_dtype(context, x, z);
    if (condition.dtype() != DType::boolean)
        context.fail("input 0: expected bool, found " + std::string(name_of(condition.dtype())));
    const Shape shape = broadcast_shapes(broadcast_shapes(condition.shape(), x.shape()), z.shape());
    Tensor& y = context.output(0, x.dtype(), shape);
    const BroadcastLoop loop(shape, {&condition.shape(), &x.shape(), &z.shape()});
    const std::int64_t c_step = loop.step(0), x_step = loop.step(1), z_step = loop.step(2);
    const bool* c = condition.data<bool>().data();
    TextRoom room(context);
    dispatch_by_width(x.dtype(), [&]<typename T>() {
        const T* in_x = static_cast<const T*>(x.raw());
        const T* in_z = static_cast<const T*>(z.raw());
        T* out = static_cast<T*>(y.mutable_raw());
        loop.run(context, [&](const BroadcastLoop::Row& row) {
            const auto [oc, ox, oz] = row.offsets;
            for (std::int64_t i = 0; i < row.count; ++i) {
                const T& chosen =
                    c[oc + i * c_step] ? in_x[ox + i * x_step] : in_z[oz + i * z_step];
                room.take(chosen);
                out[row.output + i] = chosen;
            }
        });
    });
}

/// Attributes saturate and round_mode.
CastRounding rounding_of(KernelContext& context) {
    const std::string mode = context.node().string_attribute("round_mode", "up");
    if (mode != "up" && mode != "down" && mode != "nearest")
        context.fail("attribute round_mode: expected up, down or nearest, found " + quote(mode));
    return {context.node().int_attribute("saturate", 1) != 0, mode == "up" ? PowerRounding::up
                                                              : mode == "down"
                                                                  ? PowerRounding::down
                                                                  : PowerRounding::nearest};
}

void cast(KernelContext& context) {
    const Tensor& x = context.input(0);
    DType to = DType::undefined;
    if (context.version() < 6) {  // Cast-1 names the type in text
        const std::string name = context.node().string_attribute("to", "");
        std::string lower;
        for (const char c : name)
            lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const auto parsed = dtype_from_name(lower);
        if (!parsed) context.fail("attribute to: unknown element type " + quote(name));
        to = *parsed;
    } else {
        const std::int64_t number = context.node().int_attribute("to", 0);
        if (!is_known_dtype(number))
            fail_unsupported("attribute to: element type number " + std::to_string(number) +
                             " is not supported");
        to = static_cast<DType>(number);
    }
    Tensor& y = context.output(0, to, x.shape());
    cast_elements(context, x, y, rounding_of(context));
}

/// lapidary::MultiCast (core/engine/passes/session/join_casts.cpp): output i is input i, cast, and
/// what is finite stays so.
void multi_cast(KernelContext& context) {
    const auto to = static_cast<DType>(context.node().int_attribute("to", 0));
    for (std::size_t i = 0; i < context.node().inputs.size(); ++i) {
        const Tensor& x = context.input(i);
        Tensor& y = context.output(i, to, x.shape());
        if (to == DType::f16) cast_finite<Half>(x, y, largest_float16);
        else if (to == DType::bf16) cast_finite<BFloat16>(x, y, largest_bfloat16);
        else cast_elements(context, x, y, rounding_of(context));
    }
}

/// The same bits under another element type of the same width.
void bit_cast(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::int64_t number = context.node().int_attribute("to", 0);
    if (!is_known_dtype(number))
        fail_unsupported("attribute to: element type number " + std::to_string(number) +
                         " is not supported");
    const auto to = static_cast<DType>(number);
    if (to == DType::string || x.dtype() == DType::string || bit_width(to) != bit_width(x.dtype()))
        context.fail("expected two types of one width, none of them string, found " +
                     std::string(name_of(x.dtype())) + " and " + std::string(name_of(to)));
    Tensor& y = context.output(0, to, x.shape());
    if (x.byte_size() > 0) std::memcpy(y.mutable_raw(), x.raw(), x.byte_size());
}

void cast_like(KernelContext& context) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, context.input(1).dtype(), x.shape());
    cast_elements(context, x, y, rounding_of(context));
}

}  // namespace lapidary::reference
