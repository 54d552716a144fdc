// SPDX-License-Identifier: Apache-2.0
// Graphs one or two small steps away from those that passes are tested on: what a pass must not
// take for its pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lapgen/neighbour_steps.h"
#include "support/pass_harness.h"

namespace lapidary::lapgen {

struct Neighbour {
    test::PassCase pass_case;  // graph before, opset, passes; nothing expected
    NamedValues inputs;        // that fit the graph; empty where none could be made
    // inputs of which the graph says less, as the inputs are
    std::map<std::string, Type> full_types;
    std::string step;  // "attribute axis of Softmax; an output more: s"
};

/// The case after so many steps, as `choices` say; nothing where they led to no valid graph.
std::optional<Neighbour> neighbour(const test::PassCase& c, Choices& choices, int steps);
/// The case with a shape forgotten, an attribute changed, a constant turned into an input, an
/// output more, another opset and the like. Deterministic in `seed`. Nothing where the step led to
/// no valid graph.
std::optional<Neighbour> neighbour(const test::PassCase& c, std::uint64_t seed);

/// Optimizes with the passes of the case; what a pass said and made of it (for comparing two
/// builds) goes to `result`. Returns how the outputs changed or what failed, or empty; a graph that
/// cannot run as it stands is only optimized.
std::string check_neighbour(const Neighbour& neighbour, std::string* result = nullptr);

}  // namespace lapidary::lapgen
