// SPDX-License-Identifier: Apache-2.0
// The job that measures variants of a decoder side by side: in this process, in a worker,
// cancelled, and what it refuses.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/generation/text_quality.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "samples/llama.h"
#include "support/test_data.h"
#include "worker/jobs/generation/decoders_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

ModelPtr llama_of(std::uint64_t seed, std::int64_t positions = 256) {
    return std::make_shared<Model>(samples::llama({.name = "small",
                                                   .layers = 2,
                                                   .width = 32,
                                                   .inner = 64,
                                                   .heads = 4,
                                                   .key_heads = 2,
                                                   .vocabulary = 97,
                                                   .positions = positions},
                                                  seed));
}

class DecodersJobTest : public testing::Test {
protected:
    DecodersJobTest() {
        std::ofstream numbers(folder_ / "text.ids");
        for (int i = 0; i < 80; ++i) numbers << (i * i * 7 + i * 31 + 11) % 97 << ' ';
    }
    static ModelSource source_of(const ModelPtr& model) {
        ModelSource source;
        source.model = model;
        return source;
    }
    DecodersJob job_of(std::vector<ModelSource> models) const {
        DecodersJob job;
        job.models = std::move(models);
        job.contexts = {5, 40, 1000};
        job.new_tokens = 10;
        job.seconds = 0.01;
        job.text = folder_ / "text.ids";
        job.text_tokens = 60;
        job.window = 40;
        job.resources.threads = 1;
        return job;
    }
    static std::string refusal(const DecodersJob& job) {
        try {
            LocalEngine().call(job, {});
        } catch (const Error& error) { return error.what(); }
        return "";
    }
    const TemporaryFolder folder_;
};

TEST_F(DecodersJobTest, MeasuresSpeedMemoryAndQualityOfEach) {
    const ModelPtr model = llama_of(5);
    Model optimized = *model;
    optimize(optimized, {.level = Level::all});
    const DecodersJob job =
        job_of({source_of(model), source_of(std::make_shared<Model>(std::move(optimized))),
                source_of(llama_of(9))});
    std::size_t states = 0;
    const DecodersRecord record = LocalEngine().call(job, {}, [&](const DecodersRecord& state) {
        ++states;
        EXPECT_FALSE(state.complete);
    });
    EXPECT_GE(states, 6u) << "a report for each context";
    EXPECT_TRUE(record.complete);
    EXPECT_EQ(record.contexts, (std::vector<std::int64_t>{5, 40})) << "1,000 has no positions";
    EXPECT_EQ(record.capacity, 50);
    EXPECT_EQ(record.text_tokens, 60);
    ASSERT_EQ(record.sides.size(), 3u);
    for (const DecoderSide& side : record.sides) {
        EXPECT_EQ(side.error, "");
        EXPECT_GT(side.weight_bytes, 97u * 32 * sizeof(float));
        EXPECT_EQ(side.cache_bytes, 4u * 2 * 8 * 50 * sizeof(float));
        ASSERT_EQ(side.points.size(), 2u);
        for (const DecoderPoint& point : side.points) {
            EXPECT_GT(point.token_ms, 0);
            EXPECT_GT(point.first_ms, 0);
            EXPECT_GT(point.roof_tokens_per_second, 0);
            EXPECT_GT(point.activation_bytes, 0u);
            EXPECT_EQ(point.recorded.context, point.context + 2);
            EXPECT_GT(point.recorded.time.products_ms, 0);
        }
        EXPECT_LT(side.points[1].roof_tokens_per_second, side.points[0].roof_tokens_per_second)
            << "one bandwidth: a longer context reads more";
        EXPECT_EQ(side.at(40), &side.points[1]);
        EXPECT_EQ(side.at(1000), nullptr);
        ASSERT_TRUE(side.quality);
        EXPECT_GT(side.quality->perplexity, 1);
        EXPECT_GT(side.quality->tokens, 50);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const double roof = record.sides[0].points[i].roof_tokens_per_second;
        EXPECT_NEAR(record.sides[2].points[i].roof_tokens_per_second, roof, 1e-9 * roof)
            << "it reads as many bytes";
    }
    EXPECT_EQ(record.sides[0].quality->changed, -1) << "it is what others are compared with";
    EXPECT_LT(record.sides[0].quality->divergence, 0);
    EXPECT_EQ(record.sides[1].quality->changed, 0) << "the same weights";
    EXPECT_LT(record.sides[1].quality->divergence, 1e-6);
    EXPECT_GT(record.sides[2].quality->divergence, 1e-3);
    EXPECT_GT(record.sides[2].quality->changed, 0);
    // What the engine itself finds.
    Generator generator = Generator::compile(model, {.capacity = 50});
    std::vector<std::int64_t> tokens;
    for (int i = 0; i < 60; ++i) tokens.push_back((i * i * 7 + i * 31 + 11) % 97);
    const TextQuality alone = measure_text_quality(generator, nullptr, tokens, {.window = 40});
    EXPECT_NEAR(record.sides[0].quality->perplexity, alone.model.perplexity(),
                1e-3 * alone.model.perplexity());
}

