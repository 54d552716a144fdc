// SPDX-License-Identifier: Apache-2.0
// A value inside of a model as the window asks for it: here and in a worker, with the figures of
// the command inspect; slices, bodies, files, and what is refused.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"
#include "worker/jobs/inspect_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

WorkerOptions serving() {
    WorkerOptions options;
    options.command = {cli_program(), "serve"};
    return options;
}

/// A sample, and the first value that an operator of that type writes in it.
InspectJob job_for(const std::string& sample, const std::string& op) {
    InspectJob job;
    job.model.sample = sample;
    job.model.model = std::make_shared<const Model>(build_sample(sample));
    job.settings.resources.threads = 1;
    const Graph& graph = job.model.model->graph;
    for (const NodeId id : graph.nodes())
        if (job.value.empty() && graph.node(id).op_type == op)
            job.value = graph.value(graph.node(id).outputs[0]).name;
    EXPECT_FALSE(job.value.empty()) << "no " << op << " in " << sample;
    return job;
}

std::string refusal(Engine& engine, const InspectJob& job) {
    try {
        engine.call(job, {});
    } catch (const Error& error) { return error.what(); }
    return "none";
}

std::vector<double> elements_of(const Tensor& tensor) { return to_doubles(tensor); }

TEST(InspectJob, SaysOfAValueWhatTheCommandSays) {
    TemporaryFolder folder;
    const std::string file = (folder / "m.onnx").string();
    save_model(build_sample("lenet"), file);
    InspectJob job = job_for("lenet", "Conv");
    job.slice = "0,1,:3,:4";
    job.bins = 16;
    LocalEngine engine;
    const InspectedItems found = engine.call(job, {});
    const Json json =
        run({"inspect", file, "--value", job.value, "--slice", job.slice, "--intra", "1", "--json"})
            .json();
    const Json& said = json["values"][0];
    ASSERT_EQ(found.items.size(), 1u);
    const InspectedItem& item = found.items[0];
    EXPECT_EQ(Json(item.name), said["name"]);
    EXPECT_EQ(Json(item.role), said["role"]);
    EXPECT_EQ(Json(item.op), said["operator"]);
    EXPECT_EQ(Json(item.type), said["type"]);
    EXPECT_EQ(Json(item.shape), said["shape"]);
    ASSERT_TRUE(item.numbers);
    const Json& figures = said["statistics"];
    EXPECT_EQ(Json(item.numbers->minimum), figures["minimum"]);
    EXPECT_EQ(Json(item.numbers->maximum), figures["maximum"]);
    EXPECT_EQ(Json(item.numbers->mean), figures["mean"]);
    EXPECT_EQ(Json(item.numbers->stddev), figures["stddev"]);
    EXPECT_EQ(Json(item.numbers->zeros), figures["zeros"]);
    EXPECT_EQ(Json(item.numbers->histogram), figures["histogram"]);
    EXPECT_EQ(Json(elements_of(found.part)), said["slice"]["elements"]);
    EXPECT_EQ(found.part.shape(), (Shape{3, 4}));
}

TEST(InspectJob, IsTheSameInAWorker) {
    const InspectJob job = job_for("bert-tiny", "Softmax");
    LocalEngine here;
    WorkerEngine worker(serving());
    const InspectedItems a = here.call(job, {}), b = worker.call(job, {});
    ASSERT_EQ(a.items.size(), 1u);
    ASSERT_EQ(b.items.size(), 1u);
    EXPECT_EQ(a.items[0].name, b.items[0].name);
    EXPECT_EQ(a.items[0].numbers->mean, b.items[0].numbers->mean);
    EXPECT_EQ(a.items[0].numbers->histogram, b.items[0].numbers->histogram);
    EXPECT_EQ(a.slice, "0,:,:,:") << "the heads of the first text";
    EXPECT_EQ(a.slice, b.slice);
    EXPECT_EQ(a.part.rank(), 3);
    EXPECT_TRUE(same_contents(a.part, b.part));
}

