// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

#include "graph/surgery/edit_names.h"
#include "views/graph_models.h"

namespace lapidary::views {
namespace {

TEST(EditNames, NodesWithoutANameOfTheirOwnHaveNumbers) {
    auto model = std::make_unique<Model>();
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    ValueId value = edit.add_input("x", float_type({1}));
    for (const char* name : {"", "twice", "twice", "op:odd", "plain"})
        value = edit.node("Relu", {value}, {}, name);
    edit.add_output(value);
    edit.finish();
    const Graph& graph = model->graph;
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.nodes()) nodes.push_back(id);
    const auto number = [&](std::size_t i) { return "index:" + std::to_string(nodes[i].index); };
    EXPECT_EQ(editNames(graph, nodes).toStdString(),
              number(0) + ", " + number(1) + ", " + number(2) + ", \"op:odd\", plain");
}

}  // namespace
}  // namespace lapidary::views
