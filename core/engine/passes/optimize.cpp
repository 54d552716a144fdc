// SPDX-License-Identifier: Apache-2.0
#include <lapidary/passes/optimize.h>

#include <set>

#include <lapidary/base/error.h>

#include "graph/copy_model.h"
#include "passes/pass_list.h"
#include "passes/widened_levels.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

void check_dimensions(const Model& model, const OptimizeOptions& options) {
    std::set<std::string> known;
    for (ValueId id : model.graph.inputs())
        if (const Type& type = model.graph.value(id).type; type.shape)
            for (const Dim& dim : *type.shape)
                if (dim.is_symbolic()) known.insert(dim.symbol());
    for (const auto& [name, size] : options.free_dimensions) {
        if (size < 0) fail_input("dimension " + quote(name) + " cannot be " + std::to_string(size));
        if (known.contains(name)) continue;
        std::string list;
        for (const std::string& k : known) list += (list.empty() ? "" : ", ") + quote(k);
        fail_input("no input has a dimension named " + quote(name) + "; " +
                   (list.empty() ? "all are fixed" : "there are " + list));
    }
}

}  // namespace

OptimizeResult optimize(const Model& model, const OptimizeOptions& options,
                        const Progress& progress) {
    check_dimensions(model, options);
    std::vector<std::string> skipped = skipped_passes(options);
    for (;;) {
        OptimizeResult result{copy_model(model, progress.cancel), {}};
        Pipeline pipeline(result.model, options, progress, pass_entries(), skipped);
        follow_widening_by_levels(pipeline, options, progress);
        try {
            pipeline.run();
        } catch (const Error&) {
            // The model is valid, so it is optimized again without the pass that made an invalid
            // node.
            const auto& refused = pipeline.refused();
            if (!refused || !skipped[refused->pass].empty()) throw;
            skipped[refused->pass] = refused->reason;
            continue;
        }
        result.report = pipeline.take_report();
        return result;
    }
}

}  // namespace lapidary
