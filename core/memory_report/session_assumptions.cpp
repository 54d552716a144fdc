// SPDX-License-Identifier: Apache-2.0
#include <lapidary/memory_report.h>

namespace lapidary {

MemoryAssumptions assumptions_of(const Model& model, const SessionOptions& given, const NamedValues& inputs) {
    const SessionOptions options = resolve_config(given);
    MemoryAssumptions assumptions;
    assumptions.threads = options.intra_threads;
    assumptions.plan = options.enable_mem_pattern && options.execution_mode == ExecutionMode::sequential;
    assumptions.arena = options.enable_cpu_mem_arena;
    assumptions.fused_steps = options.session_passes.set == SessionPasses::Set::all;
    assumptions.disabled_passes = options.session_passes.disabled;
    assumptions.dimensions = options.free_dimensions;
    for (ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (!input.type.shape) continue;
        for (const auto& [name, value] : inputs) {
            if (name != input.name || !value.is_tensor()) continue;
            const Shape& shape = value.tensor().shape();
            for (std::size_t d = 0; d < shape.size() && d < input.type.shape->size(); ++d)
                if (const Dim& dim = (*input.type.shape)[d]; dim.is_symbolic())
                    assumptions.dimensions.emplace(dim.symbol(), shape[d]);
        }
    }
    return assumptions;
}

}  // namespace lapidary
