// SPDX-License-Identifier: Apache-2.0
// Changes inputs and outputs of a model: their types, their order, and which of them are constants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Reads "float[N,3,224,?]", "f32" (of unknown rank) or "int64[]" (a scalar). Throws invalid_input
/// with what was expected and found.
Type read_port_type(std::string_view text);

/// The graph input, or output, of that name. Throws invalid_input naming those that exist.
ValueId find_port(const Graph& graph, const std::string& name, bool output);

/// Gives an input or output another type. An output has to agree with what the model computes, as
/// far as that is known, and an input with its default. Throws invalid_input with both types.
void change_port_type(GraphEdit& edit, const std::string& name, bool output, const Type& type);

/// Makes an input a constant of the same name. Throws invalid_input when the type of the input does
/// not allow the tensor, naming both.
void make_input_constant(GraphEdit& edit, const std::string& name, const Tensor& tensor);

/// Makes a constant an input, behind the others, of the same name and type; `keep_default`: the
/// constant stays as its default. Throws invalid_input when there is no constant of that name.
void make_constant_input(GraphEdit& edit, const std::string& name, bool keep_default);

/// Brings inputs, or outputs, into this order. Those that are not named follow in their old order.
/// Throws invalid_input for a name that is not there or comes twice.
void reorder_ports(GraphEdit& edit, const std::vector<std::string>& names, bool outputs);

}  // namespace lapidary
