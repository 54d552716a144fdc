// SPDX-License-Identifier: Apache-2.0
// Keeps only the graph outputs of OptimizeOptions::keep_outputs; nodes that only served other
// outputs are then removed as dead nodes.
#include <algorithm>

#include <lapidary/base/error.h>

#include "rewrite/pass.h"

namespace lapidary::passes {

PassBody prune_outputs() {
    return {.run_model = [](Model& model, const OptimizeOptions& options, const CancelToken&) {
        if (options.keep_outputs.empty()) return std::string();
        std::vector<ValueId> kept;
        std::string dropped;
        for (ValueId id : model.graph.outputs()) {
            const std::string& name = model.graph.value(id).name;
            if (std::ranges::find(options.keep_outputs, name) != options.keep_outputs.end())
                kept.push_back(id);
            else dropped += (dropped.empty() ? "" : ", ") + quote(name);
        }
        for (const std::string& name : options.keep_outputs)
            if (std::ranges::none_of(
                    kept, [&](ValueId id) { return model.graph.value(id).name == name; }))
                fail_input("there is no graph output " + quote(name) + " to keep");
        if (dropped.empty()) return std::string();
        GraphEdit(model.graph).set_outputs(kept);
        return "dropped the outputs " + dropped;
    }};
}

}  // namespace lapidary::passes
