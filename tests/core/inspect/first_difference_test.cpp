// SPDX-License-Identifier: Apache-2.0
// Faults planted in sample models: the node that has the fault is named first, with what is wrong
// about it. Where nothing is wrong, nothing is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/inspect/first_difference.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {
namespace {

Attribute attribute(std::string name, AttributeValue value) {
    Attribute made;
    made.name = std::move(name);
    made.value = std::move(value);
    return made;
}

/// The n-th node of an operator, one of whose inputs is written by `reads` where that is given.
NodeId nth(const Graph& graph, const std::string& op, std::size_t n,
           const std::string& reads = {}) {
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const auto is_read = [&](ValueId v) {
            return v && graph.value(v).kind == ValueKind::node_output &&
                   graph.node(graph.value(v).producer).op_type == reads;
        };
        if (node.op_type != op || (!reads.empty() && std::ranges::none_of(node.inputs, is_read)))
            continue;
        if (n-- == 0) return id;
    }
    fail(ErrorCode::internal, "the sample has no such " + op);
}

/// Gives the node another constant at that input: initializer, or what a Constant node holds.
void change_constant(GraphEdit& edit, NodeId node, std::size_t input,
                     const std::function<void(std::span<float>)>& change) {
    const Graph& graph = edit.graph();
    const Value& value = graph.value(graph.node(node).inputs.at(input));
    const bool is_node = value.kind == ValueKind::node_output;
    const Tensor* const held =
        is_node ? graph.node(value.producer).tensor_attribute("value") : &*value.constant;
    Tensor changed = held->clone();
    change(changed.mutable_data<float>());
    // of this node alone, as others may share the constant
    edit.set_input(node, input, edit.add_initializer(value.name + "_changed", changed));
}

/// Readers of the node's output read its input `kept` instead.
void drop(GraphEdit& edit, NodeId node, std::size_t kept) {
    const Node& dropped = edit.graph().node(node);
    edit.replace_uses(dropped.outputs[0], dropped.inputs[kept]);
    edit.erase(node);
}

struct Fault {
    const char* what;
    const char* sample;
    const char* says;  // in what differs about the node
    /// Plants it and returns the node.
    std::function<NodeId(GraphEdit&)> plant;
    bool is_dropped = false;  // the node is in A alone
};

const auto scaled = [](float by) {
    return [by](std::span<float> values) {
        for (float& v : values) v *= by;
    };
};

NodeId with_constant(GraphEdit& edit, NodeId node, std::size_t input,
                     const std::function<void(std::span<float>)>& change) {
    change_constant(edit, node, input, change);
    return node;
}

std::vector<Fault> weight_faults() {
    return {
        {"weights of one output changed", "mlp", "differs in 256 of 32768 elements",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Gemm", 1), 1,
                                  [](std::span<float> w) { scaled(3)(w.first(256)); });
         }},
        {"weights in another order", "mlp", "differs in",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Gemm", 1), 1, [](std::span<float> w) {
                 std::rotate(w.begin(), w.begin() + 77, w.end());
             });
         }},
        {"a bias changed", "lenet", "constant \"fc1.bias\" (input 2) differs in 120 of 120",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Gemm", 0), 2, [](std::span<float> b) {
                 for (float& v : b) v += 0.5f;
             });
         }},
        {"one kernel negated", "lenet", "constant \"conv2.weight\" (input 1) differs in 150 of",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Conv", 1), 1,
                                  [](std::span<float> w) { scaled(-1)(w.first(150)); });
         }},
        {"recurrent weights changed", "lstm", "(input 2) differs in",
         [](GraphEdit& e) { return with_constant(e, nth(e.graph(), "LSTM", 1), 2, scaled(1.5f)); }},
        {"embedding scaled", "lstm", "(input 0) differs in",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Gather", 0), 0, scaled(1.02f));
         }},
    };
}

std::vector<Fault> attribute_faults() {
    return {
        {"alpha", "mlp", "alpha is 1 in A, 1.1 in B",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Gemm", 2);
             e.set_attribute(node, attribute("alpha", 1.1f));
             return node;
         }},
        {"axis of Softmax", "bert-tiny", "axis is",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Softmax", 1);
             e.set_attribute(node, attribute("axis", std::int64_t{-2}));
             return node;
         }},
        {"another pooling", "lenet", "the operator is MaxPool in A, AveragePool in B",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "MaxPool", 0);
             e.set_operator(node, "", "AveragePool", 11);
             return node;
         }},
        {"another function", "bert-tiny", "the operator is Erf in A, Tanh in B",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Erf", 0);
             e.set_operator(node, "", "Tanh", 13);
             return node;
         }},
        {"a convolution without its bias", "lenet", "input 2 is given in A alone",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Conv", 1);
             e.set_input(node, 2, ValueId());
             return node;
         }},
        {"activations of an LSTM", "lstm", "activations is not given in A",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "LSTM", 0);
             e.set_attribute(node, attribute("activations",
                                             std::vector<std::string>{"Sigmoid", "Tanh", "Tanh",
                                                                      "Sigmoid", "Tanh", "Relu"}));
             return node;
         }},
    };
}

