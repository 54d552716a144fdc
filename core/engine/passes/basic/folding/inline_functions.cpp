// SPDX-License-Identifier: Apache-2.0
#include "graph/inline_functions.h"

#include "passes/opset/one_opset.h"
#include "rewrite/pass.h"

namespace lapidary::passes {

/// Model-local functions (IR 8), nested calls and calls in subgraphs too. Inlined nodes take over
/// the call's origins, and are brought to the opset of the model.
PassBody inline_functions() {
    return {.run_model =
                [](Model& model, const OptimizeOptions& options, const CancelToken& cancel) {
                    if (model.functions.empty()) return std::string();
                    const std::size_t count = model.functions.size();
                    lapidary::inline_functions(model, options.limits, cancel);
                    model.functions.clear();
                    convert_to_one_opset(model, {cancel, {}});
                    return "inlined " + std::to_string(count) +
                           (count == 1 ? " function" : " functions");
                },
            .changes_shapes = true};
}

}  // namespace lapidary::passes
