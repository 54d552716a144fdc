// SPDX-License-Identifier: Apache-2.0
// lapidary-cli bench --decode: in this process, in processes of their own, against ONNX Runtime
// where its library is installed.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/bench/peers.h>
#include <lapidary/generation/measure_decoding.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "bench/process/child_process.h"
#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class BenchDecode : public ::testing::Test {
protected:
    BenchDecode() : file((folder / "small.onnx").string()) {
        save_model(samples::llama({.name = "small",
                                   .layers = 2,
                                   .width = 32,
                                   .inner = 64,
                                   .heads = 2,
                                   .key_heads = 1,
                                   .vocabulary = 97,
                                   .positions = 64},
                                  5),
                   file);
    }
    std::vector<std::string> bench(std::vector<std::string> more) const {
        more.insert(more.begin(), {"bench", file, "--decode", "--new-tokens", "10", "--seconds",
                                   "0.05", "--intra", "1"});
        return more;
    }
    const TemporaryFolder folder;
    const std::string file;
};

void expect_figures(const Json& figures) {
    for (const char* key : {"load_ms", "first_token_ms", "prefill_tokens_per_second",
                            "decode_tokens_per_second", "gb_per_s", "share_of_roof"})
        EXPECT_GT(figures.at(key).get<double>(), 0) << key;
    EXPECT_EQ(figures.at("first_pass_ms").size(), 10u);
    EXPECT_EQ(figures.at("curve_ms").size(), 10u);
    EXPECT_GT(figures.at("cache_bytes").get<std::int64_t>(), 0);
    EXPECT_TRUE(figures.at("fixed_caches"));
}

TEST_F(BenchDecode, MeasuresEachContext) {
    const CommandOutcome outcome = run(bench({"--context", "5,30", "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    ASSERT_EQ(json.at("configurations").size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& c = json.at("configurations")[i];
        EXPECT_EQ(c.at("model"), "small");
        const Json& decoding = c.at("decoding");
        EXPECT_EQ(decoding.at("context"), i == 0 ? 5 : 30);
        expect_figures(decoding.at("ours"));
        EXPECT_TRUE(decoding.at("theirs").is_null());
        const Json& recorded = decoding.at("ours").at("recorded");
        EXPECT_EQ(recorded.at("context"), i == 0 ? 7 : 32);
        EXPECT_GT(recorded.at("products_ms").get<double>(), 0);
        EXPECT_EQ(decoding.at("token_cache_bytes"), 256 * (i == 0 ? 5 : 30));
        // 4 caches of 1 head by 16 numbers, as long as prompt and tokens are.
        EXPECT_EQ(decoding.at("ours").at("cache_bytes"), 256 * (i == 0 ? 15 : 40));
    }
    const CommandOutcome text = run(bench({"--context", "5", "--vs", "self"}));
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* words :
         {"first ms", "tokens/s", "of roof", "ratio", "a token reads", "outputs agree: 11 of 11",
          "caches 3.84 kB (fixed)", "of a token", "between nodes"})
        EXPECT_NE(text.out.find(words), std::string::npos) << words << " in " << text.out;
}

TEST_F(BenchDecode, CachesGrowWhereThatIsAsked) {
    const CommandOutcome outcome = run(bench({"--context", "5", "--caches", "growing", "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json ours = outcome.json().at("configurations")[0].at("decoding").at("ours");
    EXPECT_FALSE(ours.at("fixed_caches"));
    EXPECT_EQ(ours.at("growing_reason"), "");
}

TEST_F(BenchDecode, RefusesWhatItCannotMeasure) {
    expect_error(run(bench({"--context", "60"})), 3, {"60", "64 rows"});
    expect_error(run(bench({"--context", "99999999"})), 3, {"99999999", "1048576"});
    expect_error(run(bench({})), 3, {"128", "64 rows"});
    expect_error(run(bench({"--context", "5", "--batch", "2"})), 3, {"--decode", "--batch"});
    expect_error(run(bench({"--context", "5", "--inter", "2"})), 3, {"--decode", "--inter"});
    expect_error(run({"bench", "sample:mlp", "--decode"}), 4, {"input_ids"});
    expect_error(run({"bench", file, "--context", "5"}), 2, {"--context", "--decode"});
}

TEST_F(BenchDecode, EnginesRunInProcessesOfTheirOwn) {
    std::vector<std::string> command = bench({"--context", "5", "--json", "--vs", "self"});
    command.insert(command.begin(), cli_program());
    const FinishedProgram done = run_program(command, std::chrono::minutes(2));
    ASSERT_EQ(done.code, 0) << done.err;
    const Json json = Json::parse(done.out);
    EXPECT_TRUE(json.at("own_processes"));
    const Json decoding = json.at("configurations")[0].at("decoding");
    for (const char* engine : {"ours", "theirs"}) {
        expect_figures(decoding.at(engine));
        EXPECT_GT(decoding.at(engine).at("peak_mb"), 1);
        EXPECT_LT(decoding.at(engine).at("peak_mb"), 300);
    }
    EXPECT_TRUE(decoding.at("agreement").at("matches"));
    EXPECT_EQ(decoding.at("agreement").at("difference"), 0);
}

TEST_F(BenchDecode, OnnxRuntimeRunsTheSameLoop) {
    DecodingSetup setup;
    setup.model = file;
    setup.capacity = 15;
    try {
        open_onnxruntime_decoder(setup, {});
    } catch (const Error& error) { GTEST_SKIP() << error.what(); }
    for (const char* caches : {"fixed", "growing"}) {
        const CommandOutcome outcome =
            run(bench({"--context", "5", "--caches", caches, "--vs", "onnxruntime", "--json"}));
        ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
        const Json decoding = outcome.json().at("configurations")[0].at("decoding");
        EXPECT_EQ(decoding.at("theirs").at("fixed_caches"), std::string(caches) == "fixed");
        EXPECT_EQ(decoding.at("theirs").at("cache_bytes"), 256 * 15);
        EXPECT_TRUE(decoding.at("agreement").at("matches"));
        EXPECT_EQ(decoding.at("agreement").at("equal"), 11);
        EXPECT_LT(decoding.at("agreement").at("difference"), 1e-4);
    }
}

// Where its package is installed: minutes would be no test, so that the model is small.
TEST_F(BenchDecode, OtherEnginesRunTheSameTokens) {
    bool is_any = false;
    for (const char* name : {"openvino", "pytorch"}) {
        SCOPED_TRACE(name);
        try {
            find_bench_peer(find_peer(name)->peer, {});
        } catch (const Error&) { continue; }
        is_any = true;
        const CommandOutcome outcome = run(bench({"--context", "5", "--vs", name, "--json"}));
        ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
        const Json json = outcome.json();
        EXPECT_FALSE(json.at("machine").at(name).get<std::string>().empty());
        const Json decoding = json.at("configurations")[0].at("decoding");
        EXPECT_GT(decoding.at("theirs").at("token_ms").at("median"), 0);
        EXPECT_EQ(decoding.at("agreement").at("equal"), 11);
    }
    if (!is_any) GTEST_SKIP() << "neither OpenVINO nor PyTorch is installed";
}

TEST_F(BenchDecode, EnginesThatAreNotFoundAreNamed) {
    const std::string nowhere = (folder / "nowhere").string();
    for (const char* name : {"openvino", "pytorch", "llama.cpp", "onnxruntime-genai"})
        expect_error(run(bench({"--context", "5", "--vs", name, "--peer", nowhere})), 4,
                     {nowhere.c_str(), "pip install"});
}

}  // namespace
}  // namespace lapidary
