// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/run_record_bytes.h"

#include <lapidary/base/error.h>

#include "worker/protocol/bytes/model_bytes.h"
#include "worker/protocol/bytes/profile_bytes.h"
#include "worker/protocol/run_record_members.h"
#include "worker/protocol/bytes/value_bytes.h"
#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary::app {
namespace {

constexpr std::uint64_t mark = 0x39302d6e75722d6cu;  // "l-run-09"

}  // namespace

SharedMemory run_record_block(const RunRecord& record) {
    const auto& [model, executed, traced, match, trace, profile, summary, plan, placement, inputs,
                 outputs, peaks, lowered, counters, check, machine] = record;
    // what a session made of weights is not kept
    const ModelBytes graph(*executed, model.get(), false);
    return written_block([&](ByteWriter& out) {
        out.number(mark);
        write_profile(out, *profile);
        write_described(out, plan);
        write_described(out, placement);
        write_values(out, inputs);
        write_values(out, outputs);
        write_described(out, peaks);
        write_described(out, lowered);
        write_described(out, counters);
        write_described(out, check);
        write_described(out, machine);
        graph.write(out);
    });
}

RunRecord read_run_record(ByteReader& in, const ModelPtr& model, const Progress& progress) {
    if (in.number<std::uint64_t>() != mark) ByteReader::broken();
    RunRecord record;
    record.model = model;
    record.profile = std::make_shared<const Profile>(read_profile(in));
    record.plan = read_described<PlanInfo>(in);
    record.placement = read_described<PlacementReport>(in);
    record.inputs = read_values(in);
    record.outputs = read_values(in);
    record.device_peaks = read_described<std::vector<DevicePeak>>(in);
    record.lowered = read_described<std::optional<LoweredPrecision>>(in);
    record.counters = read_described<std::optional<RunCounters>>(in);
    record.check = read_described<OutputCheck>(in);
    record.machine = read_described<std::string>(in);
    if (model)
        record.executed =
            std::make_shared<const Model>(read_model(in, model.get(), {}, progress.cancel));
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
