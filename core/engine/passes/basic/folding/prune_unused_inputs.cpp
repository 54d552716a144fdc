// SPDX-License-Identifier: Apache-2.0
// Off by default: it changes what a caller must pass.
#include <lapidary/base/error.h>

#include "rewrite/pass.h"

namespace lapidary::passes {

PassBody prune_unused_inputs() {
    return {.run_model = [](Model& model, const OptimizeOptions&, const CancelToken&) {
        std::string dropped;
        GraphEdit edit(model.graph);
        for (ValueId id :
             std::vector<ValueId>(model.graph.inputs().begin(), model.graph.inputs().end())) {
            if (!model.graph.value(id).is_unused()) continue;
            dropped += (dropped.empty() ? "" : ", ") + quote(model.graph.value(id).name);
            edit.remove_input(id);
        }
        return dropped.empty() ? dropped
                               : "dropped the inputs " + dropped + ", which nothing reads";
    }};
}

}  // namespace lapidary::passes
