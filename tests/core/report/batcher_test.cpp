// SPDX-License-Identifier: Apache-2.0
// The batcher: which requests are joined, results equal to those of single runs, errors that reach
// only the request that caused them, models it refuses.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/bench/batcher.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return std::make_shared<const Model>(std::move(model));
}

void expect_failure(const std::function<void()>& action, ErrorCode code,
                    const std::vector<std::string>& words) {
    try {
        action();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
                << word << " in " << error.what();
    }
}

NamedValues one(const std::string& name, Tensor tensor) {
    NamedValues values;
    values.emplace_back(name, std::move(tensor));
    return values;
}

/// Waits long enough for the other requests on a busy machine.
BatcherOptions patient(std::int64_t max_batch) {
    BatcherOptions options;
    options.max_batch = max_batch;
    options.max_delay_ms = 20'000;
    options.session.resources.threads = 1;
    return options;
}

TEST(Batcher, JoinsRequestsUpToTheLimitAndAnswersEachItsOwn) {
    Batcher batcher(model_of("(x: f32[batch,2]) -> (y)\n y = Relu(x)"), patient(4));
    std::vector<std::future<NamedValues>> answers;
    for (int i = 0; i < 8; ++i)
        answers.push_back(
            batcher.submit(one("x", Tensor::of<float>({1, 2}, {static_cast<float>(i), -1}))));
    for (int i = 0; i < 8; ++i) {
        const NamedValues outputs = answers[static_cast<std::size_t>(i)].get();
        ASSERT_EQ(outputs.size(), 1u);
        EXPECT_EQ(outputs[0].first, "y");
        EXPECT_TRUE(same_contents(outputs[0].second.tensor(),
                                  Tensor::of<float>({1, 2}, {static_cast<float>(i), 0})));
    }
    EXPECT_EQ(batcher.counts().runs, 2u);
    EXPECT_EQ(batcher.counts().rows, 8u);
    EXPECT_EQ(batcher.counts().requests, 8u);
    EXPECT_EQ(batcher.counts().failures, 0u);
}

TEST(Batcher, TheDeadlineEndsTheWait) {
    BatcherOptions options = patient(100);
    options.max_delay_ms = 30;
    Batcher batcher(model_of("(x: f32[batch]) -> (y)\n y = Relu(x)"), options);
    const auto start = std::chrono::steady_clock::now();
    batcher.submit(one("x", Tensor::of<float>({1}, {1}))).get();
    const auto took = std::chrono::steady_clock::now() - start;
    EXPECT_GE(took, std::chrono::milliseconds(29));
    EXPECT_LT(took, std::chrono::seconds(10));
    EXPECT_EQ(batcher.counts().runs, 1u);
}

TEST(Batcher, TheBatchMayStandAnywhereAndRequestsMayHaveSeveralRows) {
    // [sequence, batch, 2]: joined along the middle.
    Batcher batcher(model_of("(x: f32[sequence,batch,2], f: f32[1]) -> (y)\n y = Mul(x, f)"),
                    patient(3));
    NamedValues a = one("x", Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4})),
                b = one("x", Tensor::of<float>({2, 2, 2}, {5, 6, 7, 8, 9, 10, 11, 12}));
    a.emplace_back("f", Tensor::of<float>({1}, {2}));
    b.emplace_back("f", Tensor::of<float>({1}, {2}));
    auto first = batcher.submit(a), second = batcher.submit(b);
    EXPECT_TRUE(
        same_contents(first.get()[0].second.tensor(), Tensor::of<float>({2, 1, 2}, {2, 4, 6, 8})));
    EXPECT_TRUE(same_contents(second.get()[0].second.tensor(),
                              Tensor::of<float>({2, 2, 2}, {10, 12, 14, 16, 18, 20, 22, 24})));
    EXPECT_EQ(batcher.counts().runs, 1u);
}

