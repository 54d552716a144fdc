// SPDX-License-Identifier: Apache-2.0
// The guard has to refuse what a wrong pass would make: one mistake at a time is planted in an
// optimized model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/proof/guard.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

/// A mistake at a node of the main graph, given by its id, which copies of the model share.
struct Plant {
    std::string what;
    NodeId node;
    std::function<void(GraphEdit&, const Node&)> make;
};

bool is_varying(const Graph& graph, ValueId id) { return id && !graph.value(id).is_constant(); }
bool same_type(const Graph& graph, ValueId a, ValueId b) {
    return graph.value(a).type.dtype == graph.value(b).type.dtype &&
           graph.value(a).type.shape == graph.value(b).type.shape;
}

void swap_inputs(GraphEdit& edit, const Node& node, std::size_t a, std::size_t b) {
    const ValueId first = node.inputs[a], second = node.inputs[b];
    edit.set_input(node.id, a, second);
    edit.set_input(node.id, b, first);
}

/// Another operator of the same inputs: what a rule with a wrong name on its right side makes.
void plant_operators(std::vector<Plant>& out, const Node& node) {
    static const std::map<std::string, std::string> others{{"Add", "Sub"},
                                                           {"Sub", "Add"},
                                                           {"Mul", "Add"},
                                                           {"Div", "Mul"},
                                                           {"Max", "Min"},
                                                           {"Min", "Max"},
                                                           {"Sigmoid", "Tanh"},
                                                           {"Tanh", "Sigmoid"},
                                                           {"Relu", "Abs"},
                                                           {"MaxPool", "AveragePool"},
                                                           {"GlobalAveragePool", "GlobalMaxPool"}};
    const auto other = others.find(node.op_type);
    if (!node.domain.empty() || other == others.end() || node.outputs.size() != 1) return;
    out.push_back(
        {"as " + other->second, node.id, [to = other->second](GraphEdit& edit, const Node& n) {
             edit.set_operator(n.id, "", to, n.version);
         }});
}

/// An operand forgotten, or both exchanged.
void plant_operands(std::vector<Plant>& out, const Graph& graph, const Node& node) {
    static const std::vector<std::string> ordered{"Sub", "Div", "Pow", "Concat", "MatMul"};
    const bool has_two = node.inputs.size() >= 2 && node.inputs[0] && node.inputs[1];
    if (has_two && std::ranges::find(ordered, node.op_type) != ordered.end() &&
        same_type(graph, node.inputs[0], node.inputs[1]))
        out.push_back({"operands exchanged", node.id,
                       [](GraphEdit& edit, const Node& n) { swap_inputs(edit, n, 0, 1); }});
    if (node.outputs.size() != 1 || node.inputs.empty() || !is_varying(graph, node.inputs[0]) ||
        !same_type(graph, node.inputs[0], node.outputs[0]))
        return;
    static const std::vector<std::string> kept{"Identity", "Dropout", "Cast", "Reshape"};
    if (std::ranges::find(kept, node.op_type) == kept.end())
        out.push_back({"left out", node.id, [](GraphEdit& edit, const Node& n) {
                           edit.replace_uses(n.outputs[0], n.inputs[0]);
                       }});
}

/// A weight with a row forgotten or two exchanged, as by a wrong offset.
void plant_constants(std::vector<Plant>& out, const Graph& graph, const Node& node) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId id = node.inputs[i];
        if (!id || !graph.value(id).is_constant() || !graph.value(id).constant) continue;
        const Tensor& t = *graph.value(id).constant;
        if (t.dtype() != DType::f32 || t.rank() < 1 || t.dim(0) < 2 || t.size() < 4) continue;
        const auto row = static_cast<std::size_t>(t.size()) / static_cast<std::size_t>(t.dim(0));
        out.push_back({"a row of input " + std::to_string(i) + " forgotten", node.id,
                       [i, row](GraphEdit& edit, const Node& n) {
                           Tensor changed = edit.graph().value(n.inputs[i]).constant->clone();
                           std::ranges::fill(changed.mutable_data<float>().subspan(0, row), 0.0f);
                           edit.set_input(n.id, i, edit.add_initializer("", std::move(changed)));
                       }});
        out.push_back({"two rows of input " + std::to_string(i) + " exchanged", node.id,
                       [i, row](GraphEdit& edit, const Node& n) {
                           Tensor changed = edit.graph().value(n.inputs[i]).constant->clone();
                           const auto values = changed.mutable_data<float>();
                           std::swap_ranges(values.begin(),
                                            values.begin() + static_cast<std::ptrdiff_t>(row),
                                            values.begin() + static_cast<std::ptrdiff_t>(row));
                           edit.set_input(n.id, i, edit.add_initializer("", std::move(changed)));
                       }});
    }
}

