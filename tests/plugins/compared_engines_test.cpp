// SPDX-License-Identifier: Apache-2.0
// This program's engine against that of a plugin, node by node.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/engines/plugins.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/node_times/node_comparison.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "plugins/plugin_paths.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

TEST(ComparedEngines, NodesThatAPluginFusesAreOneRow) {
    open_plugin(plugin_file("engine"));
    const ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "model.onnx";
    Model made = model_of(
        "(x: f32[3,4]) -> (z)\na = Exp(x)\nb = Add(a, x)\ny = Relu(b)\nz = Mul(y, w: f32[1]{2.0})");
    infer_types(made);
    save_model(made, file);
    const auto model = std::make_shared<const Model>(load_model(file));
    ComparedEngine own, abacus;
    own.level = Level::disabled;
    own.session.session_passes.set = SessionPasses::Set::none;
    abacus.plugin.emplace();
    abacus.plugin->engine = "abacus";
    abacus.plugin->options = {{"level", "all"}};
    NodeComparisonOptions options;
    options.pairs = 6;
    Tensor x(DType::f32, {3, 4});
    std::ranges::fill(x.mutable_data<float>(), 0.5f);
    const NodeComparison found = compare_nodes(model, file, own, abacus, {{"x", x}}, options);
    EXPECT_EQ(found.pairs, 6u);
    EXPECT_EQ(found.a.name, "Lapidary");
    EXPECT_EQ(found.b.name, "abacus");
    EXPECT_FALSE(found.sentences.empty());
    const auto joined = std::ranges::find_if(
        found.groups, [](const ComparedGroup& group) { return group.nodes.size() == 2; });
    ASSERT_NE(joined, found.groups.end());
    EXPECT_EQ(joined->ops, (std::vector<std::string>{"Add", "Relu"}));
    EXPECT_TRUE(joined->a_ms && joined->b_ms);
    for (const ComparedGroup& group : found.groups)
        EXPECT_TRUE(group.a_ms && group.b_ms) << group.name;
}

}  // namespace
}  // namespace lapidary::test
