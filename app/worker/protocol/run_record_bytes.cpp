// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/run_record_bytes.h"

#include <lapidary/base/error.h>
#include <lapidary/exec/executed_model.h>

#include "worker/protocol/profile_bytes.h"
#include "worker/protocol/run_record_members.h"
#include "worker/protocol/value_bytes.h"

namespace lapidary::app {
namespace {

constexpr std::uint64_t mark = 0x36302d6e75722d6cu;  // "l-run-06"

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
                 outputs, peaks, lowered, check] = record;
    const std::uint64_t graph = fingerprint(executed->graph);
    // Copies of another engine are no steps of the graph.
    const std::vector<ExecutedCopy> copies =
        plan.steps.empty() ? std::vector<ExecutedCopy>() : copies_of(executed->graph, placement);
    const auto write = [&](ByteWriter& out) {
        out.number(mark);
        out.number(graph);
        write_profile(out, *profile);
        write_described(out, plan);
        write_described(out, placement);
        write_described(out, copies);
        write_values(out, inputs);
        write_values(out, outputs);
        write_described(out, peaks);
        write_described(out, lowered);
        write_described(out, check);
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
    record.plan = read_described<PlanInfo>(in);
    record.placement = read_described<PlacementReport>(in);
    run.copies = read_described<std::vector<ExecutedCopy>>(in);
    record.inputs = read_values(in);
    record.outputs = read_values(in);
    record.device_peaks = read_described<std::vector<DevicePeak>>(in);
    record.lowered = read_described<std::optional<LoweredPrecision>>(in);
    record.check = read_described<OutputCheck>(in);
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
    options.enable_profiling = true;
    options.random_seed = settings.seed;
    options.resources = settings.resources;
    for (const auto& [name, size] : settings.dimensions)
        // 0 leaves the choice to the input generator
        if (size > 0) options.free_dimensions.emplace(name, size);
    return options;
}

}  // namespace lapidary::app
