// SPDX-License-Identifier: Apache-2.0
// ReduceSum, ReduceMean, ReduceMax and kin. 16-bit floats and 8- to 32-bit integers are reduced in
// float and int64; float sums are kept in double.
#include <limits>
#include <optional>

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/reduced_axes.h"

namespace lapidary::reference {
namespace {

/// An input seen as [kept or reduced groups of axes] in memory order.
struct ReductionPlan {
    Shape output;
    std::vector<std::int64_t> reduced_dims, reduced_strides;  // merged, outermost first
    std::vector<std::int64_t> kept_dims, kept_strides;
    std::int64_t reduced = 1, kept = 1;
    std::int64_t run = 1;  // outputs whose inputs lie side by side
};

ReductionPlan plan_reduction(const Shape& shape, AxisSet reduced, bool keep_dims) {
    ReductionPlan plan;
    const Shape strides = strides_of(shape);
    std::optional<bool> last;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const bool goes = reduced >> axis & 1;
        if (!goes) plan.output.push_back(shape[axis]);
        else if (keep_dims) plan.output.push_back(1);
        (goes ? plan.reduced : plan.kept) *= shape[axis];
        if (shape[axis] == 1) continue;
        auto& dims = goes ? plan.reduced_dims : plan.kept_dims;
        auto& steps = goes ? plan.reduced_strides : plan.kept_strides;
        if (last == goes) {
            dims.back() *= shape[axis];
            steps.back() = strides[axis];
        } else {
            dims.push_back(shape[axis]);
            steps.push_back(strides[axis]);
        }
        last = goes;
    }
    if (last == false) plan.run = plan.kept_dims.back();
    return plan;
}

/// Offset of position `index` in dims (row-major) under strides.
std::int64_t offset_of(std::int64_t index, const std::vector<std::int64_t>& dims,
                       const std::vector<std::int64_t>& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        offset += index % dims[axis] * strides[axis];
        index /= dims[axis];
    }
    return offset;
}

/// Operator: struct with State, begin(), step(state, value), finish(state, count).
template <typename T, typename Operator>
void reduce_values(KernelContext& context, const ReductionPlan& plan, const T* in, T* out) {
    using State = typename Operator::State;
    const std::int64_t inner = plan.reduced_dims.empty() ? 1 : plan.reduced_dims.back();
    const std::int64_t inner_stride = plan.reduced_dims.empty() ? 0 : plan.reduced_strides.back();
    const std::int64_t outer = plan.reduced == 0 ? 0 : plan.reduced / inner;
    const std::vector<std::int64_t> outer_dims(
        plan.reduced_dims.begin(), plan.reduced_dims.end() - !plan.reduced_dims.empty());
    const std::vector<std::int64_t> outer_strides(
        plan.reduced_strides.begin(), plan.reduced_strides.end() - !plan.reduced_strides.empty());
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t width = 128;
        State states[width];
        for (std::int64_t at = begin; at < end;) {
            const std::int64_t n = std::min({width, end - at, plan.run - at % plan.run});
            const T* base = in + offset_of(at, plan.kept_dims, plan.kept_strides);
            std::fill_n(states, n, Operator::begin());
            for (std::int64_t o = 0; o < outer; ++o) {
                context.cancel().throw_if_cancelled();
                const T* row = base + offset_of(o, outer_dims, outer_strides);
                for (std::int64_t i = 0; i < inner; ++i, row += inner_stride)
                    for (std::int64_t j = 0; j < n; ++j) Operator::step(states[j], row[j]);
            }
            for (std::int64_t j = 0; j < n; ++j)
                out[at + j] = static_cast<T>(Operator::finish(states[j], plan.reduced));
            at += n;
        }
    };
    const std::int64_t grain =
        std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(1, plan.reduced));
    if (plan.kept <= grain) body(0, plan.kept);
    else context.threads().parallel_for(plan.kept, grain, body);
}

template <typename T>
using sum_t = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

template <typename T>
sum_t<T> widened(T value) {
    return static_cast<sum_t<T>>(value);
}

/// Converts a wrapped integer sum back to a number; a floating-point sum is unchanged.
template <typename T>
auto number(sum_t<T> value) {
    if constexpr (std::is_floating_point_v<T>) return value;
    else return static_cast<T>(value);
}

template <typename T>
bool is_nan_value(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    else return false;
}

