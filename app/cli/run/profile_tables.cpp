// SPDX-License-Identifier: Apache-2.0
#include "cli/run/profile_tables.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "cli/output/comparison_text.h"
#include "cli/inspect/memory_text.h"
#include "cli/run/counters_output.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t printed_nodes = 25;
constexpr double least_reported_share =
    0.01;  // least share of a run that a chosen reference kernel must take to be reported

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
        table.add({plain(cost.name), plain(cost.op), fmt::format("{:.3f}", cost.ms),
                   fmt::format("{:.1f} %", 100 * cost.share),
                   cost.among < 2 ? std::string("-") : std::to_string(cost.among)});
    }
    table.print(out);
    if (costs.nodes.size() > printed_nodes)
        out << "  ... " << costs.nodes.size() - printed_nodes << " more, all with --json\n";
    if (costs.map.shared > 0)
        out << fmt::format("  {} {} for several original nodes; {} time is divided {}\n",
                           costs.map.shared, costs.map.shared == 1 ? "node stands" : "nodes stand",
                           costs.map.shared == 1 ? "its" : "their",
                           costs.map.split == CostSplit::by_work
                               ? "by estimated work"
                               : "evenly, as not all sizes are known");
    if (costs.map.unattributed_ms > 0)
        out << fmt::format("  {:.3f} ms belong to no original node\n", costs.map.unattributed_ms);
}

void add_sources(Json& json, const SourceTimes& sources) {
    const bool is_line = sources.unit == SourceUnit::line;
    Json list = Json::array();
    for (const SourceCost& cost : sources.costs) {
        Json entry = {{"name", cost.name},
                      {"ms", json_number(cost.ms)},
                      {"share", json_number(cost.share)},
                      {"nodes", cost.nodes}};
        if (is_line) entry["code"] = cost.code;
        else entry["own_ms"] = json_number(cost.own_ms);
        list.push_back(std::move(entry));
    }
    json[is_line ? "lines" : "classes"] = std::move(list);
}

void print_sources(std::ostream& out, const SourceTimes& sources) {
    const bool is_line = sources.unit == SourceUnit::line;
    out << (is_line ? "lines of code\n" : "classes\n");
    const bool is_known =
        std::ranges::any_of(sources.costs, [](const SourceCost& c) { return !c.name.empty(); });
    if (!is_known) {
        out << "  the model's exporter noted none\n";
        return;
    }
    TextTable table({is_line ? "line" : "class", "ms", "share", is_line ? "nodes" : "alone ms",
                     is_line ? "code" : "nodes"},
                    is_line ? std::vector<std::size_t>{0, 4} : std::vector<std::size_t>{0});
    for (std::size_t i = 0; i < std::min(sources.costs.size(), printed_nodes); ++i) {
        const SourceCost& cost = sources.costs[i];
        const std::string nodes = std::to_string(cost.nodes);
        table.add({cost.name.empty() ? "(not noted)" : plain(cost.name),
                   fmt::format("{:.3f}", cost.ms), fmt::format("{:.1f} %", 100 * cost.share),
                   is_line ? nodes : fmt::format("{:.3f}", cost.own_ms),
                   is_line ? plain(cost.code, 60) : nodes});
    }
    table.print(out);
    if (sources.costs.size() > printed_nodes)
        out << "  ... " << sources.costs.size() - printed_nodes << " more, all with --json\n";
}

Json device_json(const DevicePeak& device) {
    Json json = {{"provider", device.provider}};
    if (!device.problem.empty()) {
        json["reason"] = device.problem;
        return json;
    }
    json["gb_per_s"] = json_number(device.gb_per_s);
    json["arithmetic"] = Json::array();
    for (const ArithmeticPeak& peak : device.arithmetic)
        json["arithmetic"].push_back(
            {{"name", peak.name},
             {"gops", json_number(peak.gops)},
             {"is_used", peak.is_of_others || !peak.product_types.empty()}});
    return json;
}

void add_roofline(Json& json, const KernelRoofs& found) {
    const MachinePeak& machine = found.roofs.machine;
    json["peak"] = {{"gflops", json_number(machine.gflops)},
                    {"int8_gops", json_number(machine.int8_gops)},
                    {"gb_per_s", json_number(machine.gb_per_s)}};
    if (!found.roofs.devices.empty()) json["peak"]["devices"] = Json::array();
    for (const DevicePeak& device : found.roofs.devices)
        json["peak"]["devices"].push_back(device_json(device));
    json["kernels"] = Json::array();
    for (const KernelPeak& k : found.kernels) {
        Json row = {{"operator", k.op},
                    {"kernel", k.kernel},
                    {"ms", json_number(k.ms)},
                    {"share", json_number(k.share)},
                    {"lost_ms", json_number(k.lost_ms)}};
        if (!found.roofs.devices.empty()) row["provider"] = k.provider;
        if (!k.arithmetic.empty()) row["arithmetic"] = k.arithmetic;
        if (k.is_known()) {
            row["gflops"] = json_number(k.gflops);
            row["gb_per_s"] = json_number(k.gb_per_s);
            row["share_of_peak"] = json_number(k.share_of_peak);
            row["bound"] = k.bound;
        }
        json["kernels"].push_back(std::move(row));
    }
}

