// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/quantize_text.h"

#include <charconv>
#include <cmath>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/quantize/inspect_quantized.h>
#include <lapidary/quantize/pareto.h>
#include <lapidary/base/quantity_text.h>

#include "cli/bench/bench_models.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/compare/side_by_side.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

std::string decibels(double value) {
    return std::isfinite(value) ? fmt::format("{:.1f}", value) : value > 0 ? "equal" : "none";
}

std::optional<double> run_ms(const QuantizeOutcome& outcome, std::size_t trial) {
    return trial < outcome.ms.size() ? outcome.ms[trial] : std::nullopt;
}

/// The Pareto front of the measured trials.
std::vector<std::size_t> front_of(const QuantizeOutcome& outcome) {
    std::vector<ParetoPoint> points;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < outcome.trials.size(); ++i)
        if (const auto ms = run_ms(outcome, i); ms && outcome.trials[i].failure.empty()) {
            points.push_back({outcome.trials[i].weight_bytes, *ms, outcome.trials[i].sqnr_db});
            which.push_back(i);
        }
    std::vector<std::size_t> front = pareto_front(points);
    for (std::size_t& index : front) index = which[index];
    return front;
}

Json sensitivity_json(const Sensitivity& found) {
    Json json = {{"groups", Json::array()},
                 {"curve", Json::array()},
                 {"complete", found.complete},
                 {"untried", found.untried}};
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

Json ranges_json(const std::vector<QuantizedRange>& ranges) {
    Json json = Json::array();
    for (const QuantizedRange& range : ranges)
        json.push_back({{"value", range.name},
                        {"type", name_of(range.dtype)},
                        {"seen", {json_number(range.low), json_number(range.high)}},
                        {"quantized", {json_number(range.lowest), json_number(range.highest)}},
                        {"scale", json_number(range.scale)},
                        {"zero_point", range.zero_point},
                        {"saturated", json_number(range.saturated)}});
    return json;
}

Json labelled_json(const LabelledAccuracy& labelled) {
    const auto side = [](const AccuracyCounts& counts) {
        const ShareEstimate share = counts.top1_share();
        Json json = {{"rows", counts.rows},
                     {"top1", json_number(share.share)},
                     {"low", json_number(share.low)},
                     {"high", json_number(share.high)}};
        if (counts.vectors > 0) json["mean_cosine"] = json_number(counts.mean_cosine());
        return json;
    };
    return {{"float", side(labelled.original)}, {"quantized", side(labelled.quantized)}};
}

}  // namespace

Json preprocessing_json(const PreprocessingJudgement& judgement) {
    Json candidates = Json::array();
    for (const PreprocessingCandidate& candidate : judgement.candidates) {
        Json one = {{"name", candidate.name}, {"options", scale_options(candidate.images)}};
        if (candidate.top1) one["top1"] = json_number(candidate.top1->share);
        if (candidate.distance) one["distance"] = json_number(*candidate.distance);
        candidates.push_back(std::move(one));
    }
    return {{"guessed", judgement.is_guessed}, {"sure", !judgement.is_warning},
            {"asked", judgement.asked},        {"reason", judgement.reason},
            {"labels", judgement.labels},      {"candidates", candidates}};
}

