// SPDX-License-Identifier: Apache-2.0
// The caller's memory into which graph outputs of a run are written (RunOptions::output_buffers).
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/exec/run_options.h>

namespace lapidary {

/// The graph output of that name. Throws invalid_input listing the outputs.
ValueId output_named(const Graph& graph, const std::string& name);

class OutputBuffers {
public:
    /// Throws invalid_input for a name that is not an output or comes twice, a type or shape other
    /// than declared, memory that is not aligned for its type, and buffers that overlap.
    OutputBuffers(const Graph& graph, const std::vector<OutputBuffer>& given,
                  const NamedValues& inputs);

    /// Memory for a graph output of that type and shape that a kernel may write to. Null if the
    /// value has no such buffer, or no kernel may write there.
    void* memory_of(std::uint32_t value, DType dtype, const Shape& shape) const;
    /// Copies an output into its buffer unless it lies there already, and makes `result` refer to
    /// the buffer. An output without a buffer stays as it is. Throws invalid_input if buffer and
    /// value differ in type or shape.
    void take(ValueId id, const RuntimeValue& value, RuntimeValue& result,
              std::vector<CopiedOutput>& copied) const;
    bool has(ValueId id) const { return find(id.index) != nullptr; }

private:
    struct Entry {
        std::uint32_t value = 0;
        std::string name;
        Tensor tensor;
        std::string reason;  // why no kernel may write there; empty: it may
    };
    const Entry* find(std::uint32_t value) const;

    std::vector<Entry> entries_;
};

}  // namespace lapidary
