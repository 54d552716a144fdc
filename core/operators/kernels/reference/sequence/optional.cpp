// SPDX-License-Identifier: Apache-2.0
// Optional, OptionalHasElement and OptionalGetElement. An optional without element is an empty
// value; one with an element is that element.
#include "kernels/kernel.h"

namespace lapidary::reference {

void make_optional(KernelContext& context) {
    context.set_output(
        0, context.has_input(0) ? context.keep(*context.input_value(0)) : RuntimeValue());
}

void optional_has_element(KernelContext& context) {
    context.output(0, DType::boolean, {}).mutable_data<bool>()[0] = context.has_input(0);
}

void optional_get_element(KernelContext& context) {
    if (!context.has_input(0)) context.fail("the optional holds no element");
    context.set_output(0, context.keep(*context.input_value(0)));
}

}  // namespace lapidary::reference