namespace {

Json times_json(const QuantizedTimes& times) {
    return {{"original_ms", json_number(times.original_ms.median)},
            {"quantized_ms", json_number(times.quantized_ms.median)},
            {"ratio", json_number(times.ratio.median)},
            {"ratio_interval", interval_json(times.ratio)}};
}

Json db_interval_json(const DecibelEstimate& estimate) {
    return {json_number(estimate.low), json_number(estimate.high)};
}

Json verdict_json(const QuantizeOutcome& outcome, const QuantizeVerdict& verdict) {
    const DecibelEstimate sqnr = figures_of(outcome).sqnr;
    Json json = {{"quality", name_of(verdict.quality)},
                 {"usable", verdict.is_usable},
                 {"sentence", verdict.sentence}};
    if (sqnr.has_interval()) json["sqnr_interval"] = db_interval_json(sqnr);
    return json;
}

/// Accuracy of the file, by level.
Json levels_json(const WrittenAccuracy& written) {
    const auto level = [](const QuantizedAccuracy& accuracy) {
        std::size_t rows = 0, flips = 0;
        for (const OutputAccuracy& output : accuracy.outputs) {
            rows += output.rows;
            flips += output.flips;
        }
        return Json{{"sqnr_db", json_number(accuracy.sqnr_db())},
                    {"samples", accuracy.samples},
                    {"rows", rows},
                    {"flips", flips}};
    };
    return {{"disabled", level(written.disabled)},
            {"all", level(written.all)},
            {"worse", name_of(written.worse_level())}};
}

/// The options that repeat the trial, even if it failed.
std::string repeating_words(const RecipeTrial& trial) {
    const bool is_mended =
        can_be_repaired(trial.options) &&
        fault_of(lapidary::figures_of(trial.accuracy), usual_floor(trial.options), false);
    return recipe_words(trial.options) + (is_mended ? " --as-asked" : "");
}

Json trials_json(const QuantizeOutcome& outcome) {
    Json json = {
        {"trials", Json::array()}, {"best_trial", outcome.best}, {"stopped", outcome.stopped}};
    for (const RecipeTrial& trial : outcome.trials) {
        Json one = {{"name", trial.name},
                    {"options", repeating_words(trial)},
                    {"sqnr_db", json_number(trial.sqnr_db)},
                    {"splits", trial.splits},
                    {"constant_bytes", trial.weight_bytes},
                    {"failure", trial.failure}};
        if (const DecibelEstimate sqnr = estimate_of(trial); sqnr.has_interval())
            one["sqnr_interval"] = db_interval_json(sqnr);
        json["trials"].push_back(std::move(one));
    }
    return json;
}

Json front_json(const QuantizeOutcome& outcome) {
    Json json = Json::array();
    for (std::size_t i : front_of(outcome))
        json.push_back({{"trial", i},
                        {"name", outcome.trials[i].name},
                        {"options", repeating_words(outcome.trials[i])},
                        {"constant_bytes", outcome.trials[i].weight_bytes},
                        {"ms", json_number(*run_ms(outcome, i))},
                        {"sqnr_db", json_number(outcome.trials[i].sqnr_db)}});
    return json;
}

void print_layers(std::ostream& out, const std::vector<LayerAccuracy>& layers) {
    out << fmt::format("layers, node by node, on the first {} samples that judge\n",
                       inspected_samples);
    TextTable table({"node", "value", "SQNR dB"}, {0, 1});
    for (const LayerAccuracy& layer : layers)
        table.add({plain(layer.node), plain(layer.value), decibels(layer.sqnr_db)});
    table.print(out);
}

void print_labelled(std::ostream& out, const LabelledAccuracy& labelled) {
    const auto labels = [](auto count) {
        return count_text(static_cast<std::int64_t>(count), "label");
    };
    if (labelled.original.rows > 0)
        out << fmt::format("top-1 on {}: float {}, quantized {}\n", labels(labelled.original.rows),
                           share_text(labelled.original.top1_share()),
                           share_text(labelled.quantized.top1_share()));
    if (labelled.original.vectors > 0)
        out << fmt::format("cosine to {}: float {:.6f}, quantized {:.6f}\n",
                           labels(labelled.original.vectors), labelled.original.mean_cosine(),
                           labelled.quantized.mean_cosine());
}

void print_sensitivity(std::ostream& out, const Sensitivity& found) {
    TextTable groups({"quantized alone", "SQNR dB", "share of noise"}, {0});
    for (const NodeSensitivity& group : found.groups)
        groups.add({plain(fmt::format("{}", fmt::join(group.nodes, ", "))),
                    decibels(group.alone_db), fmt::format("{:.1f} %", group.share * 100)});
    groups.print(out);
    if (found.untried > 0) out << found.untried << " more were not tried: the time was over\n";
    TextTable curve({"worst float", "predicted dB", "measured dB"}, {});
    for (const SensitivityPoint& point : found.curve)
        if (point.measured_db || point.kept + 1 == found.curve.size())
            curve.add({std::to_string(point.kept), decibels(point.predicted_db),
                       point.measured_db ? decibels(*point.measured_db) : "-"});
    curve.print(out);
}

/// A poor trial is not marked as best, even if none is better.
void print_trials(std::ostream& out, const QuantizeOutcome& outcome) {
    TextTable trials({"recipe", "SQNR dB", "95 %", "splits", "constants", ""}, {0, 5});
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const RecipeTrial& trial = outcome.trials[i];
        if (!trial.failure.empty()) {
            trials.add({trial.name, "", "", "", "", plain(trial.failure)});
            continue;
        }
        const DecibelEstimate sqnr = estimate_of(trial);
        const bool is_poor = !usual_floor(trial.options).is_reached(trial.sqnr_db);
        trials.add(
            {trial.name, decibels(trial.sqnr_db),
             sqnr.has_interval() ? fmt::format("{:.1f} to {:.1f}", sqnr.low, sqnr.high) : "-",
             std::to_string(trial.splits), byte_text(static_cast<double>(trial.weight_bytes)),
             i != outcome.best ? ""
             : is_poor         ? "the least poor"
                               : "best"});
    }
    trials.print(out);
    if (outcome.stopped) out << "stopped before all recipes were tried\n";
}

