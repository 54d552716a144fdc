// SPDX-License-Identifier: Apache-2.0
// One HTML page on what quantizing a model gave and cost, without any other file or server.
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

/// A way to quantize that was tried, and what came of it.
struct ReportedRecipe {
    std::string name, words;   // words: the options that make it
    double sqnr_db = 0;        // mean over the outputs; infinity: equal
    std::uint64_t bytes = 0;   // of constants
    std::optional<double> ms;  // of a run
    std::string failure;       // why it gave no model; empty: it did
    bool is_best = false;      // the recipe that the page is about
};

/// What is empty is left out of the page.
struct QuantizeReport {
    std::string title, sentence, recipe;     // recipe: the options that repeat it
    std::vector<ReportedRecipe> recipes;     // in the order tried
    std::vector<OutputAccuracy> outputs;     // of the quantized model against the float one
    std::vector<LayerAccuracy> layers;       // in the order of the graph
    std::vector<QuantizedRange> ranges;      // of activations
    std::vector<NodeDecision> nodes;         // why each is as it is
    std::optional<Sensitivity> sensitivity;  // nothing: not measured
    std::vector<std::string> notes;          // sentences
};

/// Text of models and users is shown as text, whatever it says. Of layers, ranges and nodes the
/// page shows some thousand and says how many more there are.
void write_quantize_report(const QuantizeReport& report, std::ostream& out);
/// Atomic.
void save_quantize_report(const QuantizeReport& report, const std::filesystem::path& path);

}  // namespace lapidary
