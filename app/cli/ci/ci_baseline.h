// SPDX-License-Identifier: Apache-2.0
// The baseline of a model: what `bench --json` wrote, with the other figures in a member "ci".
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <lapidary/internal/located_json.h>

#include "cli/ci/ci_file.h"

namespace lapidary::cli {

/// Figures of one level.
struct CiFigures {
    std::optional<double> memory_bytes, file_bytes;
    std::optional<double> accuracy;
    std::string metric;  // of accuracy
    double samples = 0;  // that accuracy was measured on
};

/// Figures by the name of the level.
using CiLevels = std::map<std::string, CiFigures>;

class CiBaseline {
public:
    /// Reads the file. Throws invalid_input for another format, and io_failure.
    CiBaseline(const std::filesystem::path& file, const CiModel& model);

    /// Why times and memory do not compare: another machine, other conditions, none of the levels.
    /// Empty: they do.
    const std::string& why_not() const { return why_not_; }
    /// Null: the level is not in it.
    const CiFigures* find(Level level) const;

private:
    CiLevels levels_;
    std::string why_not_;
};

/// Writes the file whole or not at all, and its folder. `bench`: JSON that bench printed. Throws
/// io_failure.
void save_ci_baseline(const std::filesystem::path& file, const CiModel& model,
                      const std::string& bench, const CiLevels& levels);

}  // namespace lapidary::cli
