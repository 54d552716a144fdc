// SPDX-License-Identifier: Apache-2.0
// A search for the best quantized model: how it is asked for, and what it found so far.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/quantize/inspect_quantized.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/quantize_verdict.h>
#include <lapidary/quantize/sensitivity.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// What makes one recipe better than another.
enum class QuantizeGoal : std::uint8_t {
    /// Highest SQNR of those that are not slower than the float model and save bytes, as far as
    /// there are such; of
    /// those that samples cannot tell from it the smallest.
    accurate,
    fast,  // shortest time of those that reach the floor; where none does, as accurate
    small  // fewest bytes of those that reach the floor; where none does, as accurate
};
std::string_view name_of(QuantizeGoal goal);  // "accurate", "fast", "small"
std::optional<QuantizeGoal> quantize_goal_from_name(std::string_view name);

struct QuantizeJob {
    ModelSource model;  // as opened
    // what the first recipe of the search is; its mode is the only one unless both are asked for
    Quantization quantization;
    bool search = true;  // false: that one alone
    // nothing is made: weights against activations, and the nodes by what each costs
    bool rank = false;
    bool inspect = true;         // the best is looked at layer by layer, at the end
    bool both_modes = true;      // static and dynamic
    double budget_seconds = 60;  // 0: until all recipes are tried
    // of each recipe against the float model, in turn; 0: not measured
    double measure_seconds = 0.5;
    QuantizeGoal goal = QuantizeGoal::accurate;
    AccuracyFloor floor;  // of SQNR or changed answers
    int threads = 0;      // of the measurements; 0: as many as there are cores
    // that exists: the best model so far lies in it, see quantized_file()
    std::filesystem::path folder;
    std::filesystem::path labels;      // of the samples, see load_labels(); empty: none
    std::vector<std::string> of_data;  // SampleLook::warnings of the samples
};

struct QuantizeTrial {
    QuantizeOptions options;
    double sqnr_db = 0;
    // 95 % interval of it, by how samples differ; equal: none is known
    double low_db = 0, high_db = 0;
    int splits = 1;
    std::uint64_t bytes = 0;  // of all constants
    std::uint64_t nodes = 0;  // quantized
    // positions of largest elements, and those that differ; no rows: no classes
    std::uint64_t rows = 0, flips = 0;
    std::optional<MedianEstimate> ms;     // of a run
    std::optional<MedianEstimate> ratio;  // of its time to that of the float model
    std::string failure;                  // why it gave nothing; empty: fine
    bool is_faster() const { return ratio && lapidary::is_faster(*ratio); }
    bool is_slower() const { return ratio && lapidary::is_slower(*ratio); }
};

/// Right answers among the labels of the samples that judge.
struct LabelledAnswers {
    std::uint64_t rows = 0, original = 0,
                  quantized = 0;  // labels, those the float and the quantized model are right on
};

struct QuantizeRecord {
    std::vector<QuantizeTrial> trials;  // as tried
    std::ptrdiff_t best = -1;           // by the goal; -1: none yet
    std::uint64_t original_bytes = 0;
    std::optional<MedianEstimate> original_ms;
    std::uint64_t learned = 0, judged = 0;  // samples
    bool generated = false;                 // the samples are
    bool complete = false;                  // all recipes were tried
    double seconds = 0;                     // it took
    // Of the best:
    std::filesystem::path file;
    std::vector<NodeDecision> nodes;
    std::vector<OutputAccuracy> outputs;
    std::vector<std::string> notes;  // sentences
    // what nobody may overlook: QuantizeVerdict::warnings of its file
    std::vector<std::string> warnings;
    bool usable = true;  // QuantizeVerdict::is_usable
    std::vector<QuantizedRange> ranges;
    std::vector<LayerAccuracy> layers;        // none where that was not asked for
    std::optional<LabelledAnswers> labelled;  // nothing: there are no labels of classes
    // Of the recipe that was ranked last:
    std::optional<QuantizeDiagnosis> diagnosis;
    std::optional<Sensitivity> sensitivity;
};

/// The best by the goal among those that did not fail; -1: none. `original_bytes`: of the float
/// model's constants; 0: not known, and none is taken for larger than it should be.
std::ptrdiff_t best_trial(const std::vector<QuantizeTrial>& trials, QuantizeGoal goal,
                          const AccuracyFloor& floor, std::uint64_t original_bytes = 0);
/// Of the outputs alone where it is the best that `record` is about.
QuantizedFigures figures_of(const QuantizeTrial& trial, const QuantizeRecord& record);
/// False of one without answers for a floor of changed answers.
bool reaches(const QuantizeTrial& trial, const AccuracyFloor& floor);

}  // namespace lapidary::app
