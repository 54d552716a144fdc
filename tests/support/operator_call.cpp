// SPDX-License-Identifier: Apache-2.0
#include "support/operator_call.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>

#include "kernels/dispatch.h"
#include "support/onnx_case.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

constexpr std::int64_t largest_input = 1 << 16;  // elements

std::string attribute_text(const Attribute& a) {
    if (const auto* number = std::get_if<std::int64_t>(&a.value))
        return fmt::format("{}={}", a.name, *number);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&a.value))
        return fmt::format("{}=[{}]", a.name, fmt::join(*list, ","));
    if (const auto* text = std::get_if<std::string>(&a.value))
        return fmt::format("{}={}", a.name, *text);
    return fmt::format("{}:{}", a.name, kind_of(a.value));
}

bool has_plain_attributes(const Node& node) {
    return std::ranges::none_of(node.attributes, [](const Attribute& a) {
        return std::holds_alternative<GraphPtr>(a.value) ||
               std::holds_alternative<std::vector<GraphPtr>>(a.value) ||
               std::holds_alternative<AttributeReference>(a.value);
    });
}

/// Sizes of symbolic and unknown dimensions become 2.
std::optional<Shape> static_sizes(const Type& type) {
    if (!type.is_tensor() || !type.shape || type.dtype == DType::undefined) return std::nullopt;
    Shape sizes;
    for (const Dim& dim : *type.shape) sizes.push_back(dim.is_known() ? dim.value() : 2);
    const std::int64_t count = element_count(sizes);
    return count <= largest_input ? std::optional(sizes) : std::nullopt;
}

class Collector {
public:
    explicit Collector(std::string only) : only_(std::move(only)) {}

    void take_graph(const Graph& graph, const std::string& origin,
                    const std::map<std::string, Tensor>& given = {}) {
        for (NodeId id : graph.nodes()) take_node(graph, graph.node(id), origin, given);
    }
    void take_schema(const OpSchema& schema) {
        if (!wanted(schema.name) || schema.deprecated) return;
        OperatorCall call;
        call.schema = &schema;
        call.version = schema.since_version;
        call.origin = "schema";
        call.outputs = std::max<std::size_t>(1, schema.min_outputs);
        std::map<std::string, std::string> bound;
        const std::size_t most =
            schema.max_inputs == SIZE_MAX ? schema.min_inputs + 1 : schema.max_inputs;
        for (std::size_t i = 0; i < most; ++i) {
            const SchemaParameter* parameter = schema.input(i);
            const TypeConstraint* constraint = schema.constraint(parameter->type);
            std::string type = parameter->type;
            if (constraint) {
                const auto& allowed = constraint->allowed;
                type = std::ranges::find(allowed, "f32") != allowed.end() ? "f32" : allowed.front();
            }
            const auto dtype = dtype_from_name(type);
            if (!dtype) return;
            if (parameter->is_optional) call.inputs.emplace_back();
            else
                call.inputs.emplace_back(
                    ordinary_tensor(*dtype, is_integer(*dtype) ? Shape{1} : Shape{2, 4, 4, 4}));
        }
        for (const SchemaAttribute& a : schema.attributes) {
            if (!a.is_required) continue;
            if (a.kind == "i") call.set_attribute({a.name, std::int64_t{1}, {}, {}});
            else if (a.kind == "is")
                call.set_attribute({a.name, std::vector<std::int64_t>{1, 1}, {}, {}});
            else if (a.kind == "f") call.set_attribute({a.name, 1.0f, {}, {}});
            else if (a.kind == "fs") call.set_attribute({a.name, std::vector<float>{1, 1}, {}, {}});
            else if (a.kind == "s") call.set_attribute({a.name, std::string("linear"), {}, {}});
            else if (a.kind == "ss")
                call.set_attribute({a.name, std::vector<std::string>{"a"}, {}, {}});
            else if (a.kind == "t") call.set_attribute({a.name, Tensor::scalar(1.0f), {}, {}});
            else return;
        }
        calls_.push_back(std::move(call));
    }
    std::vector<OperatorCall> take() { return std::move(calls_); }

private:
    bool wanted(const std::string& op) const { return only_.empty() || op == only_; }

