// SPDX-License-Identifier: Apache-2.0
#include "lapgen/neighbour.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/graph_edit.h>
#include <lapidary/graph_text.h>
#include <lapidary/infer.h>
#include <lapidary/session.h>

#include "ops/schema.h"
#include "passes/constant_math.h"
#include "report/held_in_float32.h"

namespace lapidary::lapgen {
namespace {

constexpr std::int64_t printed_elements = 64;

const std::vector<std::vector<std::string>> siblings{{"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min"},
                                                     {"Relu", "Sigmoid", "Tanh", "Erf", "Neg", "Exp", "Abs", "Softplus", "Identity"},
                                                     {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin"},
                                                     {"Softmax", "LogSoftmax"},
                                                     {"AveragePool", "MaxPool"},
                                                     {"GlobalAveragePool", "GlobalMaxPool"}};
const std::vector<std::vector<DType>> type_families{{DType::f32, DType::f64, DType::f16}, {DType::i64, DType::i32}, {DType::u8, DType::i8, DType::u16, DType::i16}};
const std::vector<std::string> words{"nearest", "linear",     "cubic",         "constant",   "reflect", "edge",       "NOTSET",        "SAME_UPPER", "SAME_LOWER", "VALID", "none",
                                     "tanh",    "half_pixel", "align_corners", "asymmetric", "floor",   "round_prefer_ceil", "DCR", "CRD", "forward", "reverse", "bidirectional"};

class Walk {
public:
    Walk(Model& model, std::uint64_t seed) : model_(model), graph_(model.graph), edit_(model.graph), random_(seed) {}

    /// What was done, or empty when that did not fit.
    std::string step() {
        switch (number(0, 11)) {
        case 0: return one_more_output();
        case 1: return another_input_type();
        case 2: return constant_becomes_input();
        case 3: return another_constant();
        case 4: return another_constant_shape();
        case 5: case 6: return another_attribute();
        case 7: return another_attribute_from_schema();
        case 8: return other_inputs();
        case 9: return one_more_node_output();
        case 10: return another_operator();
        default: return another_element_type();
        }
    }
    /// Inputs that were constants keep their values.
    NamedValues given;
    /// Inputs whose declaration says less than before, as it was.
    std::map<std::string, Type> full_types;
    std::int64_t number(std::int64_t least, std::int64_t most) { return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1)); }

private:
    template <typename T>
    const T& pick(const std::vector<T>& list) { return list[static_cast<std::size_t>(number(0, std::ssize(list) - 1))]; }
    template <typename Fits>
    ValueId value_that(const Fits& fits) {
        std::vector<ValueId> list;
        for (ValueId id : graph_.values())
            if (fits(graph_.value(id))) list.push_back(id);
        return list.empty() ? ValueId() : pick(list);
    }
    const Node& any_node() { return graph_.node(graph_.nodes()[static_cast<std::size_t>(number(0, std::ssize(graph_.nodes()) - 1))]); }
    static bool has_numbers(const Value& v) { return v.is_constant() && v.constant && v.constant->dtype() != DType::string && v.constant->size() > 0 && v.constant->size() <= printed_elements; }

    std::string one_more_output() {
        const ValueId id = value_that([](const Value& v) { return v.kind == ValueKind::node_output && v.output_uses == 0; });
        if (!id) return {};
        edit_.add_output(id);
        return "an output more: " + graph_.value(id).name;
    }

    std::string another_input_type() {
        const ValueId id = value_that([](const Value& v) { return v.kind == ValueKind::input && v.type.is_tensor() && v.type.shape; });
        if (!id) return {};
        Type type = graph_.value(id).type;
        const Type full = type;
        const std::int64_t kind = number(0, 4);
        if (kind > 0 && type.shape->empty()) return {};
        const auto axis = kind > 0 ? static_cast<std::size_t>(number(0, std::ssize(*type.shape) - 1)) : 0;
        if (kind == 0) type.shape.reset();
        else if (kind == 1) (*type.shape)[axis] = Dim();
        else if (kind == 2) (*type.shape)[axis] = Dim::symbolic("other");
        else if (kind == 3) (*type.shape)[axis] = Dim(number(1, 6));
        else type.shape->insert(type.shape->begin(), Dim(number(1, 2)));
        if (kind < 3) full_types.try_emplace(graph_.value(id).name, full);
        edit_.set_type(id, type);
        return graph_.value(id).name + " is " + to_string(type);
    }

    std::string constant_becomes_input() {
        const ValueId id = value_that(has_numbers);
        if (!id) return {};
        const Tensor tensor = *graph_.value(id).constant;
        const ValueId input = edit_.add_input("given_" + graph_.value(id).name, Type::tensor(tensor.dtype(), SymbolicShape(tensor.shape().begin(), tensor.shape().end())));
        edit_.replace_uses(id, input);
        given.emplace_back(graph_.value(input).name, RuntimeValue(tensor));
        return graph_.value(id).name + " is an input";
    }

