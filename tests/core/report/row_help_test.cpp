// SPDX-License-Identifier: Apache-2.0
// What would help the largest rows of a profile, and by how much at most.
#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/advice/row_help.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/profile/session_overhead.h>

namespace lapidary {
namespace {

class RowHelpTest : public testing::Test {
protected:
    RowHelpTest() {
        in.model = std::make_shared<const Model>(build_sample("mlp"));
        in.facts = std::make_shared<const ModelFacts>(facts_of(*in.model));
        for (const NodeId id : in.model->graph.nodes()) {
            const Node& node = in.model->graph.node(id);
            NodeTotal total;
            total.node = id;
            total.op = node.op_type;
            total.name = node.name;
            total.share = 0.1;
            in.nodes.push_back(total);
            if (!first) first = id, op = total.op;
        }
    }
    double share_of_row() const {
        double share = 0;
        for (const NodeTotal& total : in.nodes)
            if (total.op == op) share += total.share;
        return share;
    }
    std::vector<OperatorTotal> rows(double overhead) const {
        return {{op, 3, 1, share_of_row()}, {std::string(overhead_name), 0, 1, overhead}};
    }
    AdviceInput in;
    NodeId first;
    std::string op;  // of the first node
};

TEST_F(RowHelpTest, OverheadIsSharedByALargerBatch) {
    ASSERT_FALSE(in.facts->free_batches.empty());
    const auto helps = help_for_rows(rows(0.9), in);
    ASSERT_FALSE(helps.empty());
    EXPECT_EQ(helps[0].op, overhead_name) << "the largest row first";
    EXPECT_EQ(helps[0].kind, RowHelp::Kind::batch);
    EXPECT_DOUBLE_EQ(helps[0].gain, 0.9);
    in.is_original = true;  // no level: nodes can be fused first
    EXPECT_EQ(help_for_rows(rows(0.9), in)[0].kind, RowHelp::Kind::level);
    in.is_original = false;
    in.batch_measured = true;
    for (const RowHelp& help : help_for_rows(rows(0.9), in))
        EXPECT_NE(help.op, overhead_name) << "nothing more is known to help";
}

TEST_F(RowHelpTest, NamesTheNodeOnTheReferenceKernel) {
    StepInfo step;
    step.node = first;
    step.name = "slow";
    step.op = op;
    step.kernel = "reference.gemm";
    step.passed_over = {{"fast.gemm", "no kernel for f64"}};
    in.steps.push_back(step);
    const auto helps = help_for_rows(rows(0), in);
    ASSERT_EQ(helps.size(), 1u);
    EXPECT_EQ(helps[0].kind, RowHelp::Kind::reference_kernel);
    EXPECT_EQ(helps[0].name, "slow");
    EXPECT_EQ(helps[0].detail, "no kernel for f64");
    EXPECT_EQ(helps[0].node, first);
    EXPECT_DOUBLE_EQ(helps[0].gain, 0.1) << "of this node, not of the row";
    EXPECT_DOUBLE_EQ(helps[0].share, share_of_row());
}

TEST_F(RowHelpTest, NamesThePassThatAlmostApplied) {
    PipelineReport report;
    NearMiss miss;
    miss.pass = "fuse_gelu";
    miss.reason = "its result is a graph output";
    miss.node = first;
    report.near_misses.push_back(miss);
    in.report = std::make_shared<const PipelineReport>(report);
    const auto helps = help_for_rows(rows(0), in);
    ASSERT_EQ(helps.size(), 1u);
    EXPECT_EQ(helps[0].kind, RowHelp::Kind::near_miss);
    EXPECT_EQ(helps[0].name, "fuse_gelu");
    EXPECT_EQ(helps[0].detail, "its result is a graph output");
    EXPECT_DOUBLE_EQ(helps[0].gain, 0.1);
    miss.shortfall = 2;  // too far away
    report.near_misses = {miss};
    in.report = std::make_shared<const PipelineReport>(report);
    for (const RowHelp& help : help_for_rows(rows(0), in))
        EXPECT_NE(help.kind, RowHelp::Kind::near_miss);
}

TEST_F(RowHelpTest, WeightsOfProductsMayBeQuantized) {
    const std::vector<OperatorTotal> products{{"Gemm", 3, 1, 0.6}, {"Relu", 2, 1, 0.3}};
    ASSERT_GT(in.facts->quantizable_nodes, 0u);
    const auto helps = help_for_rows(products, in);
    ASSERT_EQ(helps.size(), 1u) << "nothing is known to help Relu";
    EXPECT_EQ(helps[0].op, "Gemm");
    EXPECT_EQ(helps[0].kind, RowHelp::Kind::quantize);
    EXPECT_EQ(helps[0].gain, 0) << "not known before it is measured";
    in.quantized_variant = "int8 dynamic";
    EXPECT_TRUE(help_for_rows(products, in).empty());
}

TEST_F(RowHelpTest, WeightsChangeNothingAboutATimeThatWasHeldUp) {
    const std::vector<OperatorTotal> products{{"Gemm", 3, 1, 0.6}};
    const auto gemm = std::ranges::find(in.nodes, "Gemm", &NodeTotal::op);
    ASSERT_NE(gemm, in.nodes.end());
    gemm->calls = 10;
    gemm->share = 0.5;
    gemm->ms = 9;
    gemm->min_ms = 8;
    ASSERT_EQ(help_for_rows(products, in).size(), 1u) << "it takes as long in every run";
    gemm->min_ms = 1;
    EXPECT_TRUE(help_for_rows(products, in).empty());
}

TEST_F(RowHelpTest, SaysNothingWithoutARun) {
    in.nodes.clear();
    EXPECT_TRUE(help_for_rows(rows(0.9), in).empty());
    EXPECT_TRUE(help_for_rows({}, AdviceInput()).empty());
}

}  // namespace
}  // namespace lapidary
