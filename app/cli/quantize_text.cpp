// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize_text.h"

#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/pareto.h>

#include "cli/json_output.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

std::string decibels(double value) {
    return std::isfinite(value) ? fmt::format("{:.1f}", value) : value > 0 ? "equal" : "none";
}

/// Of a run on the judging samples, each after one of the float model.
double run_ms(const RecipeTrial& trial) {
    const std::size_t runs = trial.accuracy.samples > 1 ? trial.accuracy.samples - 1 : 1;
    return trial.accuracy.quantized_ms / static_cast<double>(runs);
}

std::vector<std::size_t> front_of(const std::vector<RecipeTrial>& trials) {
    std::vector<ParetoPoint> points;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].failure.empty()) {
            points.push_back({trials[i].weight_bytes, run_ms(trials[i]), trials[i].sqnr_db});
            which.push_back(i);
        }
    std::vector<std::size_t> front = pareto_front(points);
    for (std::size_t& index : front) index = which[index];
    return front;
}

Json sensitivity_json(const Sensitivity& found) {
    Json json = {
        {"groups", Json::array()}, {"curve", Json::array()}, {"complete", found.complete}, {"untried", found.untried}};
    for (const NodeSensitivity& group : found.groups)
        json["groups"].push_back({{"nodes", group.nodes},
                                  {"names", group.names},
                                  {"alone_db", json_number(group.alone_db)},
                                  {"share", json_number(group.share)}});
    for (const SensitivityPoint& point : found.curve) {
        Json entry = {{"kept", point.kept}, {"predicted_db", json_number(point.predicted_db)}};
        if (point.measured_db) entry["measured_db"] = json_number(*point.measured_db);
        json["curve"].push_back(std::move(entry));
    }
    return json;
}

void print_sensitivity(std::ostream& out, const Sensitivity& found) {
    TextTable groups({"quantized alone", "SQNR dB", "share of noise"}, {0});
    for (const NodeSensitivity& group : found.groups)
        groups.add({plain(fmt::format("{}", fmt::join(group.nodes, ", "))), decibels(group.alone_db),
                    fmt::format("{:.1f} %", group.share * 100)});
    groups.print(out);
    if (found.untried > 0) out << found.untried << " more were not tried: the time was over\n";
    TextTable curve({"worst float", "predicted dB", "measured dB"}, {});
    for (const SensitivityPoint& point : found.curve)
        if (point.measured_db || point.kept + 1 == found.curve.size())
            curve.add({std::to_string(point.kept), decibels(point.predicted_db),
                       point.measured_db ? decibels(*point.measured_db) : "-"});
    curve.print(out);
}

void print_front(std::ostream& out, const QuantizeOutcome& outcome) {
    TextTable front({"constants", "ms", "SQNR dB", "recipe", "options"}, {3, 4});
    for (std::size_t i : front_of(outcome.trials)) {
        const RecipeTrial& trial = outcome.trials[i];
        front.add({byte_text(static_cast<double>(trial.weight_bytes)), fmt::format("{:.3f}", run_ms(trial)),
                   decibels(trial.sqnr_db), trial.name, recipe_words(trial.options)});
    }
    out << "not beaten in size, time and SQNR at once:\n";
    front.print(out);
}

}  // namespace

std::string recipe_words(const QuantizeOptions& options) {
    std::string words = "--mode " + std::string(name_of(options.mode));
    if (options.mode == QuantizeMode::weights) words += std::to_string(options.weight_bits);
    if (options.symmetric_blocks) words += " --symmetric-blocks";
    if (options.range != RangeMethod::mse) words += " --range " + std::string(name_of(options.range));
    if (options.equalize) words += " --equalize";
    if (options.smoothing > 0) words += fmt::format(" --smooth {:g}", options.smoothing);
    if (options.compensated_rounding) words += " --compensate";
    for (const std::string& pattern : options.keep_float) words += " --keep-float " + quote(pattern);
    return words;
}

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
    if (options.pareto) {
        json["front"] = Json::array();
        for (std::size_t i : front_of(outcome.trials))
            json["front"].push_back({{"trial", i},
                                     {"name", outcome.trials[i].name},
                                     {"options", recipe_words(outcome.trials[i].options)},
                                     {"constant_bytes", outcome.trials[i].weight_bytes},
                                     {"ms", json_number(run_ms(outcome.trials[i]))},
                                     {"sqnr_db", json_number(outcome.trials[i].sqnr_db)}});
    }
    if (outcome.diagnosis)
        json["diagnosis"] = {{"weights_db", json_number(outcome.diagnosis->weights_db)},
                             {"activations_db", json_number(outcome.diagnosis->activations_db)},
                             {"both_db", json_number(outcome.diagnosis->both_db)},
                             {"sentence", outcome.diagnosis->sentence()}};
    if (outcome.sensitivity) json["sensitivity"] = sensitivity_json(*outcome.sensitivity);
    if (outcome.floor)
        json["floor"] = {{"kept_float", outcome.floor->kept},
                         {"sqnr_db", json_number(outcome.floor->sqnr_db)},
                         {"reached", outcome.floor->reached},
                         {"options", recipe_words(outcome.floor->options)}};
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
    if (options.pareto) print_front(out, outcome);
    if (outcome.diagnosis) out << outcome.diagnosis->sentence() << '\n';
    if (outcome.sensitivity && options.sensitivity) print_sensitivity(out, *outcome.sensitivity);
    if (outcome.floor)
        out << fmt::format("for the floor of {:g} dB {} of the most sensitive nodes stay float: {} dB{}\n",
                           options.floor.value_or(0), outcome.floor->kept, decibels(outcome.floor->sqnr_db),
                           outcome.floor->reached ? "" : ", which is the best that was found");
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
