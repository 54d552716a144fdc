// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class DivergeCommand : public testing::Test {
protected:
    DivergeCommand()
        : good_((folder_ / "good.onnx").string()), bad_((folder_ / "bad.onnx").string()) {
        Model model = build_sample("mlp");
        save_model(model, good_);
        GraphEdit edit(model.graph);
        for (NodeId id : model.graph.nodes())
            if (model.graph.node(id).op_type == "Gemm") {
                Attribute alpha;
                alpha.name = "alpha";
                alpha.value = 1.5f;
                edit.set_attribute(id, alpha);
                node_ = model.graph.node(id).name;
                break;
            }
        edit.finish();
        save_model(model, bad_);
    }
    TemporaryFolder folder_;
    std::string good_, bad_, node_;
};

TEST_F(DivergeCommand, NamesTheNodeAndWhatDiffers) {
    const CommandOutcome text = run({"diverge", good_, bad_});
    EXPECT_EQ(text.code, cli::exit_check_failed) << text.err;
    for (const std::string& part :
         {std::string("DIFFERS"), "cause    node \"" + node_ + "\"", std::string("1.5 in B")})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
    const CommandOutcome outcome = run({"diverge", good_, bad_, "--json"});
    EXPECT_EQ(outcome.code, cli::exit_check_failed);
    const Json json = outcome.json();
    EXPECT_EQ(json["verdict"], "differs");
    EXPECT_EQ(json["causes"][0]["node_b"], node_);
    EXPECT_EQ(json["causes"].size(), 1u);
}

TEST_F(DivergeCommand, SaysWhoseLineItIs) {
    // The first node once more, with what its exporter notes.
    Model model = load_model(bad_);
    GraphEdit edit(model.graph);
    for (NodeId id : std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end())) {
        const Node node = model.graph.node(id);
        if (node.name != node_) continue;
        std::vector<ValueId> outputs = edit.take_outputs(id);
        edit.erase(id);
        edit.add_node(
            {.op_type = node.op_type,
             .inputs = node.inputs,
             .outputs = std::move(outputs),
             .attributes = node.attributes,
             .name = node.name,
             .version = node.version,
             .metadata = {{"namespace", ": n.Net/fc1: torch.nn.Linear/linear: aten.linear"},
                          {"pkg.torch.onnx.stack_trace",
                           "File \"net.py\", line 12, in forward\n    x = fc1(x)\n"}}});
    }
    edit.finish();
    const std::string noted = (folder_ / "noted.onnx").string();
    save_model(model, noted);
    const CommandOutcome text = run({"diverge", good_, noted});
    EXPECT_NE(text.out.find("net.py:12 in fc1 (Linear)"), std::string::npos)
        << text.out << text.err;
    const Json source = run({"diverge", good_, noted, "--json"}).json()["causes"][0]["source_b"];
    EXPECT_EQ(source["lines"][0]["line"], 12);
    EXPECT_EQ(source["lines"][0]["code"], "x = fc1(x)");
    EXPECT_EQ(source["modules"][1]["class"], "Linear");
    const CommandOutcome seen = run({"inspect", noted, "--node", node_});
    EXPECT_NE(seen.out.find("net.py:12 in fc1 (Linear)"), std::string::npos)
        << seen.out << seen.err;
}

TEST_F(DivergeCommand, FindsNothingInOneModelAtTwoLevels) {
    const CommandOutcome text = run({"diverge", good_, "--level", "disabled", "--level", "all"});
    EXPECT_EQ(text.code, 0) << text.out << text.err;
    EXPECT_NE(text.out.find("SAME"), std::string::npos) << text.out;
}

TEST_F(DivergeCommand, SaysWhatCannotBeCompared) {
    expect_error(run({"diverge", good_}), cli::exit_usage, {"nothing to compare"});
    expect_error(run({"diverge", good_, "--level", "all"}), cli::exit_usage,
                 {"nothing to compare"});
    expect_error(run({"diverge", good_, bad_, "--engine-first"}), cli::exit_usage, {"--engine"});
    expect_error(run({"diverge", good_, bad_, "--slice-mb", "4"}), cli::exit_usage,
                 {"--slice-mb needs --engine"});
    expect_error(run({"diverge", good_, "sample:bert-tiny"}), cli::exit_bad_input,
                 {"the models cannot run on the same inputs"});
}

}  // namespace
}  // namespace lapidary
