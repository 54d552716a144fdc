// SPDX-License-Identifier: Apache-2.0
// Model-local functions (IR 8) by the nodes that call them, and what expanding all calls would
// make.
#pragma once

#include <string>
#include <unordered_map>

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Finds the function that a node calls. The model must stay, its functions must not move.
class FunctionTable {
public:
    explicit FunctionTable(const Model& model);
    /// Null: the node calls none.
    const Function* find(const Node& node) const;
    bool is_empty() const { return functions_.empty(); }

private:
    std::unordered_map<std::string, const Function*> functions_;
};

/// Throws invalid_model listing the call chain when functions call each other in a circle;
/// limit_exceeded when calls nest deeper than limits.nesting, or when expanding every call, the
/// inner ones first, would make more than limits.inlined_nodes nodes, with their number. Counts
/// only: time in proportion to the model as it stands. Throws cancelled.
void check_function_calls(const Model& model, const FunctionTable& functions, const Limits& limits,
                          const CancelToken& cancel = {});

}  // namespace lapidary
