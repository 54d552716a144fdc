// SPDX-License-Identifier: Apache-2.0
// Which provider gets which node, and why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/graph/model.h>

#include "exec/plan/placement.h"
#include "second_provider.h"

namespace lapidary::test {
namespace {

struct Placed {
    Model model;
    std::shared_ptr<SecondProvider> provider;
    DevicePlacement placement;

    const NodeAssignment& home(std::string_view op_type) const {
        const auto nodes = model.graph.nodes();
        const auto at = std::ranges::find_if(
            nodes, [&](NodeId id) { return model.graph.node(id).op_type == op_type; });
        return placement.nodes[at->index];
    }
    bool is_on_device(std::string_view op_type) const { return home(op_type).device() != nullptr; }
    std::string reason(std::string_view op_type) const {
        return home(op_type).reasons.empty() ? "" : home(op_type).reasons[0].reason;
    }
};

Placed placed(const std::string& text, SecondProvider::Rule rule, SecondProvider::Costs costs = {},
              Fallback fallback = Fallback::allow) {
    Placed result;
    result.model.opset_imports[""] = 17;
    result.model.graph = parse_graph(text);
    infer_types(result.model);
    result.provider = std::make_shared<SecondProvider>(std::move(rule), costs);
    WeightStore weights;
    const std::vector<std::shared_ptr<const Provider>> providers{result.provider};
    result.placement = place_nodes(result.model.graph, providers, fallback, {}, weights, {});
    return result;
}

SecondProvider::Rule all() {
    return rule_of([](const Node&) { return true; });
}

SecondProvider::Rule winning(double gain_ns) {
    return [=](const KernelRequest&) {
        Claim claim;
        claim.gain_ns = gain_ns;
        return claim;
    };
}

TEST(Placement, ComputationWithShapesStaysOnTheCpu) {
    const Placed p = placed(R"((x: f32[a,b], w: f32[c]) -> (y, n)
        s = Shape(x)
        n = ReduceProd(s)
        r = Reshape(x, n)
        y = Add(r, w))",
                            all());
    EXPECT_FALSE(p.is_on_device("Shape"));
    EXPECT_FALSE(p.is_on_device("ReduceProd"));
    EXPECT_TRUE(p.home("ReduceProd").is_shape_computation);
    EXPECT_EQ(p.reason("Shape"), "it computes with shapes, which the CPU needs");
    EXPECT_TRUE(p.is_on_device("Reshape"));
    EXPECT_EQ(p.home("Reshape").reads_on(1), nullptr);
    EXPECT_NE(p.home("Reshape").reads_on(0), nullptr);
    EXPECT_TRUE(p.is_on_device("Add"));
}

TEST(Placement, WhatIsNoTensorOfNumbersStaysOnTheCpu) {
    const Placed p = placed(R"((x: f32[4], c: bool[]) -> (y)
        q = SequenceConstruct(x)
        e = SequenceAt(q, i: i64[]{0})
        y = If(c) {then_branch: graph { () -> (u)  u = Relu(e) }, else_branch: graph { () -> (v)  v = Neg(x) }})",
                            all());
    EXPECT_EQ(p.reason("SequenceConstruct"), "value \"q\" is no tensor of numbers");
    EXPECT_EQ(p.reason("If"), "control flow runs on the CPU");
}

TEST(Placement, IslandsThatLoseMoreThanTheyWinGoBack) {
    const std::string chain = R"((x: f32[256]) -> (y)
        a = Relu(x)
        b = Exp(a)
        y = Neg(b))";
    // Two copies of 1 KB: 2 x (1000 + 1024) ns.
    const Placed lost = placed(chain, winning(1300), {1000, 1});
    EXPECT_TRUE(lost.placement.islands.empty());
    EXPECT_EQ(lost.reason("Exp"),
              "its island of 3 nodes would win 3.9 µs and lose 4.05 µs to copies");
    const Placed won = placed(chain, winning(1400), {1000, 1});
    ASSERT_EQ(won.placement.islands.size(), 1u);
    EXPECT_EQ(won.placement.islands[0].nodes, 3u);
    EXPECT_EQ(won.placement.islands[0].gain_ns, 4200);
    EXPECT_EQ(won.placement.islands[0].copies_ns, 4048);
}

TEST(Placement, ShapesReadOnTheCpuCostAnIslandNothing) {
    const Placed p = placed(R"((x: f32[256]) -> (y, n)
        a = Relu(x)
        n = Shape(a)
        b = Exp(a)
        y = Neg(b))",
                            winning(1400), {1000, 1});
    EXPECT_FALSE(p.is_on_device("Shape"));
    ASSERT_EQ(p.placement.islands.size(), 1u);
    EXPECT_EQ(p.placement.islands[0].copies_ns, 4048) << "x and y";
}

// A node that an island loses may have been the reason why its neighbour was worthwhile.
TEST(Placement, NeighboursOfNodesThatWentBackAreJudgedAgain) {
    const auto rule = [](const KernelRequest& request) {
        if (request.node.op_type == "Exp") return Claim::refuse("no Exp");
        Claim claim;
        claim.gain_ns = request.node.op_type == "Relu"  ? 100
                        : request.node.op_type == "Neg" ? 1500
                                                        : 2500;
        return claim;
    };
    // Relu's value is read by Exp on the CPU and by Add on the device; with Relu on the CPU, Add
    // needs two copies more.
    const Placed p = placed(R"((x: f32[8]) -> (y)
        a = Relu(x)
        b = Exp(a)
        y = Add(a, b))",
                            rule, {1000, 0});
    EXPECT_FALSE(p.is_on_device("Relu"));
    EXPECT_FALSE(p.is_on_device("Add"));
    EXPECT_TRUE(p.placement.islands.empty());
}

TEST(Placement, IslandsHaveNoPathThatLeavesAndComesBack) {
    const Placed p = placed(R"((x: f32[8]) -> (y)
        a = Relu(x)
        b = Exp(a)
        c = Neg(a)
        d = Add(b, c)
        y = Mul(d, c))",
                            rule_of([](const Node& n) { return n.op_type != "Exp"; }));
    ASSERT_EQ(p.placement.islands.size(), 2u);
    EXPECT_EQ(p.home("Relu").island, p.home("Neg").island);
    EXPECT_EQ(p.home("Add").island, p.home("Mul").island);
    EXPECT_NE(p.home("Relu").island, p.home("Add").island);
}

TEST(Placement, FallbackOfShapesAllowsThemAlone) {
    const std::string text = R"((x: f32[a,b]) -> (y)
        s = Shape(x)
        n = ReduceProd(s)
        r = Relu(x)
        y = Reshape(r, n))";
    EXPECT_NO_THROW(placed(text, all(), {}, Fallback::shapes));
    EXPECT_THROW(placed(text, all(), {}, Fallback::forbid), Error);
    EXPECT_THROW(placed(text, rule_of([](const Node& n) { return n.op_type != "Relu"; }), {},
                        Fallback::shapes),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
