// SPDX-License-Identifier: Apache-2.0
// The job that generates tokens: in this process, in a worker, cancelled, and what it refuses.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "samples/llama.h"
#include "support/test_data.h"
#include "worker/jobs/generation/generate_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

ModelPtr small_llama() {
    static const ModelPtr model = std::make_shared<Model>(samples::llama({.name = "small",
                                                                          .layers = 2,
                                                                          .width = 32,
                                                                          .inner = 64,
                                                                          .heads = 4,
                                                                          .key_heads = 2,
                                                                          .vocabulary = 97,
                                                                          .positions = 110000},
                                                                         5));
    return model;
}

ModelSource source_of(const ModelPtr& model) {
    ModelSource source;
    source.model = model;
    return source;
}

GenerateJob job_of(std::vector<ModelSource> models, std::int64_t new_tokens = 12) {
    GenerateJob job;
    job.models = std::move(models);
    job.prompt = {7, 38, 69, 3, 34};
    job.new_tokens = new_tokens;
    job.resources.threads = 1;
    return job;
}

std::vector<std::int64_t> expected_tokens(const GenerateJob& job) {
    Generator generator = Generator::compile(job.models[0].model, {.capacity = 64});
    GenerateRequest request;
    request.prompt = {1, job.prompt};
    request.new_tokens = job.new_tokens;
    request.sampling = job.sampling;
    return generate(generator, request).tokens[0];
}

