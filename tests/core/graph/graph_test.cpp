// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_diff.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_path.h>
#include <lapidary/graph/graph_text.h>

#include "graph/traversal.h"
#include "graph/verify.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

Graph chain() {
    return parse_graph(
        "(x: f32[2]) -> (c)\na = Relu(x) as \"first\"\nb = Neg(a) as \"second\"\nc = Add(b, w: "
        "f32[2])");
}

TEST(Graph, EditsKeepUseListsExact) {
    Graph g = chain();
    verify(g);
    GraphEdit edit(g, "drop_neg");
    const ValueId a = g.find_value("a"), b = g.find_value("b");
    const NodeId neg = g.value(b).producer;
    edit.replace_uses(b, a);
    edit.erase(neg);
    const Rewrite& record = edit.record("Neg is not needed");
    verify(g);
    EXPECT_EQ(record.removed, std::vector<NodeId>{neg});
    EXPECT_EQ(record.pass, "drop_neg");
    EXPECT_EQ(g.node_count(), 2u);
    EXPECT_FALSE(g.is_alive(neg));
    EXPECT_THROW(g.node(neg), Error);
    EXPECT_EQ(g.history().size(), 1u);
}

TEST(Graph, AddedNodesStandForTheRemovedOnes) {
    Graph g = chain();
    const NodeId relu = g.value(g.find_value("a")).producer,
                 neg = g.value(g.find_value("b")).producer;
    GraphEdit edit(g, "fuse");
    const ValueId fused = edit.node("Fused", {g.find_value("x")});
    edit.replace_uses(g.find_value("b"), fused);
    edit.erase(neg);
    edit.erase(relu);
    edit.record("fused");
    verify(g);
    EXPECT_EQ(g.node(g.value(fused).producer).origins, (std::vector<NodeId>{relu, neg}));
    // The fused node was listed last and must stand before its reader.
    EXPECT_EQ(g.nodes().front(), g.value(fused).producer);
}

TEST(Graph, ARewriteReportsWhatItChangedInPlaceAndWhatItIsAbout) {
    Graph g = chain();
    const NodeId relu = g.value(g.find_value("a")).producer,
                 neg = g.value(g.find_value("b")).producer;
    const NodeId add = g.value(g.find_value("c")).producer;
    GraphEdit edit(g, "fuse");
    EXPECT_FALSE(edit.has_unrecorded());
    edit.set_attribute(add, {"fused", std::int64_t(1), {}, {}});
    edit.set_input(add, 0, g.find_value("a"));
    edit.erase(neg);
    EXPECT_TRUE(edit.has_unrecorded());
    const Rewrite first = edit.record("took the negation in");
    EXPECT_FALSE(edit.has_unrecorded());
    EXPECT_EQ(first.changed, std::vector<NodeId>{add});
    EXPECT_EQ(first.removed, std::vector<NodeId>{neg});
    EXPECT_EQ(first.origins, (std::vector<NodeId>{neg, add}));
    EXPECT_EQ(first.origin_count, 2u);

    const ValueId other = edit.node("Sigmoid", {g.find_value("x")});
    edit.replace_uses(g.find_value("a"), other);  // the reader follows: it is no rewrite of its own
    edit.erase(relu);
    const Rewrite second = edit.record("another function");
    EXPECT_TRUE(second.changed.empty());
    EXPECT_EQ(second.added, std::vector<NodeId>{g.value(other).producer});
    EXPECT_EQ(second.origins, std::vector<NodeId>{relu});
    edit.set_type(other, Type::tensor(DType::f32, SymbolicShape{2}));
    edit.set_declared(other, true);
    EXPECT_FALSE(edit.has_unrecorded()) << "what is said of a value is no edit";
    verify(g);
}

TEST(Graph, NodesPutFirstComeBeforeAllThatTheyDoNotRead) {
    Graph g = parse_graph("(x: f32[1], y: f32[1]) -> (a, c)\na = Relu(x)\nb = Neg(y)\nc = Abs(b)");
    const std::vector<NodeId> nodes(g.nodes().begin(), g.nodes().end());
    GraphEdit edit(g);
    edit.put_first({nodes[2]});
    edit.finish();
    EXPECT_EQ(std::vector<NodeId>(g.nodes().begin(), g.nodes().end()),
              (std::vector<NodeId>{nodes[1], nodes[2], nodes[0]}));
    verify(g);
}

