// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/cost_rollback.h>
#include <lapidary/model_io.h>
#include <lapidary/output_file.h>
#include <lapidary/session.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/kernel_peaks.h"
#include "cli/value_archive.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t printed_nodes = 25;

double milliseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

/// Times of the optimized graph on the nodes of the model as loaded.
struct OriginalCosts {
    CostMap map;
    std::vector<NodeCost> nodes;  // dearest first
};

std::string_view split_name(const CostMap& map, const NodeCost& cost) {
    return cost.among < 2 ? "whole" : map.split == CostSplit::by_work ? "by_work" : "evenly";
}

void add_original_nodes(Json& json, const OriginalCosts& costs) {
    json["original_nodes"] = Json::array();
    for (const NodeCost& cost : costs.nodes)
        json["original_nodes"].push_back({{"name", cost.name},
                                          {"operator", cost.op},
                                          {"ms", json_number(cost.ms)},
                                          {"share", json_number(cost.share)},
                                          {"shared_among", cost.among},
                                          {"split", split_name(costs.map, cost)}});
    json["unattributed_ms"] = json_number(costs.map.unattributed_ms);
}

void print_original_nodes(std::ostream& out, const OriginalCosts& costs) {
    out << "original nodes\n";
    TextTable table({"node", "operator", "ms", "share", "shared among"}, {0, 1});
    for (std::size_t i = 0; i < std::min(costs.nodes.size(), printed_nodes); ++i) {
        const NodeCost& cost = costs.nodes[i];
        table.add({plain(cost.name), plain(cost.op), fmt::format("{:.3f}", cost.ms), fmt::format("{:.1f} %", 100 * cost.share),
                   cost.among < 2 ? std::string("-") : std::to_string(cost.among)});
    }
    table.print(out);
    if (costs.nodes.size() > printed_nodes) out << "  ... " << costs.nodes.size() - printed_nodes << " more, all with --json\n";
    if (costs.map.shared > 0)
        out << fmt::format("  {} {} for several original nodes; {} time is divided {}\n", costs.map.shared,
                           costs.map.shared == 1 ? "node stands" : "nodes stand", costs.map.shared == 1 ? "its" : "their",
                           costs.map.split == CostSplit::by_work ? "by estimated work" : "evenly, as not all sizes are known");
    if (costs.map.unattributed_ms > 0) out << fmt::format("  {:.3f} ms belong to no original node\n", costs.map.unattributed_ms);
}

/// Against what the machine can do.
struct Roofs {
    MachinePeak peak;
    std::vector<KernelPeak> kernels;
};

void add_roofline(Json& json, const Roofs& roofs) {
    json["peak"] = {{"gflops", json_number(roofs.peak.gflops)}, {"int8_gops", json_number(roofs.peak.int8_gops)}, {"gb_per_s", json_number(roofs.peak.gb_per_s)}};
    json["kernels"] = Json::array();
    for (const KernelPeak& k : roofs.kernels) {
        Json row = {{"operator", k.op}, {"kernel", k.kernel}, {"ms", json_number(k.ms)}, {"share", json_number(k.share)}, {"lost_ms", json_number(k.lost_ms)}};
        if (k.is_known()) {
            row["gflops"] = json_number(k.gflops);
            row["gb_per_s"] = json_number(k.gb_per_s);
            row["share_of_peak"] = json_number(k.share_of_peak);
            row["bound"] = k.bound;
        }
        json["kernels"].push_back(std::move(row));
    }
}

