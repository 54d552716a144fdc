// SPDX-License-Identifier: Apache-2.0
// What the quantize command was asked for, what came of it, and how that is told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <vector>

#include <lapidary/model_io.h>
#include <lapidary/quantize.h>
#include <lapidary/sensitivity.h>

#include "cli/json_value.h"

namespace lapidary::cli {

struct QuantizeCommandOptions {
    std::filesystem::path model, output;  // output empty: nothing is written
    std::filesystem::path data;           // empty: inputs are generated
    ImageOptions images;                  // how pictures among the data are read
    QuantizeOptions quantize;
    SaveOptions saving;
    std::uint64_t generated = 16;  // samples where there is no data
    std::uint64_t seed = 0;
    bool search = false, explain = false;
    bool sensitivity = false, diagnose = false, pareto = false;
    double budget = 60;           // seconds of the search
    std::optional<double> floor;  // dB: exit code 1 below
};

struct QuantizeOutcome {
    QuantizeResult result;
    QuantizedAccuracy accuracy;
    std::vector<RecipeTrial> trials;
    std::size_t best = 0;
    bool stopped = false;
    std::optional<QuantizeDiagnosis> diagnosis;
    std::optional<Sensitivity> sensitivity;
    std::optional<FloorResult> floor;  // nodes kept float for it
    std::uint64_t bytes_before = 0, bytes_after = 0;  // of constants
};

/// How the command is called that makes the trial alone: "--mode static --equalize".
std::string recipe_words(const QuantizeOptions& options);
Json quantize_json(const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);
void print_quantized(std::ostream& out, const QuantizeCommandOptions& options, const QuantizeOutcome& outcome);

}  // namespace lapidary::cli
