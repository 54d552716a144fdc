// SPDX-License-Identifier: Apache-2.0
// What a graph does with one of its inputs, as far as that says which values make sense for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

struct InputUsage {
    std::optional<std::int64_t> below;  // values select from a table: 0 <= value < below
    // a setting with one sensible value: k of TopK, a trip count
    std::optional<double> exactly;
    std::vector<std::int64_t> known_integers;  // the graph compares with or maps just these
    std::vector<std::string> known_strings;
    // one element after the other: axes, sizes; the last repeats
    std::vector<std::int64_t> list;
    // what the operator is defined for: probabilities, sines
    std::optional<std::pair<double, double>> within;
    bool is_mask = false;                   // ones keep everything
    bool is_positive = false;               // a scale, variance or divisor
    std::optional<std::int64_t> length_of;  // counts the steps of a sequence of this many
    // of grouped-query attention
    enum class Total : std::uint8_t { none, last_key, key_count } total = Total::none;
};

/// Walks from the input through operators that only move or convert values, into subgraphs and
/// functions. `size_of` gives the sizes chosen for symbolic dimensions.
InputUsage usage_of_input(const Model& model, ValueId input,
                          const std::function<std::optional<std::int64_t>(const Dim&)>& size_of);

}  // namespace lapidary
