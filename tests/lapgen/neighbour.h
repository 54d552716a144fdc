// SPDX-License-Identifier: Apache-2.0
// Graphs that differ by one or two small steps from the test graphs of passes. A pass must not
// mistake them for its pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lapgen/neighbour_steps.h"
#include "support/pass_harness.h"

namespace lapidary::lapgen {

struct Neighbour {
    test::PassCase pass_case;  // graph before, opset, passes; without expected results
    NamedValues inputs;        // fit the graph; empty if none could be made
    // the actual types of inputs that the graph declares with less detail
    std::map<std::string, Type> full_types;
    std::string step;  // "attribute axis of Softmax; an output more: s"
};

/// The case after `steps` steps chosen by `choices`; empty if the graph is not valid then.
std::optional<Neighbour> neighbour(const test::PassCase& c, Choices& choices, int steps);
/// The case after one step: without a shape, with another attribute, a constant turned into an
/// input, one more output, another opset and the like. Deterministic in `seed`. Empty if the graph
/// is not valid then.
std::optional<Neighbour> neighbour(const test::PassCase& c, std::uint64_t seed);

/// Optimizes with the passes of the case. Returns how the outputs changed or what failed; empty:
/// nothing. A graph that cannot run is only optimized. `result`: receives the reports of passes and
/// the optimized graph, to compare two builds.
std::string check_neighbour(const Neighbour& neighbour, std::string* result = nullptr);

}  // namespace lapidary::lapgen
