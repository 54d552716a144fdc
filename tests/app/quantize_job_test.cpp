// SPDX-License-Identifier: Apache-2.0
// Quantizing in a separate process: its reports, the file it leaves, a kill, and the variant that
// another process makes of it.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>

#include "support/end_process.h"
#include "support/test_data.h"
#include "worker/models/model_cache.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/quantize/quantize_job.h"
#include "worker/protocol/quantize_record.h"
#include "worker/jobs/quantize/quantize_run.h"
#include "worker/models/quantized_file.h"
#include "worker/protocol/recipe.h"
#include "worker/jobs/quantize/sample_job.h"
#include "worker/inputs/sample_preview.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

class QuantizeJobTest : public testing::Test {
protected:
    WorkerOptions options() const {
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        return options;
    }
    QuantizeJob job() const {
        QuantizeJob job;
        job.model.sample = "mlp";
        job.model.model = std::make_shared<const Model>(build_sample("mlp"));
        job.measure_seconds = 0.02;
        job.threads = 1;
        job.folder = folder_.path();
        return job;
    }
    TemporaryFolder folder_;
};

TEST_F(QuantizeJobTest, ReportsRecipesAndLeavesTheBest) {
    WorkerEngine worker(options());
    std::size_t reported = 0;
    QuantizeJob asked = job();
    asked.quantization.options.mode = QuantizeMode::weights;  // seven recipes
    asked.quantization.options.weight_bits = 8;
    asked.both_modes = false;
    const QuantizeRecord record = worker.call(asked, {}, [&](const QuantizeRecord& state) {
        EXPECT_GE(state.trials.size(), reported);
        reported = state.trials.size();
    });
    ASSERT_GE(record.best, 0);
    EXPECT_TRUE(record.complete);
    EXPECT_EQ(reported, 7u);
    const QuantizeTrial& best = record.trials[std::size_t(record.best)];
    EXPECT_GT(best.sqnr_db, 20);
    EXPECT_TRUE(best.ms && best.ratio && record.original_ms);
    EXPECT_LT(best.bytes * 2, record.original_bytes);
    EXPECT_EQ(record.calibration_samples + record.evaluation_samples, 16u);
    EXPECT_FALSE(record.nodes.empty());
    EXPECT_FALSE(record.layers.empty()) << "the best is compared layer by layer";
    EXPECT_TRUE(record.ranges.empty()) << "weights alone have none of activations";
    EXPECT_EQ(record.file, quantized_file(asked.folder, {best.options, {}}));
    ASSERT_TRUE(std::filesystem::exists(record.file));

    // A variant of it runs there, on the file or made anew, and is the same here.
    Recipe recipe;
    recipe.level = Level::extended;
    recipe.quantization = Quantization{best.options, {}};
    EXPECT_EQ(parse_recipe(recipe_text(recipe)), recipe);
    ModelSource source = asked.model;
    source.recipe = recipe;
    for (const bool from_file : {true, false}) {
        source.quantized = from_file ? record.file : std::filesystem::path();
        source.model = ModelCache().get(source, {});
        RunSettings settings;
        settings.repetitions = 1;
        settings.resources.threads = 1;
        EXPECT_FALSE(worker.call(ProfileJob{source, settings}, {}).outputs.empty()) << from_file;
        const Graph& graph = source.model->graph;
        EXPECT_TRUE(std::ranges::any_of(graph.nodes(), [&](NodeId id) {
            return std::ranges::any_of(graph.node(id).origins, [&](NodeId origin) {
                return asked.model.model->graph.is_alive(origin) &&
                       asked.model.model->graph.node(origin).op_type == "Gemm";
            });
        })) << "some node stands for a product of the original";
    }
}

TEST_F(QuantizeJobTest, RangesAndLayersCrossTheProcesses) {
    WorkerEngine worker(options());
    QuantizeJob asked = job();
    asked.quantization.options.mode = QuantizeMode::static_qdq;
    asked.both_modes = false;
    asked.budget_seconds = 0.001;  // the first recipe alone
    asked.measure_seconds = 0;
    const QuantizeRecord there = worker.call(asked, {}), here = run_quantization(asked, {}, {});
    ASSERT_FALSE(there.ranges.empty());
    EXPECT_EQ(there.ranges, here.ranges);
    ASSERT_FALSE(there.layers.empty());
    EXPECT_EQ(there.layers.size(), here.layers.size());
    EXPECT_EQ(there.layers.back().value, here.layers.back().value);
}

TEST_F(QuantizeJobTest, OtherModesAreWrittenAndReadBack) {
    for (const QuantizeOptions& options :
         {QuantizeOptions{.mode = QuantizeMode::half},
          QuantizeOptions{.mode = QuantizeMode::weights, .storage = WeightStorage::float8},
          QuantizeOptions{.mode = QuantizeMode::static_qdq,
          .weight = DType::u4,
          .static_form = StaticForm::operators}}) {
        const Quantization quantization{options, {}};
        EXPECT_EQ(parse_quantization(quantization_text(quantization)), quantization);
    }
    EXPECT_THROW(parse_quantization(R"({"options":{"storage":"float9"},"samples":{}})"), Error);
}

TEST_F(QuantizeJobTest, RanksNodesAndLooksAtSamples) {
    WorkerEngine worker(options());
    QuantizeJob asked = job();
    asked.search = false;
    asked.rank = true;
    const QuantizeRecord record = worker.call(asked, {});
    ASSERT_TRUE(record.sensitivity && record.diagnosis);
    EXPECT_FALSE(record.sensitivity->groups.empty());
    EXPECT_TRUE(record.sensitivity->curve.front().measured_db);
    EXPECT_TRUE(record.trials.empty());
    SampleChoice samples;
    samples.generated = 5;
    const SamplePreview preview = worker.call(SampleJob{asked.model, samples}, {});
    EXPECT_EQ(preview.total, 5u);
    ASSERT_EQ(preview.samples.size(), 5u);
    EXPECT_TRUE(preview.samples.back().judges);
    EXPECT_LT(preview.samples[0].inputs.at(0).low, preview.samples[0].inputs.at(0).high);
    samples.data = folder_ / "nowhere";
    EXPECT_THROW(worker.call(SampleJob{asked.model, samples}, {}), Error);
}

TEST_F(QuantizeJobTest, AKillLosesNothingThatWasFinished) {
    WorkerEngine worker(options());
    QuantizeJob asked = job();
    asked.measure_seconds = 0.3;
    QuantizeRecord newest;
    try {
        worker.call(asked, {}, [&](const QuantizeRecord& state) {
            newest = state;
            if (state.trials.size() == 2) test::end_process(worker.process_id());
        });
        ADD_FAILURE() << "it was killed";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::process_ended) << error.what();
    }
    ASSERT_GE(newest.best, 0);
    EXPECT_FALSE(newest.complete);
    EXPECT_TRUE(std::filesystem::exists(newest.file));
    EXPECT_NO_THROW(load_quantized(newest.file, *asked.model.model));
}

}  // namespace
}  // namespace lapidary::app
