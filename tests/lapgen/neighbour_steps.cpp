// SPDX-License-Identifier: Apache-2.0
#include "lapgen/neighbour_steps.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ops/schemas/schema.h"
#include "rewrite/constant_math.h"

namespace lapidary::lapgen {
namespace {

const std::vector<std::vector<std::string>> siblings{
    {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min"},
    {"Relu", "Sigmoid", "Tanh", "Erf", "Neg", "Exp", "Abs", "Softplus", "Identity", "Sqrt",
     "Reciprocal", "Clip"},
    {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin"},
    {"Softmax", "LogSoftmax"},
    {"AveragePool", "MaxPool"},
    {"GlobalAveragePool", "GlobalMaxPool"},
    {"Squeeze", "Unsqueeze"},
    {"Reshape", "Expand"},
    {"Gather", "GatherElements", "GatherND"},
    {"Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"},
    {"And", "Or", "Xor"},
    {"Floor", "Ceil", "Round"},
    {"ArgMax", "ArgMin"},
    {"Conv", "ConvTranspose"}};
const std::vector<DType> types{DType::f32,     DType::f64, DType::f16, DType::bf16, DType::i64,
                               DType::i32,     DType::u8,  DType::i8,  DType::u16,  DType::i16,
                               DType::boolean, DType::u4,  DType::i4};
const std::vector<std::string> words{
    "nearest",    "linear", "cubic", "constant", "reflect",      "edge",          "NOTSET",
    "SAME_UPPER", "VALID",  "none",  "tanh",     "half_pixel",   "align_corners", "asymmetric",
    "floor",      "DCR",    "CRD",   "reverse",  "bidirectional"};

bool has_numbers(const Value& v) {
    return v.is_constant() && v.constant && v.constant->dtype() != DType::string &&
           v.constant->size() > 0 && v.constant->size() <= most_printed_elements;
}

}  // namespace

std::int64_t EveryChoice::one_of(std::int64_t count) {
    if (depth_ == path_.size()) path_.emplace_back(0, count);
    return path_[depth_++].first;
}

std::int64_t EveryChoice::one_alike(std::int64_t count) {
    const std::int64_t answer = one_of(std::min<std::int64_t>(count, 3));
    return answer == 2 ? count - 1 : answer;
}

bool EveryChoice::next() {
    path_.resize(depth_);
    depth_ = 0;
    while (!path_.empty() && path_.back().first + 1 >= path_.back().second) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().first;
    return true;
}

std::string NeighbourSteps::step(std::int64_t kind) {
    using Step = std::string (NeighbourSteps::*)();
    constexpr std::array<Step, kinds> steps{&NeighbourSteps::one_more_output,
                                            &NeighbourSteps::one_more_reader,
                                            &NeighbourSteps::another_input_type,
                                            &NeighbourSteps::every_input_type,
                                            &NeighbourSteps::constant_becomes_input,
                                            &NeighbourSteps::another_constant,
                                            &NeighbourSteps::another_constant_shape,
                                            &NeighbourSteps::another_attribute,
                                            &NeighbourSteps::another_attribute_from_schema,
                                            &NeighbourSteps::omitted_input,
                                            &NeighbourSteps::swapped_operands,
                                            &NeighbourSteps::another_input,
                                            &NeighbourSteps::one_more_node_output,
                                            &NeighbourSteps::another_operator,
                                            &NeighbourSteps::identity_before,
                                            &NeighbourSteps::without_node,
                                            &NeighbourSteps::another_element_type,
                                            &NeighbourSteps::every_element_type,
                                            &NeighbourSteps::another_constant_size,
                                            &NeighbourSteps::copied_constant};
    const std::string text = (this->*steps[static_cast<std::size_t>(kind)])();
    edit_.finish();
    return text;
}

template <typename Fits>
ValueId NeighbourSteps::value_that(const Fits& fits) {
    std::vector<ValueId> list;
    for (ValueId id : graph_.values())
        if (fits(graph_.value(id))) list.push_back(id);
    return list.empty() ? ValueId() : pick(list);
}

const Node& NeighbourSteps::any_node() {
    return graph_.node(
        graph_.nodes()[static_cast<std::size_t>(choices_.one_of(std::ssize(graph_.nodes())))]);
}

std::size_t NeighbourSteps::any_input(const Node& node) {
    return static_cast<std::size_t>(choices_.one_of(std::ssize(node.inputs)));
}

std::string NeighbourSteps::one_more_output() {
    const ValueId id = value_that(
        [](const Value& v) { return v.kind == ValueKind::node_output && v.output_uses == 0; });
    if (!id) return {};
    edit_.add_output(id);
    return "an output more: " + graph_.value(id).name;
}

std::string NeighbourSteps::one_more_reader() {
    const ValueId id = value_that([](const Value& v) { return v.kind == ValueKind::node_output; });
    if (!id) return {};
    edit_.set_default_version(graph_.node(graph_.value(id).producer).domain.empty()
                                  ? graph_.node(graph_.value(id).producer).version
                                  : 13);
    edit_.add_output(edit_.node("Identity", {id}));
    return "a reader more: " + graph_.value(id).name;
}

std::string NeighbourSteps::another_input_type() {
    const ValueId id = value_that([](const Value& v) {
        return v.kind == ValueKind::input && v.type.is_tensor() && v.type.shape;
    });
    if (!id) return {};
    Type type = graph_.value(id).type;
    const Type full = type;
    const std::int64_t kind = choices_.one_of(6);
    if (kind > 0 && type.shape->empty()) return {};
    const auto axis = kind > 0 && kind < 4
                          ? static_cast<std::size_t>(choices_.one_of(std::ssize(*type.shape)))
                          : 0;
    if (kind == 0) type.shape.reset();
    else if (kind == 1) (*type.shape)[axis] = Dim();
    else if (kind == 2) (*type.shape)[axis] = Dim::symbolic("other");
    else if (kind == 3) (*type.shape)[axis] = Dim(pick(std::vector<std::int64_t>{1, 2, 3, 4, 6}));
    else if (kind == 4) type.shape->insert(type.shape->begin(), Dim(1 + choices_.one_of(2)));
    else type.shape->erase(type.shape->begin());
    if (kind < 3) full_types.try_emplace(graph_.value(id).name, full);
    edit_.set_type(id, type);
    return graph_.value(id).name + " is " + to_string(type);
}

std::string NeighbourSteps::every_input_type() {
    const std::int64_t kind = choices_.one_of(4);
    bool changed = false;
    for (ValueId id : std::vector<ValueId>(graph_.inputs().begin(), graph_.inputs().end())) {
        Type type = graph_.value(id).type;
        if (!type.is_tensor() || !type.shape || (kind > 0 && type.shape->empty())) continue;
        full_types.try_emplace(graph_.value(id).name, type);
        if (kind == 0) type.shape.reset();
        else if (kind == 1) (*type.shape)[0] = Dim::symbolic("first");
        else if (kind == 2) type.shape->back() = Dim::symbolic("last");
        else std::ranges::fill(*type.shape, Dim());
        edit_.set_type(id, type);
        changed = true;
    }
    const std::array<std::string, 4> words_of{"of unknown rank", "of symbolic first size",
                                              "of symbolic last size", "of unknown sizes"};
    return changed ? "every input " + words_of[static_cast<std::size_t>(kind)] : std::string();
}

std::string NeighbourSteps::constant_becomes_input() {
    const ValueId id = value_that([](const Value& v) {
        return v.is_constant() && v.constant && v.constant->dtype() != DType::string;
    });
    if (!id) return {};
    const Tensor tensor = *graph_.value(id).constant;
    const SymbolicShape shape(tensor.shape().begin(), tensor.shape().end());
    const ValueId input =
        edit_.add_input("given_" + graph_.value(id).name, Type::tensor(tensor.dtype(), shape));
    edit_.replace_uses(id, input);
    given.emplace_back(graph_.value(input).name, RuntimeValue(tensor));
    return graph_.value(id).name + " is an input";
}

std::string NeighbourSteps::another_constant() {
    const ValueId id = value_that(has_numbers);
    if (!id) return {};
    std::vector<double> values = to_doubles(*graph_.value(id).constant);
    if (values.size() > 8 && is_float(graph_.value(id).constant->dtype())) return {};  // weights
    const auto at = static_cast<std::size_t>(choices_.one_alike(std::ssize(values)));
    const double old = values[at];
    const std::vector<double> others{old + 1, old - 1, -old,        0,         1,
                                     -1,      2 * old, old * 1.001, values[0], old + 100};
    values[at] = pick(others);
    if (values[at] == old) return {};
    edit_.set_constant(id, tensor_of_doubles(graph_.value(id).constant->dtype(),
                                             graph_.value(id).constant->shape(), values));
    return fmt::format("{}[{}] is {}", graph_.value(id).name, at, values[at]);
}

std::string NeighbourSteps::another_constant_shape() {
    const ValueId id = value_that([](const Value& v) { return v.is_constant() && v.constant; });
    if (!id) return {};
    const Tensor& tensor = *graph_.value(id).constant;
    Shape shape = tensor.shape();
    const std::int64_t kind = choices_.one_of(6);
    if (kind == 0) shape.insert(shape.begin(), 1);
    else if (kind == 1) shape.push_back(1);
    else if (kind == 2) shape.insert(shape.begin(), 3, 1);
    else if (kind == 3 && !shape.empty() && shape[0] == 1) shape.erase(shape.begin());
    else if (kind == 4 && shape.size() > 1 && shape.back() == 1) shape.pop_back();
    else if (kind == 5 && shape.size() > 1) shape = {tensor.size()};
    else return {};
    edit_.set_constant(id, tensor.reshaped(shape));
    return graph_.value(id).name + " has shape " + to_string(shape);
}

std::string NeighbourSteps::another_attribute() {
    const Node& node = any_node();
    if (node.attributes.empty()) return {};
    Attribute a = pick(node.attributes);
    const std::string text = "attribute " + a.name + " of " + node.op_type;
    if (choices_.one_of(2) == 0) {
        edit_.remove_attribute(node.id, a.name);
        return "no " + text;
    }
    if (auto* i = std::get_if<std::int64_t>(&a.value))
        *i = pick(std::vector<std::int64_t>{*i + 1, *i - 1, 0, 1, -*i, 1 - *i, 10, 16});
    else if (auto* f = std::get_if<float>(&a.value))
        *f = pick(std::vector<float>{*f + 1, 0.5f * *f, 0, 1, -*f});
    else if (auto* s = std::get_if<std::string>(&a.value)) *s = pick(words);
    else if (auto* is = std::get_if<std::vector<std::int64_t>>(&a.value); is && !is->empty()) {
        const std::int64_t kind = choices_.one_of(4);
        if (kind == 0) std::ranges::reverse(*is);
        else if (kind == 1) is->pop_back();
        else if (kind == 2) is->push_back(is->back());
        else {
            std::int64_t& one =
                (*is)[static_cast<std::size_t>(choices_.one_alike(std::ssize(*is)))];
            one = pick(
                std::vector<std::int64_t>{one + 1, one - 1, 0, 1, 2, -1, is->front(), is->back()});
        }
    } else return {};
    edit_.set_attribute(node.id, std::move(a));
    return text;
}

std::string NeighbourSteps::another_attribute_from_schema() {
    const Node& node = any_node();
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (!schema || schema->attributes.empty()) return {};
    const SchemaAttribute& wanted = pick(schema->attributes);
    if (node.has_attribute(wanted.name)) return {};
    Attribute a{wanted.name, std::int64_t{0}, {}, {}};
    if (wanted.kind == "i") a.value = pick(std::vector<std::int64_t>{0, 1, 2, -1, 3, 16});
    else if (wanted.kind == "f") a.value = pick(std::vector<float>{0.5f, 2.0f, 0.01f});
    else if (wanted.kind == "s") a.value = pick(words);
    else if (wanted.kind == "is") {
        const auto size = static_cast<std::size_t>(1 + choices_.one_of(4));
        a.value = std::vector<std::int64_t>(size, choices_.one_of(3));
    } else return {};
    edit_.set_attribute(node.id, std::move(a));
    return "attribute " + wanted.name + " of " + node.op_type;
}

std::string NeighbourSteps::omitted_input() {
    const Node& node = any_node();
    if (node.inputs.empty()) return {};
    const std::size_t at = any_input(node);
    edit_.set_input(node.id, at, {});
    return fmt::format("input {} of {} omitted", at, node.op_type);
}

std::string NeighbourSteps::swapped_operands() {
    const Node& node = any_node();
    if (node.inputs.size() < 2) return {};
    const ValueId left = node.inputs[0], right = node.inputs[1];
    edit_.set_input(node.id, 0, right);
    edit_.set_input(node.id, 1, left);
    return "operands of " + node.op_type + " swapped";
}

std::string NeighbourSteps::another_input() {
    const Node& node = any_node();
    if (node.inputs.empty()) return {};
    const std::size_t at = any_input(node);
    if (!node.inputs[at]) return {};
    const bool computed = choices_.one_of(2) == 1;
    std::vector<ValueId> list;
    for (ValueId id : graph_.values()) {
        const Value& v = graph_.value(id);
        const bool fits = computed ? v.kind == ValueKind::node_output
                                   : v.kind == ValueKind::input || v.kind == ValueKind::initializer;
        if (fits && id != node.inputs[at] &&
            v.type.dtype == graph_.value(node.inputs[at]).type.dtype)
            list.push_back(id);
    }
    if (list.empty()) return {};
    const ValueId other = list[static_cast<std::size_t>(choices_.one_alike(std::ssize(list)))];
    edit_.set_input(node.id, at, other);
    return fmt::format("input {} of {} is {}", at, node.op_type, graph_.value(other).name);
}

std::string NeighbourSteps::one_more_node_output() {
    const Node& node = any_node();
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (!schema || schema->max_outputs <= node.outputs.size()) return {};
    const ValueId out = edit_.add_value("more");
    edit_.set_output(node.id, node.outputs.size(), out);
    edit_.add_output(out);
    return "one more output of " + node.op_type;
}

std::string NeighbourSteps::another_operator() {
    const Node& node = any_node();
    const std::string old = node.op_type;
    for (const auto& family : siblings) {
        if (!node.domain.empty() || std::ranges::find(family, old) == family.end()) continue;
        const std::string& other = pick(family);
        if (other == old) break;
        edit_.set_operator(node.id, "", other, node.version);
        return old + " became " + other;
    }
    edit_.set_operator(node.id, "unknown.domain", old, 1);
    return old + " of an unknown domain";
}

std::string NeighbourSteps::identity_before() {
    const Node& node = any_node();
    if (node.inputs.empty()) return {};
    const std::size_t at = any_input(node);
    const NodeId id = node.id;
    const ValueId input = node.inputs[at];
    if (!input) return {};
    const bool is_known = choices_.one_of(2) == 0;
    const std::string text =
        fmt::format("{} before input {} of {}", is_known ? "an Identity" : "an unknown operator",
                    at, node.op_type);
    edit_.set_default_version(node.domain.empty() ? node.version : 13);
    const ValueId value = edit_.node("Identity", {input});
    if (!is_known)
        edit_.set_operator(graph_.value(value).producer, "unknown.domain", "Identity", 1);
    edit_.set_input(id, at, value);
    return text;
}

std::string NeighbourSteps::without_node() {
    const Node& node = any_node();
    if (node.inputs.empty() || node.outputs.size() != 1 ||
        graph_.value(node.outputs[0]).output_uses > 0)
        return {};
    const std::size_t at = any_input(node);
    if (!node.inputs[at] ||
        graph_.value(node.inputs[at]).type.dtype != graph_.value(node.outputs[0]).type.dtype)
        return {};
    const std::string text = "without " + node.op_type;
    edit_.replace_uses(node.outputs[0], node.inputs[at]);
    edit_.erase(node.id);
    return text;
}

void NeighbourSteps::set_element_type(ValueId id, DType dtype) {
    const Value& v = graph_.value(id);
    if (v.is_constant() && v.constant)
        edit_.set_constant(id,
                           tensor_of_doubles(dtype, v.constant->shape(), to_doubles(*v.constant)));
    else if (v.kind == ValueKind::input && v.type.shape)
        edit_.set_type(id, Type::tensor(dtype, *v.type.shape));
}

std::string NeighbourSteps::another_element_type() {
    const ValueId id =
        value_that([](const Value& v) { return v.kind == ValueKind::input || has_numbers(v); });
    if (!id) return {};
    const DType to = pick(types);
    if (to == graph_.value(id).type.dtype || graph_.value(id).type.dtype == DType::string)
        return {};
    set_element_type(id, to);
    return graph_.value(id).name + " became " + std::string(name_of(to));
}

std::string NeighbourSteps::every_element_type() {
    const ValueId one =
        value_that([](const Value& v) { return v.kind == ValueKind::input || has_numbers(v); });
    if (!one) return {};
    const DType from = graph_.value(one).type.dtype, to = pick(types);
    bool is_first = true;
    for (ValueId id : graph_.values()) {
        const Value& v = graph_.value(id);
        if (v.type.dtype != from ||
            !(v.kind == ValueKind::input || (v.is_constant() && v.constant)))
            continue;
        if (is_first && id != one) return {};  // that one stands for all of its type
        is_first = false;
        if (to != from) set_element_type(id, to);
    }
    return to == from ? std::string()
                      : fmt::format("every {} became {}", name_of(from), name_of(to));
}

std::string NeighbourSteps::another_constant_size() {
    const ValueId id = value_that([](const Value& v) {
        return v.is_constant() && v.constant && v.constant->rank() > 0 &&
               v.constant->dtype() != DType::string && v.constant->size() <= 4096;
    });
    if (!id) return {};
    const Tensor& tensor = *graph_.value(id).constant;
    const auto axis =
        static_cast<std::size_t>(choices_.one_of(static_cast<std::int64_t>(tensor.rank())));
    const std::int64_t old = tensor.dim(axis), size = choices_.one_of(2) == 0 ? old - 1 : old + 1;
    if (old == 0) return {};
    Shape shape = tensor.shape();
    shape[axis] = size;
    std::int64_t inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    const std::vector<double> from = to_doubles(tensor);
    std::vector<double> values;
    for (std::int64_t i = 0; i < element_count(shape); ++i) {
        const std::int64_t outer = i / (inner * size), at = std::min(i / inner % size, old - 1);
        values.push_back(from[static_cast<std::size_t>((outer * old + at) * inner + i % inner)]);
    }
    edit_.set_constant(id, tensor_of_doubles(tensor.dtype(), shape, values));
    return graph_.value(id).name + " has shape " + to_string(shape);
}

std::string NeighbourSteps::copied_constant() {
    const Node& node = any_node();
    if (node.inputs.empty()) return {};
    const std::size_t at = any_input(node);
    const ValueId input = node.inputs[at];
    if (!input || !graph_.value(input).is_constant() || !graph_.value(input).constant ||
        graph_.value(input).uses.size() < 2)
        return {};
    const std::string text =
        fmt::format("a copy of {} is input {} of {}", graph_.value(input).name, at, node.op_type);
    const NodeId id = node.id;
    edit_.set_input(id, at,
                    edit_.add_initializer(edit_.fresh_name("copy"), *graph_.value(input).constant));
    return text;
}

}  // namespace lapidary::lapgen
