// SPDX-License-Identifier: Apache-2.0
// Advice about a model: a list of checks with findings, the same for the command line, reports and
// the window. It is derived from known facts and figures; nothing is run. Texts come from
// resources/advice.json, which is compiled into the library.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/advice/advice_facts.h>
#include <lapidary/advice/export_triage.h>
#include <lapidary/graph/model.h>
#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/profile/profile.h>
#include <lapidary/exec/plan_info.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

/// In the order of the list. no_gain: the check does not concern the model, or following it gains
/// nothing; the finding says why.
enum class AdviceState : std::uint8_t { worth_doing, unknown, done, no_gain };
std::string_view name_of(AdviceState state);  // "worth doing", "unknown", "done", "no gain"

/// What the button of a check does.
enum class AdviceAction : std::uint8_t {
    none,            // the check has no button
    show_page,       // of the window
    run,             // runs the model
    guard,           // proves that the results stay the same
    fix_dimensions,  // asks for the sizes of free dimensions
    show_node,       // shows Advice::node of the graph that ran
    show_place       // shows Advice::node of the model as opened
};

/// Gain from following an advice; for one that was followed already, the gain that it had.
struct AdviceGain {
    /// size: of weights
    enum class Kind : std::uint8_t { none, time, memory, size } kind = Kind::none;
    bool is_measured = false;  // false: estimated
    bool is_limit = false;     // an upper bound
    /// part of today's time, memory or weights that is saved, 0..1; for time: 1 - after / before
    double share = 0;
    std::uint64_t bytes = 0;  // of memory and size
    /// "1.42 × (measured)", "at most 1.30 × (estimated)", "−74 MB (estimated)"; empty: none
    std::string text;
};

/// A place that a check found.
struct AdvicePlace {
    std::string text;    // the node, as messages name it, or the name of a weight
    std::string reason;  // what is wrong there, in the requested language
    NodeId node;         // of the model as opened; empty: no node of its main graph
};

/// One check.
struct Advice {
    std::string id;     // of resources/advice.json
    std::string group;  // "export": what the export of the model did; else empty
    AdviceState state = AdviceState::unknown;  // whether to follow it
    bool is_urgent = false;  // listed first: the model does not run, or gives other results
    std::string title, why, how, button;  // in the requested language
    std::string command;  // of lapidary-cli, with MODEL for the file; empty: there is none
    std::string finding;  // one or two sentences with figures
    AdviceGain gain;      // the largest that is known
    AdviceAction action = AdviceAction::none;  // of the button
    std::string page;                          // of the window; for show_page
    NodeId node;                               // for show_node and show_place
    std::vector<AdvicePlace> places;           // those with a node or weight, the first few
};

/// A measured time: median and its 95 % interval, ms.
struct AdvisedTime {
    std::string name;                               // of the variant: "level all", "Extended"
    bool is_original = false, is_in_force = false;  // the variant is the original; the one in force
    double median_ms = 0, low_ms = 0, high_ms = 0;  // of a run
    bool is_quantized = false;                      // fewer bits than the model that was opened
};

/// A provider or device that the user could choose.
struct AdvisedProvider {
    std::string name;      // "cuda", "ONNX Runtime with CUDA"
    std::string unusable;  // why it cannot be used; empty: it can
};

/// What is known about the model. Null and empty: not known yet.
struct AdviceInput {
    ModelPtr model;                                // the variant in force
    std::string name;                              // of the variant, for sentences
    bool is_original = false;                      // it is the model as opened
    std::shared_ptr<const PipelineReport> report;  // of the optimization that made it
    std::shared_ptr<const ModelFacts> facts;       // of the model
    std::shared_ptr<const ExportTriage> triage;    // of the model as opened
    std::shared_ptr<const MemoryFindings> memory;  // of the variant in force
    std::shared_ptr<const TimeShares> shares;      // by nodes of the model
    std::vector<NodeTotal> nodes;                  // of a profiled run of it
    std::vector<StepInfo> steps;                   // of that run's plan
    std::vector<AdvisedTime> times;                // of variants under the conditions in force
    /// false: the caller cannot measure the other variants
    bool compares_levels = true;
    std::optional<bool> outputs_agree;         // by the guard or a comparison with the original
    double largest_difference = 0;             // of outputs, by the largest element
    std::string guard_failure;                 // why one of the two models did not run
    std::vector<int> threads_tried;            // in sweeps of this model
    std::shared_ptr<const SweepResult> sweep;  // the newest of this model
    /// some measurement was of a batch of more than one
    bool batch_measured = false;
    bool dimensions_fixed = false;                            // there is a variant with fixed sizes
    std::vector<std::pair<std::string, std::int64_t>> sizes;  // sizes to fix the dimensions to
    std::string quantized_variant;                            // its name; empty: none was made
    std::vector<AdvisedProvider> providers;  // without the CPU and ONNX Runtime's CPU
    /// the provider or engine in force; empty: our CPU
    std::string runs_on;
    /// newest opset that the target runtime reads; 0: not known
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
    /// Translates English sentences of the engine; empty: they stay.
    std::function<std::string(const std::string& sentence)> translate;
};

/// Each check once: urgent ones first, then those worth doing by the share that they gain (time
/// before memory and size), then those not known, done, and without gain. Empty without model or
/// facts.
std::vector<Advice> advise(const AdviceInput& input, const AdviceLanguage& language = {});

/// Which runtimes can run a model, and which operators limit that: the finding of the check
/// "portability".
std::string portability_finding(const Requirement& requirement,
                                const AdviceLanguage& language = {});

/// resources/advice.json
std::string_view advice_texts_json();

}  // namespace lapidary