void print_times(std::ostream& out, const QuantizedTimes& times, const std::string& where) {
    out << fmt::format(
        "{:.3g} ms a run{}, the original {:.3g} ms: {:.2f} times its time ({:.2f} to {:.2f})\n",
        times.quantized_ms.median, where, times.original_ms.median, times.ratio.median,
        times.ratio.low, times.ratio.high);
}

void print_front(std::ostream& out, const QuantizeOutcome& outcome) {
    TextTable front({"constants", "ms", "SQNR dB", "recipe", "options"}, {3, 4});
    for (std::size_t i : front_of(outcome)) {
        const RecipeTrial& trial = outcome.trials[i];
        front.add({byte_text(static_cast<double>(trial.weight_bytes)),
                   fmt::format("{:.3f}", *run_ms(outcome, i)), decibels(trial.sqnr_db), trial.name,
                   repeating_words(trial)});
    }
    out << "not beaten in size, time and SQNR at once:\n";
    front.print(out);
}

}  // namespace

std::vector<std::string> mode_words() {
    return {"dynamic", "static", "weights4", "weights8", "fp8", "bf16", "fp16"};
}

void set_mode(QuantizeOptions& options, const std::string& word) {
    if (const auto mode = quantize_mode_from_name(word)) {
        options.mode = *mode;
        return;
    }
    options.mode = QuantizeMode::weights;
    options.storage = word == "fp8"    ? WeightStorage::float8
                      : word == "bf16" ? WeightStorage::bfloat16
                                       : WeightStorage::blocks;
    options.weight_bits = word == "weights4" ? 4 : 8;
}

std::string mode_word(const QuantizeOptions& options) {
    if (options.mode != QuantizeMode::weights) return std::string(name_of(options.mode));
    if (options.storage == WeightStorage::float8) return "fp8";
    if (options.storage == WeightStorage::bfloat16) return "bf16";
    return "weights" + std::to_string(options.weight_bits);
}

std::optional<std::uint64_t> rotation_seed(const std::string& text) {
    constexpr std::string_view name = "hadamard";
    if (text == name) return 1;
    const std::string start = std::string(name) + ':';
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    if (!text.starts_with(start)) return std::nullopt;
    const auto read = std::from_chars(text.data() + start.size(), end, seed);
    if (read.ec != std::errc() || read.ptr != end || seed == 0) return std::nullopt;
    return seed;
}

