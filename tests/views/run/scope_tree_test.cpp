// SPDX-License-Identifier: Apache-2.0
#include "run/nodes/scope_tree.h"

#include <gtest/gtest.h>

namespace lapidary::views {
namespace {

NodeTotal total(const std::string& name, const std::string& op, double ms, std::uint32_t node) {
    NodeTotal t;
    t.name = name;
    t.op = op;
    t.ms = ms;
    t.node = NodeId(node);
    return t;
}

const ScopeNode& childOf(const ScopeTree& tree, const ScopeNode& of, int number) {
    int index = of.firstChild;
    while (number-- > 0) index = tree.nodes[std::size_t(index)].nextSibling;
    return tree.nodes[std::size_t(index)];
}

TEST(ScopeTrees, SumUpByTheScopesOfNames) {
    const ScopeTree tree =
        makeScopeTree({total("/encoder/layer.0/attention/MatMul", "MatMul", 4, 0),
                       total("/encoder/layer.0/attention/Softmax", "Softmax", 1, 1),
                       total("/encoder/layer.0/output/MatMul", "MatMul", 2, 2),
                       total("/encoder/layer.1/output/MatMul", "MatMul", 3, 3),
                       total("/pooler/Tanh", "Tanh", 1, 4), total("Cast_7", "Cast", 0.5, 5),
                       total("/unused/Shape", "Shape", 0, 6)});
    EXPECT_FALSE(tree.byFamily);
    const ScopeNode& all = tree.nodes[0];
    EXPECT_DOUBLE_EQ(all.ms, 11.5);
    EXPECT_EQ(all.leaves, 6);
    const ScopeNode& encoder = childOf(tree, all, 0);
    EXPECT_EQ(encoder.label, "encoder");
    EXPECT_EQ(encoder.path, "/encoder");
    EXPECT_DOUBLE_EQ(encoder.ms, 10);
    const ScopeNode& first = childOf(tree, encoder, 0);
    EXPECT_EQ(first.path, "/encoder/layer.0");
    EXPECT_DOUBLE_EQ(first.ms, 7);
    const ScopeNode& attention = childOf(tree, first, 0);
    EXPECT_EQ(attention.label, "attention");
    const ScopeNode& product = childOf(tree, attention, 0);
    EXPECT_TRUE(product.isLeaf);
    EXPECT_EQ(product.label, "MatMul");
    EXPECT_EQ(product.path, "/encoder/layer.0/attention/MatMul");
    EXPECT_EQ(product.node, NodeId(0));
    const ScopeNode& wrapped = childOf(tree, encoder, 1);
    EXPECT_EQ(wrapped.label, "layer.1/output") << "a scope that only wraps another joins it";
    EXPECT_DOUBLE_EQ(wrapped.beginMs, 7);
    EXPECT_EQ(tree.depth, 4);
    // Children follow one another and fill no more than their parent.
    for (const ScopeNode& node : tree.nodes) {
        if (node.parent < 0) continue;
        const ScopeNode& parent = tree.nodes[std::size_t(node.parent)];
        EXPECT_GE(node.beginMs, parent.beginMs - 1e-9);
        EXPECT_LE(node.beginMs + node.ms, parent.beginMs + parent.ms + 1e-9);
        if (node.previousSibling >= 0) {
            EXPECT_NEAR(tree.nodes[std::size_t(node.previousSibling)].beginMs +
                            tree.nodes[std::size_t(node.previousSibling)].ms,
                        node.beginMs, 1e-9);
        }
    }
}

TEST(ScopeTrees, GroupByFamilyAndOperatorWhereNamesShowNoScopes) {
    const ScopeTree tree = makeScopeTree(
        {total("Conv_0", "Conv", 5, 0), total("Relu_1", "Relu", 1, 1),
         total("Conv_2", "Conv", 3, 2), total("x", "com.microsoft::FusedConv", 1, 3)});
    EXPECT_TRUE(tree.byFamily);
    const ScopeNode& convolutions = childOf(tree, tree.nodes[0], 0);
    EXPECT_DOUBLE_EQ(convolutions.ms, 9);
    EXPECT_EQ(convolutions.leaves, 3);
    const ScopeNode& plain = childOf(tree, convolutions, 0);
    EXPECT_EQ(plain.label, "Conv");
    EXPECT_DOUBLE_EQ(plain.ms, 8);
    EXPECT_EQ(childOf(tree, plain, 0).path, "Conv_0");
}

TEST(ScopeTrees, HostileNamesDoNoHarm) {
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "/a";
    const ScopeTree tree = makeScopeTree({total(deep, "Add", 1, 0), total("//", "Add", 1, 1),
                                          total("/", "Add", 1, 2), total("", "Add", 1, 3),
                                          total("a/", "Add", 1, 4), total("x//y", "Add", 1, 5)});
    EXPECT_DOUBLE_EQ(tree.nodes[0].ms, 6);
    EXPECT_LT(tree.depth, 30);
    EXPECT_EQ(makeScopeTree({}).nodes.size(), 1u);
}

}  // namespace
}  // namespace lapidary::views
