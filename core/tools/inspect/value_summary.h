// SPDX-License-Identifier: Apache-2.0
// Looks at values one after the other and keeps what InspectOptions asks for.
#pragma once

#include <lapidary/inspect/inspect_values.h>

namespace lapidary {

class ValueSummaries {
public:
    ValueSummaries(const InspectOptions& options, const CancelToken& cancel)
        : options_(options), cancel_(cancel) {}

    /// Adds a value, or the items of one that is no tensor. `place` has all that is known of it
    /// beside its contents.
    void add(InspectedValue place, const RuntimeValue& value);
    Inspection take() { return std::move(inspection_); }

private:
    void add_tensor(InspectedValue place, const Tensor& tensor);

    const InspectOptions& options_;
    const CancelToken cancel_;
    Inspection inspection_;
};

/// Name, role and node of a value of the graph.
InspectedValue place_of(const Graph& graph, ValueId id);

/// A value of a model that needs no run: an initializer, or what a Constant node holds. Empty: it
/// is none.
RuntimeValue constant_value(const Graph& graph, std::string_view name);

}  // namespace lapidary
