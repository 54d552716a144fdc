// SPDX-License-Identifier: Apache-2.0
// The file that `ci` reads: models, how they are checked, and the limits that they have to keep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

namespace lapidary::cli {

/// A limit of a size: so many bytes, or so much more than the baseline. Empty: there is none.
struct CiGrowth {
    std::optional<double> per_cent;
    std::optional<double> bytes;
    bool is_given() const { return per_cent || bytes; }
};

/// What a model has to keep.
struct CiLimits {
    std::optional<double> slower_per_cent;  // time of a run above that of the baseline
    CiGrowth memory, size;
    std::optional<double> least_accuracy;  // from 0 to 1
    std::optional<double> accuracy_drop;   // below the baseline, in per cent of all samples
};

/// Labelled samples, as options of the command accuracy.
struct CiAccuracy {
    std::filesystem::path data;
    std::string labels;           // may be FILE.npz:ARRAY
    std::string metric = "top1";  // of accuracy_metrics()
    std::string mean, deviation;  // "1,2,3"; empty: what the command finds
    std::map<std::string, std::string> arrays;
};
/// Values that the framework gave, as options of the command check: arrays by name.
struct CiRecorded {
    std::filesystem::path inputs, expected;  // .npz
};

/// Figures of the command accuracy that are better the larger they are.
const std::vector<std::string>& accuracy_metrics();

/// A model of the file with all that is checked of it.
struct CiModel {
    std::string argument;  // a file, or sample:NAME
    std::string name;      // of its baseline and in reports
    std::vector<Level> levels{Level::all};
    std::optional<int> threads;                      // empty: one per core
    std::map<std::string, std::int64_t> dimensions;  // sizes of symbolic dimensions
    std::filesystem::path inputs;                    // .npz; empty: generated
    std::vector<std::filesystem::path> rules;
    double rtol = 1e-3, atol = 1e-5;  // of the guard and of the reference
    int seeds = 2;
    double seconds = 10, gate_seconds = 60;  // of measuring
    std::optional<CiRecorded> reference;
    std::optional<CiAccuracy> accuracy;
    CiLimits limits;
};

/// The whole file. Paths in it are relative to its folder; here they are not.
struct CiFile {
    std::filesystem::path path, baselines;
    std::vector<CiModel> models;
};

/// Throws invalid_input naming the line for whatever is not known, missing or of another kind, and
/// io_failure.
CiFile load_ci_file(const std::filesystem::path& path);

}  // namespace lapidary::cli
