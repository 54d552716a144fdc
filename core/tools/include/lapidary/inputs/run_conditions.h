// SPDX-License-Identifier: Apache-2.0
// What a figure of a run is of: without it two figures cannot be held against each other.
#pragma once

#include <optional>
#include <string>

#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/usual_sizes.h>

namespace lapidary {

struct RunConditions {           // what a headline names
    std::optional<Level> level;  // that the model was optimized at; nothing: an engine's own
    int threads = 0;             // that share an operator; 0: not known
    int inter_threads = 1;       // operators at a time; more than 1 in parallel mode alone
    UsualSizes sizes;            // of the inputs' symbolic dimensions
};

/// "level all, 2 threads, batch 1, sequence 128"; sizes that follow from others ("past + sequence")
/// are left out.
std::string text_of(const RunConditions& conditions);

/// Sizes of the dimensions that have a plain name, which are those that can be set.
std::map<std::string, std::int64_t> named_sizes(const UsualSizes& sizes);

}  // namespace lapidary