std::string recipe_words(const QuantizeOptions& options) {
    const QuantizeOptions usual;
    std::string words = "--mode " + mode_word(options);
    const auto flag = [&](bool on, const char* word) {
        if (on) words += std::string(" ") + word;
    };
    const auto type_word = [](DType dtype) {
        std::string name(name_of(dtype));
        if (name[0] == 'i') name[0] = 's';
        return name;
    };
    flag(!options.per_channel, "--per-tensor");
    flag(options.reduced_range, "--safe-without-vnni");
    flag(options.fused_operators, "--fused");
    flag(options.symmetric_activation, "--symmetric-act");
    flag(options.symmetric_weight, "--symmetric-weights");
    if (options.activation != usual.activation) words += " --act " + type_word(options.activation);
    if (options.weight != usual.weight) words += " --weights " + type_word(options.weight);
    if (options.static_form != usual.static_form)
        words += " --format " + std::string(name_of(options.static_form));
    if (options.placement != usual.placement)
        words += " --placement " + std::string(name_of(options.placement));
    if (options.block != usual.block) words += fmt::format(" --block {}", options.block);
    flag(options.symmetric_blocks, "--symmetric-blocks");
    flag(options.block_form == BlockForm::dequantize, "--block-form dequantize");
    flag(options.fitted_blocks, "--fit-blocks");
    if (options.bits_per_weight > 0) words += fmt::format(" --bits {:g}", options.bits_per_weight);
    if (options.range != usual.range) words += " --range " + std::string(name_of(options.range));
    if (options.percentile != usual.percentile)
        words += fmt::format(" --percentile {:g}", options.percentile);
    if (options.range_headroom > 0)
        words += fmt::format(" --headroom {:g}", options.range_headroom);
    flag(options.equalize, "--equalize");
    flag(options.smoothing_by_input, "--smooth auto");
    if (options.smoothing > 0) words += fmt::format(" --smooth {:g}", options.smoothing);
    if (options.rotation == 1) words += " --rotate hadamard";
    if (options.rotation > 1) words += fmt::format(" --rotate hadamard:{}", options.rotation);
    flag(options.compensated_rounding, "--compensate");
    flag(!options.bias_correction, "--no-bias-correction");
    flag(!options.bound_masks, "--keep-masks");
    for (const std::string& pattern : options.keep_float)
        words += " --keep-float " + shell_quoted(pattern);
    for (const std::string& entry : options.weights_of)
        words += " --weights-of " + shell_quoted(entry);
    for (const std::string& pattern : options.weights_alone)
        words += " --weights-alone " + shell_quoted(pattern);
    return words;
}

std::vector<std::string> notes_of(const QuantizeOutcome& outcome) {
    std::vector<std::string> notes = outcome.result.notes;
    notes.insert(notes.end(), outcome.accuracy.warnings.begin(), outcome.accuracy.warnings.end());
    return notes;
}

Json quantize_json(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    const QuantizeVerdict verdict = verdict_of(options, outcome);
    std::vector<std::string> notes = verdict.warnings;
    for (const std::string& note : notes_of(outcome)) notes.push_back(note);
    Json json = {
        {"file", options.model.string()},
        {"output", options.output.string()},
        {"warnings", verdict.warnings},
        {"verdict", verdict_json(outcome, verdict)},
        {"mode", mode_word(options.quantize)},
        {"quantized_nodes", outcome.result.quantized},
        {"nodes", Json::array()},
        {"notes", notes},
        {"constant_bytes", {{"before", outcome.bytes_before}, {"after", outcome.bytes_after}}},
        {"samples", outcome.accuracy.samples},
        {"sqnr_db", json_number(outcome.accuracy.sqnr_db())},
        {"outputs", Json::array()}};
    for (const NodeDecision& node : outcome.result.nodes)
        json["nodes"].push_back({{"node", node.node},
                                 {"place", node.place},
                                 {"quantized", node.quantized},
                                 {"reason", node.reason}});
    for (const OutputAccuracy& output : outcome.accuracy.outputs)
        json["outputs"].push_back({{"name", output.name},
                                   {"sqnr_db", json_number(output.sqnr_db)},
                                   {"cosine", json_number(output.cosine)},
                                   {"max_abs", json_number(output.max_abs)},
                                   {"rows", output.rows},
                                   {"flips", output.flips}});
    if (options.inspects()) {
        json["layers"] = Json::array();
        for (const LayerAccuracy& layer : outcome.layers)
            json["layers"].push_back({{"node", layer.node},
                                      {"value", layer.value},
                                      {"sqnr_db", json_number(layer.sqnr_db)}});
        json["ranges"] = ranges_json(outcome.result.ranges);
    }
    if (outcome.written) json["levels"] = levels_json(*outcome.written);
    if (outcome.repaired)
        json["repaired"] = {{"sqnr_db_before", json_number(outcome.repaired->before_db)},
                            {"options", recipe_words(outcome.repaired->options)}};
    if (outcome.times) json["times"] = times_json(*outcome.times);
    if (outcome.times_onnxruntime) {
        json["times_onnxruntime"] = times_json(*outcome.times_onnxruntime);
        json["times_onnxruntime"]["version"] = outcome.onnxruntime_version;
    }
    json.update(conditions_json(outcome.conditions));
    if (!outcome.preprocessing.candidates.empty())
        json["preprocessing"] = preprocessing_json(outcome.preprocessing);
    if (outcome.labelled) json["labels"] = labelled_json(*outcome.labelled);
    if (options.search) json.update(trials_json(outcome));
    if (options.pareto) json["front"] = front_json(outcome);
    if (outcome.diagnosis)
        json["diagnosis"] = {{"weights_db", json_number(outcome.diagnosis->weights_db)},
                             {"activations_db", json_number(outcome.diagnosis->activations_db)},
                             {"both_db", json_number(outcome.diagnosis->both_db)},
                             {"sentence", outcome.diagnosis->sentence()}};
    if (outcome.sensitivity) json["sensitivity"] = sensitivity_json(*outcome.sensitivity);
    if (outcome.floor)
        json["floor"] = {{"kept_float", outcome.floor->kept},
                         {"measure", name_of(options.floor->measure)},
                         {"bound", json_number(options.floor->bound)},
                         {"value", json_number(outcome.floor->value)},
                         {"sqnr_db", json_number(outcome.floor->sqnr_db)},
                         {"reached", outcome.floor->reached},
                         {"options", recipe_words(outcome.floor->options)}};
    return json;
}

