// SPDX-License-Identifier: Apache-2.0
// Times of quantized models side by side, the sentence that says what came of it, and the content of the report.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/bench.h>
#include <lapidary/error.h>
#include <lapidary/quantity_text.h>

#include "cli/conditions_output.h"
#include "cli/model_argument.h"
#include "cli/quantize_text.h"

namespace lapidary::cli {
namespace {

constexpr double seconds_each = 0.3;

/// Of each model, as measured_in_turn(); nothing for null models and where there is no sample.
std::vector<std::optional<Measurement>> measurements(const std::vector<ModelPtr>& models, const SampleSource& samples,
                                                     int threads, const Progress& progress) {
    std::vector<std::optional<Measurement>> out(models.size());
    const NamedValues inputs = first_readable_sample(samples, progress.cancel);
    if (inputs.empty()) return out;
    RunConfiguration configuration;
    configuration.intra = threads_of(threads);
    std::vector<std::unique_ptr<BenchEngine>> engines;
    std::vector<Candidate> candidates;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (!models[i]) continue;
        engines.push_back(open_engine(models[i], configuration, inputs, {progress.cancel, {}}));
        candidates.push_back({configuration, engines.back().get()});
        which.push_back(i);
    }
    MeasureOptions options;
    options.seconds = seconds_each;
    options.warmups = 1;
    std::vector<Measurement> measured = measure_interleaved(candidates, options, {progress.cancel, {}});
    for (std::size_t k = 0; k < measured.size(); ++k)
        if (measured[k].error.empty()) out[which[k]] = std::move(measured[k]);
    return out;
}

}  // namespace

std::vector<std::optional<double>> measured_in_turn(const std::vector<ModelPtr>& models, const SampleSource& samples,
                                                    int threads, const Progress& progress) {
    std::vector<std::optional<double>> ms;
    for (const std::optional<Measurement>& m : measurements(models, samples, threads, progress))
        ms.push_back(m ? std::optional(m->wall.median.median) : std::nullopt);
    return ms;
}

RunConditions conditions_of_runs(const Model& model, const SampleSource& samples, int threads, bool given) {
    const NamedValues inputs = given ? first_readable_sample(samples) : NamedValues();
    return {RunConfiguration{}.level, threads_of(threads), 1, usual_sizes(model, {}, inputs)};
}

std::optional<RunTimes> measured_times(const ModelPtr& original, const ModelPtr& quantized, const SampleSource& samples,
                                       int threads, const Progress& progress) {
    const auto measured = measurements({original, quantized}, samples, threads, progress);
    if (!measured[0] || !measured[1]) return std::nullopt;
    return RunTimes{measured[0]->wall.median, measured[1]->wall.median,
                    difference_between(*measured[0], *measured[1], true).ratio};
}

std::string quantize_sentence(const QuantizeOutcome& outcome) {
    std::size_t rows = 0, flips = 0;
    for (const OutputAccuracy& output : outcome.accuracy.outputs) {
        rows += output.rows;
        flips += output.flips;
    }
    const double smaller = outcome.bytes_after > 0
                               ? static_cast<double>(outcome.bytes_before) / static_cast<double>(outcome.bytes_after)
                               : 1;
    std::string text =
        fmt::format("{} of {} quantized: constants {:.2f} times smaller, SQNR {:.1f} dB", outcome.result.quantized,
                    count_text(std::ssize(outcome.result.nodes), "node"), smaller, outcome.accuracy.sqnr_db());
    if (rows > 0)
        text += fmt::format(", {} of {} changed, {}", flips, count_text(static_cast<std::int64_t>(rows), "answer"),
                            share_text(share_of(flips, rows)));
    if (outcome.labelled && outcome.labelled->original.rows > 0)
        text += fmt::format(", top-1 {} to {}", share_text(outcome.labelled->original.top1_share()),
                            share_text(outcome.labelled->quantized.top1_share()));
    const auto samples = static_cast<std::int64_t>(outcome.accuracy.samples);
    return text + fmt::format(" on {} that gave no ranges", count_text(samples, "sample"));
}

const QuantizeOptions& chosen_options(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    if (outcome.floor) return outcome.floor->options;
    return outcome.trials.empty() ? options.quantize : outcome.trials[outcome.best].options;
}

QuantizeSnippetSettings snippet_settings(const QuantizeCommandOptions& options, const QuantizeOptions& chosen,
                                         std::vector<NodeDecision> nodes) {
    QuantizeSnippetSettings settings;
    settings.model_file = program_file_of(options.model.string());
    const std::filesystem::path model = settings.model_file;
    // Another file than ours, which the program would write over.
    std::filesystem::path beside = options.output.empty() ? model : options.output;
    settings.quantized_file = beside.replace_extension(".onnxruntime.onnx").string();
    settings.onnxruntime_version = options.onnxruntime_version;
    settings.options = chosen;
    settings.samples = {options.data, !options.text.vocabulary.empty(), options.generated, options.images};
    settings.nodes = std::move(nodes);
    return settings;
}

QuantizeReport report_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    QuantizeReport report;
    report.title = options.model.filename().string();
    report.sentence = quantize_sentence(outcome);
    report.recipe = recipe_words(chosen_options(options, outcome));
    report.outputs = outcome.accuracy.outputs;
    report.nodes = outcome.result.nodes;
    report.ranges = outcome.result.ranges;
    report.layers = outcome.layers;
    report.sensitivity = outcome.sensitivity;
    report.notes = notes_of(outcome);
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const RecipeTrial& trial = outcome.trials[i];
        report.recipes.push_back({trial.name, recipe_words(trial.options), trial.sqnr_db, trial.weight_bytes,
                                  i < outcome.ms.size() ? outcome.ms[i] : std::nullopt, trial.failure,
                                  i == outcome.best});
    }
    return report;
}

}  // namespace lapidary::cli
