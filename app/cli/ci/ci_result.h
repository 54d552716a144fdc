// SPDX-License-Identifier: Apache-2.0
// What `ci` found: a check for each thing that a model has to keep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/passes/optimize.h>

namespace lapidary::cli {

/// reported: there is no limit. unresolved: the check cannot tell, at this noise or without a
/// baseline that compares. broken: the check could not be made. From good to bad.
enum class CiVerdict : std::uint8_t { kept, reported, unresolved, broken, worse };
/// "kept", "reported", "unresolved", "broken", "worse".
std::string_view name_of(CiVerdict verdict);

/// What a check is about.
enum class CiKind : std::uint8_t {
    model,
    baseline,
    guard,
    reference,
    size,
    time,
    memory,
    accuracy
};
/// "model", "baseline", "guard", "reference", "size", "time", "memory", "accuracy".
std::string_view name_of(CiKind kind);

/// [low, high]
using CiInterval = std::pair<double, double>;

/// One check of one model.
struct CiCheck {
    CiKind kind = CiKind::model;
    std::optional<Level> level;  // empty: of the model as a whole
    CiVerdict verdict = CiVerdict::reported;
    std::string unit;                 // of now and then: "ms", "bytes", "share"; empty: no figure
    std::optional<double> now, then;  // then: in the baseline
    std::optional<CiInterval> interval;         // 95 % of now
    std::optional<double> change;               // in per cent of the baseline; of a share in points
    std::optional<CiInterval> change_interval;  // 95 %
    std::string limit;                          // "5 % slower"; empty: there is none
    std::string sentence;
    double seconds = 0;  // that the check took
};

/// "time at level all"
std::string title_of(const CiCheck& check);

/// One model with its checks, in the order of levels.
struct CiModelResult {
    std::string name, argument;
    int threads = 0;                            // of measured runs; 0: nothing was measured
    std::map<std::string, std::int64_t> sizes;  // of dimensions in measured runs
    std::filesystem::path baseline;             // whether it exists or not
    bool has_baseline = false;                  // it was read, or is written now
    bool is_updated = false;                    // it was written
    std::string note;  // why the baseline does not compare, or was not written; empty: it does
    std::vector<std::string> warnings;  // of accuracy, a sentence each
    std::vector<CiCheck> checks;
};

/// Of all models.
struct CiResult {
    std::filesystem::path file;
    std::vector<CiModelResult> models;
    bool cancelled = false;  // models has what was found so far
};

/// How many checks have a verdict.
std::size_t count_of(const CiResult& result, CiVerdict verdict);
/// The worst verdict; reported where there is no check.
CiVerdict worst_of(const CiResult& result);
/// exit_check_failed where a check is worse, else exit_bad_input where one is broken, else
/// exit_unresolved where one is unresolved.
int exit_code_of(const CiResult& result);

}  // namespace lapidary::cli
