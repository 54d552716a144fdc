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

struct QuantizeCommandOptions {
    std::filesystem::path model, output;  // output empty: nothing is written
    std::filesystem::path data;           // empty: inputs are generated
    ImageOptions images;                  // how pictures among the data are read
    TextOptions text;                     // a vocabulary: the data is text
    QuantizeOptions quantize;
    SaveOptions saving;
    std::filesystem::path labels, report;  // empty: none
    std::filesystem::path snippet;         // the program for ONNX Runtime's tools; empty: none
    ReleaseOptions release;                // that reads what is written; empty: the newest known
    std::uint64_t generated = 16;          // samples where there is no data
    std::uint64_t seed = 0;
    bool every_sample = false;  // though ranges have settled before
    bool search = false, explain = false, layers = false;
    bool automatic = false;  // modes static and dynamic are searched, and the better one kept
    bool inspects() const { return layers || !report.empty(); }
    bool sensitivity = false, diagnose = false, pareto = false;
    bool as_asked = false;               // what comes out badly is not mended
    bool in_onnxruntime = false;         // times of it too
    double budget = 60;                  // seconds of the search
    std::optional<AccuracyFloor> floor;  // exit code 1 where it is missed
};

struct LabelledAccuracy {
    AccuracyCounts original, quantized;
};

/// What was made in place of what was asked for, which came out badly.
struct RepairedOptions {
    QuantizeOptions options;
    double before_db = 0;  // SQNR of what was asked for
};

struct QuantizeOutcome {
    QuantizeResult result;
    QuantizedAccuracy accuracy;              // of `written` the worse level
    std::optional<WrittenAccuracy> written;  // nothing where a cancel came before
    std::optional<RepairedOptions> repaired;
    std::vector<RecipeTrial> trials;
    std::size_t best = 0;
    bool stopped = false;
    std::optional<QuantizeDiagnosis> diagnosis;
    std::optional<Sensitivity> sensitivity;
    std::optional<FloorResult> floor;      // nodes kept float for it
    PreprocessingJudgement preprocessing;  // of the samples
    // counted before anything is quantized; nothing: no labels
    std::optional<AccuracyCounts> float_answers;
    std::vector<std::string> data_warnings;  // of samples and labels: sentences
    std::optional<LabelledAccuracy> labelled;
    std::vector<LayerAccuracy> layers;
    // of a run, by trial, all measured in turn; empty: not asked for
    std::vector<std::optional<double>> ms;
    std::optional<QuantizedTimes> times;  // nothing where no run was measured
    std::optional<QuantizedTimes> times_onnxruntime;
    std::string onnxruntime_version;                  // that those are of; empty: not asked for
    RunConditions conditions;                         // that times and answers are of
    std::uint64_t bytes_before = 0, bytes_after = 0;  // of constants
};

/// Values of --mode, and what they stand for.
std::vector<std::string> mode_words();
void set_mode(QuantizeOptions& options, const std::string& word);
std::string mode_word(const QuantizeOptions& options);

/// Runs of each model at level all, in rounds in which each gives a sample, so that a machine that
/// slows down slows all; nothing for null models, those that do not run, and where there is no
/// sample.
std::vector<std::optional<Measurement>> measured_in_turn(const std::vector<ModelPtr>& models,
                                                         const SampleSource& samples, int threads,
                                                         const Progress& progress);
/// Of all of these: the default level, sizes of the samples where they are `given`, else those that
/// they were made at.
RunConditions conditions_of_runs(const Model& model, const SampleSource& samples, int threads,
                                 bool given);
/// At level all, in turn.
std::optional<QuantizedTimes> measured_times(const ModelPtr& original, const ModelPtr& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress);
/// The same of files in ONNX Runtime. Throws what OnnxRuntimePeer::open() throws.
std::optional<QuantizedTimes> measured_times(const OnnxRuntimePeer& peer,
                                             const std::filesystem::path& original,
                                             const std::filesystem::path& quantized,
                                             const SampleSource& samples, int threads,
                                             const Progress& progress);

/// What the model was made with in the end: as asked for, by the search, mended, by the floor.
const QuantizeOptions& chosen_options(const QuantizeCommandOptions& options,
                                      const QuantizeOutcome& outcome);
/// Of the program that does the same; `nodes`: as quantize_model() decided.
QuantizeSnippetSettings snippet_settings(const QuantizeCommandOptions& options,
                                         const QuantizeOptions& chosen,
                                         std::vector<NodeDecision> nodes);

/// Member "preprocessing" of JSON output: what pixels may become, the best first.
Json preprocessing_json(const PreprocessingJudgement& judgement);

/// "3.6x smaller, 38.4 dB, 2 of 1000 answers changed"
std::string quantize_sentence(const QuantizeCommandOptions& options,
                              const QuantizeOutcome& outcome);
QuantizeReport report_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);

QuantizedFigures figures_of(const QuantizeOutcome& outcome);
/// By the floor that was asked for, else by the usual one.
QuantizeVerdict verdict_of(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);
/// What a user should know of the outcome beside the warnings of the verdict: of quantizing and of
/// judging it.
std::vector<std::string> notes_of(const QuantizeOutcome& outcome);
/// How the command is called that makes the trial alone: "--mode static --equalize".
std::string recipe_words(const QuantizeOptions& options);
Json quantize_json(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);
void print_quantized(std::ostream& out, const QuantizeCommandOptions& options,
                     const QuantizeOutcome& outcome);

}  // namespace lapidary::cli
