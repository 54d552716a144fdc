// SPDX-License-Identifier: Apache-2.0
// Times of quantized models side by side, the sentence about the result, and the content of the
// report.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "cli/output/conditions_output.h"
#include "cli/models/model_argument.h"
#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {
namespace {

constexpr double seconds_each = 0.3;

MeasureOptions short_measuring() {
    MeasureOptions options;
    options.seconds = seconds_each;
    options.warmups = 1;
    return options;
}

QuantizedTimes times_of(const Measurement& original, const Measurement& quantized) {
    return {original.wall.median, quantized.wall.median,
            difference_between(original, quantized, true).ratio};
}

}  // namespace

std::vector<std::optional<Measurement>> measured_in_turn(const std::vector<ModelPtr>& models,
                                                         const SampleSource& samples, int threads,
                                                         const Progress& progress) {
    std::vector<std::optional<Measurement>> out(models.size());
    const NamedValues inputs = first_readable_sample(samples, progress.cancel);
    if (inputs.empty()) return out;
    RunConfiguration configuration;
    configuration.resources.threads = threads_of(threads);
    std::vector<std::unique_ptr<BenchEngine>> engines;
    std::vector<Candidate> candidates;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (!models[i]) continue;
        engines.push_back(open_engine(models[i], configuration, inputs, {progress.cancel, {}}));
        candidates.push_back({configuration, engines.back().get()});
        which.push_back(i);
    }
    std::vector<Measurement> measured =
        measure_interleaved(candidates, short_measuring(), {progress.cancel, {}});
    for (std::size_t k = 0; k < measured.size(); ++k)
        if (measured[k].error.empty()) out[which[k]] = std::move(measured[k]);
    return out;
}

RunConditions conditions_of_runs(const Model& model, const SampleSource& samples, int threads,
                                 bool given) {
    const NamedValues inputs = given ? first_readable_sample(samples) : NamedValues();
    return {RunConfiguration{}.level, threads_of(threads), 1, usual_sizes(model, {}, inputs)};
}

std::optional<QuantizedTimes> measured_times(const ModelPtr& original, const ModelPtr& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress) {
    const auto measured = measured_in_turn({original, quantized}, samples, threads, progress);
    if (!measured[0] || !measured[1]) return std::nullopt;
    return times_of(*measured[0], *measured[1]);
}

std::optional<QuantizedTimes> measured_times(const BenchPeer& peer,
                                             const std::filesystem::path& original,
                                             const std::filesystem::path& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress) {
    BenchConfiguration configuration;
    configuration.resources.threads = threads_of(threads);
    configuration.inputs = first_readable_sample(samples, progress.cancel);
    if (configuration.inputs.empty()) return std::nullopt;
    std::vector<std::unique_ptr<BenchEngine>> engines;
    std::vector<Candidate> candidates;
    for (const std::filesystem::path& file : {original, quantized}) {
        configuration.model = file;
        engines.push_back(peer.open(configuration, progress.cancel));
        candidates.push_back(
            {RunConfiguration{.resources = configuration.resources}, engines.back().get()});
    }
    const std::vector<Measurement> measured =
        measure_interleaved(candidates, short_measuring(), {progress.cancel, {}});
    for (const Measurement& side : measured)
        if (!side.error.empty()) fail(ErrorCode::not_supported, side.error);
    return times_of(measured[0], measured[1]);
}

QuantizedFigures figures_of(const QuantizeOutcome& outcome) {
    QuantizedFigures figures = lapidary::figures_of(outcome.accuracy);
    if (outcome.labelled && outcome.labelled->original.rows > 0) {
        figures.top1_before = outcome.labelled->original.top1_share();
        figures.top1_after = outcome.labelled->quantized.top1_share();
    }
    if (outcome.times) figures.ratio = outcome.times->ratio;
    figures.bytes = outcome.bytes_after;
    figures.original_bytes = outcome.bytes_before;
    return figures;
}