/// An attribute lost or read wrongly.
void plant_attributes(std::vector<Plant>& out, const Node& node) {
    for (const Attribute& a : node.attributes) {
        const auto number = std::get_if<float>(&a.value);
        const auto list = std::get_if<std::vector<std::int64_t>>(&a.value);
        if (a.name == "activation")
            out.push_back({"without its activation", node.id, [](GraphEdit& edit, const Node& n) {
                               edit.remove_attribute(n.id, "activation");
                           }});
        if (number && (a.name == "alpha" || a.name == "beta" || a.name == "scale"))
            out.push_back({a.name + " changed", node.id,
                           [name = a.name, value = *number](GraphEdit& edit, const Node& n) {
                               edit.set_attribute(n.id, {name, value * 1.25f + 0.1f, {}, {}});
                           }});
        if (list && a.name == "pads" && list->size() == 4 && (*list)[0] == (*list)[2] &&
            (*list)[0] > 0)
            out.push_back({"pads moved", node.id, [value = *list](GraphEdit& edit, const Node& n) {
                               std::vector<std::int64_t> moved = value;
                               --moved[0], ++moved[2];
                               edit.set_attribute(n.id, {"pads", moved, {}, {}});
                           }});
    }
}

std::vector<Plant> plants_in(const Model& model) {
    std::vector<Plant> out;
    for (const NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        plant_operators(out, node);
        plant_operands(out, model.graph, node);
        plant_constants(out, model.graph, node);
        plant_attributes(out, node);
    }
    return out;
}

/// The model with the mistake; nothing where it cannot run so at all.
std::optional<Model> planted(const Model& model, const Plant& plant) {
    try {
        Model wrong = model;
        {
            GraphEdit edit(wrong.graph);
            plant.make(edit, wrong.graph.node(plant.node));
            edit.finish();
        }
        infer_types(wrong);
        return wrong;
    } catch (const Error&) { return std::nullopt; }
}

NamedValues outputs_of(const Model& model, const NamedValues& inputs) {
    SessionOptions options;
    options.resources.threads = 1;
    return Session::compile(std::make_shared<const Model>(model), options).run(inputs).outputs;
}

/// Some mistakes change nothing: a constant added to all scores before a Softmax, a row of zeros
/// forgotten.
bool is_wrong(const Model& right, const Model& wrong, const NamedValues& inputs) {
    try {
        const NamedValues expected = outputs_of(right, inputs), found = outputs_of(wrong, inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Comparison c = compare(found[i].second, expected[i].second, {0, 0});
            if (!(c.max_abs <= 1e-3 * usual_magnitude(expected[i].second.tensor()))) return true;
        }
        return false;
    } catch (const Error&) { return false; }
}

struct Share {
    const char* sample;
    std::size_t count;  // of mistakes
    std::map<std::string, std::int64_t> dimensions;
};

TEST(PlantedRewrites, EachIsRefused) {
    const std::vector<Share> shares{{"mlp", 12, {}},
                                    {"lenet", 30, {}},
                                    {"bert-tiny", 90, {{"batch", 1}, {"sequence", 8}}},
                                    {"lstm", 18, {{"batch", 1}, {"sequence", 6}}},
                                    {"squeezenet", 50, {}},
                                    {"shufflenet", 50, {}}};
    std::size_t refused = 0;
    for (const Share& share : shares) {
        const Model original = build_sample(share.sample);
        OptimizeOptions optimizing;
        optimizing.level = Level::extended;
        const Model right = optimize(original, optimizing).model;
        GuardOptions guarding;
        guarding.threads = 1;
        guarding.dimensions = share.dimensions;
        EXPECT_TRUE(guard(original, right, guarding).matches) << share.sample;
        const NamedValues inputs =
            generate_inputs(original, {}, {.seed = 7, .dimensions = share.dimensions});
        const std::vector<Plant> plants = plants_in(right);
        // Evenly over the model; where one is no mistake, its neighbour is taken.
        std::size_t made = 0;
        for (std::size_t i = 0; i < plants.size() && made < share.count; ++i) {
            if (plants.size() - i > share.count - made && i * share.count < made * plants.size())
                continue;
            const std::optional<Model> wrong = planted(right, plants[i]);
            if (!wrong || !is_wrong(right, *wrong, inputs)) continue;
            ++made;
            const GuardReport report = guard(original, *wrong, guarding);
            refused += !report.matches;
            EXPECT_FALSE(report.matches)
                << share.sample << ": " << right.graph.node(plants[i].node).describe() << ' '
                << plants[i].what;
        }
        std::cout << share.sample << ": " << made << " mistakes of " << plants.size()
                  << " places\n";
    }
    EXPECT_GE(refused, 200u);
}

}  // namespace
}  // namespace lapidary
