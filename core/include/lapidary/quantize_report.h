// SPDX-License-Identifier: Apache-2.0
// One HTML page on what quantizing a model gave and cost, without any other file or server.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/inspect_quantized.h>
#include <lapidary/quantize.h>
#include <lapidary/sensitivity.h>

namespace lapidary {

struct ReportedRecipe {
    std::string name, words;     // words: the options that make it
    double sqnr_db = 0;
    std::uint64_t bytes = 0;     // of constants
    std::optional<double> ms;    // of a run
    std::string failure;
    bool is_best = false;
};

/// What is empty is left out of the page.
struct QuantizeReport {
    std::string title, sentence, recipe;  // recipe: the options that repeat it
    std::vector<ReportedRecipe> recipes;
    std::vector<OutputAccuracy> outputs;
    std::vector<LayerAccuracy> layers;
    std::vector<QuantizedRange> ranges;
    std::vector<NodeDecision> nodes;
    std::optional<Sensitivity> sensitivity;
    std::vector<std::string> notes;
};

/// Text of models and users is shown as text, whatever it says. Of layers, ranges and nodes the page shows some
/// thousand and says how many more there are.
void write_quantize_report(const QuantizeReport& report, std::ostream& out);
/// Atomic.
void save_quantize_report(const QuantizeReport& report, const std::filesystem::path& path);

}  // namespace lapidary
