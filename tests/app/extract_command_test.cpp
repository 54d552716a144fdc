// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class ExtractCommand : public testing::Test {
protected:
    ExtractCommand()
        : model_((folder_ / "m.onnx").string()), part_((folder_ / "part.onnx").string()) {
        save_model(build_sample("bert-tiny"), model_);
    }
    /// A scope that some node lies in, "/encoder/layer.0", and how many do.
    std::pair<std::string, std::size_t> scope() const {
        const Model model = load_model(model_);
        const std::string name =
            model.graph.node(model.graph.nodes()[model.graph.nodes().size() / 2]).name;
        const std::string scope = name.substr(0, name.rfind('/'));
        std::size_t within = 0;
        for (const NodeId id : model.graph.nodes())
            within += model.graph.node(id).name.starts_with(scope + "/");
        return {scope, within};
    }
    TemporaryFolder folder_;
    std::string model_, part_;
};

TEST_F(ExtractCommand, WritesTheNodesOfAScope) {
    const auto [inside, nodes] = scope();
    ASSERT_GT(nodes, 0u) << inside;
    const CommandOutcome written =
        run({"extract", model_, "--scope", inside, "-o", part_, "--json"});
    ASSERT_EQ(written.code, 0) << written.err;
    const Model part = load_model(part_);
    EXPECT_EQ(part.graph.nodes().size(), nodes);
    EXPECT_EQ(written.json()["nodes"], nodes);
    EXPECT_EQ(written.json()["inputs"].size(), part.graph.inputs().size());
    EXPECT_EQ(run({"run", part_}).code, 0) << "it runs alone";
    EXPECT_NE(run({"extract", model_, "--scope", inside, "-o", part_}).out.find("output"),
              std::string::npos);
}

TEST_F(ExtractCommand, InputsKeepTheirDefaults) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2,3], w: f32[3,2]) -> (y)\na = MatMul(x, w)\ny = Relu(a)");
    GraphEdit edit(model.graph);
    edit.set_constant(model.graph.inputs()[1], Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
    edit.finish();
    save_model(model, model_);
    const std::string name = load_model(model_).graph.node(model.graph.nodes().front()).name;
    ASSERT_EQ(run({"extract", model_, "--node", name, "-o", part_}).code, 0);
    const Model part = load_model(part_);
    const ValueId weight = part.graph.find_value("w");
    ASSERT_TRUE(weight);
    ASSERT_TRUE(part.graph.value(weight).constant);
    EXPECT_EQ(part.graph.value(weight).constant->data<float>()[5], 6);
}

TEST_F(ExtractCommand, NamesWhatIsNotThere) {
    const Model model = load_model(model_);
    const std::string name = model.graph.node(model.graph.nodes().front()).name;
    expect_error(run({"extract", model_, "--node", name + "x", "-o", part_}), cli::exit_bad_input,
                 {name + "x", "did you mean", name});
    expect_error(run({"extract", model_, "--scope", "/nowhere", "-o", part_}), cli::exit_bad_input,
                 {"/nowhere"});
    expect_error(run({"extract", model_, "-o", part_}), cli::exit_usage, {"--node or --scope"});
    expect_error(run({"extract", model_, "--node", name}), cli::exit_usage, {"-o FILE"});
    expect_error(run({"extract", model_, "--node", name, "-o", model_}), cli::exit_bad_input, {});
}

}  // namespace
}  // namespace lapidary
