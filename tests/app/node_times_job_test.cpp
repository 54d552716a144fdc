// SPDX-License-Identifier: Apache-2.0
// The job that compares two engines node by node: in this process, in a worker, cancelled, and what
// it refuses.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>

#include "support/test_data.h"
#include "worker/jobs/node_times_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

NodeTimesJob two_levels() {
    NodeTimesJob job;
    job.model.sample = "lenet";
    job.model.model = std::make_shared<const Model>(build_sample("lenet"));
    job.a = Recipe::plain(Level::disabled);
    job.b = Recipe::plain(Level::all);
    job.pairs = 3;
    return job;
}

TEST(NodeTimes, AWorkerComparesAsThisProcessDoes) {
    const NodeTimesJob job = two_levels();
    WorkerOptions options;
    options.command = {cli_program(), "serve"};
    WorkerEngine worker(options);
    const NodeComparison here = LocalEngine().call(job, {}), there = worker.call(job, {});
    for (const NodeComparison* found : {&here, &there}) {
        EXPECT_EQ(found->pairs, 3u);
        EXPECT_EQ(found->a.name, "Lapidary");
        EXPECT_GT(found->b.wall_ms, 0);
        EXPECT_FALSE(found->sentences.empty());
        bool has_fused = false;
        for (const ComparedGroup& group : found->groups) {
            EXPECT_EQ(group.nodes.size(), group.node_names.size());
            for (const NodeId node : group.nodes)
                EXPECT_TRUE(job.model.model->graph.is_alive(node));
            has_fused |= group.nodes.size() > 1 && group.a_ms && group.b_ms;
        }
        EXPECT_TRUE(has_fused) << "Conv and Relu are one kernel at level all";
    }
    EXPECT_EQ(here.groups.size(), there.groups.size());
}

TEST(NodeTimes, ACancelEndsTheRuns) {
    NodeTimesJob job = two_levels();
    job.pairs = 200;
    Progress progress;
    progress.report = [cancel = progress.cancel](std::string_view stage, double) {
        if (stage == "run in pairs") cancel.cancel();
    };
    try {
        LocalEngine().call(job, progress);
        FAIL() << "it was not cancelled";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
}

TEST(NodeTimes, RefusesAPlaceWithoutAnEngine) {
    NodeTimesJob job = two_levels();
    job.b.runs_on.emplace().onnxruntime = true;
    job.b.runs_on->place = "/nowhere/at/all";
    try {
        LocalEngine().call(job, {});
        FAIL() << "there is no such engine";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported);
        EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
    }
}

}  // namespace
}  // namespace lapidary::app
