// SPDX-License-Identifier: Apache-2.0
// Gives symbolic input dimensions the sizes of OptimizeOptions::free_dimensions; inference carries
// them on.
#include <set>

#include "rewrite/pass.h"

namespace lapidary::passes {

PassBody override_free_dimensions() {
    return {.run_model =
                [](Model& model, const OptimizeOptions& options, const CancelToken&) {
                    GraphEdit edit(model.graph);
                    std::string remark;
                    std::set<std::string> reported;
                    for (ValueId id : model.graph.inputs()) {
                        Type type = model.graph.value(id).type;
                        if (!type.shape) continue;
                        for (Dim& dim : *type.shape) {
                            const auto size = dim.is_symbolic()
                                                  ? options.free_dimensions.find(dim.symbol())
                                                  : options.free_dimensions.end();
                            if (size == options.free_dimensions.end()) continue;
                            if (reported.insert(dim.symbol()).second)
                                remark += (remark.empty() ? "" : ", ") + dim.symbol() + " = " +
                                          std::to_string(size->second);
                            dim = Dim(size->second);
                        }
                        edit.set_type(id, std::move(type));
                    }
                    return remark.empty() ? remark : "set " + remark;
                },
            .changes_shapes = true};
}

}  // namespace lapidary::passes
