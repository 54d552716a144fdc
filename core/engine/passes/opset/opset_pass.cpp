// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/opset_pass.h"

#include <algorithm>

#include "rewrite/pipeline.h"

namespace lapidary {

PipelineReport run_opset_pass(Model& model, const PassEntry& entry, const Progress& progress) {
    const OptimizeOptions options;
    Pipeline pipeline(model, options, progress, {&entry, 1});
    pipeline.run();
    return pipeline.take_report();
}

std::string listed_refusals(const std::vector<std::string>& refusals) {
    constexpr std::size_t listed = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(refusals.size(), listed); ++i)
        list += (i ? "; " : "") + refusals[i];
    if (refusals.size() > listed)
        list += "; and " + std::to_string(refusals.size() - listed) + " more";
    return list;
}

std::string listed_refusals(std::span<const NearMiss> misses) {
    std::vector<std::string> refusals;
    for (const NearMiss& miss : misses)
        refusals.push_back(miss.node_text + in_graph(miss.place) + ": " + miss.reason);
    return listed_refusals(refusals);
}

}  // namespace lapidary