std::vector<Fault> formula_faults() {
    return {
        {"epsilon", "bert-tiny", "differs in 1 of 1 elements",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Add", 1, "ReduceMean"), 1,
                                  [](std::span<float> v) { v[0] = 0.3f; });
         }},
        {"the scale of attention", "bert-tiny", "differs in 1 of 1 elements",
         [](GraphEdit& e) {
             return with_constant(e, nth(e.graph(), "Div", 1, "MatMul"), 1, scaled(1.5f));
         }},
        {"a bias left out", "bert-tiny", "between the same values A has",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Add", 2, "MatMul");
             const Graph& graph = e.graph();
             const ValueId first = graph.node(node).inputs[0];
             drop(e, node, graph.value(first).kind == ValueKind::node_output ? 0 : 1);
             return node;
         },
         true},
        {"an activation left out", "mlp", "between the same values A has",
         [](GraphEdit& e) {
             const NodeId node = nth(e.graph(), "Relu", 0);
             drop(e, node, 0);
             return node;
         },
         true},
    };
}

std::vector<Fault> faults() {
    std::vector<Fault> all = weight_faults();
    for (Fault& fault : attribute_faults()) all.push_back(std::move(fault));
    for (Fault& fault : formula_faults()) all.push_back(std::move(fault));
    return all;
}

DivergenceSide plain_side(ModelPtr model) {
    DivergenceSide side{std::move(model), {}, {}};
    side.session.session_passes.set = SessionPasses::Set::none;
    return side;
}

ModelPtr shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

/// Every value and node of the main graph under another name.
void rename_all(Model& model) {
    GraphEdit edit(model.graph);
    int number = 1000;
    for (ValueId id : model.graph.values())
        if (model.graph.value(id).kind == ValueKind::node_output)
            edit.rename(id, std::to_string(number++));
    for (NodeId id : std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end()))
        edit.rename(id, "node_" + std::to_string(number++));
    edit.finish();
}

class PlantedFault : public testing::TestWithParam<Fault> {
protected:
    /// Both models, and the name of the node with the fault.
    void plant() {
        Model good = build_sample(GetParam().sample);
        Model bad = good;
        GraphEdit edit(bad.graph);
        // the names of nodes that are left out are those of A
        const Graph& names = GetParam().is_dropped ? good.graph : bad.graph;
        const NodeId at = GetParam().plant(edit);
        edit.finish();
        node_ = names.node(at).name;
        good_ = shared(std::move(good));
        bad_ = std::move(bad);
        inputs_ = generate_inputs(*good_);
    }

    ModelPtr good_;
    Model bad_;
    std::string node_;
    NamedValues inputs_;
};

bool says(const DivergenceCause& cause, const std::string& words) {
    return std::ranges::any_of(cause.differences, [&](const std::string& line) {
        return line.find(words) != std::string::npos;
    });
}

TEST_P(PlantedFault, IsNamedFirst) {
    plant();
    const Divergence found =
        find_first_difference(plain_side(good_), plain_side(shared(bad_)), inputs_);
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_LE(found.runs, 4);
    const DivergenceCause& first = found.causes.at(0);
    EXPECT_EQ(GetParam().is_dropped ? first.node_a : first.node_b, node_);
    EXPECT_TRUE(says(first, GetParam().says)) << testing::PrintToString(first.differences);
    EXPECT_EQ(found.causes.size(), 1u) << "one fault was planted";
}

TEST_P(PlantedFault, IsNamedWhereNamesDiffer) {
    plant();
    rename_all(bad_);
    const Divergence found =
        find_first_difference(plain_side(good_), plain_side(shared(bad_)), inputs_);
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes.at(0).node_a, node_);
}

