// SPDX-License-Identifier: Apache-2.0
// What a batcher needs to know of a model to join requests and to take their results apart.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// Where the batch stands in the inputs and outputs of a model.
class BatchAxes {
public:
    /// `inferred`: with types of outputs. Throws not_supported, naming input or output, when
    /// requests cannot be joined.
    BatchAxes(const Graph& inferred, const std::vector<std::string>& batch_names);

    /// Rows of a request. Throws invalid_input when inputs disagree.
    std::int64_t rows_of(const NamedValues& inputs) const;
    /// Equal for requests that may be joined; empty: for none.
    std::string key_of(const NamedValues& inputs) const;
    /// One after the other along the batch.
    NamedValues join(const std::vector<const NamedValues*>& requests) const;
    /// The part of each request, which has so many rows. Throws internal when an output does not
    /// have all rows together.
    std::vector<NamedValues> take_apart(const NamedValues& outputs,
                                        const std::vector<std::int64_t>& rows) const;

private:
    // axis by name; inputs without batch are not in it
    std::map<std::string, std::size_t, std::less<>> inputs_, outputs_;
};

}  // namespace lapidary
