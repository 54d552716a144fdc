// SPDX-License-Identifier: Apache-2.0
// A saved result of bench that a new one is held against.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench.h>

namespace lapidary::cli {

class Baseline {
public:
    /// Reads what bench --json wrote. Throws invalid_input for another format and, unless `any_machine`, for another
    /// machine, saying in what it differs; io_failure.
    Baseline(const std::filesystem::path& file, bool any_machine);

    /// The saved measurement of that model and configuration.
    const Measurement* find(const std::string& model, const RunConfiguration& configuration) const;

private:
    struct Entry {
        std::string model;
        Measurement measurement;
    };
    std::vector<Entry> entries_;
};

/// What became of one configuration since.
struct Change {
    Difference difference;   // now by then
    double per_cent = 0;     // slower
    bool is_regression = false;
};
/// A regression is significant and larger than that.
Change change_since(const Measurement& then, const Measurement& now, double most_per_cent);

}  // namespace lapidary::cli
