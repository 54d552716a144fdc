// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements in order and only name another shape.
#include "ops/geometry/reshape.h"

#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {
namespace {

void set_reshaped(KernelContext& context, Shape shape) {
    context.set_output(0,
                       context.keep(*context.input_value(0)).tensor().reshaped(std::move(shape)));
}

std::optional<std::vector<std::int64_t>> squeeze_axes(KernelContext& context) {
    if (context.version() >= 13) {
        const Tensor* axes = context.optional_input(1);
        if (axes == nullptr) return std::nullopt;
        return int_list(*axes, "axes", 1024);
    }
    if (!context.node().has_attribute("axes")) return std::nullopt;
    return context.node().ints_attribute("axes");
}

}  // namespace

void reshape(KernelContext& context) {
    const Tensor& data = context.input(0);
    const std::vector<std::int64_t> target = int_list(context.input(1), "the target shape", 1024);
    const bool allow_zero = context.node().int_attribute("allowzero", 0) != 0;
    set_reshaped(context, resolve_reshape(data.shape(), target, allow_zero));
}

void flatten(KernelContext& context) {
    set_reshaped(context,
                 flatten_shape(context.input(0).shape(), context.node().int_attribute("axis", 1)));
}

void squeeze(KernelContext& context) {
    const auto axes = squeeze_axes(context).value_or(std::vector<std::int64_t>());
    set_reshaped(context, squeeze_shape(context.input(0).shape(), axes));
}

void unsqueeze(KernelContext& context) {
    const auto axes = squeeze_axes(context);
    if (!axes) context.fail("axes are missing");
    set_reshaped(context, unsqueeze_shape(context.input(0).shape(), *axes));
}

void identity(KernelContext& context) {
    const RuntimeValue* value = context.input_value(0);
    context.set_output(0, value ? context.keep(*value) : RuntimeValue());
}

}  // namespace lapidary::reference
