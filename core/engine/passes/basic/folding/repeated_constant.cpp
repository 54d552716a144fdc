// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/folding/repeated_constant.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/operator_traits.h"

namespace lapidary::passes {
namespace {

bool broadcasts(const Node& node) {
    const OperatorLayout layout = traits_of(node).layout;
    return layout == OperatorLayout::binary || layout == OperatorLayout::ternary ||
           layout == OperatorLayout::variadic;
}

/// Removes from `axes` those that only this operand of the reader has in full.
void keep_needed(const Scope& scope, const Node& reader, ValueId value, const Shape& shape,
                 std::vector<bool>& axes) {
    std::vector<bool> spared(axes.size(), false);
    for (const ValueId other : reader.inputs) {
        if (!other || other == value || !scope.type(other).shape) continue;
        const SymbolicShape& dims = *scope.type(other).shape;
        for (std::size_t back = 1; back <= std::min(dims.size(), shape.size()); ++back) {
            const Dim& dim = dims[dims.size() - back];
            if (dim.is_known() && dim.value() == shape[shape.size() - back])
                spared[shape.size() - back] = true;
        }
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = axes[axis] && spared[axis];
}

/// Bytes from one index of the axis to the next.
std::size_t stride_of(const Tensor& tensor, std::size_t axis) {
    std::size_t bytes = storage_bytes(tensor.dtype(), 1);
    for (std::size_t d = axis + 1; d < tensor.shape().size(); ++d)
        bytes *= static_cast<std::size_t>(tensor.shape()[d]);
    return bytes;
}

bool repeats_along(const Tensor& tensor, std::size_t axis) {
    const std::size_t stride = stride_of(tensor, axis),
                      whole = stride * static_cast<std::size_t>(tensor.shape()[axis]);
    const auto* const bytes = static_cast<const char*>(tensor.raw());
    for (std::size_t begin = 0; begin < tensor.byte_size(); begin += whole)
        if (std::memcmp(bytes + begin, bytes + begin + stride, whole - stride) != 0) return false;
    return true;
}

/// The first slice along the axis.
Tensor first_along(const Tensor& tensor, std::size_t axis) {
    const std::size_t stride = stride_of(tensor, axis),
                      whole = stride * static_cast<std::size_t>(tensor.shape()[axis]);
    Shape shape = tensor.shape();
    shape[axis] = 1;
    Tensor first(tensor.dtype(), std::move(shape));
    const auto* const from = static_cast<const char*>(tensor.raw());
    auto* const to = static_cast<char*>(first.mutable_raw());
    for (std::size_t i = 0; i * whole < tensor.byte_size(); ++i)
        std::memcpy(to + i * stride, from + i * whole, stride);
    return first;
}

}  // namespace

std::optional<Tensor> without_repetitions(const Scope& scope, ValueId value,
                                          const Tensor& constant) {
    const Value& v = scope.value(value);
    const bool has_plain_bytes = constant.dtype() != DType::string && !is_packed(constant.dtype());
    if (!has_plain_bytes || v.output_uses > 0 || !v.captured_by.empty() || v.uses.empty())
        return std::nullopt;
    const Shape& shape = constant.shape();
    std::vector<bool> axes(shape.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = shape[axis] > 1;
    for (const Use& use : v.uses) {
        const Node& reader = scope.node(use.node);
        const bool is_shape =
            use.input == 0 && traits_of(reader).has(OperatorFact::one_way_broadcast);
        if (!broadcasts(reader) || is_shape) return std::nullopt;
        keep_needed(scope, reader, value, shape, axes);
    }
    std::optional<Tensor> found;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const Tensor& now = found ? *found : constant;
        if (axes[axis] && now.size() > 0 && repeats_along(now, axis))
            found = first_along(now, axis);
    }
    return found;
}

}  // namespace lapidary::passes
