// SPDX-License-Identifier: Apache-2.0
// Conditions of a measured run. Figures can only be compared if their conditions are equal.
#pragma once

#include <optional>
#include <string>

#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/usual_sizes.h>

namespace lapidary {

/// The conditions that a headline names.
struct RunConditions {
    std::optional<Level> level;  // of optimization; nothing: that of another engine
    int threads = 0;             // within an operator; 0: not known
    int inter_threads = 1;       // operators at a time; more than 1 only in parallel mode
    UsualSizes sizes;            // of the inputs' symbolic dimensions
};

/// "level all, 2 threads, batch 1, sequence 128"; sizes that follow from others ("past + sequence")
/// are left out.
std::string text_of(const RunConditions& conditions);

/// Sizes of the dimensions that have a plain name, which are those that can be set.
std::map<std::string, std::int64_t> named_sizes(const UsualSizes& sizes);

}  // namespace lapidary