TEST_P(PlantedFault, IsNamedWhereAnotherEngineRunsIt) {
    plant();
    int runs = 0;
    const EngineRun engine = [&](const Model& model, const NamedValues& inputs) {
        ++runs;
        SessionOptions options;
        options.session_passes.set = SessionPasses::Set::none;
        return Session::compile(shared(model), options).run(inputs).outputs;
    };
    DivergenceOptions options;
    options.slice_bytes = 64 << 10;
    const ModelPtr bad = shared(bad_);
    for (const bool is_b : {true, false}) {
        const DivergenceSide here = plain_side(is_b ? good_ : bad);
        const DivergenceSide there{is_b ? bad : good_, {}, engine};
        const Divergence found = is_b ? find_first_difference(here, there, inputs_, options)
                                      : find_first_difference(there, here, inputs_, options);
        ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
        EXPECT_EQ(found.runs, 1);
        const DivergenceCause& first = found.causes.at(0);
        EXPECT_EQ(GetParam().is_dropped ? first.node_a : first.node_b, node_);
        EXPECT_TRUE(says(first, GetParam().says)) << testing::PrintToString(first.differences);
    }
    EXPECT_GT(runs, 2);
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedFault, testing::ValuesIn(faults()),
                         [](const testing::TestParamInfo<Fault>& info) {
                             std::string name =
                                 info.param.sample + std::string("_") + info.param.what;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

ModelPtr text_model(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    return shared(std::move(model));
}

Divergence between(const std::string& a, const std::string& b, const NamedValues& inputs) {
    return find_first_difference(plain_side(text_model(a)), plain_side(text_model(b)), inputs);
}

NamedValues floats(Shape shape, const std::vector<float>& values) {
    return {{"x", Tensor::of<float>(std::move(shape), values)}};
}

TEST(FirstDifference, OpsetsThatMeanSomethingElse) {
    const auto graph = [](const std::string& softmax) {
        return "(x: f32[2,2,2]) -> (y)\na = Relu(x)\nb = " + softmax + "(a) {axis: 1}\ny = Neg(b)";
    };
    const Divergence found =
        between(graph("Softmax"), graph("Softmax@11"), floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 9}));
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes[0].value.name_b, "b");
    EXPECT_TRUE(says(found.causes[0], "Softmax is that of opset"));
}

TEST(FirstDifference, BodiesOfLoops) {
    const auto graph = [](const std::string& op) {
        return "(n: i64[], x: f32[2]) -> (y)\ny = Loop(n, _, x) {body: graph {\n"
               "(i: i64[], go: bool[], c: f32[2]) -> (go_on, d)\ngo_on = Identity(go)\n"
               "e = Add(c, x)\nf = " +
               op + "(e) as \"inside\"\nd = Neg(f)\n}} as \"again\"";
    };
    NamedValues inputs = floats({2}, {0.4f, -0.3f});
    inputs.emplace_back("n", Tensor::scalar<std::int64_t>(3));
    const Divergence found = between(graph("Sin"), graph("Tan"), inputs);
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes[0].node_b, "inside");
    EXPECT_EQ(found.causes[0].value.path, "again/body/");
    EXPECT_EQ(found.causes[0].iterations, std::vector<std::int64_t>{0});
}

TEST(FirstDifference, OverflowOfNarrowFloats) {
    const Divergence found = between(
        "(x: f32[2]) -> (y)\na = Add(x, x)\nb = Mul(a, a) as \"square\"\ny = Sqrt(b)",
        "(x: f32[2]) -> (y)\nh = Cast(x) {to: 10}\na = Add(h, h)\nb = Mul(a, a) as \"square\"\n"
        "s = Sqrt(b)\ny = Cast(s) {to: 1}",
        floats({2}, {300, 1}));
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes[0].node_b, "square");
}

TEST(FirstDifference, RoundingOfAQuantizer) {
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) values.push_back(static_cast<float>(i) * 0.37f);
    const auto graph = [](const std::string& op) {
        return "(x: f32[256]) -> (y)\na = Div(x, s: f32[1]{0.5})\nr = " + op +
               "(a) as \"rounds\"\nq = Cast(r) {to: 2}\ny = Cast(q) {to: 1}";
    };
    const Divergence found = between(graph("Round"), graph("Floor"), floats({256}, values));
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes[0].node_b, "rounds");
}

TEST(FirstDifference, RoundingOfAQuantizerThatIsSeveralNodes) {
    // By the rule for results, levels may be one step apart; of so many elements they may not.
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) values.push_back(static_cast<float>(i) * 0.37f);
    const Divergence found = between(
        "(x: f32[256]) -> (y)\na = Relu(x)\n"
        "q = QuantizeLinear(a, s: f32[]{0.5}, z: u8[]{0})\n"
        "y = DequantizeLinear(q, s)",
        "(x: f32[256]) -> (y)\na = Relu(x)\nd = Div(a, s: f32[]{0.5})\n"
        "f = Floor(d) as \"rounds\"\nc = Clip(f, low: f32[]{0.0}, high: f32[]{255.0})\n"
        "q = Cast(c) {to: 2} as \"narrows\"\ny = DequantizeLinear(q, s)",
        floats({256}, values));
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(found.causes[0].value.name_b, "q");
    EXPECT_TRUE(std::ranges::any_of(found.causes[0].nodes_b, [](const std::string& node) {
        return node.find("rounds") != std::string::npos;
    }));
}

