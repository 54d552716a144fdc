// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// Sizes of symbolic dimensions, by name.
using DimensionSizes = std::map<std::string, std::int64_t>;

/// The size that generate_inputs() gives each symbolic dimension of the inputs, including those of
/// `dimensions`. The sizes are small ones for checks, such as batch 1 and sequence 8; usual_sizes()
/// has those for measurements. Throws invalid_input where `dimensions` contradict a declaration.
DimensionSizes input_dimensions(const Model& model, const DimensionSizes& dimensions = {});
/// The size of a dimension computed from the sizes of named ones; nothing: one of them is unknown.
std::optional<std::int64_t> size_of(const Dim& dim, const DimensionSizes& sizes);

/// Values and sizes to generate.
struct GenerateOptions {
    std::uint64_t seed = 0;     // same seed, same values
    DimensionSizes dimensions;  // others get that of input_dimensions() or usual_sizes()
    CancelToken cancel;         // checked between inputs
    bool usual = false;         // sizes of usual_sizes(), which measurements use
};

/// Seeded values for every graph input that has no default and is not in `given`. Shapes come from
/// the declaration, `dimensions` and what `given` already fixes; the same dimension name has the
/// same size everywhere. Values suit the use of the input in the graph (indices lie within the
/// table they select from, scales are positive, lengths and trip counts fit), else its name (masks
/// are ones, positions count up), else its type: floats normal(0,1), images uniform in [0,1),
/// integers small, bool true, strings short words. Throws invalid_input when an input's type or
/// rank is unknown or sizes contradict each other, limit_exceeded for an input too large.
NamedValues generate_inputs(const Model& model, const NamedValues& given = {},
                            const GenerateOptions& options = {});

}  // namespace lapidary