TEST(Graph, LongChainsOfRewritesKeepTheirOriginsShort) {
    constexpr int length = 4000;
    Graph g;
    GraphEdit edit(g, "grow");
    ValueId last = edit.add_input("x", Type::tensor(DType::f32, SymbolicShape{1}));
    for (int i = 0; i < length; ++i) last = edit.node("Relu", {last});
    edit.add_output(last);
    edit.record("made");
    const std::vector<NodeId> nodes(g.nodes().begin(), g.nodes().end());
    std::size_t kept = 0;
    NodeId joined = nodes[0];
    for (int i = 1; i < length; ++i) {  // each rewrite takes one more node in
        const ValueId out = edit.take_outputs(nodes[std::size_t(i)]).at(0);
        edit.erase(nodes[std::size_t(i)]);
        edit.erase(joined);
        joined =
            edit.add_node({.op_type = "Relu", .inputs = {g.find_value("x")}, .outputs = {out}});
        const Rewrite& rewrite = edit.record("joined", false);
        EXPECT_EQ(rewrite.origin_count, std::size_t(i) + 1);
        kept += rewrite.origins.size();
    }
    EXPECT_EQ(g.node(joined).origins.size(), std::size_t(length));
    EXPECT_LT(kept, (std::size_t(1) << 20) + 64u * length);
}

TEST(Graph, NothingButTheEditsOfItsRulesChangesAValue) {
    Graph g = chain();
    GraphEdit edit(g);
    EXPECT_THROW(edit.set_outer(g.find_value("a"), g.find_value("x")), Error)
        << "it is not captured";
    EXPECT_THROW(edit.set_sparse(g.find_value("a"), nullptr), Error) << "it holds no constant";
    EXPECT_THROW(edit.drop_constant_data(g.find_value("x")), Error);
    edit.drop_constant_data(g.find_value("w"));
    EXPECT_EQ(g.value(g.find_value("w")).constant->shape(), Shape{2});
}

TEST(Graph, PathsLeadToGraphsWithinNodes) {
    const Graph g = parse_graph(
        "(c: bool[], x: f32[1]) -> (y)\n"
        "y = If(c) {then_branch: graph { () -> (t)  t = Neg(x) }, else_branch: graph { () -> (e)  "
        "e = Abs(x) }}");
    const Node& node = g.node(g.nodes().front());
    const GraphPath main, inner = main.inner(node, "then_branch");
    EXPECT_TRUE(main.is_main());
    EXPECT_EQ(main.text(), "main");
    EXPECT_EQ(inner.text(), "main/" + node.describe() + "/then_branch");
    EXPECT_EQ(find_graph(g, main), &g);
    EXPECT_EQ(find_graph(g, inner), node.graph_attribute("then_branch").get());
    EXPECT_EQ(find_graph(g, main.inner(node, "body")), nullptr);
    EXPECT_EQ(find_graph(g, main.inner(node, "then_branch", 1)), nullptr);
    EXPECT_NE(inner, main.inner(node, "else_branch"));
    EXPECT_NE(inner.key(), main.inner(node, "else_branch").key());
    EXPECT_EQ(in_graph(main), "");
    EXPECT_EQ(in_graph(inner), " in " + inner.text());
}

TEST(Graph, IdsAreNotReused) {
    Graph g = chain();
    GraphEdit edit(g);
    const ValueId v = edit.add_value("extra");
    edit.erase_value(v);
    EXPECT_NE(edit.add_initializer("extra", Tensor::scalar(1.f)), v);
}

TEST(Graph, MisuseIsRefused) {
    Graph g = chain();
    GraphEdit edit(g);
    EXPECT_THROW(edit.erase(g.value(g.find_value("a")).producer), Error);
    EXPECT_THROW(edit.rename(g.find_value("a"), "b"), Error);
    EXPECT_THROW(edit.remove_input(g.find_value("x")), Error);
}

TEST(Graph, CycleIsListed) {
    Graph g = chain();
    GraphEdit edit(g);
    edit.set_input(g.value(g.find_value("a")).producer, 0, g.find_value("b"));
    try {
        edit.finish();
        FAIL() << "a cycle went unnoticed";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::invalid_model);
        EXPECT_NE(std::string(e.what()).find("cycle of 2 nodes"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("\"first\""), std::string::npos) << e.what();
    }
}