    std::string another_constant() {
        const ValueId id = value_that(has_numbers);
        if (!id) return {};
        std::vector<double> values = to_doubles(*graph_.value(id).constant);
        const auto at = static_cast<std::size_t>(number(0, std::ssize(values) - 1));
        const std::vector<double> others{values[at] + 1, values[at] - 1, -values[at], 0, 1, 2 * values[at], values[0], values[at] * 1.001};
        values[at] = pick(others);
        edit_.set_constant(id, tensor_of_doubles(graph_.value(id).constant->dtype(), graph_.value(id).constant->shape(), values));
        return fmt::format("{}[{}] is {}", graph_.value(id).name, at, values[at]);
    }

    std::string another_constant_shape() {
        const ValueId id = value_that([](const Value& v) { return v.is_constant() && v.constant; });
        if (!id) return {};
        const Tensor& tensor = *graph_.value(id).constant;
        Shape shape = tensor.shape();
        const std::int64_t kind = number(0, 2);
        if (kind == 0) shape.insert(shape.begin(), 1);
        else if (kind == 1) shape.push_back(1);
        else if (!shape.empty() && shape[0] == 1) shape.erase(shape.begin());
        else return {};
        edit_.set_constant(id, tensor.reshaped(shape));
        return graph_.value(id).name + " has shape " + to_string(shape);
    }

    std::string another_attribute() {
        const Node& node = any_node();
        if (node.attributes.empty()) return {};
        Attribute a = pick(node.attributes);
        const std::string text = "attribute " + a.name + " of " + node.op_type;
        if (number(0, 3) == 0) {
            edit_.remove_attribute(node.id, a.name);
            return "no " + text;
        }
        if (auto* i = std::get_if<std::int64_t>(&a.value)) *i = pick(std::vector<std::int64_t>{*i + 1, *i - 1, 0, 1, -*i, 1 - *i, 10, 16});
        else if (auto* f = std::get_if<float>(&a.value)) *f = pick(std::vector<float>{*f + 1, 0.5f * *f, 0, 1, -*f});
        else if (auto* s = std::get_if<std::string>(&a.value)) *s = pick(words);
        else if (auto* is = std::get_if<std::vector<std::int64_t>>(&a.value); is && !is->empty()) {
            std::int64_t& one = (*is)[static_cast<std::size_t>(number(0, std::ssize(*is) - 1))];
            const std::int64_t kind = number(0, 5);
            if (kind == 0) std::ranges::reverse(*is);
            else if (kind == 1) is->pop_back();
            else one = pick(std::vector<std::int64_t>{one + 1, one - 1, 0, 1, 2});
        } else return {};
        edit_.set_attribute(node.id, std::move(a));
        return text;
    }

    std::string another_attribute_from_schema() {
        const Node& node = any_node();
        const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
        if (!schema || schema->attributes.empty()) return {};
        const SchemaAttribute& wanted = pick(schema->attributes);
        Attribute a{wanted.name, std::int64_t{0}, {}, {}};
        if (wanted.kind == "i") a.value = pick(std::vector<std::int64_t>{0, 1, 2, -1, 3});
        else if (wanted.kind == "f") a.value = pick(std::vector<float>{0.5f, 2.0f, 0.01f});
        else if (wanted.kind == "s") a.value = pick(words);
        else if (wanted.kind == "is") a.value = std::vector<std::int64_t>(static_cast<std::size_t>(number(1, 4)), number(0, 2));
        else return {};
        edit_.set_attribute(node.id, std::move(a));
        return "attribute " + wanted.name + " of " + node.op_type;
    }

    std::string other_inputs() {
        const Node& node = any_node();
        if (node.inputs.empty()) return {};
        const auto at = static_cast<std::size_t>(number(0, std::ssize(node.inputs) - 1));
        const std::int64_t kind = number(0, 2);
        if (kind == 0 && node.inputs.size() > 1) {
            const ValueId left = node.inputs[0], right = node.inputs[1];
            edit_.set_input(node.id, 0, right);
            edit_.set_input(node.id, 1, left);
            return "operands of " + node.op_type + " swapped";
        }
        if (kind == 1) {
            edit_.set_input(node.id, at, {});
            return fmt::format("input {} of {} omitted", at, node.op_type);
        }
        const ValueId other = value_that([&](const Value& v) {
            return (v.kind == ValueKind::input || v.kind == ValueKind::initializer) && node.inputs[at] && v.id != node.inputs[at] && v.type.dtype == graph_.value(node.inputs[at]).type.dtype;
        });
        if (!other) return {};
        edit_.set_input(node.id, at, other);
        return fmt::format("input {} of {} is {}", at, node.op_type, graph_.value(other).name);
    }

    std::string one_more_node_output() {
        const Node& node = any_node();
        const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
        if (!schema || schema->max_outputs <= node.outputs.size()) return {};
        const ValueId out = edit_.add_value("more");
        edit_.set_output(node.id, node.outputs.size(), out);
        edit_.add_output(out);
        return "one more output of " + node.op_type;
    }

