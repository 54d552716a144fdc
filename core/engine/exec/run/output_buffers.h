// SPDX-License-Identifier: Apache-2.0
// Memory of the caller that graph outputs of a run are written to (RunOptions::output_buffers).
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/exec/run_options.h>

namespace lapidary {

/// Throws invalid_input naming the outputs there are.
ValueId output_named(const Graph& graph, const std::string& name);

class OutputBuffers {
public:
    /// Throws invalid_input for a name that is no output of the graph or comes twice, a type or
    /// shape other than declared, memory that is not aligned for its type, and buffers that overlap
    /// each other.
    OutputBuffers(const Graph& graph, const std::vector<OutputBuffer>& given,
                  const NamedValues& inputs);

    /// Memory for a graph output of that type and shape that a kernel may write to; null: the value
    /// has no such buffer, or no kernel may write there.
    void* memory_of(std::uint32_t value, DType dtype, const Shape& shape) const;
    /// Puts the value of an output into its buffer where it does not lie there yet, and becomes the
    /// buffer; an output without one stays as it is. Throws invalid_input where buffer and value
    /// differ in type or shape.
    void take(ValueId id, const RuntimeValue& value, RuntimeValue& result,
              std::vector<CopiedOutput>& copied) const;
    bool has(ValueId id) const { return find(id.index) != nullptr; }

private:
    struct Entry {
        std::uint32_t value = 0;
        std::string name;
        Tensor tensor;
        std::string reason;  // why no kernel writes there; empty: one may
    };
    const Entry* find(std::uint32_t value) const;

    std::vector<Entry> entries_;
};

}  // namespace lapidary
