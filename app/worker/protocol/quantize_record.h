// SPDX-License-Identifier: Apache-2.0
// A search for the best quantized model: what it found so far.
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

#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// By what a search ranks recipes.
enum class QuantizeGoal : std::uint8_t {
    /// Highest SQNR among those that save bytes and are not slower than the float model, if there
    /// are any. Of those that samples cannot distinguish from the best: the smallest.
    accurate,
    fast,  // shortest time among those that reach the floor; if none does, as accurate
    small  // fewest bytes among those that reach the floor; if none does, as accurate
};
std::string_view name_of(QuantizeGoal goal);  // "accurate", "fast", "small"
std::optional<QuantizeGoal> quantize_goal_from_name(std::string_view name);

struct QuantizeTrial {
    QuantizeOptions options;
    double sqnr_db = 0;
    // 95 % interval of sqnr_db over samples; equal: not known
    double low_db = 0, high_db = 0;
    int splits = 1;
    std::uint64_t bytes = 0;  // of all constants
    std::uint64_t nodes = 0;  // quantized
    // rows: positions of largest elements, flips: those that differ; 0 rows: no classes
    std::uint64_t rows = 0, flips = 0;
    std::optional<MedianEstimate> ms;     // time of a run
    std::optional<MedianEstimate> ratio;  // its time relative to the float model's
    std::string failure;                  // why it failed; empty: it did not
    bool is_faster() const { return ratio && lapidary::is_faster(*ratio); }
    bool is_slower() const { return ratio && lapidary::is_slower(*ratio); }
};

/// Right answers on the labelled samples that judge.
struct LabelledAnswers {
    std::uint64_t rows = 0, original = 0,
                  quantized = 0;  // labels, those the float and the quantized model are right on
};

struct QuantizeRecord {
    std::vector<QuantizeTrial> trials;  // in the order they were tried
    std::ptrdiff_t best = -1;           // by the goal; -1: none yet
    std::uint64_t original_bytes = 0;
    std::optional<MedianEstimate> original_ms;
    std::uint64_t calibration_samples = 0, evaluation_samples = 0;  // numbers of samples
    bool generated = false;  // true: the samples were generated
    bool complete = false;   // all recipes were tried
    double seconds = 0;      // duration of the search
    // Of the best:
    std::filesystem::path file;
    std::vector<NodeDecision> nodes;
    std::vector<OutputAccuracy> outputs;
    std::vector<std::string> notes;  // sentences
    // QuantizeVerdict::warnings of its file; must be shown prominently
    std::vector<std::string> warnings;
    bool usable = true;  // QuantizeVerdict::is_usable
    std::vector<QuantizedRange> ranges;
    std::vector<LayerAccuracy> layers;        // empty if not requested
    std::optional<LabelledAnswers> labelled;  // empty: there are no class labels
    // Of the recipe that was ranked last:
    std::optional<QuantizeDiagnosis> diagnosis;
    std::optional<Sensitivity> sensitivity;
};

/// The best by the goal among those that did not fail; -1: none. `original_bytes`: of the float
/// model's constants; 0: unknown, then no trial counts as too large.
std::ptrdiff_t best_trial(const std::vector<QuantizeTrial>& trials, QuantizeGoal goal,
                          const AccuracyFloor& floor, std::uint64_t original_bytes = 0);
/// Includes the outputs only if `trial` is the best one, which `record` describes.
QuantizedFigures figures_of(const QuantizeTrial& trial, const QuantizeRecord& record);
/// False for a trial without answers if the floor is one of changed answers.
bool reaches(const QuantizeTrial& trial, const AccuracyFloor& floor);

}  // namespace lapidary::app
