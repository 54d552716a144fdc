// SPDX-License-Identifier: Apache-2.0
// Concatenates requests along the batch and splits their results again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// The batch axes of the inputs and outputs of a model.
class BatchAxes {
public:
    /// `inferred`: with types of outputs. Throws not_supported, naming input or output, when
    /// requests cannot be joined.
    BatchAxes(const Graph& inferred, const std::vector<std::string>& batch_names);

    /// Rows of a request. Throws invalid_input when inputs disagree.
    std::int64_t rows_of(const NamedValues& inputs) const;
    /// Equal for requests that may be joined. Empty: this one may not be joined.
    std::string key_of(const NamedValues& inputs) const;
    /// The inputs concatenated along the batch.
    NamedValues join(const std::vector<const NamedValues*>& requests) const;
    /// The outputs split into the parts of the requests, whose numbers of rows are in `rows`.
    /// Throws internal if an output does not have the rows of all.
    std::vector<NamedValues> take_apart(const NamedValues& outputs,
                                        const std::vector<std::int64_t>& rows) const;

private:
    // axis by name; inputs without batch are not in it
    std::map<std::string, std::size_t, std::less<>> inputs_, outputs_;
};

}  // namespace lapidary
