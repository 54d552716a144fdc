// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/model.h>
#include <lapidary/progress.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

struct GenerateOptions {
    std::uint64_t seed = 0;
    std::map<std::string, std::int64_t> dimensions;  // sizes of symbolic dimensions; others get a sensible one
    CancelToken cancel;
};

/// Seeded values for every graph input that has no default and is not in `given`. Shapes come from the declaration,
/// `dimensions` and what `given` already fixes; the same dimension name has the same size everywhere. Values come
/// from what the graph does with the input (indices lie within the table they select from, scales are positive,
/// lengths and trip counts fit), then from its name (masks are ones, positions count up), then from its type: floats
/// normal(0,1), images uniform in [0,1), integers small, bool true, strings short words. Throws invalid_input when
/// an input's type or rank is unknown or sizes contradict each other, limit_exceeded for an input too large.
NamedValues generate_inputs(const Model& model, const NamedValues& given = {}, const GenerateOptions& options = {});

}  // namespace lapidary
