// SPDX-License-Identifier: Apache-2.0
#include "ops/loop_condition.h"

#include <lapidary/tensor/tensor.h>

namespace lapidary {

bool condition_stays(const Graph& body) {
    ValueId id = body.outputs()[0];
    for (int steps = 0; steps < 8; ++steps) {
        const Value& value = body.value(id);
        if (id == body.inputs()[1]) return true;
        const Tensor* constant =
            value.kind == ValueKind::initializer && value.constant ? &*value.constant : nullptr;
        if (value.kind == ValueKind::node_output) {
            const Node& writer = body.node(value.producer);
            if (writer.op_type == "Constant") {
                constant = writer.tensor_attribute("value");
            } else if ((writer.op_type == "Identity" || writer.op_type == "Cast") &&
                       writer.inputs.size() == 1 && writer.inputs[0]) {
                id = writer.inputs[0];
                continue;
            }
        }
        return constant && constant->dtype() == DType::boolean && constant->size() == 1 &&
               to_int64s(*constant)[0] != 0;
    }
    return false;
}

}  // namespace lapidary
