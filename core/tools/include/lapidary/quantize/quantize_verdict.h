// SPDX-License-Identifier: Apache-2.0
// A verdict on a quantized model against the float one, in figures and in words. Command line,
// reports and the window show the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/quantize/accuracy_floor.h>
#include <lapidary/bench/bench.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A figure in dB with its 95 % confidence interval, from the variation between samples (Student's
/// t).
struct DecibelEstimate {
    double db = 0, low = 0, high = 0;  // low = high: fewer than 2 samples, no interval is known
    bool has_interval() const { return low < high; }  // samples were enough for one
};
// error: of the mean, dB
DecibelEstimate estimate_db(double db, std::optional<double> error, std::size_t samples);
DecibelEstimate estimate_of(const QuantizedAccuracy& accuracy);  // of sqnr_db()
DecibelEstimate estimate_of(const RecipeTrial& trial);           // of its sqnr_db
// "34.2 dB (33.1 to 35.4)", "equal"
std::string text_of(const DecibelEstimate& estimate);

/// Runs of both models on a sample, measured in turn.
struct QuantizedTimes {
    MedianEstimate original_ms, quantized_ms;  // of a run
    MedianEstimate ratio;                      // of the second to the first
};

/// What is known of a quantized model.
struct QuantizedFigures {
    DecibelEstimate sqnr;        // mean over the outputs
    double worst_output_db = 0;  // of the output that is farthest off
    /// answers, and those that changed: see OutputAccuracy
    std::size_t rows = 0, flips = 0;
    std::optional<ShareEstimate> top1_before, top1_after;  // right answers, where there are labels
    /// of its time to that of the float model; nothing: not measured
    std::optional<MedianEstimate> ratio;
    std::uint64_t bytes = 0, original_bytes = 0;  // of constants
};
/// Those of the outputs.
QuantizedFigures figures_of(const QuantizedAccuracy& accuracy);

/// By more than noise, and by more than 5 %.
bool is_slower(const MedianEstimate& ratio);
bool is_faster(const MedianEstimate& ratio);  // by more than noise
/// Less than 2 % of the constants' bytes are saved.
bool is_hardly_smaller(const QuantizedFigures& figures);

/// By SQNR: very good from 40 dB on, good from 30, visible errors from 20, else poor.
enum class QuantizedQuality : std::uint8_t { equal, very_good, good, visible, poor };
// "equal", "very good", "good", "visible", "poor"
std::string_view name_of(QuantizedQuality quality);
QuantizedQuality quality_of(double sqnr_db);

/// The floor of a model if the user gave none: 20 dB, 10 dB for weights in 4 bits.
AccuracyFloor usual_floor(const QuantizeOptions& options);
/// A sentence why the model should not be used: it is below the floor. Without a floor of the user
/// (`is_asked` false) also if an output is no better than zeros, if more than a quarter of the
/// answers changed, or if right answers fell, each beyond its interval. A floor of top-1 without
/// labels, or of flips without answers, cannot be missed.
std::optional<std::string> fault_of(const QuantizedFigures& figures, const AccuracyFloor& floor,
                                    bool is_asked);

/// Accuracy, time and size in one figure, in bits: 6 dB (up to 40 dB, beyond which no difference is
/// visible), half the time and half the bytes count 1 each. Of the SQNR the low end of its interval
/// counts. A ratio of times that is 1 within noise counts as 1.
double score_of(const QuantizedFigures& figures);
/// The best of some: one without fault before one with, then one that is no slower than float, then
/// one that is at least 2 % smaller, then by score_of(). Throws invalid_input for none.
std::size_t best_of(std::span<const QuantizedFigures> candidates, const AccuracyFloor& floor,
                    bool is_asked);

/// Accuracy of a file that was written and read back.
struct WrittenAccuracy {
    ModelPtr model;  // that was read
    /// at level disabled: every node as in the file; of large models only on the first samples
    QuantizedAccuracy disabled;
    QuantizedAccuracy all;  // optimized, as runs are by default

    /// By how much level disabled is worse than level all, on the samples that ran at both.
    double lost_db() const;
    /// Level disabled if it is worse than level all by 1 dB or more, else all.
    Level worse_level() const;
    const QuantizedAccuracy& worse() const {
        return worse_level() == Level::disabled ? disabled : all;
    }
    /// A sentence if the levels differ visibly: by 3 dB or more, and the worse is below 40 dB.
    std::optional<std::string> difference() const;
};
/// Reads the file and runs it and the original over the samples, at level disabled and at level
/// all. Throws what load_model() and evaluate_quantized() throw.
WrittenAccuracy judge_written(const ModelPtr& original, const std::filesystem::path& file,
                              const SampleSource& samples, int threads = 0,
                              const Progress& progress = {});
/// The same of a model that was not written.
WrittenAccuracy judge_at_both_levels(const ModelPtr& original, const ModelPtr& quantized,
                                     const SampleSource& samples, int threads = 0,
                                     const Progress& progress = {});

/// The input of verdict_of().
struct VerdictInput {
    QuantizedFigures figures;                // of the quantized model
    AccuracyFloor floor;                     // the user's or the usual one
    bool floor_asked = false;                // true: `floor` is the user's
    std::vector<std::string> data_warnings;  // warnings of samples and labels: they come first
    std::optional<std::string> difference;   // WrittenAccuracy::difference()
    std::optional<QuantizedTimes> times, times_onnxruntime;  // here, and in ONNX Runtime
};
/// The verdict in words.
struct QuantizeVerdict {
    QuantizedQuality quality = QuantizedQuality::poor;  // of the mean over the outputs
    bool is_usable = true;                              // fault_of() had nothing to say
    /// "good: SQNR 34.2 dB (33.1 to 35.4), above the floor of 20 dB"
    std::string sentence;
    /// must be shown prominently, a sentence each, the gravest first
    std::vector<std::string> warnings;
};
/// The same words for command line, reports and window.
QuantizeVerdict verdict_of(const VerdictInput& in);

/// How to repair a quantized model that is below the floor.
struct RepairOptions {
    AccuracyFloor floor;         // to reach; not of top-1
    Level level = Level::all;    // that it is evaluated at
    bool is_searched = false;    // recipes were tried already: only keep nodes float
    double budget_seconds = 60;  // 0: no limit
};
/// The better model that was found.
struct QuantizeRepair {
    QuantizeOptions options;     // that it was made with
    QuantizeResult made;         // the model itself, with its notes
    QuantizedAccuracy accuracy;  // at the level, on the evaluation samples
};
/// Tries the recipes of search_recipes() (equalization, smoothing, compensated rounding), then
/// keeps the most sensitive nodes float until the floor is reached. Nothing: no result is better by
/// half a dB, or there are fewer than 2 samples. `asked`: options of the model to repair. Throws
/// what search_recipes() and rank_sensitivity() throw.
std::optional<QuantizeRepair> repair_quantized(const ModelPtr& model, const QuantizeOptions& asked,
                                               const SampleSourcePtr& samples,
                                               const RepairOptions& how,
                                               const Progress& progress = {});
/// True if the options leave it to Lapidary how a model is made accurate: the user neither chose
/// nor refused anything that repair_quantized() tries.
bool can_be_repaired(const QuantizeOptions& options);

}  // namespace lapidary
