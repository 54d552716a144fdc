// SPDX-License-Identifier: Apache-2.0
// Generates random valid models that contain patterns and near misses of the passes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

#include "support/pass_harness.h"

namespace lapidary::lapgen {

/// The graphs that passes are tested on: patterns that match, and that nearly match.
class PatternBook {
public:
    explicit PatternBook(std::vector<test::PassCase> cases);
    /// The opsets of the cases.
    const std::vector<std::int64_t>& opsets() const { return opsets_; }
    /// Cases of that opset; with `exact`, those of linear operators only.
    const std::vector<const test::PassCase*>& cases(std::int64_t opset, bool exact) const;

private:
    std::vector<test::PassCase> all_;
    std::vector<std::int64_t> opsets_;
    std::map<std::pair<std::int64_t, bool>, std::vector<const test::PassCase*>> by_opset_;
};

struct GeneratedModel {
    Model model;
    std::vector<std::string> injected;               // names of the cases in it
    std::map<std::string, std::int64_t> dimensions;  // sizes of its symbolic dimensions
    bool exact = false;                              // results must be equal to the last bit
};

/// Deterministic in `seed`. Exact models hold whole numbers and linear operators only.
GeneratedModel generate_model(std::uint64_t seed, const PatternBook& book, bool exact);

}  // namespace lapidary::lapgen