/// "cuda reaches 4100 GB/s, 55000 float32, 380000 tf32 GOP/s (measured there)"
std::string device_text(const DevicePeak& device) {
    if (!device.problem.empty())
        return fmt::format("what {} reaches is not known, its nodes are held against nothing: {}",
                           plain(device.provider), plain(device.problem));
    std::string rates;
    for (const ArithmeticPeak& peak : device.arithmetic)
        rates += fmt::format(", {:.4g} {}", peak.gops, plain(peak.name));
    return fmt::format("{} reaches {:.4g} GB/s of its memory{} GOP/s, as measured there",
                       plain(device.provider), device.gb_per_s, rates);
}

void print_roofline(std::ostream& out, const KernelRoofs& found) {
    const MachinePeak& machine = found.roofs.machine;
    const bool reports_provider = !found.roofs.devices.empty();
    out << fmt::format(
        "kernels  against {:.0f} GFLOP/s{} and {:.1f} GB/s that this machine reaches; lost is the "
        "time above that\n",
        machine.gflops,
        machine.int8_gops > 0 ? fmt::format(", {:.0f} 8-bit GOP/s", machine.int8_gops) : "",
        machine.gb_per_s);
    for (const DevicePeak& device : found.roofs.devices) out << "  " << device_text(device) << '\n';
    std::vector<std::string> columns{"operator", "kernel",  "ms",       "share",  "GFLOP/s",
                                     "GB/s",     "of peak", "bound by", "lost ms"};
    std::vector<std::size_t> texts{0, 1, 7};
    if (reports_provider) {
        columns.emplace_back("roofs of");
        texts.push_back(9);
    }
    TextTable table(std::move(columns), std::move(texts));
    const auto known = [](const KernelPeak& k, std::string text) {
        return k.is_known() ? std::move(text) : std::string("-");
    };
    for (const KernelPeak& k : found.kernels) {
        std::vector<std::string> row{plain(k.op),
                                     plain(k.kernel),
                                     fmt::format("{:.3f}", k.ms),
                                     fmt::format("{:.1f} %", 100 * k.share),
                                     known(k, fmt::format("{:.1f}", k.gflops)),
                                     known(k, fmt::format("{:.1f}", k.gb_per_s)),
                                     known(k, fmt::format("{:.0f} %", 100 * k.share_of_peak)),
                                     known(k, k.bound),
                                     fmt::format("{:.3f}", k.lost_ms)};
        const std::string arithmetic = k.arithmetic.empty() ? "" : " " + k.arithmetic;
        if (reports_provider) row.push_back(known(k, plain(k.provider + arithmetic)));
        table.add(std::move(row));
    }
    table.print(out);
}

constexpr const char* unknown = "-";

Json known_number(const std::optional<double>& value) {
    return value ? json_number(*value) : Json(nullptr);
}

std::string ms_text(const std::optional<double>& ms) {
    return ms ? fmt::format("{:.3f}", *ms) : unknown;
}

std::string known_text(const std::string& text) { return text.empty() ? unknown : plain(text); }

/// In a trace 0 means that the size is not known.
bool is_known(const ProfileTables& tables, std::int64_t bytes) {
    return !tables.is_trace() || bytes > 0;
}

std::string memory_text(const ProfileTables& tables, std::int64_t bytes) {
    return is_known(tables, bytes) ? byte_text(static_cast<double>(bytes)) : unknown;
}

Json memory_json(const ProfileTables& tables, std::int64_t bytes) {
    return is_known(tables, bytes) ? Json(bytes) : Json(nullptr);
}

Json overhead_json(const SessionOverhead& overhead) {
    return {{"model_load_ms", known_number(overhead.load_ms)},
            {"graph_optimization_ms", known_number(overhead.optimization_ms)},
            {"session_initialization_ms", known_number(overhead.initialization_ms)},
            {"session_cleanup_ms", known_number(overhead.cleanup_ms)},
            {"once_ms", json_number(overhead.once_ms)},
            {"run_ms", json_number(overhead.run_ms)},
            {"share", json_number(overhead.share)}};
}

