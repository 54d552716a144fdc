// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/elementwise/elementwise_binary.h"

#include "kernels/reference/elementwise/cast_elements.h"

namespace lapidary::reference {

Shape second_operand_shape(const KernelContext& context, const Shape& a, const Shape& b) {
    const Node& node = context.node();
    if (context.version() >= 7 || !node.domain.empty() || node.int_attribute("broadcast", 0) == 0)
        return b;
    std::int64_t axis = node.int_attribute(
        "axis", static_cast<std::int64_t>(a.size()) - static_cast<std::int64_t>(b.size()));
    if (axis < 0) axis += static_cast<std::int64_t>(a.size());
    if (axis < 0 || axis + b.size() > a.size())
        context.fail("attribute axis: shape " + to_string(b) + " does not fit into " +
                     to_string(a) + " from axis " + std::to_string(axis));
    Shape aligned = b;
    aligned.resize(a.size() - static_cast<std::size_t>(axis), 1);
    return aligned;
}

void require_same_dtype(const KernelContext& context, const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        context.fail("operands differ in element type: " + std::string(name_of(a.dtype())) +
                     " and " + std::string(name_of(b.dtype())));
}

void convert_into(KernelContext& context, const Tensor& tensor, Tensor& out) {
    cast_elements(context, tensor, out);
}

Tensor converted(KernelContext& context, const Tensor& tensor, DType dtype) {
    if (tensor.dtype() == dtype) return tensor;
    Tensor out = context.scratch(dtype, tensor.shape());
    cast_elements(context, tensor, out);
    return out;
}

}  // namespace lapidary::reference