void print_roofline(std::ostream& out, const Roofs& roofs) {
    out << fmt::format("kernels  against {:.0f} GFLOP/s{} and {:.1f} GB/s that this machine reaches; lost is the time above that\n", roofs.peak.gflops,
                       roofs.peak.int8_gops > 0 ? fmt::format(", {:.0f} 8-bit GOP/s", roofs.peak.int8_gops) : "", roofs.peak.gb_per_s);
    TextTable table({"operator", "kernel", "ms", "share", "GFLOP/s", "GB/s", "of peak", "bound by", "lost ms"}, {0, 1, 7});
    const auto known = [](const KernelPeak& k, std::string text) { return k.is_known() ? std::move(text) : std::string("-"); };
    for (const KernelPeak& k : roofs.kernels)
        table.add({plain(k.op), plain(k.kernel), fmt::format("{:.3f}", k.ms), fmt::format("{:.1f} %", 100 * k.share), known(k, fmt::format("{:.1f}", k.gflops)),
                   known(k, fmt::format("{:.1f}", k.gb_per_s)), known(k, fmt::format("{:.0f} %", 100 * k.share_of_peak)),
                   known(k, k.bound), fmt::format("{:.3f}", k.lost_ms)});
    table.print(out);
}

Json profile_json(const ProfileOptions& options, const Profile& profile, const ProfileSummary& summary,
                  double load_ms) {
    Json json = {{"file", options.run.model.string()},
                 {"verdict", summary.verdict},
                 {"threads", profile.threads},
                 {"runs", profile.runs},
                 {"wall_ms", json_number(summary.wall_ms)},
                 {"kernel_ms", json_number(summary.kernel_ms)}};
    json["operators"] = Json::array();
    for (const OperatorTotal& op : summary.operators)
        json["operators"].push_back({{"operator", op.op},
                                     {"calls", op.count},
                                     {"self_ms", json_number(op.self_ms)},
                                     {"share", json_number(op.share)}});
    json["nodes"] = Json::array();
    for (const NodeTotal& node : summary.nodes)
        json["nodes"].push_back({{"name", node.name},
                                 {"operator", node.op},
                                 {"kernel", node.kernel},
                                 {"shapes", node.shapes},
                                 {"calls", node.calls},
                                 {"mean_ms", json_number(node.mean_ms)},
                                 {"min_ms", json_number(node.min_ms)},
                                 {"max_ms", json_number(node.max_ms)},
                                 {"share", json_number(node.share)}});
    json["phases"] = Json::array();
    json["phases"].push_back({{"name", "load"}, {"ms", json_number(load_ms)}});
    for (const Span& phase : profile.phases)
        json["phases"].push_back({{"name", phase.name}, {"ms", milliseconds(phase.duration_ns())}});
    json["memory"] = {{"peak_bytes", profile.peak_bytes}, {"weight_bytes", profile.weight_bytes}};
    json["dropped_events"] = profile.dropped_events;
    if (!options.trace.empty()) json["trace"] = options.trace.string();
    return json;
}

void print_profile(std::ostream& out, const ProfileOptions& options, const Profile& profile,
                   const ProfileSummary& summary, const std::optional<OriginalCosts>& originals, const std::optional<Roofs>& roofs, double load_ms) {
    out << plain(summary.verdict) << '\n';
    out << fmt::format("run {:.3f} ms (mean of {})  kernels {:.3f} ms  threads {}\n", summary.wall_ms, profile.runs,
                       summary.kernel_ms, profile.threads);
    out << "operators\n";
    TextTable operators({"operator", "calls", "ms", "share"});
    for (const OperatorTotal& op : summary.operators)
        operators.add({plain(op.op), std::to_string(op.count), fmt::format("{:.3f}", op.self_ms),
                       fmt::format("{:.1f} %", 100 * op.share)});
    operators.print(out);
    out << "nodes\n";
    TextTable nodes({"node", "operator", "kernel", "ms", "min", "max", "share", "shapes"}, {0, 1, 2, 7});
    for (std::size_t i = 0; i < std::min(summary.nodes.size(), printed_nodes); ++i) {
        const NodeTotal& node = summary.nodes[i];
        nodes.add({plain(node.name), plain(node.op), plain(node.kernel), fmt::format("{:.3f}", node.mean_ms),
                   fmt::format("{:.3f}", node.min_ms), fmt::format("{:.3f}", node.max_ms),
                   fmt::format("{:.1f} %", 100 * node.share), plain(node.shapes)});
    }
    nodes.print(out);
    if (summary.nodes.size() > printed_nodes)
        out << "  ... " << summary.nodes.size() - printed_nodes << " more, all with --json\n";
    if (originals) print_original_nodes(out, *originals);
    if (roofs) print_roofline(out, *roofs);
    out << "phases\n";
    TextTable phases({"phase", "ms"});
    phases.add({"load", fmt::format("{:.3f}", load_ms)});
    for (const Span& phase : profile.phases)
        phases.add({plain(phase.name), fmt::format("{:.3f}", milliseconds(phase.duration_ns()))});
    phases.print(out);
    out << "memory  peak " << byte_text(static_cast<double>(profile.peak_bytes)) << "  weights "
        << byte_text(static_cast<double>(profile.weight_bytes)) << '\n';
    if (profile.dropped_events) out << "dropped  " << profile.dropped_events << " events\n";
    if (!options.trace.empty()) out << "trace  " << plain(options.trace.string()) << '\n';
}

}  // namespace

