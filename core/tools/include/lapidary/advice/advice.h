// SPDX-License-Identifier: Apache-2.0
// What is worth doing with a model: one list for the command line, reports and the window. Facts
// and figures in, findings out; nothing is run here. Texts come from resources/advice.json, which
// is part of the library.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/advice/advice_facts.h>
#include <lapidary/graph/model.h>
#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/profile/profile.h>
#include <lapidary/exec/plan_info.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

/// In the order in which they are listed. no_gain: it does not concern the model, or gains nothing;
/// the finding says why.
enum class AdviceState : std::uint8_t { worth_doing, unknown, done, no_gain };
std::string_view name_of(AdviceState state);  // "worth doing", "unknown", "done", "no gain"

/// What the button of a check does: shows a page, or starts something.
enum class AdviceAction : std::uint8_t { none, show_page, run, guard, fix_dimensions, show_node };

/// What following a piece of advice brings, or has brought where it is done.
struct AdviceGain {
    /// size: of weights
    enum class Kind : std::uint8_t { none, time, memory, size } kind = Kind::none;
    bool is_measured = false;  // false: estimated
    bool is_limit = false;     // no more than that
    /// of the time, memory or weights as they are now that goes, 0..1; of time: 1 - after / before
    double share = 0;
    std::uint64_t bytes = 0;  // of memory and size
    /// "1.42 × (measured)", "at most 1.30 × (estimated)", "−74 MB (estimated)"; empty: none
    std::string text;
};

/// One check.
struct Advice {
    std::string id;                            // of resources/advice.json
    AdviceState state = AdviceState::unknown;  // whether to follow it
    bool is_urgent = false;  // comes before all gains: it does not run, or gives other results
    std::string title, why, how, button;  // in the language asked for
    std::string command;  // of lapidary-cli, with MODEL for the file; empty: none does it
    std::string finding;  // one or two sentences with figures
    AdviceGain gain;      // largest that is known
    AdviceAction action = AdviceAction::none;  // of the button
    std::string page;                          // of the window, for show_page
    NodeId node;                               // for show_node: of the graph that ran
};

/// A measured time: median and its 95 % interval, ms.
struct AdvisedTime {
    std::string name;                               // of the variant: "level all", "Extended"
    bool is_original = false, is_in_force = false;  // which variant it is of
    double median_ms = 0, low_ms = 0, high_ms = 0;  // of a run
    bool is_quantized = false;                      // fewer bits than the model that was opened
};

/// A provider or device that somebody could name.
struct AdvisedProvider {
    std::string name;      // "cuda", "ONNX Runtime with CUDA"
    std::string unusable;  // why it cannot be used; empty: it can
};

/// What is known when advice is asked for; null and empty: nothing yet.
struct AdviceInput {
    ModelPtr model;                                // the variant in force
    std::string name;                              // of the variant, for sentences
    bool is_original = false;                      // it is the model as opened
    std::shared_ptr<const PipelineReport> report;  // that made it
    std::shared_ptr<const ModelFacts> facts;       // of the model
    std::shared_ptr<const MemoryFindings> memory;  // of the variant in force
    std::shared_ptr<const TimeShares> shares;      // by nodes of the model
    std::vector<NodeTotal> nodes;                  // of a profiled run of it
    std::vector<StepInfo> steps;                   // of that run's plan
    std::vector<AdvisedTime> times;                // of variants under the conditions in force
    /// false: the caller cannot measure the other variants
    bool compares_levels = true;
    std::optional<bool> outputs_agree;         // of guard or comparison with the original
    double largest_difference = 0;             // of outputs, by the largest element
    std::string guard_failure;                 // why one of them did not run
    std::vector<int> threads_tried;            // in sweeps of this model
    std::shared_ptr<const SweepResult> sweep;  // the newest of this model
    /// some measurement was of a batch of more than one
    bool batch_measured = false;
    bool dimensions_fixed = false;  // somebody made a variant with fixed sizes
    std::vector<std::pair<std::string, std::int64_t>> sizes;  // that fixing dimensions would take
    std::string quantized_variant;                            // its name; empty: none was made
    std::vector<AdvisedProvider> providers;                   // but the CPU and ONNX Runtime's CPU
    /// the provider or engine in force; empty: our CPU
    std::string runs_on;
    /// newest that the runtime of the target reads; 0: not stated
    std::int64_t target_opset = 0;
    int threads = 0;  // in force, 0: one per core
    int cores = 1;    // of this process
};

/// The language of advice.
struct AdviceLanguage {
    std::string locale = "en";        // "de_AT"; English where a text is missing
    std::string decimal_point = ".";  // of figures
    /// between thousands of figures; empty: none, "1238"
    std::string group_separator;
    /// Puts sentences of the engine, which are English, into the language; empty: they stay.
    std::function<std::string(const std::string& sentence)> translate;
};

/// Each check once: urgent ones first, then those worth doing by the share that they gain (time
/// before memory and size), then those not known, done, and without gain. Empty without model or
/// facts.
std::vector<Advice> advise(const AdviceInput& input, const AdviceLanguage& language = {});

/// Who can run a model, and which operators are why: the finding of the check "portability".
std::string portability_finding(const Requirement& requirement,
                                const AdviceLanguage& language = {});

/// resources/advice.json
std::string_view advice_texts_json();

}  // namespace lapidary