    void take_node(const Graph& graph, const Node& node, const std::string& origin,
                   const std::map<std::string, Tensor>& given) {
        if (!wanted(node.op_type) || !has_plain_attributes(node)) return;
        OperatorCall call;
        call.version = node.version;
        call.schema = find_schema(node.domain, node.op_type, node.version);
        if (!call.schema) return;
        call.attributes = node.attributes;
        call.outputs = node.outputs.size();
        call.origin = origin;
        std::string key = node.qualified_op() + "@" + std::to_string(call.schema->since_version);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            call.inputs.emplace_back();
            if (!node.inputs[i]) continue;
            const Value& value = graph.value(node.inputs[i]);
            const auto found = given.find(value.name);
            if (value.kind == ValueKind::initializer && value.constant &&
                value.constant->size() <= largest_input) {
                call.inputs[i] = *value.constant;
                call.constants.insert(i);
            } else if (found != given.end()) {
                call.inputs[i] = found->second;
            } else if (const auto shape = static_sizes(value.type)) {
                call.inputs[i] = ordinary_tensor(value.type.dtype, *shape);
            } else {
                return;
            }
            key += fmt::format(" {}{}r{}", i, name_of(call.inputs[i]->dtype()),
                               call.inputs[i]->rank());
        }
        for (const Attribute& a : node.attributes) {
            key += " " + a.name;
            if (const auto* word = std::get_if<std::string>(&a.value)) key += "=" + *word;
        }
        if (seen_.insert(key).second) calls_.push_back(std::move(call));
    }

    std::string only_;
    std::set<std::string> seen_;
    std::vector<OperatorCall> calls_;
};

void take_fixtures(Collector& collector, const std::string& only) {
    const auto take = [&](const std::string& text, std::int64_t opset, const std::string& origin) {
        if (text.empty() || (!only.empty() && text.find(only) == std::string::npos)) return;
        try {
            collector.take_graph(model_of(text, opset).graph, origin);
        } catch (const Error&) {  // cases of graphs that are refused
        }
    };
    for (const char* folder : {"passes", "shapes", "conversions"}) {
        for (const PassCase& c : read_pass_cases(fixtures_folder() / folder)) {
            take(c.before, c.opset, c.name);
            take(c.after, c.opset, c.name);
        }
    }
}

void take_conformance(Collector& collector, const std::string& only) {
    for (const auto& folder : find_onnx_cases(test_data() / "conformance")) {
        if (folder.string().ends_with("_expanded")) continue;
        if (!only.empty()) {
            std::ifstream file(folder / "model.onnx", std::ios::binary);
            const std::string bytes((std::istreambuf_iterator<char>(file)), {});
            if (bytes.find(only) == std::string::npos) continue;
        }
        try {
            const Model model = load_model(folder / "model.onnx");
            std::map<std::string, Tensor> given;
            std::size_t number = 0;
            for (ValueId id : model.graph.inputs()) {
                const Value& value = model.graph.value(id);
                const auto file = folder / "test_data_set_0" / fmt::format("input_{}.pb", number++);
                if (!value.type.is_tensor() || !std::filesystem::exists(file)) continue;
                const RuntimeValue data = load_value_proto(file, value.type).second;
                if (data.is_tensor() && data.tensor().size() <= largest_input)
                    given[value.name] = data.tensor();
            }
            collector.take_graph(model.graph, folder.filename().string(), given);
        } catch (const Error&) {}
    }
}

}  // namespace

void OperatorCall::set_attribute(Attribute attribute) {
    std::erase_if(attributes, [&](const Attribute& a) { return a.name == attribute.name; });
    attributes.push_back(std::move(attribute));
}