TEST(FirstDifference, NothingWhereBothAreTheSame) {
    const ModelPtr model = shared(build_sample("bert-tiny"));
    const Divergence found =
        find_first_difference(plain_side(model), plain_side(model), generate_inputs(*model));
    EXPECT_EQ(found.verdict, DivergenceVerdict::same);
    EXPECT_EQ(found.runs, 2);
    EXPECT_TRUE(found.causes.empty());
    EXPECT_GT(found.values.size(), 50u);
    EXPECT_EQ(found.unmatched_a, 0u);
    EXPECT_EQ(found.unmatched_b, 0u);
    EXPECT_EQ(found.kept_bytes, 0u) << "both compute in the same order";
}

TEST(FirstDifference, NoNodeOfALevelIsToBlame) {
    for (const char* sample : {"lenet", "bert-tiny", "lstm", "shufflenet"}) {
        const ModelPtr model = shared(build_sample(sample));
        OptimizeOptions options;
        options.level = Level::all;
        const DivergenceSide fused{shared(optimize(*model, options).model), {}, {}};
        DivergenceOptions finding;
        finding.is_one_model = true;
        const Divergence found =
            find_first_difference(plain_side(model), fused, generate_inputs(*model), finding);
        for (const DivergenceCause& cause : found.causes)
            ADD_FAILURE() << sample << ": " << cause.node_b << " " << cause.comparison.reason;
        EXPECT_FALSE(found.values.empty()) << sample;
    }
}

TEST(FirstDifference, GrowingRoundingIsNoCause) {
    // Each step makes a difference ten times as large, and every step is right.
    std::string text = "(x: f32[4]) -> (y)\n";
    std::string last = "x";
    for (int i = 0; i < 12; ++i) {
        const std::string number = std::to_string(i), name = i == 11 ? "y" : "v" + number;
        text += "m" + number + " = Mul(" + last + (i == 0 ? ", ten: f32[1]{10.0})\n" : ", ten)\n");
        text += name + " = Sin(m" + number + ")\n";
        last = name;
    }
    const ModelPtr model = text_model(text);
    DivergenceSide plain = plain_side(model);
    plain.session.reference_kernels = true;
    const Divergence found =
        find_first_difference(plain, plain_side(model), floats({4}, {0.11f, 0.37f, -0.72f, 0.93f}));
    EXPECT_NE(found.verdict, DivergenceVerdict::differs);
}

TEST(FirstDifference, NodesInAnotherOrder) {
    const auto graph = [](bool swaps, const std::string& op) {
        const std::string a = "a = Relu(x)\n", b = "b = " + op + "(x) as \"other\"\n";
        return "(x: f32[2]) -> (y)\n" + (swaps ? b + a : a + b) + "y = Sub(a, b)";
    };
    const NamedValues inputs = floats({2}, {1, -2});
    const Divergence same = between(graph(false, "Neg"), graph(true, "Neg"), inputs);
    EXPECT_EQ(same.verdict, DivergenceVerdict::same);
    EXPECT_EQ(same.kept_bytes, 8u) << "a, until B has computed b";
    const Divergence found = between(graph(false, "Neg"), graph(true, "Abs"), inputs);
    ASSERT_EQ(found.causes.size(), 1u);
    EXPECT_EQ(found.causes[0].node_a, "other");
}

TEST(FirstDifference, SeveralFaultsAreFoundInOrder) {
    const auto graph = [](const char* first, const char* last) {
        return std::string("(x: f32[2]) -> (y)\na = ") + first +
               "(x) as \"first\"\nb = Relu(a)\ny = " + last + "(b) as \"last\"";
    };
    const Divergence found =
        between(graph("Neg", "Sin"), graph("Abs", "Cos"), floats({2}, {-1, 2}));
    ASSERT_EQ(found.causes.size(), 2u);
    EXPECT_EQ(found.causes[0].node_b, "first");
    EXPECT_EQ(found.causes[1].node_b, "last");
}

TEST(FirstDifference, CanBeCancelled) {
    const ModelPtr model = shared(build_sample("mlp"));
    Progress progress;
    progress.cancel.cancel();
    EXPECT_THROW(find_first_difference(plain_side(model), plain_side(model),
                                       generate_inputs(*model), {}, progress),
                 Error);
}

TEST(FirstDifference, InputsThatDoNotFit) {
    EXPECT_THROW(between("(x: f32[2]) -> (y)\ny = Relu(x)",
                         "(x: f32[2], z: f32[2]) -> (y)\ny = Add(x, z)", floats({2}, {1, 2})),
                 Error);
    EXPECT_THROW(
        between("(x: f32[2]) -> (y)\ny = Relu(x)", "(x: f32[2]) -> (x)\n", floats({2}, {1, 2})),
        Error);
}

}  // namespace
}  // namespace lapidary
