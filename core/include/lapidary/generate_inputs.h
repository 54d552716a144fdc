// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/model.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

struct GenerateOptions {
    std::uint64_t seed = 0;
    std::map<std::string, std::int64_t> dimensions;  // sizes of symbolic dimensions; others get a sensible one
};

/// Seeded values for every graph input not in `given`: floats normal(0,1); integers that reach a Gather's
/// indices lie within the table; attention masks are ones; lengths and positions are consistent; strings are
/// short words. Shapes come from the declaration, `dimensions` and what `given` already fixes.
/// Throws invalid_input when an input's type is unknown.
NamedValues generate_inputs(const Model& model, const NamedValues& given = {}, const GenerateOptions& options = {});

}  // namespace lapidary