TEST(Batcher, DoesNotJoinWhatDoesNotFit) {
    BatcherOptions options = patient(2);
    options.max_delay_ms = 20;
    Batcher batcher(model_of("(x: f32[batch,width], f: f32[1]) -> (y)\n y = Mul(x, f)"), options);
    const auto request = [](std::int64_t width, float factor) {
        NamedValues values = one(
            "x",
            Tensor::of<float>({1, width}, std::vector<float>(static_cast<std::size_t>(width), 1)));
        values.emplace_back("f", Tensor::of<float>({1}, {factor}));
        return values;
    };
    auto a = batcher.submit(request(2, 3)), wider = batcher.submit(request(3, 3)),
         other = batcher.submit(request(2, 5)), like_a = batcher.submit(request(2, 3));
    EXPECT_TRUE(same_contents(a.get()[0].second.tensor(), Tensor::of<float>({1, 2}, {3, 3})));
    EXPECT_TRUE(
        same_contents(wider.get()[0].second.tensor(), Tensor::of<float>({1, 3}, {3, 3, 3})));
    EXPECT_TRUE(same_contents(other.get()[0].second.tensor(), Tensor::of<float>({1, 2}, {5, 5})));
    EXPECT_TRUE(same_contents(like_a.get()[0].second.tensor(), Tensor::of<float>({1, 2}, {3, 3})));
    EXPECT_EQ(batcher.counts().runs, 3u) << "the first and the last go together";
}

TEST(Batcher, StringsAreJoinedToo) {
    Batcher batcher(model_of("(x: string[batch,2]) -> (y)\n y = Identity(x)"), patient(2));
    auto a = batcher.submit(one("x", Tensor::of<std::string>({1, 2}, {"one", "two"}))),
         b = batcher.submit(one("x", Tensor::of<std::string>({1, 2}, {"three", ""})));
    EXPECT_TRUE(
        same_contents(a.get()[0].second.tensor(), Tensor::of<std::string>({1, 2}, {"one", "two"})));
    EXPECT_TRUE(
        same_contents(b.get()[0].second.tensor(), Tensor::of<std::string>({1, 2}, {"three", ""})));
}

TEST(Batcher, ARequestThatDoesNotFitTheModelIsRefusedAlone) {
    Batcher batcher(model_of("(x: f32[batch,2]) -> (y)\n y = Relu(x)"), patient(2));
    auto good = batcher.submit(one("x", Tensor::of<float>({1, 2}, {1, 2})));
    auto wide = batcher.submit(one("x", Tensor::of<float>({1, 3}, {1, 2, 3}))),
         unknown = batcher.submit(one("z", Tensor::of<float>({1, 2}, {1, 2})));
    auto empty = batcher.submit(one("x", Tensor(DType::f32, {0, 2})));
    auto also_good = batcher.submit(one("x", Tensor::of<float>({1, 2}, {3, 4})));
    expect_failure([&] { wide.get(); }, ErrorCode::invalid_input, {"\"x\""});
    expect_failure([&] { unknown.get(); }, ErrorCode::invalid_input, {"\"z\""});
    expect_failure([&] { empty.get(); }, ErrorCode::invalid_input, {"without rows"});
    EXPECT_TRUE(same_contents(good.get()[0].second.tensor(), Tensor::of<float>({1, 2}, {1, 2})));
    EXPECT_TRUE(
        same_contents(also_good.get()[0].second.tensor(), Tensor::of<float>({1, 2}, {3, 4})));
    EXPECT_EQ(batcher.counts().runs, 1u);
    EXPECT_EQ(batcher.counts().failures, 3u);
}

// An index out of range shows only while running.
TEST(Batcher, AnErrorWhileRunningReachesItsRequestOnly) {
    Batcher batcher(model_of("(i: i64[batch]) -> (y)\n y = Gather(t: f32[3], i)"), patient(3));
    auto a = batcher.submit(one("i", Tensor::of<std::int64_t>({1}, {0}))),
         bad = batcher.submit(one("i", Tensor::of<std::int64_t>({1}, {7}))),
         b = batcher.submit(one("i", Tensor::of<std::int64_t>({1}, {2})));
    EXPECT_EQ(a.get()[0].second.tensor().size(), 1);
    expect_failure([&] { bad.get(); }, ErrorCode::invalid_input, {"7"});
    EXPECT_EQ(b.get()[0].second.tensor().size(), 1);
    EXPECT_EQ(batcher.counts().failures, 1u);
}

