// SPDX-License-Identifier: Apache-2.0
// One HTML page about a quantized model: accuracy, size and time. It needs no other file or server.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/quantize/inspect_quantized.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/sensitivity.h>

namespace lapidary {

/// A recipe that was tried, and its result.
struct ReportedRecipe {
    std::string name, words;   // words: its options
    double sqnr_db = 0;        // mean over the outputs; infinity: equal
    std::uint64_t bytes = 0;   // of constants
    std::optional<double> ms;  // of a run
    std::string failure;       // why it failed; empty: it did not
    bool is_best = false;      // the recipe that the page is about
};

/// Contents of the page. Empty ones are left out.
struct QuantizeReport {
    std::string title, sentence, recipe;     // recipe: the options that repeat it
    std::vector<ReportedRecipe> recipes;     // in the order tried
    std::vector<OutputAccuracy> outputs;     // of the quantized model against the float one
    std::vector<LayerAccuracy> layers;       // in the order of the graph
    std::vector<QuantizedRange> ranges;      // of activations
    std::vector<NodeDecision> nodes;         // whether each was quantized, and why not
    std::optional<Sensitivity> sensitivity;  // nothing: not measured
    std::vector<std::string> notes;          // sentences
};

/// Texts of models and users are escaped. The page shows at most some thousand layers, ranges and
/// nodes, and says how many more there are.
void write_quantize_report(const QuantizeReport& report, std::ostream& out);
/// Atomic.
void save_quantize_report(const QuantizeReport& report, const std::filesystem::path& path);

}  // namespace lapidary