void print_operators(std::ostream& out, const ProfileTables& tables) {
    out << "operators\n";
    TextTable operators({"operator", "calls", "ms", "share"});
    for (const OperatorTotal& op : tables.summary.operators)
        operators.add({known_text(op.op), std::to_string(op.count),
                       fmt::format("{:.3f}", op.self_ms), fmt::format("{:.1f} %", 100 * op.share)});
    operators.add({std::string(overhead_name), unknown,
                   fmt::format("{:.3f}", tables.overhead.run_ms),
                   fmt::format("{:.1f} %", 100 * tables.overhead.share)});
    operators.print(out);
}

void print_nodes(std::ostream& out, const ProfileSummary& summary) {
    out << "nodes\n";
    const bool reports_provider = !summary.providers.empty();
    std::vector<std::string> columns{"node", "operator", "kernel", "ms",
                                     "min",  "max",      "share",  "shapes"};
    std::vector<std::size_t> texts{0, 1, 2, 7};
    if (reports_provider) {
        columns.emplace_back("provider");
        texts.push_back(8);
    }
    TextTable nodes(std::move(columns), std::move(texts));
    for (std::size_t i = 0; i < std::min(summary.nodes.size(), printed_nodes); ++i) {
        const NodeTotal& node = summary.nodes[i];
        std::vector<std::string> row{known_text(node.name),
                                     known_text(node.op),
                                     known_text(node.kernel),
                                     fmt::format("{:.3f}", node.ms),
                                     fmt::format("{:.3f}", node.min_ms),
                                     fmt::format("{:.3f}", node.max_ms),
                                     fmt::format("{:.1f} %", 100 * node.share),
                                     known_text(node.shapes)};
        if (reports_provider) row.push_back(plain(node.provider));
        nodes.add(std::move(row));
    }
    nodes.print(out);
    if (summary.nodes.size() > printed_nodes)
        out << "  ... " << summary.nodes.size() - printed_nodes << " more, all with --json\n";
}

/// Prints nothing if no kernel fell back to its reference kernel and chosen reference kernels take
/// almost no time.
void print_fallbacks(std::ostream& out, const ProfileSummary& summary) {
    TextTable table({"node", "operator", "kernel", "calls", "why"}, {0, 1, 2, 4});
    std::size_t count = 0;
    for (const NodeTotal& node : summary.nodes) {
        const bool is_small =
            node.kernel.starts_with("reference.") && node.share < least_reported_share;
        if (node.fallback_calls == 0 || is_small || ++count > printed_nodes) continue;
        const std::string calls = node.fallback_calls == node.calls
                                      ? fmt::format("{}", node.calls)
                                      : fmt::format("{} of {}", node.fallback_calls, node.calls);
        table.add({known_text(node.name), known_text(node.op), known_text(node.kernel), calls,
                   plain(node.fallback)});
    }
    if (count == 0) return;
    out << "ran on the reference kernel\n";
    table.print(out);
    if (count > printed_nodes)
        out << "  ... " << count - printed_nodes << " more, all with --json\n";
}

/// Prints nothing if everything ran on the CPU.
void print_providers(std::ostream& out, const ProfileSummary& summary) {
    if (summary.providers.empty()) return;
    out << "providers\n";
    TextTable table({"provider", "nodes", "ms", "share", "copies", "copied", "ms of copies"});
    for (const ProviderTotal& p : summary.providers)
        table.add({plain(p.provider), std::to_string(p.nodes), fmt::format("{:.3f}", p.node_ms),
                   fmt::format("{:.1f} %", 100 * p.share), std::to_string(p.copies),
                   byte_text(p.copied_bytes), fmt::format("{:.3f}", p.copy_ms)});
    table.print(out);
}

Json node_json(const ProfileTables& tables, const NodeTotal& node) {
    Json json = {
        {"name", node.name},
        {"operator", node.op},
        {"kernel", tables.is_trace() && node.kernel.empty() ? Json(nullptr) : Json(node.kernel)},
        {"shapes", tables.is_trace() && node.shapes.empty() ? Json(nullptr) : Json(node.shapes)},
        {"provider", node.provider},
        {"calls", node.calls},
        {"ms", json_number(node.ms)},
        {"min_ms", json_number(node.min_ms)},
        {"max_ms", json_number(node.max_ms)},
        {"share", json_number(node.share)}};
    if (node.fallback_calls > 0)
        json["ran_on_reference_kernel"] = {{"calls", node.fallback_calls}, {"why", node.fallback}};
    return json;
}

Json providers_json(const ProfileSummary& summary) {
    Json list = Json::array();
    for (const ProviderTotal& p : summary.providers)
        list.push_back({{"provider", p.provider},
                        {"nodes", p.nodes},
                        {"node_ms", json_number(p.node_ms)},
                        {"share", json_number(p.share)},
                        {"copies", p.copies},
                        {"copied_bytes", json_number(p.copied_bytes)},
                        {"copy_ms", json_number(p.copy_ms)}});
    return list;
}

