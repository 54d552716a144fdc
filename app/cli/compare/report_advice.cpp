// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/report_advice.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/bench/bench.h>
#include <lapidary/engines/plugins.h>

#include "cli/output/comparison_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t least_samples = 6;  // fewer have no 95 % interval

/// The time of a run of the side; without samples where it has neither a measurement nor a profile.
MedianEstimate time_of(const ReportSide& side) {
    if (side.measurement && side.measurement->error.empty()) return side.measurement->wall.median;
    return side.profile ? estimate_run_time(*side.profile) : MedianEstimate();
}

/// Whether the times of both sides differ beyond noise, as far as their number tells that.
bool differ(const ReportContent& content) {
    if (content.difference) return content.difference->significant;
    return std::ranges::all_of(content.sides, [](const ReportSide& side) {
        return time_of(side).samples >= least_samples;
    });
}

void add_time(AdviceInput& in, const ReportSide& side, bool is_original, bool is_in_force) {
    const MedianEstimate time = time_of(side);
    if (time.samples > 0)
        in.times.push_back({side.name, is_original, is_in_force, time.median, time.low, time.high});
}

std::shared_ptr<const MemoryFindings> planned(const ModelPtr& model,
                                              const MemoryAssumptions& assumptions,
                                              const Progress& progress) {
    try {
        MemoryStudy study(model);
        return std::make_shared<const MemoryFindings>(
            memory_findings(study, assumptions, progress));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        // memory cannot be planned: the check says that no size is known
        return std::make_shared<const MemoryFindings>();
    }
}

}  // namespace

void make_overlap(AdvisedTime& first, AdvisedTime& second) {
    first.low_ms = second.low_ms = std::min(first.low_ms, second.low_ms);
    first.high_ms = second.high_ms = std::max(first.high_ms, second.high_ms);
}

AdviceInput advice_input(const ReportContent& content, const std::vector<SideRequest>& sides,
                         const SideOptions& options, const AdviceRequest& request,
                         const Progress& progress) {
    const ReportSide& side = content.sides.back();
    const SideRequest& asked = sides.back();
    AdviceInput in;
    in.model = side.model;
    in.name = "level " + side.name;
    in.report = side.passes;
    in.facts = std::make_shared<const ModelFacts>(facts_of(*side.model, *asked.model));
    in.triage = std::make_shared<const ExportTriage>(triage_export(*asked.model, progress));
    // sizes of the run, or those that a run would have
    const auto sizes = named_sizes(content.conditions.sizes.all.empty()
                                       ? usual_sizes(*side.model, request.dimensions)
                                       : content.conditions.sizes);
    in.sizes.assign(sizes.begin(), sizes.end());
    MemoryAssumptions assumptions;
    assumptions.dimensions = sizes;
    assumptions.threads = options.configuration.resources.threads;
    assumptions.fused_steps =
        session_passes_for(options.session_passes, asked.level) == SessionPasses::Set::all;
    assumptions.disabled_passes = asked.disabled_passes;
    in.memory = planned(side.model, assumptions, progress);
    if (side.profile && side.executed) {
        in.nodes = summarize(*side.profile).nodes;
        in.shares = std::make_shared<const TimeShares>(
            measured_shares(in.nodes, side.executed->graph, side.model->graph));
        in.steps = side.steps;
    } else {
        in.shares = std::make_shared<const TimeShares>(
            estimated_shares(*side.model, request.dimensions, progress));
    }
    if (content.sides.size() == 2) {
        add_time(in, content.sides.front(), true, false);
        in.outputs_agree = all_match(content.outputs);
        for (const OutputComparison& output : content.outputs)
            in.largest_difference = std::max(in.largest_difference, output.comparison.max_abs);
    }
    add_time(in, side, false, true);
    if (in.times.size() == 2 && !differ(content)) make_overlap(in.times[0], in.times[1]);
    for (AdvisedTime& time : in.times) time.name = "level " + time.name;
    for (const PluginInfo* plugin : opened_plugins()) {
        if (plugin->provider.empty()) continue;
        const auto usable =
            std::ranges::find(plugin->devices, std::string(), &PluginDevice::unusable);
        in.providers.push_back({plugin->provider, usable != plugin->devices.end() ? std::string()
                                                  : plugin->devices.empty()
                                                      ? plugin->no_device
                                                      : plugin->devices.front().unusable});
    }
    const auto batch = options.configuration.batch;
    in.batch_measured =
        batch > 1 || std::ranges::any_of(in.facts->free_batches, [&](const std::string& name) {
            const auto at = sizes.find(name);
            return at != sizes.end() && at->second > 1;
        });
    in.threads = options.configuration.resources.threads;
    in.target_opset = request.target_opset;
    in.cores = content.machine.cores;
    return in;
}

}  // namespace lapidary::cli
