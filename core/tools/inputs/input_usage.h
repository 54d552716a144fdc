// SPDX-License-Identifier: Apache-2.0
// How a graph uses one of its inputs, which shows what values make sense for it.
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
    // the only sensible value of a setting: k of TopK, a trip count
    std::optional<double> exactly;
    std::vector<std::int64_t> known_integers;  // the values that the graph compares it with or maps
    std::vector<std::string> known_strings;
    // values of the elements: axes, sizes; the last one repeats
    std::vector<std::int64_t> list;
    // the domain of the operator: probabilities, sines
    std::optional<std::pair<double, double>> within;
    bool is_mask = false;      // with ones it masks nothing
    bool is_positive = false;  // a scale, variance or divisor
    std::optional<std::int64_t>
        length_of;  // it is a length of sequences of at most this many steps
    // of grouped-query attention
    enum class Total : std::uint8_t { none, last_key, key_count } total = Total::none;
};

/// Walks from the input through operators that only move or convert values, into subgraphs and
/// functions. `size_of` gives the sizes chosen for symbolic dimensions.
InputUsage usage_of_input(const Model& model, ValueId input,
                          const std::function<std::optional<std::int64_t>(const Dim&)>& size_of);

}  // namespace lapidary