TEST(InspectJob, ReachesEachIterationOfABody) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(R"((n: i64[], x: f32[1]) -> (y)
y = Loop(n, _, x) {body: graph {
    (i: i64[], go: bool[], c: f32[1]) -> (go_on, d)
    go_on = Identity(go)
    d = Add(c, x)
}} as "again")");
    InspectJob job;
    job.model.model = std::make_shared<const Model>(std::move(model));
    job.value = "d";
    job.body = "again/body/";
    LocalEngine engine;
    const InspectedItems all = engine.call(job, {});
    ASSERT_GE(all.items.size(), 1u);
    EXPECT_EQ(all.items[0].name, "again/body/d[0]");
    EXPECT_EQ(all.shown, 0u);
    const double first = elements_of(all.part).at(0);
    job.item = all.items.back().name;
    const InspectedItems last = engine.call(job, {});
    EXPECT_EQ(last.shown, all.items.size() - 1);
    EXPECT_EQ(last.items.size(), all.items.size());
    if (all.items.size() > 1) { EXPECT_NE(elements_of(last.part).at(0), first); }
    job.item = "again/body/d[100000]";
    EXPECT_NE(refusal(engine, job).find("in this run"), std::string::npos) << refusal(engine, job);
}

TEST(InspectJob, WritesTheWholeValueIntoAFile) {
    TemporaryFolder folder;
    InspectJob job = job_for("lenet", "Conv");
    job.saved = folder / "conv.npy";
    LocalEngine engine;
    const InspectedItems found = engine.call(job, {});
    EXPECT_FALSE(found.part) << "what is written is not sent";
    const Tensor saved = load_npy(job.saved);
    EXPECT_EQ(std::vector<std::int64_t>(saved.shape()), found.items.at(0).shape);
    job.saved = folder / "conv.onnx";
    EXPECT_NE(refusal(engine, job).find(".npy"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(job.saved));
}

TEST(InspectJob, WritesSeveralValuesIntoOneFile) {
    TemporaryFolder folder;
    InspectJob job = job_for("lenet", "Conv");
    job.also = {job_for("lenet", "Relu").value};
    job.saved = folder / "values.npz";
    LocalEngine engine;
    const InspectedItems found = engine.call(job, {});
    EXPECT_FALSE(found.part) << "what is written is not sent";
    ASSERT_EQ(found.items.size(), 1u) << "figures of the value alone";
    const NamedValues saved = load_npz(job.saved);
    ASSERT_EQ(saved.size(), 2u);
    for (const std::string& name : {job.value, job.also[0]}) {
        const auto at =
            std::ranges::find(saved, name, [](const auto& array) { return array.first; });
        ASSERT_NE(at, saved.end()) << name;
        EXPECT_EQ(at->second.tensor().rank(), 4);
    }
}

TEST(InspectJob, SaysWhatItCannotShow) {
    LocalEngine engine;
    InspectJob job = job_for("lenet", "Conv");
    const auto says = [&](const char* words) {
        const std::string said = refusal(engine, job);
        EXPECT_NE(said.find(words), std::string::npos) << said;
    };
    job.slice = "0,,1";
    says("a slice has an element");
    job.slice = "9";
    says("does not exist");
    job.slice.clear();
    job.value = "nothing_like_it";
    says("no value");
    job = job_for("bert-tiny", "Softmax");
    job.item = "another";
    says("has no \"another\"");
}

TEST(InspectJob, BoundsWhatItShows) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2,1000,1000]) -> (y)\ny = Neg(x)");
    InspectJob job;
    job.model.model = std::make_shared<const Model>(std::move(model));
    job.value = "y";
    LocalEngine engine;
    const InspectedItems found = engine.call(job, {});
    EXPECT_LE(found.part.size(), InspectJob::most_elements);
    EXPECT_GT(found.part.size(), InspectJob::most_elements / 2);
    job.slice = ":";
    const std::string said = refusal(engine, job);
    EXPECT_NE(said.find("at most 262144 elements, found 2000000"), std::string::npos) << said;
}

TEST(InspectJob, CanBeCancelled) {
    const InspectJob job = job_for("bert-tiny", "Softmax");
    Progress progress;
    progress.cancel.cancel();
    LocalEngine engine;
    try {
        engine.call(job, progress);
        FAIL() << "it ran";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
}

}  // namespace
}  // namespace lapidary::app