    std::string another_operator() {
        const Node& node = any_node();
        if (!node.domain.empty()) return {};
        for (const auto& family : siblings) {
            if (std::ranges::find(family, node.op_type) == family.end()) continue;
            const std::string old = node.op_type;
            edit_.set_operator(node.id, "", pick(family), node.version);
            return old + " became " + node.op_type;
        }
        const ValueId in = node.inputs.empty() ? ValueId() : pick(node.inputs);
        if (!in) return {};
        const auto at = static_cast<std::size_t>(std::ranges::find(node.inputs, in) - node.inputs.begin());
        edit_.set_default_version(node.version);
        edit_.set_input(node.id, at, edit_.node("Identity", {in}));
        return "an Identity before " + node.op_type;
    }

    std::string another_element_type() {
        const std::vector<DType>& family = pick(type_families);
        const DType from = pick(family), to = pick(family);
        const bool all = number(0, 1) == 1;
        const ValueId one = value_that([&](const Value& v) { return (v.kind == ValueKind::input || has_numbers(v)) && v.type.dtype == from; });
        if (from == to || !one) return {};
        for (ValueId id : graph_.values()) {
            const Value& v = graph_.value(id);
            if ((!all && id != one) || v.type.dtype != from) continue;
            if (v.is_constant() && v.constant) edit_.set_constant(id, tensor_of_doubles(to, v.constant->shape(), to_doubles(*v.constant)));
            else if (v.kind == ValueKind::input && v.type.shape) edit_.set_type(id, Type::tensor(to, *v.type.shape));
        }
        return fmt::format("{} {} became {}", all ? "every" : graph_.value(one).name, name_of(from), name_of(to));
    }

    Model& model_;
    Graph& graph_;
    GraphEdit edit_;
    std::mt19937_64 random_;
};

NamedValues inputs_of(const Model& model, const Walk& walk, const test::PassCase& c) {
    Model typed = model;
    GraphEdit edit(typed.graph);
    for (const auto& [name, type] : walk.full_types)
        if (const ValueId id = typed.graph.find_value(name)) edit.set_type(id, type);
    GenerateOptions options;
    options.seed = 1;
    options.dimensions = c.dimensions;
    NamedValues inputs = walk.given;
    for (auto& [name, value] : generate_inputs(typed, walk.given, options)) inputs.emplace_back(name, std::move(value));
    return inputs;
}

std::string text_of(const OptimizeResult& result) {
    std::string text = test::structure_of(result.model.graph);
    for (const AppliedRewrite& r : result.report.rewrites) text += r.rewrite.pass + ": " + r.rewrite.remark + "\n";
    for (const NearMiss& m : result.report.near_misses) text += "missed " + m.pass + ": " + m.reason + "\n";
    return text;
}

}  // namespace

std::optional<Neighbour> neighbour(const test::PassCase& c, std::uint64_t seed) {
    try {
        Model model = test::model_of(c.before, c.opset);
        Neighbour found;
        found.pass_case = c;
        Walk walk(model, seed);
        if (walk.number(0, 15) == 0) {
            found.pass_case.opset = std::vector<std::int64_t>{10, 11, 12, 13, 17, 18, 20, 22}[static_cast<std::size_t>(walk.number(0, 7))];
            found.step = fmt::format("opset {}", found.pass_case.opset);
        } else {
            for (std::int64_t i = walk.number(0, 3) == 0 ? 2 : 1; i > 0; --i) {
                const std::string step = walk.step();
                if (step.empty()) return std::nullopt;
                found.step += (found.step.empty() ? "" : "; ") + step;
            }
        }
        GraphTextOptions options;
        options.opset = c.opset;
        options.printed_elements = printed_elements;
        found.pass_case.before = print_graph(model.graph, options);
        found.full_types = walk.full_types;
        const Model changed = test::model_of(found.pass_case.before, found.pass_case.opset);
        try {
            found.inputs = inputs_of(changed, walk, c);
        } catch (const Error&) {
            found.inputs.clear();  // only optimized
        }
        return found;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::string check_neighbour(const Neighbour& neighbour, std::string* result) {
    const test::PassCase& c = neighbour.pass_case;
    SessionOptions session;
    session.intra_threads = 1;
    session.winograd = false;
    const auto run = [&](const Model& m) { return Session::compile(std::make_shared<const Model>(m), session).run(neighbour.inputs).outputs; };
    const Model before = test::model_of(c.before, c.opset);
    NamedValues expected;
    bool runs = c.runs && !neighbour.inputs.empty();
    try {
        if (runs) expected = run(before);
    } catch (const Error&) {
        runs = false;
    }
    try {
        const OptimizeResult optimized = optimize(before, test::options_of(c));
        if (result) *result = text_of(optimized);
        if (!runs || keeps_excess_precision(optimized.model)) return {};
        const NamedValues found = run(optimized.model);
        if (expected.size() != found.size()) return fmt::format("{} outputs became {}", expected.size(), found.size());
        const double tolerance = std::max(c.tolerance, 1e-3);
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (const Comparison cmp = compare(found[i].second, expected[i].second, {tolerance, tolerance}); !cmp.matches)
                return "output " + quote(expected[i].first) + ": " + cmp.reason;
    } catch (const Error& error) {
        return runs ? std::string("threw ") + error.what() : error.code() == ErrorCode::internal ? std::string("internal: ") + error.what() : std::string();
    }
    return {};
}

}  // namespace lapidary::lapgen
