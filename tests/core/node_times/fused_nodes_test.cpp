// SPDX-License-Identifier: Apache-2.0
// Which nodes kernels of another engine stand for, and which kernels of two engines belong
// together.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>

#include "node_times/fused_nodes.h"
#include "node_times/node_groups.h"

namespace lapidary {
namespace {

class FusedNodes : public testing::Test {
protected:
    NodeId node(const std::string& output) const {
        return graph_.value(graph_.find_value(output)).producer;
    }
    KernelTimes kernel(const std::string& name, const std::vector<std::string>& outputs,
                       bool ends_are_known = true) const {
        KernelTimes kernel;
        kernel.name = name;
        kernel.op = name;
        kernel.ends_are_known = ends_are_known;
        for (const std::string& output : outputs) kernel.nodes.push_back(node(output));
        return kernel;
    }
    std::vector<NodeId> nodes(const std::vector<std::string>& outputs) const {
        std::vector<NodeId> list;
        for (const std::string& output : outputs) list.push_back(node(output));
        return list;
    }

    const Graph graph_ = parse_graph(R"((x: f32[1,4,8,8]) -> (y)
c = Conv(x, w: f32[4,4,3,3]) {pads: [1,1,1,1]}
r = Relu(c)
d = Conv(r, v: f32[4,4,3,3]) {pads: [1,1,1,1]}
m = ReduceMean(d)
s = Sub(d, m)
q = Mul(s, s)
y = Softmax(q))");
};

TEST_F(FusedNodes, WhatLiesBeforeAKernelIsItsOwn) {
    std::vector<KernelTimes> kernels{kernel("conv", {"r"}), kernel("conv", {"d"}),
                                     kernel("norm", {"q"}), kernel("softmax", {"y"})};
    add_fused_nodes(graph_, kernels);
    EXPECT_EQ(kernels[0].nodes, nodes({"c", "r"}));
    EXPECT_EQ(kernels[1].nodes, nodes({"d"}));
    EXPECT_EQ(kernels[2].nodes, nodes({"m", "s", "q"}));
    EXPECT_EQ(kernels[3].nodes, nodes({"y"}));
}

TEST_F(FusedNodes, WhatFollowsAKernelOfUnknownEndIsItsOwn) {
    std::vector<KernelTimes> kernels{kernel("conv", {"c"}, false), kernel("conv", {"d"}, false),
                                     kernel("softmax", {"y"})};
    add_fused_nodes(graph_, kernels);
    EXPECT_EQ(kernels[0].nodes, nodes({"c", "r"})) << "Relu would else belong to the next Conv";
    std::vector<KernelTimes> known{kernel("conv", {"c"}), kernel("conv", {"d"})};
    add_fused_nodes(graph_, known);
    EXPECT_EQ(known[1].nodes, nodes({"r", "d"})) << "Conv writes its own value: Relu went further";
}

TEST_F(FusedNodes, KernelsOfTheSameNodesAreOneGroup) {
    const std::vector<KernelTimes> a{kernel("c", {"c"}), kernel("r", {"r"}), kernel("d", {"d"}),
                                     kernel("rest", {"m", "s", "q"}), kernel("y", {"y"})};
    std::vector<KernelTimes> b{kernel("conv", {"c", "r"}), kernel("conv2", {"d"}),
                               kernel("y", {"y"}),
                               KernelTimes{"reorder", "Reorder", {}, true, {}, 1}};
    const std::vector<KernelGroup> groups = group_nodes(graph_, a, b);
    ASSERT_EQ(groups.size(), 5u);
    EXPECT_EQ(groups[0].nodes, nodes({"c", "r"}));
    EXPECT_EQ(groups[0].a, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(groups[0].b, (std::vector<std::size_t>{0}));
    EXPECT_EQ(groups[2].nodes, nodes({"m", "s", "q"}));
    EXPECT_TRUE(groups[2].b.empty()) << "B runs nothing there";
    EXPECT_TRUE(groups[4].nodes.empty()) << "no node of the model";
    EXPECT_EQ(groups[4].b, (std::vector<std::size_t>{3}));
}

TEST_F(FusedNodes, KernelsThatOverlapAreJoined) {
    const std::vector<KernelTimes> a{kernel("cr", {"c", "r"}), kernel("d", {"d"})};
    const std::vector<KernelTimes> b{kernel("c", {"c"}), kernel("rd", {"r", "d"})};
    const std::vector<KernelGroup> groups = group_nodes(graph_, a, b);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].nodes, nodes({"c", "r", "d"}));
}

}  // namespace
}  // namespace lapidary
