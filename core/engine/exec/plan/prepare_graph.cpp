// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/prepare_graph.h"

#include <algorithm>
#include <set>

#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/ops/infer.h>

#include "exec/device/upload_constants.h"
#include "exec/plan/byte_weights.h"
#include "exec/plan/half_weights.h"
#include "exec/plan/make_plan.h"
#include "exec/provider.h"
#include "graph/inline_functions.h"
#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "ops/channel_block.h"

namespace lapidary {
namespace {

// Refuses values that are known to be too large before a run.
void check_static_sizes(const Graph& graph, const Limits& limits) {
    for (NodeId id : graph.nodes())
        for (ValueId v : graph.node(id).outputs) {
            if (!v || !graph.value(v).type.is_static() ||
                graph.value(v).type.dtype == DType::string)
                continue;
            const Type& type = graph.value(v).type;
            const auto report = [&](const std::string& size) {
                throw Error(ErrorCode::limit_exceeded,
                            "output " + quote(graph.value(v).name) + " would be " +
                                to_string(type) + ", " + size + "; the limit for one tensor is " +
                                std::to_string(limits.tensor_bytes) + " bytes")
                    .at(graph.node(id).describe());
            };
            try {
                const std::uint64_t bytes =
                    storage_bytes(type.dtype, element_count(type.static_shape()));
                if (bytes > limits.tensor_bytes) report(std::to_string(bytes) + " bytes");
            } catch (const Error& e) {
                if (!e.where().empty()) throw;
                report("more bytes than can be counted");
            }
        }
}

/// Determined by the first provider, since nodes are offered to it first.
std::string_view passes_for(const std::vector<std::shared_ptr<const Provider>>& providers) {
    if (providers.empty()) return "cpu";
    const DeviceProvider* const device = providers.front()->device();
    return device_passes_storing(device ? device->stored_floats() : DType::f32);
}

void round_weights(Model& model, const SessionOptions& options, const Progress& progress,
                   const PhaseRunner& phase) {
    const Compute compute = compute_of(options);
    if (compute == Compute::exact) return;
    // the integer product with bias and activation has no reference kernel
    if (compute == Compute::int8 && options.reference_kernels) return;
    phase("round weights to " + std::string(name_of(compute)), [&] {
        if (compute == Compute::int8)
            round_weights_to_bytes(model, options.resources.threads, progress.cancel);
        else
            round_weights_to_halves(model, compute == Compute::fp16 ? DType::f16 : DType::bf16,
                                    progress.cancel);
    });
}

}  // namespace

std::int64_t count_weights(const Model& model) {
    std::set<const void*> seen;
    std::int64_t bytes = 0;
    const auto add = [&](const Tensor& t) {
        if (seen.insert(t.identity()).second) bytes += static_cast<std::int64_t>(t.byte_size());
    };
    std::vector<Tensor> lifted;  // kept, so that no identity comes twice
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (ValueId v : graph.initializers()) add(*graph.value(v).constant);
        for (NodeId n : graph.nodes())
            if (auto tensor = constant_of(graph.node(n)))
                add(lifted.emplace_back(std::move(*tensor)));
    });
    return bytes;
}

std::uint64_t prepared_arena_bytes(std::int64_t weight_bytes) {
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(weight_bytes) / 32, 16 << 20);
}

PipelineReport prepare_graph(Model& model, const SessionOptions& options, const Progress& progress,
                             const PhaseRunner& phase, std::string_view wanted) {
    phase("expand functions", [&] {
        inline_functions(model, options.limits, progress.cancel);
        lift_constants(model, progress.cancel);
    });
    phase("infer shapes", [&] {
        InferOptions infer;
        infer.dimensions = options.free_dimensions;
        infer_types(model, infer, progress);
        check_static_sizes(model.graph, options.limits);
    });
    PipelineReport report;
    const std::string_view provider = wanted.empty() ? passes_for(options.providers) : wanted;
    const SessionPasses none{SessionPasses::Set::none, options.session_passes.disabled};
    phase(std::string(session_passes_phase), [&] {
        report = apply_session_passes_for(provider, model,
                                          options.reference_kernels ? none : options.session_passes,
                                          {progress.cancel, {}});
    });
    round_weights(model, options, progress, phase);
    return report;
}

PlannedSteps plan_steps(Model& model, const KernelOptions& options, WeightStore& weights,
                        const CancelToken& cancel, const DevicePlacement* placement) {
    mark_channel_block(model);
    MissingKernels missing;
    int counter = 0;
    PlannedSteps steps;
    steps.plan =
        make_plan(model.graph, "", 0, counter, missing, options, weights, cancel, placement);
    if (!missing.empty()) {
        std::string list;
        for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 5); ++i)
            list += (i ? "; " : "") + missing[i];
        if (missing.size() > 5) list += "; and " + std::to_string(missing.size() - 5) + " more";
        fail_unsupported(std::to_string(missing.size()) +
                         (missing.size() == 1 ? " node has" : " nodes have") +
                         " no kernel: " + list);
    }
    if (steps.plan->devices) upload_constants(*steps.plan, *placement, cancel);
    steps.unread = drop_unread_constants(*steps.plan);
    return steps;
}

}  // namespace lapidary