int run_profile(const ProfileOptions& options, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const LoadedModel loaded = load_at_level(options.run.model, options.run.level, progress, true);
    const ModelPtr& model = loaded.model;
    const double load_ms = loaded.load_ms;
    const GatheredInputs inputs = gather_inputs(*model, options.run.inputs, terminal.cancel);
    check_output_files({options.run.outputs, options.trace});
    check_outputs_file(options.run.outputs);
    SessionOptions session_options;
    session_options.intra_threads = options.run.intra_threads;
    session_options.config_entries = options.run.config;
    session_options.enable_profiling = true;
    Session session = Session::compile(model, session_options, progress);
    RunOptions run_options;
    run_options.cancel = terminal.cancel;
    if (options.warmup > 0) {
        run_options.repetitions = options.warmup;
        session.run(inputs.values, run_options);
    }
    run_options.repetitions = options.runs;
    run_options.profile = true;
    const RunResult result = session.run(inputs.values, run_options);
    if (!result.profile) fail(ErrorCode::internal, "the session returned no profile");
    if (!options.run.outputs.empty()) save_outputs(options.run.outputs, result.outputs);
    if (!options.trace.empty()) save_chrome_trace(*result.profile, options.trace);
    const ProfileSummary summary = summarize(*result.profile);
    std::optional<OriginalCosts> originals;
    if (loaded.report && loaded.report->level != Level::disabled) {
        const Model original = sized_for(*loaded.original, inputs.values, progress);
        originals.emplace(roll_back(*result.profile, session.model().graph, original.graph));
        originals->nodes = costliest(originals->map, original.graph, summary.wall_ms);
    }
    std::optional<Roofs> roofs;
    if (options.roofline) {
        roofs.emplace().peak = machine_peak(result.profile->threads, terminal.cancel);
        roofs->kernels = kernel_peaks(session.model().graph, summary.nodes, roofs->peak, summary.wall_ms);
    }
    if (terminal.json) {
        Json json = profile_json(options, *result.profile, summary, load_ms);
        if (loaded.report) json["optimization"] = {{"level", name_of(loaded.report->level)}, {"nodes_before", loaded.report->nodes_before},
                                                   {"nodes_after", loaded.report->nodes_after}, {"ms", loaded.optimize_ms}};
        if (originals) add_original_nodes(json, *originals);
        if (roofs) add_roofline(json, *roofs);
        write_json(terminal.out, json);
    } else {
        if (loaded.report) terminal.out << "level  " << level_text(*loaded.report) << fmt::format(" ({:.1f} ms)", loaded.optimize_ms) << '\n';
        print_profile(terminal.out, options, *result.profile, summary, originals, roofs, load_ms);
    }
    return exit_fine;
}

}  // namespace lapidary::cli
