// SPDX-License-Identifier: Apache-2.0
//   before:  c = Constant() {value...}         after:  c is an initializer
// ONNX Runtime does so while it loads, at every level.
#include "graph/lift_constants.h"
#include "rewrite/pass.h"

namespace lapidary::passes {

PassBody lift_constants() {
    return {.run = [](PassContext& context) {
        if (!context.may_rewrite()) return;
        const std::size_t count = lapidary::lift_constants(context.graph(), context.edit());
        if (count > 0)
            context.record(
                "made " + std::to_string(count) +
                (count == 1 ? " Constant node an initializer" : " Constant nodes initializers"));
    }};
}

}  // namespace lapidary::passes
