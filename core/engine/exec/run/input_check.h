// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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

/// Inputs that grow from run to run, such as the caches of a decoder, with room for further runs.
class InputRoom {
public:
    static constexpr std::int64_t runs = 64;        // that there is room for
    static constexpr std::int64_t most_growth = 8;  // of a dimension from run to run

    /// `now`: inputs of the run behind that of `before`. Nothing: they differ in more than sizes,
    /// or a size does not grow by a few.
    static std::optional<InputRoom> between(const InputSignature& before,
                                            const InputSignature& now);
    /// True if sizes that grew are at most as large as there is room for, and all else is the same
    /// in the same order.
    bool takes(const InputSignature& inputs) const;

private:
    struct Entry {
        InputSignature::Entry now;
        Shape most;  // with room; as in `now` where a size did not grow
    };
    std::vector<Entry> entries_;
};

/// Checks run inputs against the graph's declarations: names, kinds, element types, ranks, fixed
/// dimensions, equal sizes for equal symbols. Throws invalid_input naming the input, expected and
/// found.
InputSignature check_inputs(const Graph& graph, const NamedValues& inputs);

}  // namespace lapidary