TEST(Batcher, GivesTheSameAsAloneForAWholeModel) {
    const auto model = std::make_shared<const Model>(build_sample("bert-tiny"));
    Batcher batcher(model, patient(4));
    SessionOptions alone;
    alone.resources.threads = 1;
    Session session = Session::compile(model, alone);
    std::vector<NamedValues> requests;
    std::vector<std::future<NamedValues>> answers;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        requests.push_back(inputs_for(*model, {.batch = 1}, {{"sequence", 12}}, seed));
        answers.push_back(batcher.submit(requests.back()));
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const NamedValues together = answers[i].get(), expected = session.run(requests[i]).outputs;
        ASSERT_EQ(together.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const std::vector<double> x = to_doubles(together[k].second.tensor()),
                                      y = to_doubles(expected[k].second.tensor());
            ASSERT_EQ(x.size(), y.size());
            for (std::size_t e = 0; e < x.size(); ++e)
                ASSERT_NEAR(x[e], y[e], 1e-4) << expected[k].first;
        }
    }
    EXPECT_EQ(batcher.counts().runs, 1u);
}

TEST(Batcher, RefusesModelsThatItCannotTakeApart) {
    const auto refuses = [](const std::string& text, const std::vector<std::string>& words) {
        expect_failure([&] { Batcher(model_of(text), {}); }, ErrorCode::not_supported, words);
    };
    refuses("(x: f32[2,3]) -> (y)\n y = Relu(x)", {"no free batch dimension"});
    refuses("(x: f32[batch,3]) -> (y)\n y = ReduceSum(x) {keepdims: 0}", {"output \"y\"", "batch"});
    refuses("(x: f32[batch,3]) -> (y)\n y = Reshape(x, shape: i64[1]{-1})",
            {"output \"y\"", "batch"});
    BatcherOptions options;
    options.max_batch = 0;
    expect_failure([&] { Batcher(model_of("(x: f32[batch]) -> (y)\n y = Relu(x)"), options); },
                   ErrorCode::invalid_input, {"max_batch", "0"});
}

TEST(Batcher, AnswersWhatWasSubmittedBeforeItEnds) {
    std::future<NamedValues> answer;
    {
        Batcher batcher(model_of("(x: f32[batch]) -> (y)\n y = Relu(x)"), patient(100));
        answer = batcher.submit(one("x", Tensor::of<float>({1}, {1})));
    }
    EXPECT_EQ(answer.get()[0].second.tensor().size(), 1);
}

TEST(Batcher, TakesRequestsFromManyThreads) {
    BatcherOptions options = patient(4);
    options.max_delay_ms = 1;
    Batcher batcher(model_of("(x: f32[batch]) -> (y)\n y = Relu(x)"), options);
    std::vector<std::thread> callers;
    std::atomic<int> wrong{0};
    for (int k = 0; k < 6; ++k)
        callers.emplace_back([&, k] {
            for (int i = 0; i < 40; ++i) {
                const float value = static_cast<float>(100 * k + i);
                const NamedValues outputs =
                    batcher.submit(one("x", Tensor::of<float>({1}, {value}))).get();
                if (outputs[0].second.tensor().data<float>()[0] != value) ++wrong;
            }
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(batcher.counts().requests, 240u);
    EXPECT_LE(batcher.counts().runs, 240u);
}

TEST(BatcherCurve, HasAPointPerNumberOfCallers) {
    const auto model = std::make_shared<const Model>(build_sample("mlp"));
    ServingOptions options;
    options.concurrency = {1, 4};
    options.seconds = 0.3;
    options.batcher.max_batch = 4;
    options.batcher.max_delay_ms = 1;
    int reported = 0;
    const std::vector<LoadComparison> curve =
        measure_load(model, {inputs_for(*model, {.batch = 1})}, options, {},
                     [&](const LoadComparison&) { ++reported; });
    ASSERT_EQ(curve.size(), 2u);
    EXPECT_EQ(reported, 2);
    EXPECT_EQ(curve[1].grouped.concurrency, 4);
    for (const LoadComparison& point : curve)
        for (const LoadPoint* p : {&point.grouped, &point.single}) {
            EXPECT_GT(p->requests, 0u);
            EXPECT_GT(p->per_second, 0);
            EXPECT_LE(p->latency_ms.p50, p->latency_ms.p99);
        }
    EXPECT_NEAR(curve[1].single.rows_per_run, 1, 1e-9);
    EXPECT_GT(curve[1].grouped.rows_per_run, 1);
    Progress progress;
    progress.cancel.cancel();
    expect_failure(
        [&] { measure_load(model, {inputs_for(*model, {.batch = 1})}, options, progress); },
        ErrorCode::cancelled, {});
}

}  // namespace
}  // namespace lapidary
