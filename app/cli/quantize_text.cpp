// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize_text.h"

#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

std::string decibels(double value) {
    return std::isfinite(value) ? fmt::format("{:.1f}", value) : value > 0 ? "equal" : "none";
}

}  // namespace

Json quantize_json(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    Json json = {{"file", options.model.string()},
                 {"output", options.output.string()},
                 {"mode", name_of(options.quantize.mode)},
                 {"quantized_nodes", outcome.result.quantized},
                 {"nodes", Json::array()},
                 {"notes", outcome.result.notes},
                 {"constant_bytes", {{"before", outcome.bytes_before}, {"after", outcome.bytes_after}}},
                 {"samples", outcome.accuracy.samples},
                 {"sqnr_db", json_number(outcome.accuracy.sqnr_db())},
                 {"outputs", Json::array()}};
    for (const NodeDecision& node : outcome.result.nodes)
        json["nodes"].push_back(
            {{"node", node.node}, {"place", node.place}, {"quantized", node.quantized}, {"reason", node.reason}});
    for (const OutputAccuracy& output : outcome.accuracy.outputs)
        json["outputs"].push_back({{"name", output.name},
                                   {"sqnr_db", json_number(output.sqnr_db)},
                                   {"cosine", json_number(output.cosine)},
                                   {"max_abs", json_number(output.max_abs)},
                                   {"rows", output.rows},
                                   {"flips", output.flips}});
    if (options.search) {
        json["trials"] = Json::array();
        for (const RecipeTrial& trial : outcome.trials)
            json["trials"].push_back({{"name", trial.name},
                                      {"sqnr_db", json_number(trial.sqnr_db)},
                                      {"splits", trial.splits},
                                      {"constant_bytes", trial.weight_bytes},
                                      {"failure", trial.failure}});
        json["best_trial"] = outcome.best;
        json["stopped"] = outcome.stopped;
    }
    return json;
}

void print_quantized(std::ostream& out, const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    if (options.search) {
        TextTable trials({"recipe", "SQNR dB", "splits", "constants", ""}, {0, 4});
        for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
            const RecipeTrial& trial = outcome.trials[i];
            if (trial.failure.empty())
                trials.add({trial.name, decibels(trial.sqnr_db), std::to_string(trial.splits),
                            byte_text(static_cast<double>(trial.weight_bytes)), i == outcome.best ? "best" : ""});
            else trials.add({trial.name, "", "", "", plain(trial.failure)});
        }
        trials.print(out);
        if (outcome.stopped) out << "stopped before all recipes were tried\n";
    }
    if (options.explain) {
        TextTable nodes({"node", "", "reason"}, {0, 1, 2});
        for (const NodeDecision& node : outcome.result.nodes)
            nodes.add({plain(node.node), node.quantized ? "quantized" : "float", plain(node.reason)});
        nodes.print(out);
    }
    TextTable outputs({"output", "SQNR dB", "cosine", "max abs", "flips"}, {0});
    for (const OutputAccuracy& output : outcome.accuracy.outputs)
        outputs.add({plain(output.name), decibels(output.sqnr_db), fmt::format("{:.6f}", output.cosine),
                     fmt::format("{:.3g}", output.max_abs),
                     output.rows > 0 ? fmt::format("{} of {}", output.flips, output.rows) : "-"});
    outputs.print(out);
    out << fmt::format("{} of {} nodes quantized, constants {} -> {}, judged on {} {}\n", outcome.result.quantized,
                       outcome.result.nodes.size(), byte_text(static_cast<double>(outcome.bytes_before)),
                       byte_text(static_cast<double>(outcome.bytes_after)), outcome.accuracy.samples,
                       outcome.accuracy.samples == 1 ? "sample" : "samples");
    constexpr double told_from = 20, told_share = 1.1;  // ms: shorter runs say nothing
    if (outcome.accuracy.original_ms > told_from &&
        outcome.accuracy.quantized_ms > outcome.accuracy.original_ms * told_share)
        out << fmt::format("note  slower than the original here: {:.1f} ms against {:.1f} ms\n",
                           outcome.accuracy.quantized_ms, outcome.accuracy.original_ms);
    for (const std::string& note : outcome.result.notes) out << "note  " << plain(note) << '\n';
    for (const std::string& warning : outcome.accuracy.warnings) out << "note  " << plain(warning) << '\n';
}

}  // namespace lapidary::cli
