// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <lapidary/cost/memory_report.h>
#include <lapidary/inputs/usual_sizes.h>

namespace lapidary {

MemoryAssumptions assumptions_of(const Model& model, const SessionOptions& given,
                                 const NamedValues& inputs) {
    const SessionOptions options = resolve_config(given);
    MemoryAssumptions assumptions;
    assumptions.threads = options.resources.threads;
    assumptions.plan =
        options.enable_mem_pattern && options.resources.mode == ExecutionMode::sequential;
    assumptions.arena = options.enable_cpu_mem_arena;
    assumptions.fused_steps = options.session_passes.set == SessionPasses::Set::all;
    assumptions.disabled_passes = options.session_passes.disabled;
    assumptions.dimensions = options.free_dimensions;
    // A session does not fix what inputs have by themselves; reports take usual sizes where none
    // are given.
    const std::map<std::string, std::int64_t> usual =
        usual_sizes(model, options.free_dimensions).all;
    std::map<std::string, std::int64_t> sizes;
    for (ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (!input.type.shape) continue;
        for (const auto& [name, value] : inputs) {
            if (name != input.name || !value.is_tensor()) continue;
            const Shape& shape = value.tensor().shape();
            for (std::size_t d = 0; d < shape.size() && d < input.type.shape->size(); ++d)
                if (const Dim& dim = (*input.type.shape)[d]; dim.is_symbolic())
                    sizes.emplace(dim.symbol(), shape[d]);
        }
    }
    const auto is_usual = [&](const auto& size) {
        const auto at = usual.find(size.first);
        return at != usual.end() && at->second == size.second;
    };
    if (!std::ranges::all_of(sizes, is_usual))
        assumptions.dimensions.insert(sizes.begin(), sizes.end());
    return assumptions;
}

}  // namespace lapidary
