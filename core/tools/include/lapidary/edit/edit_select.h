// SPDX-License-Identifier: Apache-2.0
// What a line of an edit script names: nodes and values of the main graph.
//
// Nodes:   conv1, "odd name"      the node of that name
//          Dropout_*, layer?      nodes by a pattern: * is any text, ? any one character
//          op:Dropout, op:com.microsoft::*    by operator
//          scope:encoder/layer.3  by the scopes in their names ("/encoder/layer.3/attn/MatMul")
//          writes:logits, reads:mask_*        by the values that they write or read
//          index:7                by the number that messages show of nodes without a name
//          op:Cast & scope:encoder & !reads:mask     all of it; ! is not
//          conv1, relu_*          each of them: every part has to name something
// Values:  logits, "odd name", hidden_*       by name or pattern
//          of:conv1               what a node writes; any single term for nodes may follow `of:`
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The nodes that a selection names, in the order of the graph: at least one. Without a pattern or
/// a property a name stands for exactly one node. Throws invalid_input that says what was found
/// instead, and names that are close.
std::vector<NodeId> select_nodes(const Graph& graph, std::string_view selection);
/// The one node; throws invalid_input, naming them, where the selection matches several.
NodeId select_node(const Graph& graph, std::string_view selection);

/// The values that a selection names, by id: at least one. Throws as select_nodes() does.
std::vector<ValueId> select_values(const Graph& graph, std::string_view selection);
/// The one value; throws invalid_input, naming them, where the selection matches several.
ValueId select_value(const Graph& graph, std::string_view selection);

}  // namespace lapidary
