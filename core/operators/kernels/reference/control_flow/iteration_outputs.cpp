// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/control_flow/iteration_outputs.h"

#include <algorithm>

#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

GraphPtr body_of(KernelContext& context) {
    GraphPtr body = context.node().graph_attribute("body");
    if (body == nullptr) context.fail("attribute \"body\" with a graph is required but missing");
    return body;
}

void IterationOutput::add(KernelContext& context, const RuntimeValue& value) {
    const RuntimeValue kept = context.keep(value);
    const Tensor& tensor = kept.tensor();
    if (!parts_.empty() &&
        (tensor.dtype() != parts_.front().dtype() || tensor.shape() != parts_.front().shape())) {
        context.fail("output " + std::to_string(index_) + " of the body is " + describe(tensor) +
                     " in iteration " + std::to_string(parts_.size()) + " and was " +
                     describe(parts_.front()) + " before");
    }
    if (parts_.empty() && expected_ > 1) require_room(context.limits(), tensor);
    if (parts_.size() >= context.limits().list_elements) {
        fail_limit("output " + std::to_string(index_) +
                   " of the body would be collected over more than " +
                   std::to_string(parts_.size()) + " iterations");
    }
    parts_.push_back(tensor);
}

void IterationOutput::require_room(const Limits& limits, const Tensor& one) const {
    const auto iterations = static_cast<std::uint64_t>(expected_);
    std::uint64_t bytes = 0;
    const bool overflows =
        __builtin_mul_overflow(iterations, static_cast<std::uint64_t>(one.byte_size()), &bytes);
    if (overflows || bytes > limits.tensor_bytes || iterations > limits.list_elements) {
        fail_limit("output " + std::to_string(index_) + " of the body is " + describe(one) +
                   ", over " + std::to_string(expected_) + " iterations too much: the limits are " +
                   std::to_string(limits.list_elements) + " iterations and " +
                   std::to_string(limits.tensor_bytes) + " bytes for one tensor");
    }
}

const Type& IterationOutput::declared() const {
    const Type& type = body_.value(body_.outputs()[index_]).type;
    if (!type.is_tensor() || type.dtype == DType::undefined) {
        fail_input("output " + std::to_string(index_) +
                   " of the body has no known element type and there is no iteration to show it");
    }
    return type;
}

DType IterationOutput::dtype() const {
    return parts_.empty() ? declared().dtype : parts_.front().dtype();
}

Shape IterationOutput::shape() const {
    if (!parts_.empty()) return parts_.front().shape();
    Shape shape;
    if (declared().has_shape()) {
        for (const Dim& dim : *declared().shape) shape.push_back(dim.is_known() ? dim.value() : 0);
    }
    return shape;
}

void IterationOutput::write(KernelContext& context, std::size_t output, std::int64_t axis,
                            bool reverse) {
    Shape stacked = shape();
    const int normal =
        normalize_axis(axis, static_cast<int>(stacked.size()) + 1, "scan output axis");
    stacked.insert(stacked.begin() + normal, static_cast<std::int64_t>(parts_.size()));
    if (reverse) std::ranges::reverse(parts_);
    join_into(context, parts_, static_cast<std::size_t>(normal),
              context.output(output, dtype(), std::move(stacked)));
}

}  // namespace lapidary::reference
