// SPDX-License-Identifier: Apache-2.0
// LayerNormalization (17) and RMSNormalization (23): normalization over the trailing axes.
#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/row_statistics.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

/// X as [rows, width]: `width` elements from `axis` on share their statistics.
struct RowLayout {
    std::int64_t rows = 0, width = 0;
    Shape statistics_shape;  // X with the normalized axes of size 1

    RowLayout(const Tensor& x, int axis) : statistics_shape(x.shape()) {
        std::fill(statistics_shape.begin() + axis, statistics_shape.end(), 1);
        width = element_count(std::span(x.shape()).subspan(static_cast<std::size_t>(axis)));
        rows = element_count(statistics_shape);
    }
};

/// A scale or bias that broadcasts to X, read row by row.
template <typename T>
class RowParameter {
public:
    RowParameter(KernelContext& context, const Tensor* tensor, const Tensor& x, std::int64_t width)
        : values_(context, tensor) {
        if (!tensor) return;
        if (tensor->size() == width &&
            static_cast<std::size_t>(tensor->rank()) <= x.shape().size() &&
            trails(tensor->shape(), x.shape()))
            return;
        if (broadcast_shapes(tensor->shape(), x.shape()) != x.shape())
            fail_input(context.node().op_type + ": " + to_string(tensor->shape()) +
                       " does not broadcast to X " + to_string(x.shape()));
        strides_ = broadcast_strides(tensor->shape(), x.shape());
        shape_ = x.shape();
    }
    /// The value for element `i` of row `row`.
    T at(std::int64_t row, std::int64_t i, std::int64_t width) const {
        if (shape_.empty()) return values_[i];
        std::int64_t index = row * width + i, offset = 0;
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            offset += index % shape_[axis] * strides_[axis];
            index /= shape_[axis];
        }
        return values_[offset];
    }
    explicit operator bool() const { return static_cast<bool>(values_); }

private:
    static bool trails(const Shape& shape, const Shape& x) {
        return std::equal(shape.rbegin(), shape.rend(), x.rbegin());
    }
    Widened<T> values_;
    Shape shape_, strides_;  // empty: one row of `width` values serves all rows
};

/// The Mean or InvStdDev output, written only when the node asks for it.
class Statistic {
public:
    Statistic(KernelContext& context, std::size_t index, DType dtype, const Shape& shape) {
        if (index < context.output_count() && context.wants_output(index))
            values_.emplace(context, context.output(index, dtype, shape));
    }
    bool is_wanted() const { return values_.has_value(); }
    void set(std::int64_t row, double value) {
        if (values_) (*values_)[row] = value;
    }
    void store() {
        if (values_) values_->store();
    }

private:
    std::optional<Narrowed<double>> values_;
};

/// The element type of the statistics. Where none is wanted stash_type changes nothing and may be
/// anything.
DType statistics_type(const Node& node) {
    const std::int64_t stash = node.int_attribute("stash_type", 1);
    if (std::none_of(node.outputs.begin() + 1, node.outputs.end(),
                     [](ValueId v) { return static_cast<bool>(v); }))
        return DType::f32;
    if (stash != 1 && stash != 10 && stash != 11 && stash != 16)
        fail_model("attribute stash_type: expected a float type (1, 10, 11 or 16), found " +
                   std::to_string(stash));
    return static_cast<DType>(stash);
}

}  // namespace

void layer_normalization(KernelContext& context) {
    const Tensor& x = context.input(0);
    const int axis = normalize_axis(context.node().int_attribute("axis", -1), x.rank());
    const RowLayout l(x, axis);
    const double epsilon = context.node().float_attribute("epsilon", 1e-5f);
    const DType stash = statistics_type(context.node());
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x);
        const RowParameter<T> scale(context, &context.input(1), x, l.width),
            bias(context, context.optional_input(2), x, l.width);
        // Before opset 17 it is ONNX Runtime's own operator, whose Y has the type of the scale.
        Narrowed<T> output(
            context,
            context.output(0, context.version() < 17 ? context.input(1).dtype() : x.dtype(),
                           x.shape()));
        Statistic mean(context, 1, stash, l.statistics_shape),
            inverse_deviation(context, 2, stash, l.statistics_shape);
        if (x.size() == 0 && !mean.is_wanted() && !inverse_deviation.is_wanted()) return;
        context.threads().parallel_for(l.rows, 8, [&](std::int64_t begin, std::int64_t end) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t row = begin; row < end; ++row) {
                const T* from = input.data() + row * l.width;
                T* to = output.data() + row * l.width;
                const RowStatistics s = row_statistics(from, l.width);
                const double inverse = 1 / std::sqrt(s.variance + epsilon);
                mean.set(row, s.mean);
                inverse_deviation.set(row, inverse);
                const T center = static_cast<T>(s.mean), factor = static_cast<T>(inverse);
                for (std::int64_t i = 0; i < l.width; ++i) {
                    to[i] = (from[i] - center) * factor * scale.at(row, i, l.width);
                    if (bias) to[i] += bias.at(row, i, l.width);
                }
            }
        });
        output.store();
        mean.store();
        inverse_deviation.store();
    });
}

void rms_normalization(KernelContext& context) {
    const Tensor& x = context.input(0);
    const int axis = normalize_axis(context.node().int_attribute("axis", -1), x.rank());
    const RowLayout l(x, axis);
    const double epsilon = context.node().float_attribute("epsilon", 1e-5f);
    const DType stash = statistics_type(context.node());
    const Tensor& scale_tensor = context.input(1);
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x);
        const RowParameter<T> scale(context, &scale_tensor, x, l.width);
        // V, the type of scale and Y, may differ from the type of X.
        Narrowed<T> output(context, context.output(0, scale_tensor.dtype(), x.shape()));
        // of SimplifiedLayerNormalization alone
        Statistic inverse_deviation(context, 1, stash, l.statistics_shape);
        if (x.size() == 0 && !inverse_deviation.is_wanted()) return;
        context.threads().parallel_for(l.rows, 8, [&](std::int64_t begin, std::int64_t end) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t row = begin; row < end; ++row) {
                const T* from = input.data() + row * l.width;
                T* to = output.data() + row * l.width;
                const double inverse = 1 / std::sqrt(row_mean_square(from, l.width) + epsilon);
                inverse_deviation.set(row, inverse);
                const T factor = static_cast<T>(inverse);
                for (std::int64_t i = 0; i < l.width; ++i)
                    to[i] = from[i] * factor * scale.at(row, i, l.width);
            }
        });
        output.store();
        inverse_deviation.store();
    });
}

}  // namespace lapidary::reference
