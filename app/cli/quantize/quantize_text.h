// SPDX-License-Identifier: Apache-2.0
// The request of the quantize command, its outcome, and how both are printed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/accuracy.h>
#include <lapidary/bench/bench.h>
#include <lapidary/quantize/inspect_quantized.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/preprocessing.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/quantize_report.h>
#include <lapidary/quantize/quantize_snippet.h>
#include <lapidary/quantize/quantize_verdict.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/quantize/sensitivity.h>
#include <lapidary/inputs/text_samples.h>

#include "cli/output/json_value.h"
#include "cli/options/release_options.h"

namespace lapidary::cli {

/// Of a warning about data: it lists options, which a reader copies.
inline constexpr std::size_t most_warning_characters = 4096;

/// A search that several processes share: each tries a part of the recipes.
struct SharedSearch {
    std::size_t shard = 0, shards = 1;  // of this process
    std::filesystem::path trials;       // file for what it tried; empty: it is no part of a search
    std::vector<std::string> known;     // files with what parts have tried
};

struct QuantizeCommandOptions {
    std::filesystem::path model, output;  // empty output: nothing is written
    std::filesystem::path data;           // empty: inputs are generated
    ImageOptions images;                  // how pictures among the data are read
    TextOptions text;                     // a vocabulary: the data is text
    QuantizeOptions quantize;
    SaveOptions saving;
    std::filesystem::path labels, report;  // empty: none
    std::filesystem::path snippet;         // the program for ONNX Runtime's tools; empty: none
    ReleaseOptions release;                // that the written file is for; empty: the newest known
    std::uint64_t generated = 16;          // number of generated samples if there is no data
    std::uint64_t seed = 0;
    bool every_sample = false;  // use all samples, even if the ranges no longer change
    bool search = false, explain = false, layers = false;
    bool automatic = false;  // searches modes static and dynamic and keeps the better result
    bool inspects() const { return layers || !report.empty(); }
    bool sensitivity = false, diagnose = false, pareto = false;
    bool as_asked = false;               // does not repair a bad result
    bool unjudged = false;               // runs nothing: the accuracy stays unknown
    bool in_onnxruntime = false;         // also measures in ONNX Runtime
    double budget = 60;                  // seconds for the search
    std::optional<AccuracyFloor> floor;  // exit code 1 if it is missed
    SharedSearch shared;
};

struct LabelledAccuracy {
    AccuracyCounts original, quantized;
};

/// Options that were used instead of the requested ones, because those gave a bad result.
struct RepairedOptions {
    QuantizeOptions options;
    double before_db = 0;  // SQNR with the requested options
};

struct QuantizeOutcome {
    QuantizeResult result;
    QuantizedAccuracy accuracy;              // that of the worse level of `written`
    std::optional<WrittenAccuracy> written;  // empty if it was cancelled before
    std::optional<RepairedOptions> repaired;
    std::vector<RecipeTrial> trials;
    std::size_t best = 0;
    bool stopped = false;
    std::optional<QuantizeDiagnosis> diagnosis;
    std::optional<Sensitivity> sensitivity;
    std::optional<FloorResult> floor;      // with the nodes kept float to reach it
    PreprocessingJudgement preprocessing;  // of the samples
    // counted before anything is quantized; empty: there are no labels
    std::optional<AccuracyCounts> float_answers;
    std::vector<std::string> data_warnings;  // of samples and labels: sentences
    std::optional<LabelledAccuracy> labelled;
    std::vector<LayerAccuracy> layers;
    // time of a run by trial, all measured in turn; empty: not requested
    std::vector<std::optional<double>> ms;
    std::optional<QuantizedTimes> times;  // empty if no run was measured
    std::optional<QuantizedTimes> times_onnxruntime;
    std::string onnxruntime_version;  // version for times_onnxruntime; empty: not requested
    RunConditions conditions;         // conditions of times and answers
    std::uint64_t bytes_before = 0, bytes_after = 0;  // of constants
};

/// The values of --mode.
std::vector<std::string> mode_words();
void set_mode(QuantizeOptions& options, const std::string& word);
std::string mode_word(const QuantizeOptions& options);

/// Measures runs of all models at level all. Each round measures every model once, so that other
/// work on the machine slows all of them alike. Empty for null models, models that do not run, and
/// without samples.
std::vector<std::optional<Measurement>> measured_in_turn(const std::vector<ModelPtr>& models,
                                                         const SampleSource& samples, int threads,
                                                         const Progress& progress);
/// The conditions of all these runs: the default level, and the sizes of given or generated
/// samples.
RunConditions conditions_of_runs(const Model& model, const SampleSource& samples, int threads,
                                 bool given);
/// Measures both models in turn at level all.
std::optional<QuantizedTimes> measured_times(const ModelPtr& original, const ModelPtr& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress);
/// Measures two files in ONNX Runtime. Throws what BenchPeer::open() throws.
std::optional<QuantizedTimes> measured_times(const BenchPeer& peer,
                                             const std::filesystem::path& original,
                                             const std::filesystem::path& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress);

/// The options that the final model was made with: as requested, found by the search, repaired, or
/// with nodes kept float for the floor.
const QuantizeOptions& chosen_options(const QuantizeCommandOptions& options,
                                      const QuantizeOutcome& outcome);
/// Settings of the generated program that does the same. `nodes`: the decisions of
/// quantize_model().
QuantizeSnippetSettings snippet_settings(const QuantizeCommandOptions& options,
                                         const QuantizeOptions& chosen,
                                         std::vector<NodeDecision> nodes);

/// Member "preprocessing" of JSON output: possible conversions of pixels, the best first.
Json preprocessing_json(const PreprocessingJudgement& judgement);

/// "3.6x smaller, 38.4 dB, 2 of 1000 answers changed"
std::string quantize_sentence(const QuantizeCommandOptions& options,
                              const QuantizeOutcome& outcome);
QuantizeReport report_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);

QuantizedFigures figures_of(const QuantizeOutcome& outcome);
/// The verdict by the requested floor, else by the default one.
QuantizeVerdict verdict_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);
/// What the user should know about quantizing and judging, besides the warnings of the verdict.
std::vector<std::string> notes_of(const QuantizeOutcome& outcome);
/// The seed of --rotate: of "hadamard" or "hadamard:SEED"; empty for another text.
std::optional<std::uint64_t> rotation_seed(const std::string& text);
/// The options of the command that makes only this trial: "--mode static --equalize".
std::string recipe_words(const QuantizeOptions& options);
Json quantize_json(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);
/// Why each node was quantized or not: a table.
void print_decisions(std::ostream& out, const QuantizeOutcome& outcome);
void print_quantized(std::ostream& out, const QuantizeCommandOptions& options,
                     const QuantizeOutcome& outcome);

}  // namespace lapidary::cli