std::string OperatorCall::describe() const {
    std::string text = fmt::format("{}{}{}@{}(", schema->domain,
                                   schema->domain.empty() ? "" : "::", schema->name, version);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i) text += ", ";
        if (!inputs[i]) text += "_";
        else
            text += fmt::format("{}{}{}", constants.contains(i) ? "const " : "",
                                name_of(inputs[i]->dtype()), to_string(inputs[i]->shape()));
        if (inputs[i] && inputs[i]->size() <= 8 && is_integer(inputs[i]->dtype()))
            text += fmt::format("{{{}}}", fmt::join(to_int64s(*inputs[i]), ","));
    }
    text += ") {";
    for (const Attribute& a : attributes) text += attribute_text(a) + " ";
    return text + "} of " + origin;
}

std::optional<AttributeValue> default_of(const SchemaAttribute& attribute) {
    const std::string& text = attribute.default_text;
    if (text.empty()) return std::nullopt;
    if (attribute.kind == "i") return std::strtoll(text.c_str(), nullptr, 10);
    if (attribute.kind == "f") return std::strtof(text.c_str(), nullptr);
    if (attribute.kind == "s") return text;
    return std::nullopt;
}

Tensor ordinary_tensor(DType dtype, const Shape& shape) {
    Tensor t(dtype, shape);
    if (dtype == DType::string) {
        for (std::string& text : t.mutable_data<std::string>()) text = "a";
        return t;
    }
    bool filled = false;
    const auto fill = [&]<typename T>() {
        std::int64_t i = 0;
        for (T& v : t.mutable_data<T>()) {
            const std::int64_t n = (i++ * 7 + 3) % 11;
            if constexpr (std::is_same_v<T, bool>) v = n % 2 != 0;
            else if constexpr (std::is_integral_v<T>) v = static_cast<T>(n % 2);
            else v = static_cast<T>(static_cast<float>(n - 4) / 4);
        }
        filled = true;
    };
    [&]<typename... T>(TypeList<T...>) {
        ((dtype == dtype_of<T> ? fill.template operator()<T>() : void()), ...);
    }(NumericOrBoolTypes{});
    if (!filled)
        std::fill_n(static_cast<std::uint8_t*>(t.mutable_raw()), t.byte_size(), std::uint8_t{0x11});
    return t;
}

Model model_of_call(const OperatorCall& call, bool static_shapes) {
    Model model;
    model.ir_version = 10;
    model.opset_imports[""] = call.schema->domain.empty() ? call.version : max_onnx_opset;
    if (!call.schema->domain.empty()) model.opset_imports[call.schema->domain] = call.version;
    GraphEdit edit(model.graph);
    NodeSpec spec;
    spec.op_type = call.schema->name;
    spec.domain = call.schema->domain;
    spec.version = call.version;
    spec.attributes = call.attributes;
    spec.name = "node";
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const std::string name = "input" + std::to_string(i);
        if (!call.inputs[i]) {
            spec.inputs.emplace_back();
        } else if (call.constants.contains(i)) {
            spec.inputs.push_back(edit.add_initializer(name, *call.inputs[i]));
        } else {
            Type type = Type::tensor(call.inputs[i]->dtype());
            if (static_shapes)
                type.shape =
                    SymbolicShape(call.inputs[i]->shape().begin(), call.inputs[i]->shape().end());
            spec.inputs.push_back(edit.add_input(name, std::move(type)));
        }
    }
    for (std::size_t i = 0; i < call.outputs; ++i)
        spec.outputs.push_back(edit.add_value("output" + std::to_string(i)));
    for (ValueId id : spec.outputs) edit.add_output(id);
    edit.add_node(std::move(spec));
    edit.finish();
    return model;
}

NamedValues inputs_of_call(const OperatorCall& call) {
    NamedValues values;
    for (std::size_t i = 0; i < call.inputs.size(); ++i)
        if (call.inputs[i] && !call.constants.contains(i))
            values.emplace_back("input" + std::to_string(i), *call.inputs[i]);
    return values;
}

std::vector<OperatorCall> operator_calls(const std::string& only) {
    Collector collector(only);
    for (const OpSchema* schema : all_schemas()) collector.take_schema(*schema);
    take_fixtures(collector, only);
    take_conformance(collector, only);
    return collector.take();
}

}  // namespace lapidary::test
