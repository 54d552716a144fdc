// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// What the memory layout depends on in a run's inputs: names, kinds, element types and shapes.
class InputSignature {
public:
    struct Entry {
        std::string name;
        ValueId id;
        bool is_tensor = false, is_sequence = false, is_empty = false;
        DType dtype = DType::undefined;
        Shape shape;
    };
    void add(std::string name, ValueId id, const RuntimeValue& value);
    /// True if the inputs are these, in this order. Such inputs need no further check.
    bool matches(const NamedValues& inputs) const;
    /// The same inputs in any order.
    bool is_same_set(const InputSignature& other) const;
    const std::vector<Entry>& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
};

/// Checks run inputs against the graph's declarations: names, kinds, element types, ranks, fixed
/// dimensions, equal sizes for equal symbols. Throws invalid_input naming the input, expected and
/// found.
InputSignature check_inputs(const Graph& graph, const NamedValues& inputs);

}  // namespace lapidary
