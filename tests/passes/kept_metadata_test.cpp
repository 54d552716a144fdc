// SPDX-License-Identifier: Apache-2.0
// What exporters note at nodes stays readable through all levels: nearly every node that passes
// make says which lines of code it stands for.
#include <gtest/gtest.h>

#include <set>

#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/node_source.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {
namespace {

/// Puts a stack trace on each node of the main graph: line N for the Nth.
void note_lines(Model& model) {
    GraphEdit edit(model.graph);
    std::int64_t line = 0;
    const std::vector<NodeId> nodes(model.graph.nodes().begin(), model.graph.nodes().end());
    for (NodeId id : nodes) {
        const Node node = model.graph.node(id);
        std::vector<ValueId> outputs = edit.take_outputs(id);
        edit.erase(id);
        edit.add_node({.op_type = node.op_type,
                       .inputs = node.inputs,
                       .outputs = std::move(outputs),
                       .attributes = node.attributes,
                       .name = node.name,
                       .domain = node.domain,
                       .version = node.version,
                       .metadata = {{"pkg.torch.onnx.stack_trace",
                                     "File \"net.py\", line " + std::to_string(++line) +
                                         ", in forward\n    x = f(x)\n"}}});
    }
    edit.finish();
}

struct Share {
    std::size_t nodes = 0, with_line = 0;
    double value() const { return nodes == 0 ? 1 : double(with_line) / double(nodes); }
};

Share share_with_line(const Graph& graph) {
    Share share;
    for (NodeId id : graph.nodes()) {
        ++share.nodes;
        share.with_line += !source_of(graph.node(id)).lines.empty();
    }
    return share;
}

class KeptMetadata : public testing::TestWithParam<const char*> {};

TEST_P(KeptMetadata, AtEachLevel) {
    auto model = std::make_shared<Model>(build_sample(GetParam()));
    note_lines(*model);
    ASSERT_EQ(share_with_line(model->graph).value(), 1);
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        OptimizeOptions options;
        options.level = level;
        options.near_misses = false;
        const auto optimized = std::make_shared<const Model>(optimize(*model, options, {}).model);
        const Share in_file = share_with_line(optimized->graph);
        EXPECT_GE(in_file.value(), 0.95)
            << name_of(level) << ": " << in_file.with_line << " of " << in_file.nodes;
        const Session session = Session::compile(optimized, {}, {});
        const Share in_session = share_with_line(session.model().graph);
        EXPECT_GE(in_session.value(), 0.95)
            << name_of(level) << " in a session: " << in_session.with_line << " of "
            << in_session.nodes;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, KeptMetadata, testing::Values("lenet", "mlp", "bert-tiny"));

}  // namespace
}  // namespace lapidary
