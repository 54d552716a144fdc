// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/run_record_bytes.h"

#include <lapidary/base/error.h>
#include <lapidary/exec/executed_model.h>

#include "worker/protocol/device_bytes.h"
#include "worker/protocol/executed_copies.h"
#include "worker/protocol/placement_bytes.h"
#include "worker/protocol/profile_bytes.h"
#include "worker/protocol/value_bytes.h"

namespace lapidary::app {
namespace {

constexpr std::uint64_t mark = 0x34302d6e75722d6cu;  // "l-run-04"

// Bindings to all members, here and below: a new one has to be added before this compiles.
void write_plan(ByteWriter& out, const PlanInfo& plan) {
    const auto& [steps, blocks, arena_bytes, weight_bytes, providers] = plan;
    out.number(std::uint64_t(steps.size()));
    for (const StepInfo& step : steps) {
        const auto& [node, name, op, kernel, provider, passed_over, fallback] = step;
        out.number(node.index);
        out.text(name);
        out.text(op);
        out.text(kernel);
        out.text(provider);
        out.number(std::uint64_t(passed_over.size()));
        for (const auto& [other, reason] : passed_over) {
            out.text(other);
            out.text(reason);
        }
        out.text(fallback);
    }
    out.number(std::uint64_t(blocks.size()));
    for (const MemoryBlock& block : blocks) {
        const auto& [value, first_step, last_step, offset, bytes, shares] = block;
        out.text(value);
        out.number(std::uint64_t(first_step));
        out.number(std::uint64_t(last_step));
        out.number(offset);
        out.number(bytes);
        out.number(std::uint8_t(shares));
    }
    out.number(arena_bytes);
    out.number(weight_bytes);
    out.number(std::uint64_t(providers.size()));
    for (const ProviderMemory& memory : providers) {
        const auto& [provider, planned_bytes, constant_bytes] = memory;
        out.text(provider);
        out.number(planned_bytes);
        out.number(constant_bytes);
    }
}

PlanInfo read_plan(ByteReader& in) {
    PlanInfo plan;
    for (std::size_t n = in.count(); n > 0; --n) {
        StepInfo step;
        step.node = NodeId(in.number<std::uint32_t>());
        step.name = in.text();
        step.op = in.text();
        step.kernel = in.text();
        step.provider = in.text();
        for (std::size_t more = in.count(); more > 0; --more) {
            std::string other = in.text();
            step.passed_over.emplace_back(std::move(other), in.text());
        }
        step.fallback = in.text();
        plan.steps.push_back(std::move(step));
    }
    for (std::size_t n = in.count(); n > 0; --n) {
        MemoryBlock block;
        block.value = in.text();
        block.first_step = static_cast<std::size_t>(in.number<std::uint64_t>());
        block.last_step = static_cast<std::size_t>(in.number<std::uint64_t>());
        block.offset = in.number<std::uint64_t>();
        block.bytes = in.number<std::uint64_t>();
        block.shares = in.number<std::uint8_t>() != 0;
        plan.blocks.push_back(std::move(block));
    }
    plan.arena_bytes = in.number<std::uint64_t>();
    plan.weight_bytes = in.number<std::uint64_t>();
    for (std::size_t n = in.count(); n > 0; --n) {
        ProviderMemory memory;
        memory.provider = in.text();
        memory.planned_bytes = in.number<std::uint64_t>();
        memory.weight_bytes = in.number<std::uint64_t>();
        plan.providers.push_back(std::move(memory));
    }
    return plan;
}

/// Differs where ids or operators do (FNV-1a).
std::uint64_t fingerprint(const Graph& graph) {
    std::uint64_t hash = 14695981039346656037u;
    const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        add(id.index);
        for (const char c : node.op_type) add(static_cast<unsigned char>(c));
        for (const ValueId value : node.inputs) add(value.index);
        for (const ValueId value : node.outputs) add(value.index);
    }
    return hash;
}

/// Of the session in the worker, whose devices this process has not opened.
std::string_view provider_of_passes(const ModelSource& source) {
    const bool is_on_device = source.recipe && source.recipe->runs_on &&
                              !source.recipe->runs_on->providers.empty() &&
                              !source.recipe->runsInOtherEngine();
    return is_on_device ? passes_for(source.recipe->runs_on->providers.front()) : "cpu";
}

}  // namespace

SharedMemory run_record_block(const RunRecord& record) {
    const auto& [model, executed, traced, match, trace, profile, summary, plan, placement, inputs,
                 outputs, peaks, lowered, check] = record;  // the check goes beside the block
    const ProfileBytes recording(*profile);
    const std::uint64_t graph = fingerprint(executed->graph);
    // Copies of another engine are no steps of the graph.
    const std::vector<ExecutedCopy> copies =
        plan.steps.empty() ? std::vector<ExecutedCopy>() : copies_of(executed->graph, placement);
    const auto write = [&](ByteWriter& out) {
        out.number(mark);
        out.number(graph);
        recording.write(out);
        write_plan(out, plan);
        write_placement(out, placement);
        write_copies(out, copies);
        write_values(out, inputs);
        write_values(out, outputs);
        write_device_peaks(out, peaks);
        write_lowered(out, lowered);
    };
    ByteWriter counted;
    write(counted);
    SharedMemory block = SharedMemory::create(counted.size());
    ByteWriter written(block.bytes());
    write(written);
    return block;
}

ReceivedRun read_run_record(ByteReader& in) {
    if (in.number<std::uint64_t>() != mark) ByteReader::broken();
    ReceivedRun run;
    run.graph = in.number<std::uint64_t>();
    RunRecord& record = run.record;
    record.profile = std::make_shared<const Profile>(read_profile(in));
    record.plan = read_plan(in);
    record.placement = read_placement(in);
    run.copies = read_copies(in);
    record.inputs = read_values(in);
    record.outputs = read_values(in);
    record.device_peaks = read_device_peaks(in);
    record.lowered = read_lowered(in);
    return run;
}

RunRecord complete_run_record(ReceivedRun run, const ModelSource& source,
                              const RunSettings& settings, const Progress& progress) {
    RunRecord record = std::move(run.record);
    record.model = source.model;
    Model executed =
        executed_model(*source.model, session_options(settings, source.session_passes()), progress,
                       provider_of_passes(source));
    add_copies(executed.graph, run.copies);
    record.executed = std::make_shared<const Model>(std::move(executed));
    if (fingerprint(record.executed->graph) != run.graph)
        fail(ErrorCode::internal,
             "the worker process ran another graph than this process makes of the model");
    progress.step("summarize");
    record.summary = summarize(*record.profile);
    return record;
}

SessionOptions session_options(const RunSettings& settings, const SessionPasses& passes) {
    SessionOptions options;
    options.session_passes = passes;
    options.intra_threads = settings.threads;
    options.enable_profiling = true;
    options.random_seed = settings.seed;
    options.config_entries = settings.config;
    for (const auto& [name, size] : settings.dimensions)
        // 0 leaves the choice to the input generator
        if (size > 0) options.free_dimensions.emplace(name, size);
    return options;
}

}  // namespace lapidary::app
