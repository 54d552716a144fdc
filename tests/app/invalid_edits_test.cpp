// SPDX-License-Identifier: Apache-2.0
// Edits that leave the model invalid: it is made to be looked at, with what is wrong, and nothing
// else is made of it.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "app/worker_engine_fixture.h"
#include "worker/jobs/export_job.h"
#include "worker/jobs/variant_job.h"

namespace lapidary::app {
namespace {

class InvalidEdits : public WorkerEngineTest {
protected:
    static ModelSource edited(std::optional<Level> level = {}) {
        ModelSource source = sample("mlp");
        source.recipe.emplace();
        source.recipe->edits = "insert Cast(to=int64) after /layers.2/Gemm\n";
        source.recipe->level = level;
        return source;
    }
};

TEST_F(InvalidEdits, AreMadeWithTheirProblems) {
    WorkerEngine worker(options());
    const ModelSource source = edited();
    const VariantJob job{source, source.model};
    for (const MadeVariant& made : {worker.call(job, {}), LocalEngine().call(job, {})}) {
        ASSERT_EQ(made.problems.size(), 1u);
        const NodeId node{std::uint32_t(made.problems[0].node_id)};
        ASSERT_TRUE(made.model->graph.is_alive(node));
        EXPECT_EQ(made.model->graph.node(node).name, "/layers.4/Gemm");
        EXPECT_FALSE(made.problems[0].reason.empty());
        EXPECT_EQ(made.report.rewrites.size(), 1u) << "the line";
    }
}

TEST_F(InvalidEdits, HaveNoLevelAndAreNotSaved) {
    WorkerEngine worker(options());
    const ModelSource level = edited(Level::basic);
    EXPECT_THROW(worker.call(VariantJob{level, level.model}, {}), Error);
    EXPECT_THROW(worker.call(ExportJob{edited(), {}}, {}), Error);
    ModelSource refused = edited();
    refused.recipe->edits = "delete NoSuchNode\n";
    EXPECT_THROW(worker.call(VariantJob{refused, refused.model}, {}), Error);
}

}  // namespace
}  // namespace lapidary::app
