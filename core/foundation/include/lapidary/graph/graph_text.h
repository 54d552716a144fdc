// SPDX-License-Identifier: Apache-2.0
// A readable text form of graphs, used by fixtures and messages.
//
//   (x: f32[1,3,8,8], n: i64) -> (r, s)                 graph inputs and outputs
//   c = Conv(x, weight: f32[4,3,3,3], _) {pads: [1,1,1,1], group: 1}
//   a, b = Split(c) {axis: 1}
//   k = Constant() {value: i64[2]{3, 4}}
//   r = com.microsoft::Gelu(a)
//   i = If(n) {then_branch: graph { () -> (y)  y = Relu(c) }, else_branch: ...} as "choice"
//   d = Clip@6(c) {min: 0.0}                            an opset version other than the default
//
// `name: type` at a first use declares an initializer; with `{values}` its data, without it is
// filled from a seeded generator (or a first use among the graph outputs). Names with other
// characters than letters, digits and _./: are written in double quotes. `_` is an omitted input or
// output. `#` starts a comment. Attributes: int, float (always with a dot or exponent), "string",
// lists in [], tensors type{values}, graphs.
#pragma once

#include <string>
#include <string_view>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// How graphs are read and printed as text.
struct GraphTextOptions {
    std::int64_t opset = 17;            // version given to ai.onnx nodes when parsing
    std::int64_t printed_elements = 8;  // constants longer than this print as type only
};

/// parse_graph(print_graph(g)) equals g for graphs whose constants were printed in full.
std::string print_graph(const Graph& graph, const GraphTextOptions& options = {});
/// Throws invalid_input with line and column.
Graph parse_graph(std::string_view text, const GraphTextOptions& options = {});

}  // namespace lapidary