std::string refusal(const GenerateJob& job) {
    try {
        LocalEngine().call(job, {});
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(GenerateJob, GivesTheTokensOfTheGeneratorAndTheirTimes) {
    GenerateJob job = job_of({source_of(small_llama())});
    job.sampling = {.temperature = 0.8, .top_k = 20, .seed = 3};
    std::size_t states = 0;
    const GenerateRecord record = LocalEngine().call(job, {}, [&](const GenerateRecord& state) {
        ++states;
        EXPECT_FALSE(state.complete);
    });
    EXPECT_GT(states, 0u);
    EXPECT_TRUE(record.complete);
    ASSERT_EQ(record.sides.size(), 1u);
    const GeneratedSide& side = record.sides[0];
    EXPECT_EQ(side.tokens, expected_tokens(job));
    EXPECT_EQ(side.token_ms.size(), 11u);
    EXPECT_GT(side.first_ms, 0);
    EXPECT_EQ(record.prompt, job.prompt);
    EXPECT_EQ(record.capacity, 17);
    EXPECT_EQ(record.threads, 1);
    EXPECT_EQ(side.storage, CacheStorage::fixed);
    EXPECT_EQ(side.cache_count, 4u);
    EXPECT_EQ(side.cache_bytes, 4u * 2 * 8 * 17 * sizeof(float));
    EXPECT_GT(side.weight_bytes, 97u * 32 * sizeof(float));
    EXPECT_EQ(side.head_type, "f32");
    // The second token behind the prompt, double its context, the last.
    std::vector<std::int64_t> contexts;
    for (const TokenSample& sample : side.samples) {
        contexts.push_back(sample.context);
        EXPECT_GT(sample.time.wall_ms, 0);
        EXPECT_GT(sample.activation_bytes, 0u);
        EXPECT_EQ(sample.cache_bytes, side.cache_bytes);
    }
    EXPECT_EQ(contexts, (std::vector<std::int64_t>{7, 14, 16}));
    EXPECT_TRUE(record.divergence.empty());
}

TEST(GenerateJob, TheSecondModelIsGivenTheFirstOnesTokens) {
    Model optimized = *small_llama();
    optimize(optimized, {.level = Level::all});
    const auto other = std::make_shared<Model>(samples::llama({.name = "other",
                                                               .layers = 1,
                                                               .width = 32,
                                                               .inner = 64,
                                                               .heads = 4,
                                                               .key_heads = 2,
                                                               .vocabulary = 97,
                                                               .positions = 110000},
                                                              9));
    const ModelSource plain = source_of(small_llama());
    const GenerateRecord alike = LocalEngine().call(
        job_of({plain, source_of(std::make_shared<Model>(std::move(optimized)))}), {});
    ASSERT_EQ(alike.sides.size(), 2u);
    ASSERT_EQ(alike.divergence.size(), 12u);
    for (const double divergence : alike.divergence) EXPECT_LT(divergence, 1e-6);
    EXPECT_EQ(alike.changed_tokens(), 0);
    const GenerateRecord apart = LocalEngine().call(job_of({plain, source_of(other)}), {});
    EXPECT_EQ(apart.sides[0].tokens, alike.sides[0].tokens);
    EXPECT_GT(apart.divergence[0], 1e-3);
    EXPECT_GT(apart.changed_tokens(), 0);
}

// A tokenizer of 97 words, as many as the model has tokens.
std::string word_tokenizer() {
    std::string vocabulary;
    for (int i = 0; i < 97; ++i) {
        const std::string number = std::to_string(i);
        vocabulary += (i == 0 ? "\"w" : ",\"w") + number + "\":" + number;
    }
    return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[],)"
           R"("normalizer":null,"pre_tokenizer":{"type":"WhitespaceSplit"},)"
           R"("post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{)" +
           vocabulary + R"(},"unk_token":"w0"}})";
}

TEST(GenerateJob, APromptOfTextNeedsATokenizer) {
    const TemporaryFolder folder;
    const GenerateJob numbers = job_of({source_of(small_llama())});
    GenerateJob job = numbers;
    job.prompt.clear();
    job.text = "w7 w38 w69 w3 w34";
    EXPECT_NE(refusal(job).find("needs a tokenizer"), std::string::npos) << refusal(job);
    job.tokenizer = folder / "tokenizer.json";
    EXPECT_NE(refusal(job).find("tokenizer.json"), std::string::npos) << refusal(job);
    std::ofstream(job.tokenizer) << word_tokenizer();
    const GenerateRecord record = LocalEngine().call(job, {});
    EXPECT_EQ(record.prompt, numbers.prompt);
    EXPECT_EQ(record.sides[0].tokens, expected_tokens(numbers));
    ASSERT_EQ(record.pieces.size(), record.sides[0].tokens.size());
    std::string text;
    for (const std::string& piece : record.pieces) text += piece;
    for (const std::int64_t token : record.sides[0].tokens)
        EXPECT_NE(text.find("w" + std::to_string(token)), std::string::npos) << text;
    job.text = "w7 w200";
    EXPECT_EQ(LocalEngine().call(job, {}).prompt[1], 0) << "the unknown word";
    job.text.clear();
    EXPECT_NE(refusal(job).find("no tokens"), std::string::npos);
}

TEST(GenerateJob, EndsBehindAStopToken) {
    GenerateJob job = job_of({source_of(small_llama())});
    job.stop_tokens = {expected_tokens(job)[3]};
    const GenerateRecord record = LocalEngine().call(job, {});
    EXPECT_TRUE(record.complete);
    EXPECT_EQ(record.sides[0].tokens.back(), job.stop_tokens[0]);
    EXPECT_LE(record.sides[0].tokens.size(), 4u);
    EXPECT_EQ(record.stop_tokens, job.stop_tokens);
}

TEST(GenerateJob, EndsBehindWhatTheModelsFilesName) {
    const TemporaryFolder folder;
    GenerateJob job = job_of({source_of(small_llama())});
    job.models[0].file = folder / "small.onnx";  // the model is here, its file need not be
    const std::int64_t third = expected_tokens(job)[2];
    std::ofstream(folder / "generation_config.json") << R"({"eos_token_id": )" << third << "}";
    const GenerateRecord record = LocalEngine().call(job, {});
    EXPECT_EQ(record.stop_tokens, (std::vector<std::int64_t>{third}));
    EXPECT_EQ(record.sides[0].tokens.back(), third);
    EXPECT_LE(record.sides[0].tokens.size(), 3u);
    job.finds_stop_tokens = false;
    EXPECT_EQ(LocalEngine().call(job, {}).sides[0].tokens, expected_tokens(job));
}

TEST(GenerateJob, RefusesWhatItCannotGenerateWith) {
    const GenerateJob no_decoder =
        job_of({source_of(std::make_shared<const Model>(build_sample("mlp")))});
    EXPECT_NE(refusal(no_decoder).find("input_ids"), std::string::npos) << refusal(no_decoder);
    GenerateJob small = job_of({source_of(small_llama())});
    small.capacity = 8;
    EXPECT_NE(refusal(small).find("room for: 8"), std::string::npos) << refusal(small);
    GenerateJob elsewhere = small;
    elsewhere.models[0].recipe.emplace().runs_on.emplace().onnxruntime = true;
    EXPECT_NE(refusal(elsewhere).find("another engine"), std::string::npos) << refusal(elsewhere);
    EXPECT_NE(why_no_decoder(*no_decoder.models[0].model), "");
    EXPECT_EQ(why_no_decoder(*small.models[0].model), "");
}

class GenerateInAWorker : public testing::Test {
protected:
    void SetUp() override {
        source_.file = folder_ / "small.onnx";
        save_model(*small_llama(), source_.file);
        source_.model = std::make_shared<const Model>(load_model(source_.file));
        source_.file_bytes = std::filesystem::file_size(source_.file);
        source_.file_modified =
            std::filesystem::last_write_time(source_.file).time_since_epoch().count();
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        worker_ = std::make_unique<WorkerEngine>(options);
    }
    const TemporaryFolder folder_;
    ModelSource source_;
    std::unique_ptr<WorkerEngine> worker_;
};

TEST_F(GenerateInAWorker, GivesWhatThisProcessGives) {
    const GenerateJob job = job_of({source_, source_}, 40);
    std::atomic<std::size_t> states{0};
    const GenerateRecord there = worker_->call(job, {}, [&](const GenerateRecord&) { ++states; });
    const GenerateRecord here = LocalEngine().call(job, {});
    EXPECT_GT(states, 0u);
    ASSERT_EQ(there.sides.size(), 2u);
    EXPECT_EQ(there.sides[0].tokens, here.sides[0].tokens);
    EXPECT_EQ(there.sides[1].tokens, here.sides[1].tokens);
    EXPECT_EQ(there.divergence, here.divergence);
    EXPECT_EQ(there.sides[0].samples.size(), here.sides[0].samples.size());
    EXPECT_EQ(there.sides[0].weight_bytes, here.sides[0].weight_bytes);
    EXPECT_EQ(there.sides[0].storage, here.sides[0].storage);
    EXPECT_TRUE(there.complete);
}

TEST_F(GenerateInAWorker, ACancelEndsItAtOnceAndKeepsTheTokens) {
    const GenerateJob job = job_of({source_}, 100'000);
    Progress progress;
    std::atomic<Clock::time_point::rep> cancelled{0};
    GenerateRecord newest;
    try {
        worker_->call(job, progress, [&](const GenerateRecord& state) {
            newest = state;
            if (state.sides[0].tokens.size() < 20 || progress.cancel.is_cancelled()) return;
            cancelled = Clock::now().time_since_epoch().count();
            progress.cancel.cancel();
        });
        FAIL() << "it was not cancelled";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
    EXPECT_LT(Clock::now() - Clock::time_point(Clock::duration(cancelled.load())),
              std::getenv("LAPIDARY_TIMED") ? 100ms : 10s);
    ASSERT_EQ(newest.sides.size(), 1u);
    EXPECT_GE(newest.sides[0].tokens.size(), 20u);
    EXPECT_FALSE(newest.complete);
    EXPECT_TRUE(worker_->call(job_of({source_}), {}).complete) << "the worker goes on";
}

}  // namespace
}  // namespace lapidary::app
