// SPDX-License-Identifier: GPL-3.0-or-later
// What the graph of a model says to an advisor, found by looking at it once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/memory_report.h>
#include <lapidary/model.h>
#include <lapidary/requirement.h>

namespace lapidary::app {

struct ModelFacts {
    std::size_t nodes = 0;                       // of the main graph
    std::size_t quantizable_nodes = 0;           // products and convolutions with float weights
    std::uint64_t quantizable_bytes = 0;         // of those weights
    std::uint64_t weight_bytes = 0;              // of all constants of the main graph
    std::size_t quantized_nodes = 0;             // QuantizeLinear, integer products and their like
    // nodes that compute with sizes at run time: Shape, Size and what follows is not counted
    std::size_t shape_nodes = 0;
    std::size_t double_values = 0, half_values = 0, float_values = 0;  // results of nodes by element type
    Requirement requirement;                     // what runs it
    std::int64_t opset = 0;
    std::vector<std::string> unread_inputs;
    std::vector<std::string> idle_outputs;       // that no node computes: constants and inputs handed through
};

ModelFacts factsOf(const Model& model);

/// The tensor that weighs most at the moment when most memory is held.
struct PeakTensor {
    std::string name, type, node;                // node: that writes it
    std::uint64_t bytes = 0, needed = 0;         // needed: all that is alive then
};
PeakTensor peakTensor(const MemoryReport& report);

}  // namespace lapidary::app