void print_phases(std::ostream& out, const ProfileTables& tables) {
    out << "phases\n";
    TextTable phases({"phase", "ms"});
    for (const PhaseTime& phase : phase_times(tables.profile))
        phases.add(
            {std::string(phase.depth > 0 ? "  " : "") + plain(phase.name), ms_text(phase.ms)});
    phases.add(
        {fmt::format("{}, once", overhead_name), fmt::format("{:.3f}", tables.overhead.once_ms)});
    phases.print(out);
}

std::string verdict_of(const ProfileTables& tables) {
    return tables.summary.verdict + (tables.lowered ? " " + text_of(*tables.lowered) + "." : "");
}

}  // namespace

Json profile_json(const ProfileTables& tables) {
    const Profile& profile = tables.profile;
    const ProfileSummary& summary = tables.summary;
    Json json = {{"file", tables.file.string()}};
    if (tables.is_trace()) json["source"] = tables.source;
    json["verdict"] = verdict_of(tables);
    if (!profile.note.empty()) json["note"] = profile.note;
    if (tables.lowered) json["lowered_precision"] = lowered_json(*tables.lowered);
    if (tables.caches) json["resident"] = tables.caches->json();
    json["threads"] = profile.threads;
    json["runs"] = profile.runs;
    json["wall_ms"] = json_number(summary.wall_ms);
    json["kernel_ms"] = json_number(summary.kernel_ms);
    json["session_overhead"] = overhead_json(tables.overhead);
    if (tables.counters) json["hardware"] = counters_json(*tables.counters);
    json["operators"] = Json::array();
    for (const OperatorTotal& op : summary.operators)
        json["operators"].push_back({{"operator", op.op},
                                     {"calls", op.count},
                                     {"self_ms", json_number(op.self_ms)},
                                     {"share", json_number(op.share)}});
    json["nodes"] = Json::array();
    for (const NodeTotal& node : summary.nodes) json["nodes"].push_back(node_json(tables, node));
    json["providers"] = providers_json(summary);
    json["phases"] = Json::array();
    for (const PhaseTime& phase : phase_times(profile))
        json["phases"].push_back(
            {{"name", phase.name}, {"depth", phase.depth}, {"ms", known_number(phase.ms)}});
    json["memory"] = {{"peak_bytes", memory_json(tables, profile.peak_bytes)},
                      {"weight_bytes", memory_json(tables, profile.weight_bytes)}};
    if (tables.process) json["memory"]["process"] = process_json(*tables.process);
    json["dropped_events"] = profile.dropped_events;
    if (!tables.trace.empty()) json["trace"] = tables.trace.string();
    if (tables.originals) add_original_nodes(json, *tables.originals);
    if (tables.sources) add_sources(json, *tables.sources);
    if (tables.roofs) add_roofline(json, *tables.roofs);
    return json;
}

void print_profile(std::ostream& out, const ProfileTables& tables) {
    const Profile& profile = tables.profile;
    if (tables.is_trace())
        out << "source  " << tables.source << ", " << plain(tables.file.string()) << '\n';
    out << plain(verdict_of(tables)) << '\n';
    // for notes of several sentences: notes of devices, why nothing was replayed
    constexpr std::size_t longest_note = 2000;
    if (!profile.note.empty()) out << plain(profile.note, longest_note) << '\n';
    if (tables.caches) tables.caches->print(out);
    out << fmt::format(
        "run {:.3f} ms (median of {})  kernels {:.3f} ms  {} {:.3f} ms  threads {}\n",
        tables.summary.wall_ms, profile.runs, tables.summary.kernel_ms, overhead_name,
        tables.overhead.run_ms, profile.threads);
    if (tables.counters) out << "hardware  " << text_of(*tables.counters) << '\n';
    print_operators(out, tables);
    print_providers(out, tables.summary);
    print_nodes(out, tables.summary);
    print_fallbacks(out, tables.summary);
    if (tables.originals) print_original_nodes(out, *tables.originals);
    if (tables.sources) print_sources(out, *tables.sources);
    if (tables.roofs) print_roofline(out, *tables.roofs);
    print_phases(out, tables);
    out << "memory  ";
    if (tables.process)
        out << "process " << byte_text(static_cast<double>(tables.process->total()))
            << " while it runs  ";
    out << "activations held " << memory_text(tables, profile.peak_bytes) << "  weights as stored "
        << memory_text(tables, profile.weight_bytes) << '\n';
    if (profile.dropped_events) out << "dropped  " << profile.dropped_events << " events\n";
    if (!tables.trace.empty()) out << "trace  " << plain(tables.trace.string()) << '\n';
}

}  // namespace lapidary::cli