TEST_F(DecodersJobTest, CachesInFloat16AreASideOfTheirOwn) {
    DecodersJob job = job_of({source_of(llama_of(5))});
    job.half_caches = true;
    const DecodersRecord record = LocalEngine().call(job, {});
    ASSERT_EQ(record.sides.size(), 2u);
    EXPECT_TRUE(record.sides[1].half_caches);
    EXPECT_EQ(record.sides[1].error, "");
    EXPECT_EQ(record.sides[1].cache_bytes * 2, record.sides[0].cache_bytes);
    ASSERT_TRUE(record.sides[1].quality);
    EXPECT_LT(record.sides[1].quality->divergence, 0.01);
    EXPECT_GE(record.sides[1].quality->changed, 0);
}

TEST_F(DecodersJobTest, SweepsThreads) {
    DecodersJob job = job_of({source_of(llama_of(5)), source_of(llama_of(9))});
    job.threads = {1, 2};
    const DecodersRecord record = LocalEngine().call(job, {});
    ASSERT_EQ(record.sides.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const DecoderSide& side = record.sides[i];
        EXPECT_EQ(side.error, "") << i;
        EXPECT_EQ(side.model, i / 2);
        EXPECT_EQ(side.threads, i % 2 == 0 ? 1 : 2);
        EXPECT_EQ(side.points.size(), 2u);
        ASSERT_TRUE(side.quality) << i;
    }
    EXPECT_EQ(record.sides[3].quality->divergence, record.sides[2].quality->divergence)
        << "threads do not change what is computed";
    EXPECT_LT(record.sides[1].quality->divergence, 0) << "it is the first decoder still";
}

TEST_F(DecodersJobTest, WhatOneDecoderRefusesStandsInItsSide) {
    ModelSource elsewhere = source_of(llama_of(5));
    elsewhere.recipe.emplace().runs_on.emplace().onnxruntime = true;
    const DecodersRecord record =
        LocalEngine().call(job_of({source_of(llama_of(5)), elsewhere}), {});
    ASSERT_EQ(record.sides.size(), 2u);
    EXPECT_NE(record.sides[1].error.find("another engine"), std::string::npos);
    EXPECT_TRUE(record.sides[1].points.empty());
    EXPECT_TRUE(record.complete);
}

TEST_F(DecodersJobTest, RefusesWhatItCannotMeasure) {
    const auto expect = [](const DecodersJob& job, const char* part) {
        EXPECT_NE(refusal(job).find(part), std::string::npos) << refusal(job);
    };
    expect(job_of({source_of(std::make_shared<const Model>(build_sample("mlp")))}), "input_ids");
    DecodersJob job = job_of({source_of(llama_of(5, 16))});
    job.contexts = {40};
    expect(job, "16 rows");
    job = job_of({source_of(llama_of(5))});
    job.text = folder_ / "nowhere.txt";
    expect(job, "nowhere.txt");
    std::ofstream(folder_ / "prose.txt") << "Once upon a time";
    job.text = folder_ / "prose.txt";
    expect(job, "expected numbers of tokens");
    std::ofstream(folder_ / "short.ids") << "7";
    job.text = folder_ / "short.ids";
    expect(job, "fewer than two tokens");
}

TEST_F(DecodersJobTest, AWorkerGivesTheSameAndACancelKeepsWhatWasMeasured) {
    ModelSource source;
    source.file = folder_ / "small.onnx";
    save_model(*llama_of(5), source.file);
    source.model = std::make_shared<const Model>(load_model(source.file));
    source.file_bytes = std::filesystem::file_size(source.file);
    source.file_modified = std::filesystem::last_write_time(source.file).time_since_epoch().count();
    WorkerOptions options;
    options.command = {cli_program(), "serve"};
    WorkerEngine worker(options);
    const DecodersJob job = job_of({source, source});
    const DecodersRecord there = worker.call(job, {}), here = LocalEngine().call(job, {});
    ASSERT_EQ(there.sides.size(), 2u);
    EXPECT_TRUE(there.complete);
    EXPECT_EQ(there.sides[0].quality->perplexity, here.sides[0].quality->perplexity);
    EXPECT_EQ(there.sides[0].points[1].recorded.head_type, "f32");
    EXPECT_EQ(there.sides[1].quality->changed, 0);
    EXPECT_EQ(there.capacity, here.capacity);

    DecodersJob longer = job;
    longer.models.assign(60, source);  // seconds, which the cancel cuts short
    longer.seconds = 0.1;
    Progress progress;
    DecodersRecord newest;
    try {
        worker.call(longer, progress, [&](const DecodersRecord& state) {
            newest = state;
            progress.cancel.cancel();
        });
        FAIL() << "it was not cancelled";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
    EXPECT_FALSE(newest.complete);
    ASSERT_FALSE(newest.sides.empty());
    EXPECT_FALSE(newest.sides[0].points.empty()) << "the first context is kept";
    EXPECT_TRUE(worker.call(job, {}).complete) << "the worker goes on";
}

}  // namespace
}  // namespace lapidary::app
