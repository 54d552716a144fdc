// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/basic/folding/freeze_defaults.h"
#include "rewrite/pass.h"

namespace lapidary {

std::size_t freeze_defaults(Model& model) {
    constexpr std::int64_t plain_initializers = 4;  // IR version from which they need not be inputs
    std::vector<ValueId> defaults;
    for (ValueId id : model.graph.inputs())
        if (model.graph.value(id).constant) defaults.push_back(id);
    model.ir_version = std::max(model.ir_version, plain_initializers);
    GraphEdit edit(model.graph);
    for (ValueId id : defaults) {
        const Value old = model.graph.value(id);
        const ValueId fixed = edit.add_initializer(old.name + "_constant", *old.constant);
        edit.replace_uses(id, fixed);
        edit.remove_input(id);
        edit.rename(fixed, old.name);
    }
    return defaults.size();
}

namespace passes {

/// IR 3 lists every initializer among the inputs, so that weights look like inputs with a default.
/// ONNX Runtime takes them all as constants when it optimizes, and so does this pass. The result is
/// of IR 4, where they are plain initializers.
PassBody freeze_default_inputs() {
    return {.run_model =
                [](Model& model, const OptimizeOptions&, const CancelToken&) {
                    if (model.ir_version >= 4) return std::string();
                    const std::size_t frozen = freeze_defaults(model);
                    return frozen == 0 ? std::string()
                                       : "made " + std::to_string(frozen) +
                                             " inputs with defaults constants";
                },
            .changes_shapes = true};
}

}  // namespace passes

}  // namespace lapidary