QuantizeVerdict verdict_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    VerdictInput in;
    in.figures = figures_of(outcome);
    in.floor_asked = options.floor.has_value();
    in.floor = options.floor.value_or(usual_floor(chosen_options(options, outcome)));
    in.data_warnings = outcome.data_warnings;
    if (outcome.written) in.difference = outcome.written->difference();
    in.times = outcome.times;
    in.times_onnxruntime = outcome.times_onnxruntime;
    return lapidary::verdict_of(in);
}

std::string quantize_sentence(const QuantizeCommandOptions& options,
                              const QuantizeOutcome& outcome) {
    std::size_t rows = 0, flips = 0;
    for (const OutputAccuracy& output : outcome.accuracy.outputs) {
        rows += output.rows;
        flips += output.flips;
    }
    const double smaller = outcome.bytes_after > 0 ? static_cast<double>(outcome.bytes_before) /
                                                         static_cast<double>(outcome.bytes_after)
                                                   : 1;
    std::string text = fmt::format(
        "{} of {} quantized: constants {:.2f} times smaller, SQNR {}, {}", outcome.result.quantized,
        count_text(std::ssize(outcome.result.nodes), "node"), smaller,
        text_of(figures_of(outcome).sqnr), name_of(verdict_of(options, outcome).quality));
    if (rows > 0)
        text += fmt::format(", {} of {} changed, {}", flips,
                            count_text(static_cast<std::int64_t>(rows), "answer"),
                            share_text(share_of(flips, rows)));
    if (outcome.labelled && outcome.labelled->original.rows > 0)
        text += fmt::format(", top-1 {} to {}", share_text(outcome.labelled->original.top1_share()),
                            share_text(outcome.labelled->quantized.top1_share()));
    const auto samples = static_cast<std::int64_t>(outcome.accuracy.samples);
    return text + fmt::format(" on {} that gave no ranges", count_text(samples, "sample"));
}

const QuantizeOptions& chosen_options(const QuantizeCommandOptions& options,
                                      const QuantizeOutcome& outcome) {
    if (outcome.floor) return outcome.floor->options;
    if (outcome.repaired) return outcome.repaired->options;
    return outcome.trials.empty() ? options.quantize : outcome.trials[outcome.best].options;
}

QuantizeSnippetSettings snippet_settings(const QuantizeCommandOptions& options,
                                         const QuantizeOptions& chosen,
                                         std::vector<NodeDecision> nodes) {
    QuantizeSnippetSettings settings;
    settings.model_file = program_file_of(options.model.string());
    const std::filesystem::path model = settings.model_file;
    // A file name that differs from ours, because the program would overwrite that file.
    std::filesystem::path beside = options.output.empty() ? model : options.output;
    settings.quantized_file = beside.replace_extension(".onnxruntime.onnx").string();
    settings.onnxruntime_version = options.release.version;
    settings.options = chosen;
    settings.samples = {options.data, !options.text.vocabulary.empty(), options.generated,
                        options.images};
    settings.nodes = std::move(nodes);
    return settings;
}

QuantizeReport report_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome) {
    QuantizeReport report;
    report.title = options.model.filename().string();
    report.sentence = quantize_sentence(options, outcome);
    report.recipe = recipe_words(chosen_options(options, outcome));
    report.outputs = outcome.accuracy.outputs;
    report.nodes = outcome.result.nodes;
    report.ranges = outcome.result.ranges;
    report.layers = outcome.layers;
    report.sensitivity = outcome.sensitivity;
    report.notes = verdict_of(options, outcome).warnings;
    for (const std::string& note : notes_of(outcome)) report.notes.push_back(note);
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const RecipeTrial& trial = outcome.trials[i];
        report.recipes.push_back({trial.name, recipe_words(trial.options), trial.sqnr_db,
                                  trial.weight_bytes,
                                  i < outcome.ms.size() ? outcome.ms[i] : std::nullopt,
                                  trial.failure, i == outcome.best});
    }
    return report;
}

}  // namespace lapidary::cli