template <typename T>
struct SumOf {
    using State = sum_t<T>;
    static State begin() { return 0; }
    static void step(State& s, T x) { s += widened(x); }
    static auto finish(State s, std::int64_t) { return number<T>(s); }
};
template <typename T>
struct MeanOf : SumOf<T> {
    static auto finish(sum_t<T> s, std::int64_t count) {
        if constexpr (!std::is_floating_point_v<T>) {
            if (count == 0) fail_input("the mean of no elements is not defined for integers");
            return static_cast<T>(number<T>(s) / static_cast<T>(count));
        } else {
            return s / static_cast<double>(count);
        }
    }
};
template <typename T>
struct ProductOf {
    using State = sum_t<T>;
    static State begin() { return 1; }
    static void step(State& s, T x) { s *= widened(x); }
    static auto finish(State s, std::int64_t) { return number<T>(s); }
};
template <typename T>
struct SumOfMagnitudes : SumOf<T> {
    static void step(sum_t<T>& s, T x) { s += x < 0 ? 0 - widened(x) : widened(x); }
};
template <typename T>
struct SumOfSquares : SumOf<T> {
    static void step(sum_t<T>& s, T x) { s += widened(x) * widened(x); }
};
template <typename T>
struct Norm : SumOfSquares<T> {
    static auto finish(sum_t<T> s, std::int64_t) { return std::sqrt(static_cast<double>(s)); }
};
template <typename T>
struct LogOfSum : SumOf<T> {
    static double finish(sum_t<T> s, std::int64_t) {
        return std::log(static_cast<double>(number<T>(s)));
    }
};
/// Sum of exponentials relative to the largest value so far, so that nothing overflows.
template <typename T>
struct LogOfSumOfExponentials {
    struct State {
        double largest, sum;
    };
    static State begin() { return {-std::numeric_limits<double>::infinity(), 0}; }
    static void step(State& s, T x) {
        const double value = static_cast<double>(x);
        if (value == s.largest) {
            if (value != -std::numeric_limits<double>::infinity()) s.sum += 1;
        } else if (value < s.largest) {
            s.sum += std::exp(value - s.largest);
        } else {
            s.sum = s.sum * std::exp(s.largest - value) + 1;
            s.largest = value;
        }
    }
    static double finish(State s, std::int64_t) { return s.largest + std::log(s.sum); }
};
template <typename T>
struct Largest {
    using State = T;
    static State begin() {
        if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::lowest();
    }
    static void step(State& s, T x) { s = is_nan_value(s) || s > x ? s : x; }
    static T finish(State s, std::int64_t) { return s; }
};
template <typename T>
struct Smallest {
    using State = T;
    static State begin() {
        if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::max();
    }
    static void step(State& s, T x) { s = is_nan_value(s) || s < x ? s : x; }
    static T finish(State s, std::int64_t) { return s; }
};

/// Which axes go; `axes_input_since` is the opset from which axes are an input.
AxisSet axes_of(const KernelContext& context, std::int64_t axes_input_since) {
    std::vector<std::int64_t> axes;
    if (context.version() < axes_input_since) axes = context.node().ints_attribute("axes");
    else if (const Tensor* tensor = context.optional_input(1))
        axes = int_list(*tensor, "axes", context.limits().run_rank);
    return reduced_axes(axes, context.input(0).shape().size(),
                        context.node().int_attribute("noop_with_empty_axes", 0) != 0);
}

template <template <typename> class Operator>
void reduce(KernelContext& context, std::int64_t axes_input_since = 18) {
    const Tensor& x = context.input(0);
    const ReductionPlan plan = plan_reduction(x.shape(), axes_of(context, axes_input_since),
                                              context.node().int_attribute("keepdims", 1) != 0);
    Tensor& y = context.output(0, x.dtype(), plan.output);
    const DType compute =
        x.dtype() == DType::f16 || x.dtype() == DType::bf16 ? DType::f32
        : x.dtype() == DType::f32 || x.dtype() == DType::f64 || x.dtype() == DType::u64
            ? x.dtype()
            : DType::i64;
    if (!is_float(x.dtype()) && !is_integer(x.dtype()) && x.dtype() != DType::boolean)
        fail_unsupported("element type " + std::string(name_of(x.dtype())) +
                         " is not supported by this operator");
    dispatch<TypeList<float, double, std::int64_t, std::uint64_t>>(compute, [&]<typename T>() {
        const Tensor in = converted(context, x, compute);
        Tensor out = y.dtype() == compute ? y : context.scratch(compute, plan.output);
        reduce_values<T, Operator<T>>(context, plan, in.data<T>().data(),
                                      out.mutable_data<T>().data());
        if (y.dtype() != compute) {
            // The neutral element of an empty Max or Min belongs to the tensor's own type.
            if constexpr (std::is_same_v<T, std::int64_t>) {
                if (plan.reduced == 0 && (std::is_same_v<Operator<T>, Largest<T>> ||
                                          std::is_same_v<Operator<T>, Smallest<T>>)) {
                    const bool largest = std::is_same_v<Operator<T>, Largest<T>>;
                    std::int64_t neutral = largest ? 0 : 1;  // bool
                    if (y.dtype() != DType::boolean)
                        dispatch<IntegerTypes>(y.dtype(), [&]<typename U>() {
                            neutral =
                                static_cast<std::int64_t>(largest ? std::numeric_limits<U>::lowest()
                                                                  : std::numeric_limits<U>::max());
                        });
                    std::ranges::fill(out.mutable_data<T>(), neutral);
                }
            }
            convert_into(context, out, y);
        }
    });
}

}  // namespace

void reduce_sum(KernelContext& context) { reduce<SumOf>(context, 13); }
void reduce_mean(KernelContext& context) { reduce<MeanOf>(context); }
void reduce_prod(KernelContext& context) { reduce<ProductOf>(context); }
void reduce_l1(KernelContext& context) { reduce<SumOfMagnitudes>(context); }
void reduce_l2(KernelContext& context) { reduce<Norm>(context); }
void reduce_sum_square(KernelContext& context) { reduce<SumOfSquares>(context); }
void reduce_log_sum(KernelContext& context) { reduce<LogOfSum>(context); }
void reduce_log_sum_exp(KernelContext& context) { reduce<LogOfSumOfExponentials>(context); }
void reduce_max(KernelContext& context) { reduce<Largest>(context); }
void reduce_min(KernelContext& context) { reduce<Smallest>(context); }

}  // namespace lapidary::reference