void print_decisions(std::ostream& out, const QuantizeOutcome& outcome) {
    TextTable nodes({"node", "", "reason"}, {0, 1, 2});
    for (const NodeDecision& node : outcome.result.nodes)
        nodes.add({plain(node.node), node.quantized ? "quantized" : "float", plain(node.reason)});
    nodes.print(out);
}

void print_quantized(std::ostream& out, const QuantizeCommandOptions& options,
                     const QuantizeOutcome& outcome) {
    const QuantizeVerdict verdict = verdict_of(options, outcome);
    for (const std::string& warning : verdict.warnings)
        out << "warning  " << plain(warning, most_warning_characters) << '\n';
    out << "verdict  " << plain(verdict.sentence) << '\n';
    if (options.search) print_trials(out, outcome);
    if (options.pareto) print_front(out, outcome);
    if (outcome.diagnosis) out << outcome.diagnosis->sentence() << '\n';
    if (outcome.sensitivity && options.sensitivity) print_sensitivity(out, *outcome.sensitivity);
    if (outcome.floor)
        out << fmt::format("for the floor of {} {} of the most sensitive nodes stay float: {}{}\n",
                           options.floor->text_of(options.floor->bound), outcome.floor->kept,
                           options.floor->text_of(outcome.floor->value),
                           outcome.floor->reached ? "" : ", which is the best that was found");
    if (options.layers) print_layers(out, outcome.layers);
    if (outcome.labelled) print_labelled(out, *outcome.labelled);
    if (options.explain) print_decisions(out, outcome);
    TextTable outputs({"output", "SQNR dB", "cosine", "max abs", "flips"}, {0});
    for (const OutputAccuracy& output : outcome.accuracy.outputs)
        outputs.add({plain(output.name), decibels(output.sqnr_db),
                     fmt::format("{:.6f}", output.cosine), fmt::format("{:.3g}", output.max_abs),
                     output.rows > 0 ? fmt::format("{} of {}", output.flips, output.rows) : "-"});
    outputs.print(out);
    out << fmt::format("{} of {} quantized, constants {} -> {}, judged on {}\n",
                       outcome.result.quantized,
                       count_text(std::ssize(outcome.result.nodes), "node"),
                       byte_text(static_cast<double>(outcome.bytes_before)),
                       byte_text(static_cast<double>(outcome.bytes_after)),
                       count_text(static_cast<std::int64_t>(outcome.accuracy.samples), "sample"));
    print_conditions(out, outcome.conditions);
    if (outcome.times) print_times(out, *outcome.times, "");
    if (outcome.times_onnxruntime)
        print_times(out, *outcome.times_onnxruntime,
                    " in ONNX Runtime " + outcome.onnxruntime_version);
    for (const std::string& note : notes_of(outcome)) out << "note  " << plain(note) << '\n';
}

}  // namespace lapidary::cli
