// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/exec/executed_model.h>
#include <lapidary/exec/placement.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/cost/roofline.h>

#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/engines/engine_job.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/provider_options.h"
#include "cli/options/size_options.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct PlacementOptions {
    std::filesystem::path model;
    LevelOptions level;
    ProviderOptions providers;
    EngineOptions engine;
    std::map<std::string, std::int64_t> dimensions;
};

/// The share of one provider.
struct ProviderShare {
    std::size_t nodes = 0;
    double flop = 0;
};

std::map<std::string, ProviderShare> shares_of(const PlacementReport& report, const Graph& graph) {
    std::map<std::string, ProviderShare> shares;
    for (const NodePlacement& node : report.nodes) {
        ProviderShare& share = shares[node.provider];
        ++share.nodes;
        if (!node.node) continue;
        if (const auto work = work_of(graph, node.node)) share.flop += work->flop;
    }
    return shares;
}

std::string reasons_text(const NodePlacement& node) {
    std::string text;
    for (const PlacementReason& r : node.reasons)
        text += (text.empty() ? "" : "; ") + r.provider + ": " + r.reason;
    return text;
}

/// "398 of 412 nodes, 96 % of the arithmetic, on cuda; 6 copies of 1.2 MB".
std::string verdict(const PlacementReport& report,
                    const std::map<std::string, ProviderShare>& shares) {
    double flop = 0;
    for (const auto& [name, share] : shares) flop += share.flop;
    std::string text;
    for (const auto& [name, share] : shares)
        text += fmt::format(
            "{}{} of {}{} on {}", text.empty() ? "" : ", ", share.nodes,
            count_text(std::ssize(report.nodes), "node"),
            flop > 0 ? fmt::format(", {:.0f} % of the arithmetic,", 100 * share.flop / flop) : "",
            name);
    if (report.copies.empty()) return text + "; no copies";
    std::int64_t bytes = 0;
    std::size_t unknown = 0;
    for (const PlannedCopy& copy : report.copies)
        if (copy.bytes >= 0) bytes += copy.bytes;
        else ++unknown;
    text +=
        fmt::format("; {} {}", report.copies.size(), report.copies.size() == 1 ? "copy" : "copies");
    if (unknown < report.copies.size()) text += " of " + byte_text(static_cast<double>(bytes));
    if (unknown > 0) text += fmt::format(", the sizes of {} known in a run", unknown);
    return text;
}

Json placement_json(const PlacementOptions& options, const PlacementReport& report,
                    const std::string& summary) {
    Json json{{"file", options.model.string()},
              {"verdict", summary},
              {"nodes", Json::array()},
              {"islands", Json::array()},
              {"copies", Json::array()}};
    for (const NodePlacement& node : report.nodes) {
        Json reasons = Json::array();
        for (const PlacementReason& r : node.reasons)
            reasons.push_back({{"provider", r.provider}, {"reason", r.reason}});
        json["nodes"].push_back({{"name", node.name},
                                 {"operator", node.op},
                                 {"provider", node.provider},
                                 {"reasons", std::move(reasons)}});
    }
    for (const PlacementIsland& island : report.islands)
        json["islands"].push_back({{"provider", island.provider},
                                   {"nodes", island.nodes},
                                   {"gain_ns", json_number(island.gain_ns)},
                                   {"copies_ns", json_number(island.copies_ns)}});
    for (const PlannedCopy& copy : report.copies)
        json["copies"].push_back({{"value", copy.value},
                                  {"from", copy.from},
                                  {"to", copy.to},
                                  {"cause", copy.cause},
                                  {"bytes", copy.bytes >= 0 ? Json(copy.bytes) : Json()}});
    return json;
}

void print_placement(std::ostream& out, const PlacementReport& report, const std::string& summary) {
    out << plain(summary) << '\n';
    TextTable nodes({"node", "operator", "runs on", "why not elsewhere"}, {0, 1, 2, 3});
    for (const NodePlacement& node : report.nodes)
        nodes.add(
            {plain(node.name), plain(node.op), plain(node.provider), plain(reasons_text(node))});
    nodes.print(out);
    if (report.copies.empty()) return;
    out << "copies\n";
    TextTable copies({"value", "from", "to", "size", "because of"}, {0, 1, 2, 4});
    for (const PlannedCopy& copy : report.copies)
        copies.add({plain(copy.value), plain(copy.from), plain(copy.to),
                    copy.bytes >= 0 ? byte_text(static_cast<double>(copy.bytes)) : "known in a run",
                    plain(copy.cause)});
    copies.print(out);
}

class PlacementCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary =
                "Say for each node on which device it runs, why not elsewhere, and what is copied",
            .examples = {"lapidary-cli placement net.onnx --provider cuda --level all",
                         "lapidary-cli placement net.onnx --engine onnxruntime --provider CUDA"}};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_provider_options(options, options_.providers);
        add_engine_options(options, options_.engine);
        add_dimensions(options, options_.dimensions);
        add_level_options(options, options_.level);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.engine.is_other()) return place_in_engine(terminal);
        if (options_.providers.wanted.empty()) throw UsageError("--provider is required");
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(options_.model, options_.level, progress, false,
                                                 !options_.providers.wanted.empty());
        terminal.note(loaded.layout_note);
        SessionOptions session_options;
        session_options.session_passes = loaded.session_passes;
        session_options.free_dimensions = options_.dimensions;
        options_.providers.apply(session_options);
        const Session session = Session::compile(loaded.model, session_options, progress);
        const PlacementReport& report = session.placement();
        const std::string summary = verdict(report, shares_of(report, session.model().graph));
        const RunConditions conditions{
            loaded.report.level, session.threads(), 1, {options_.dimensions, {}}};
        if (terminal.json) {
            Json json = placement_json(options_, report, summary);
            json.update(conditions_json(conditions));
            write_json(terminal.out, json);
        } else {
            print_conditions(terminal.out, conditions);
            print_placement(terminal.out, report, summary);
        }
        return exit_fine;
    }

private:
    /// Prints the placement that a profiled run shows, because ONNX Runtime before 1.24 offers no
    /// other way.
    int place_in_engine(Terminal& terminal) {
        ModelRunOptions running;
        running.model = options_.model;
        running.level = options_.level;
        running.providers = options_.providers;
        running.engine = options_.engine;
        running.inputs.dimensions = options_.dimensions;
        const EngineJob job = run_in_engine(running, custom_operators, {{}, 0, 1, true}, terminal);
        const PlacementReport& report = job.record.placement;
        const std::string summary = verdict(report, shares_of(report, job.model->graph));
        if (terminal.json) {
            Json json = placement_json(options_, report, summary);
            json.update(conditions_json(conditions_of(job, running)));
            json["engine"] = engine_json(job, options_.engine);
            write_json(terminal.out, json);
        } else {
            print_engine(terminal, job.record);
            print_conditions(terminal.out, conditions_of(job, running));
            print_placement(terminal.out, report, summary);
        }
        return exit_fine;
    }

    PlacementOptions options_;
};

}  // namespace

std::unique_ptr<Command> placement_command() { return std::make_unique<PlacementCommand>(); }

}  // namespace lapidary::cli