TEST(Graph, CapturesFollowReplacedValues) {
    Graph g = parse_graph(R"((c: bool[], x: f32[2]) -> (y)
a = Relu(x)
y = If(c) {then_branch: graph { () -> (t) t = Neg(a) }, else_branch: graph { () -> (e) e = Identity(a) }})");
    verify(g);
    const NodeId choice = g.value(g.find_value("y")).producer;
    EXPECT_EQ(g.node(choice).captures, std::vector<ValueId>{g.find_value("a")});
    GraphEdit edit(g, "skip_relu");
    const NodeId relu = g.value(g.find_value("a")).producer;
    edit.replace_uses(g.find_value("a"), g.find_value("x"));
    edit.erase(relu);
    edit.record("");
    verify(g);
    EXPECT_EQ(g.node(choice).captures, std::vector<ValueId>{g.find_value("x")});
    EXPECT_TRUE(g.node(choice).graph_attribute("then_branch")->find_value("x"));
}

TEST(Graph, LongChainsNeedNoRecursion) {
    Graph g;
    GraphEdit edit(g);
    ValueId v = edit.add_input("x", Type::tensor(DType::f32, {1}));
    for (int i = 0; i < 100'000; ++i) v = edit.node("Relu", {v});
    edit.add_output(v);
    edit.finish();
    verify(g);
    EXPECT_EQ(g.node_count(), 100'000u);
}

// Each of these looked at all of a hundred thousand at every step.
TEST(Graph, LongListsAreEditedInSeconds) {
    constexpr int many = 30'000;
    Graph g;
    GraphEdit edit(g, "merge");
    const ValueId x = edit.add_input("x", Type::tensor(DType::f32, {1})),
                  shared = edit.add_initializer("c", Tensor::scalar(1.f));
    ValueId v = x;
    for (int i = 0; i < many; ++i) v = edit.node("Mul", {v, shared});
    edit.add_output(v);
    edit.record("made");
    const double start = test::thread_cpu_seconds();
    // the first Mul of the rest and the one behind it become one
    while (g.value(v).producer != g.value(shared).uses.front().node) {
        const Node first = g.node(g.value(shared).uses.front().node);
        const NodeId next = g.value(first.outputs[0]).uses.front().node;
        const ValueId fused =
            edit.node("Mul", {first.inputs[0], edit.add_initializer("c", Tensor::scalar(2.f))});
        const ValueId old = g.node(next).outputs[0];
        edit.replace_uses(old, fused);
        if (old == v) v = fused;
        edit.erase(next);
        edit.erase(first.id);
        edit.record("merged", false);
        if (g.value(shared).uses.empty()) break;
    }
    EXPECT_LT(test::thread_cpu_seconds() - start, 3 * wall_factor);
    edit.finish();
    verify(g);
    EXPECT_EQ(g.node_count(), many / 2u);
    EXPECT_EQ(g.value(edit.add_initializer("c", Tensor::scalar(3.f))).name,
              "c_" + std::to_string(many / 2 + 1));
}

TEST(Graph, ATakenNameGetsTheNextNumber) {
    Graph g;
    GraphEdit edit(g);
    for (int i = 0; i < 40; ++i) edit.add_value("v");
    EXPECT_NE(g.find_value("v_39"), ValueId());
    EXPECT_EQ(edit.fresh_name("v"), "v_40");
    EXPECT_EQ(edit.fresh_name("w"), "w");
}

TEST(Graph, AttributeOfAnotherKindIsNamed) {
    const Graph g = parse_graph("(x: f32[2]) -> (y)\ny = Softmax(x) {axis: \"last\"}");
    try {
        g.node(g.nodes()[0]).int_attribute("axis", -1);
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("expected int, found string"), std::string::npos)
            << e.what();
    }
}

TEST(GraphDiff, NamesWhatDiffers) {
    const Graph a = parse_graph("(x: f32[2]) -> (y)\ny = Softmax(x) {axis: 0}");
    const Graph b = parse_graph("(x: f32[2]) -> (y)\ny = Softmax(x) {axis: 1}");
    EXPECT_TRUE(differences(a, a).empty());
    ASSERT_EQ(differences(a, b).size(), 1u);
    EXPECT_NE(differences(a, b)[0].find("axis"), std::string::npos);
}

}  // namespace
}  // namespace lapidary
