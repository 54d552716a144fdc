// SPDX-License-Identifier: Apache-2.0
// The node cases as they are, optimized, with attributes that files may leave out, and on the CUDA
// provider's emulated device, as far as it takes their nodes.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/engines/plugins.h>

#include "conformance/node_cases.h"
#include "support/operator_call.h"

namespace lapidary::test {
namespace {

TEST(NodeConformance, DebianTestData) { run_node_cases(NodeCases::debian); }

TEST(NodeConformance, NewerNodeCases) { run_node_cases(NodeCases::beside); }

class NewestNodeCases : public testing::TestWithParam<Level> {};

TEST_P(NewestNodeCases, PassAtLevel) { run_node_cases(NodeCases::newest, {.level = GetParam()}); }

INSTANTIATE_TEST_SUITE_P(NodeConformance, NewestNodeCases,
                         testing::Values(Level::disabled, Level::all), [](const auto& info) {
                             return info.param == Level::all ? std::string("all")
                                                             : std::string("disabled");
                         });

/// As ONNX Runtime saves them.
void write_defaults(Model& model) {
    GraphEdit edit(model.graph);
    for (NodeId id : std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end())) {
        const Node& node = model.graph.node(id);
        const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
        if (!schema) continue;
        for (const SchemaAttribute& attribute : schema->attributes) {
            const auto value = default_of(attribute);
            if (value && !model.graph.node(id).has_attribute(attribute.name))
                edit.set_attribute(id, {attribute.name, *value, {}, {}});
        }
    }
    edit.finish();
}

TEST(NodeConformance, DefaultsMayBeWritten) {
    run_node_cases(NodeCases::newest, {.change = write_defaults});
}

struct Device {
    const char* name;
    std::map<std::string, std::string> options;
    Tolerance tolerance;
    const char* but_for = nullptr;  // a pattern of names
};
void PrintTo(const Device& device, std::ostream* out) { *out << device.name; }

class NodeCasesOnDevices : public testing::TestWithParam<Device> {};

TEST_P(NodeCasesOnDevices, Pass) {
    open_plugin(LAPIDARY_EMULATED_CUDA);
    auto device = GetParam().options;
    device["take_all"] = "on";
    run_node_cases(
        NodeCases::newest,
        {.tolerance = GetParam().tolerance, .providers = {open_provider("cuda_emulated", device)}},
        GetParam().but_for);
}

INSTANTIATE_TEST_SUITE_P(
    NodeConformance, NodeCasesOnDevices,
    testing::Values(Device{"exact", {{"order", "2"}}, {}},
                    Device{"hopper", {{"precision", "tf32"}, {"hopper", "all"}}, {5e-3, 5e-3}},
                    // 10000 and its neighbours are one number of 16 bits; a quotient of 16 bits
                    // may round to the integer beside it
                    Device{"fp16",
                           {{"precision", "fp16"}},
                           {2e-2, 2e-2},
                           ".*large_number.*|test_dynamicquantizelinear_expanded"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lapidary::test
