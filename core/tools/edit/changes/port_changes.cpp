// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/port_changes.h"

#include <algorithm>
#include <charconv>

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

Dim read_port_dim(std::string_view word, std::string_view whole) {
    if (word.empty())
        fail_input("a dimension of " + quote(whole) +
                   " is empty, expected a number, a name or ? for each");
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (error == std::errc{} && end == word.data() + word.size()) {
        if (size < 0)
            fail_input("the dimension " + std::to_string(size) + " of " + quote(whole) +
                       " is negative, expected a size, a name or ?");
        return Dim(size);
    }
    if (error == std::errc::result_out_of_range)
        fail_input("the dimension " + quote(word) + " of " + quote(whole) +
                   " does not fit in 64 bits");
    return dim_from_name(word);
}

/// Why a value of type `found` cannot be declared as `wanted`; empty: it can.
std::string port_conflict(const Type& wanted, const Type& found) {
    const std::string both = "declared " + to_string(wanted) + ", found " + to_string(found);
    if (found.kind == Type::Kind::unknown) return {};
    if (!found.is_tensor()) return both;
    if (found.dtype != DType::undefined && found.dtype != wanted.dtype) return both;
    if (!found.shape || !wanted.shape) return {};
    if (found.shape->size() != wanted.shape->size()) return both;
    for (std::size_t i = 0; i < wanted.shape->size(); ++i)
        if (surely_different((*wanted.shape)[i], (*found.shape)[i]))
            return both + ": dimension " + std::to_string(i) + " differs";
    return {};
}

Type type_of_constant(const Tensor& tensor) {
    SymbolicShape shape;
    for (const std::int64_t size : tensor.shape()) shape.emplace_back(size);
    return Type::tensor(tensor.dtype(), std::move(shape));
}

/// What a file says of a value, for one that takes its place.
void copy_descriptions(GraphEdit& edit, const Value& from, ValueId to) {
    edit.set_doc(to, from.doc);
    edit.set_metadata(to, from.metadata);
    edit.set_preserved(to, from.preserved);
}

}  // namespace

Type read_port_type(std::string_view text) {
    text = trimmed(text);
    const std::size_t open = text.find('[');
    const std::string_view name = trimmed(text.substr(0, open));
    // NumPy's names of the two types that ONNX calls float and double.
    const auto dtype = dtype_from_name(name == "float32"   ? "float"
                                       : name == "float64" ? "double"
                                                           : name);
    if (!dtype)
        fail_input("no element type is called " + quote(name) +
                   ", expected one such as float, float16, int64 or bool");
    if (open == std::string_view::npos) return Type::tensor(*dtype);
    if (!text.ends_with(']'))
        fail_input("the type " + quote(text) + " does not end in ], expected float[N,3,224,224]");
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    SymbolicShape shape;
    while (!trimmed(rest).empty() || !shape.empty()) {
        const std::size_t comma = rest.find(',');
        shape.push_back(read_port_dim(trimmed(rest.substr(0, comma)), text));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return Type::tensor(*dtype, std::move(shape));
}

ValueId find_port(const Graph& graph, const std::string& name, bool output) {
    const auto ports = output ? graph.outputs() : graph.inputs();
    std::string known;
    for (const ValueId id : ports) {
        if (graph.value(id).name == name) return id;
        if (known.size() < 200) known += (known.empty() ? "" : ", ") + quote(graph.value(id).name);
    }
    fail_input(std::string("the model has no ") + (output ? "output " : "input ") + quote(name) +
               (known.empty() ? ", and no other" : "; there are " + known));
}

void change_port_type(GraphEdit& edit, const std::string& name, bool output, const Type& type) {
    const Graph& graph = edit.graph();
    const ValueId id = find_port(graph, name, output);
    const Value& value = graph.value(id);
    std::string conflict;
    if (value.constant) conflict = port_conflict(type, type_of_constant(*value.constant));
    else if (value.kind != ValueKind::input) conflict = port_conflict(type, value.type);
    if (!conflict.empty())
        fail_input("the type of " + quote(name) + " does not fit " +
                   (value.constant ? "its value: " : "what the model computes: ") + conflict);
    if (output && value.kind == ValueKind::input && value.type.is_tensor() &&
        !port_conflict(type, value.type).empty())
        fail_input("output " + quote(name) + " is an input of the model: " +
                   port_conflict(type, value.type) + "; change the type of the input");
    edit.set_type(id, type);
    edit.set_declared(id, true);
}

void make_input_constant(GraphEdit& edit, const std::string& name, const Tensor& tensor) {
    const Graph& graph = edit.graph();
    const ValueId id = find_port(graph, name, false);
    const Value old = graph.value(id);
    const Type found = type_of_constant(tensor);
    if (old.type.kind != Type::Kind::unknown && !old.type.is_tensor())
        fail_input("input " + quote(name) + " is no tensor (" + to_string(old.type) +
                   "), and only tensors can be constants");
    if (old.type.is_tensor())
        if (const std::string conflict = port_conflict(old.type, found); !conflict.empty())
            fail_input("the value does not fit the input " + quote(name) + ": " + conflict);
    const ValueId constant = edit.add_initializer(edit.fresh_name(name), tensor);
    edit.replace_uses(id, constant);
    edit.remove_input(id);
    edit.rename(constant, name);
    edit.set_doc(constant, old.doc);
}

void make_constant_input(GraphEdit& edit, const std::string& name, bool keep_default) {
    const Graph& graph = edit.graph();
    const ValueId id = graph.find_value(name);
    if (!id) fail_input("the model has no constant " + quote(name));
    const Value old = graph.value(id);
    if (old.kind == ValueKind::input && old.constant)
        fail_input(quote(name) + " already is an input, with a default");
    if (!old.is_constant())
        fail_input(quote(name) + " is no constant but " +
                   (old.kind == ValueKind::input ? "an input" : "computed by a node"));
    if (!old.constant) fail_input("the data of " + quote(name) + " is not in this graph");
    const ValueId input = edit.add_input(edit.fresh_name(name), type_of_constant(*old.constant));
    if (keep_default) edit.set_constant(input, *old.constant);
    edit.replace_uses(id, input);
    edit.erase_value(id);
    edit.rename(input, name);
    edit.set_doc(input, old.doc);
}

void reorder_ports(GraphEdit& edit, const std::vector<std::string>& names, bool outputs) {
    const Graph& graph = edit.graph();
    std::vector<ValueId> order;
    for (const std::string& name : names) {
        const ValueId id = find_port(graph, name, outputs);
        if (std::ranges::find(order, id) != order.end())
            fail_input(quote(name) + " is named twice, expected each once");
        order.push_back(id);
    }
    const auto ports = outputs ? graph.outputs() : graph.inputs();
    const std::size_t named = order.size();
    for (const ValueId id : std::vector<ValueId>(ports.begin(), ports.end()))
        if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(named), id) ==
            order.begin() + static_cast<std::ptrdiff_t>(named))
            order.push_back(id);
    if (outputs) return edit.set_outputs(std::move(order));
    // Inputs are only ever added behind the others: all of them are made again in the new order.
    for (const ValueId id : order) {
        const Value old = graph.value(id);
        const ValueId input = edit.add_input(edit.fresh_name(old.name), old.type);
        if (old.constant) edit.set_constant(input, *old.constant);
        edit.set_declared(input, old.declared);
        copy_descriptions(edit, old, input);
        edit.replace_uses(id, input);
        edit.remove_input(id);
        edit.rename(input, old.name);
    }
}

}  // namespace lapidary
