// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/memory_pattern.h"

#include <algorithm>

#include "exec/memory/storage_sharing.h"

namespace lapidary {
namespace {

/// Values that can be placed by the trace, numbered from 0.
struct PlannedValues {
    PlannedValues(const Plan& plan, const MemoryTrace& trace, const CancelToken& cancel)
        : dense(trace.value_bytes.size(), no_value) {
        for (std::size_t step = 0; step < plan.steps.size(); ++step) {
            if (step % 1024 == 0) cancel.throw_if_cancelled();
            for (ValueId v : plan.graph->node(plan.steps[step].node).outputs) {
                if (!v || !trace.is_planned[v.index]) continue;
                dense[v.index] = lifetimes.size();
                lifetimes.push_back({step, plan.last_use[v.index], trace.value_bytes[v.index]});
                ids.push_back(v.index);
            }
        }
    }
    std::vector<std::size_t> dense, ids;  // by ValueId::index; the other way round
    std::vector<Lifetime> lifetimes;
};

// True if slices along the first axis in which the shapes differ are contiguous in the whole
// tensor.
bool is_run_of(const Shape& piece, const Shape& whole) {
    // a change of rank is for the kernel to check, or one of them is not planned
    if (piece.size() != whole.size()) return true;
    for (std::size_t d = 0; d < whole.size() && piece[d] == whole[d]; ++d)
        if (whole[d] != 1) return piece == whole;
    return true;
}

// Joins and splits along an inner axis interleave their pieces. Only a run's shapes show whether
// they do.
bool shares_in_this_run(const Node& node, const StorageSharing& sharing, const MemoryTrace& trace) {
    // Where a piece begins depends on the sizes of those before it.
    const auto grows = [&](ValueId v) { return v && trace.grows[v.index] != 0; };
    if (!trace.grows.empty() &&
        (sharing.kind == StorageSharing::join || sharing.kind == StorageSharing::split) &&
        (std::ranges::any_of(node.inputs, grows) || std::ranges::any_of(node.outputs, grows)))
        return false;
    const auto are_runs = [&](const std::vector<ValueId>& pieces, ValueId whole) {
        return std::ranges::all_of(pieces, [&](ValueId v) {
            return !v || is_run_of(trace.shapes[v.index], trace.shapes[whole.index]);
        });
    };
    if (sharing.kind == StorageSharing::join) return are_runs(node.inputs, node.outputs[0]);
    if (sharing.kind == StorageSharing::split) return are_runs(node.outputs, node.inputs[0]);
    return true;
}

std::vector<SharingStep> sharing_steps(const Plan& plan, const MemoryTrace& trace,
                                       const PlannedValues& values, const CancelToken& cancel) {
    std::vector<SharingStep> steps;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        if (i % 1024 == 0) cancel.throw_if_cancelled();
        const StorageSharing sharing = plan.steps[i].kernel.sharing();
        if (sharing.kind == StorageSharing::none) continue;
        const Node& node = plan.graph->node(plan.steps[i].node);
        if (!shares_in_this_run(node, sharing, trace)) continue;
        SharingStep& step = steps.emplace_back();
        step.step = i;
        step.sharing = sharing;
        for (ValueId v : node.inputs) {
            step.inputs.push_back(v ? values.dense[v.index] : no_value);
            step.input_bytes.push_back(v && trace.value_bytes[v.index] != MemoryTrace::nothing
                                           ? trace.value_bytes[v.index]
                                           : SharingStep::unknown_bytes);
        }
        for (ValueId v : node.outputs) step.outputs.push_back(v ? values.dense[v.index] : no_value);
    }
    return steps;
}

}  // namespace

MemoryPattern make_pattern(const Plan& plan, const MemoryTrace& trace, bool shares_storage,
                           const CancelToken& cancel) {
    const PlannedValues values(plan, trace, cancel);
    std::vector<SharingStep> sharing;
    if (shares_storage) sharing = sharing_steps(plan, trace, values, cancel);
    const SharedStorage shared = share_storage(values.lifetimes, sharing, 64, cancel);

    MemoryPattern pattern;
    std::vector<Lifetime> lifetimes;
    std::vector<std::size_t> in_arena(shared.blocks.size(), no_value);
    std::vector<std::uint32_t> storage(shared.blocks.size(), 0);
    for (std::size_t b = 0; b < shared.blocks.size(); ++b) {
        const Lifetime& block = shared.blocks[b];
        if (block.first > block.last) continue;
        if (block.last == never_dies) {
            pattern.handed_out.push_back(block.bytes);
            storage[b] = static_cast<std::uint32_t>(pattern.handed_out.size());
        } else {
            in_arena[b] = lifetimes.size();
            lifetimes.push_back(block);
        }
    }
    const std::size_t scratch_from = lifetimes.size();
    for (std::size_t step = 0; step < trace.scratch_bytes.size(); ++step)
        for (std::uint64_t bytes : trace.scratch_bytes[step])
            lifetimes.push_back({step, step, bytes});
    const MemoryPlan placed = plan_memory(lifetimes, 64, cancel);
    pattern.total_bytes = placed.total_bytes;

    pattern.values.resize(trace.value_bytes.size());
    pattern.value_bytes.assign(trace.value_bytes.size(), 0);
    for (std::size_t i = 0; i < values.ids.size(); ++i) {
        const StoragePlace& place = shared.places[i];
        if (place.block == no_value) continue;
        const std::uint64_t base =
            storage[place.block] != 0 ? 0 : placed.offsets[in_arena[place.block]];
        pattern.values[values.ids[i]] = {base + place.offset, storage[place.block]};
        pattern.value_bytes[values.ids[i]] = values.lifetimes[i].bytes;
    }
    std::size_t next = scratch_from;
    for (const auto& step : trace.scratch_bytes) {
        auto& offsets = pattern.scratch.emplace_back();
        for (std::size_t i = 0; i < step.size(); ++i) offsets.push_back(placed.offsets[next++]);
    }
    pattern.grows = trace.grows;
    if (!trace.grows.empty()) pattern.scratch_bytes = trace.scratch_bytes;
    return pattern;
}

}  // namespace lapidary
