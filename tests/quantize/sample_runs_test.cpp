// SPDX-License-Identifier: Apache-2.0
// Samples that run at the same time: taken in their order, one at a time where memory is short, and
// figures that do not depend on the number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/proof/accuracy.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/inputs/samples.h>

#include "inputs/sample_runs.h"
#include "quantize/calibration/visit_values.h"
#include "support/cancel_time.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

/// Squares the number of the sample; samples in `refused` throw.
class Squares final : public SampleWork {
public:
    void prepare(int threads) override { prepared.push_back(threads); }
    void run(std::size_t sample, std::size_t place) override {
        const int beside = ++running_;
        most_beside = std::max(most_beside.load(), beside);
        std::this_thread::sleep_for(std::chrono::microseconds(sample % 3 * 200));
        places.at(place) = sample * sample;
        const bool is_refused =
            refused.contains(sample) || (beside > 1 && refused_beside.contains(sample));
        --running_;
        if (is_refused) fail(refusal, "no");
    }
    std::uint64_t held_bytes(std::size_t) const override { return held; }
    std::uint64_t working_bytes() const override { return working; }
    bool take(std::size_t sample, std::size_t place) override {
        EXPECT_EQ(places.at(place), sample * sample);
        taken.push_back(sample);
        return taken.size() < most_taken;
    }
    void leave_out(std::size_t sample, std::size_t, const Error&) override {
        left_out.push_back(sample);
    }

    std::uint64_t held = 0, working = 0;
    std::size_t most_taken = 1'000'000;
    std::set<std::size_t> refused, refused_beside;
    ErrorCode refusal = ErrorCode::invalid_input;
    std::vector<int> prepared;
    std::vector<std::size_t> places, taken, left_out;
    std::atomic<int> most_beside{0};

private:
    std::atomic<int> running_{0};
};

std::vector<std::size_t> first_of(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

void run_all(Squares& work, int threads, std::size_t count) {
    SampleRuns runs(work, threads, count);
    work.places.assign(runs.places(), 0);
    runs.run(first_of(count), "squares", {});
}

TEST(SampleRuns, TakeSamplesInTheirOrder) {
    for (const int threads : {1, 2, 5})
        for (const std::size_t count : {0, 1, 7, 20, 203}) {
            Squares work;
            work.refused = {3, 19, 202};
            run_all(work, threads, count);
            EXPECT_TRUE(std::ranges::is_sorted(work.taken));
            EXPECT_EQ(work.taken.size() + work.left_out.size(), count);
            EXPECT_EQ(work.left_out.size(), count <= 3     ? 0u
                                            : count <= 19  ? 1u
                                            : count <= 202 ? 2u
                                                           : 3u);
            const bool goes_together =
                threads > 1 && count >= 4 * static_cast<std::size_t>(threads);
            EXPECT_EQ(work.prepared, (std::vector<int>{goes_together ? 1 : threads}))
                << threads << " of " << count;
        }
}

TEST(SampleRuns, EndWhenNoMoreIsWanted) {
    Squares work;
    work.most_taken = 13;
    run_all(work, 3, 100);
    EXPECT_EQ(work.taken, first_of(13));
}

TEST(SampleRuns, GoAloneWhereMemoryIsShort) {
    Squares held, working;
    held.held = std::uint64_t{300} << 20;
    working.working = std::uint64_t{1} << 50;
    for (Squares* work : {&held, &working}) {
        run_all(*work, 2, 20);
        EXPECT_EQ(work->taken, first_of(20));
        EXPECT_EQ(work->most_beside, 1);
        EXPECT_EQ(work->prepared, (std::vector<int>{1, 2}))
            << "one thread, then all inside of the kernels";
    }
}

/// What does not fit beside others is tried alone before it is left out.
TEST(SampleRuns, ALimitHoldsForOneSampleAlone) {
    Squares work;
    work.refused = {11};
    work.refused_beside = {8, 9, 10, 12, 13, 14};
    work.refusal = ErrorCode::limit_exceeded;
    run_all(work, 3, 30);
    EXPECT_EQ(work.left_out, (std::vector<std::size_t>{11}));
    EXPECT_EQ(work.taken.size(), 29u);
}

TEST(SampleRuns, ACancelEndsThem) {
    Squares work;
    work.refused = {17};
    work.refusal = ErrorCode::cancelled;
    EXPECT_THROW(run_all(work, 2, 100), Error);
    EXPECT_LE(work.taken.size(), 17u);
}

ModelPtr model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

ModelPtr small_network() {
    static const ModelPtr model = model_of(
        "(x: f32[n,3,12,12]) -> (y, z)\na = Conv(x, w1: f32[8,3,3,3], b1: f32[8]) {pads: "
        "[1,1,1,1]}\nr = Relu(a)\n"
        "m = GlobalAveragePool(r)\nz = Flatten(m)\ny = Gemm(z, w3: f32[5,8], b3: f32[5]) {transB: "
        "1}");
    return model;
}

/// Of which one cannot be read and one does not fit.
class Damaged final : public SampleSource {
public:
    explicit Damaged(ModelPtr model) : samples_(generated_samples(std::move(model), 23, 5)) {}
    std::size_t size() const override { return samples_->size(); }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        if (index == 4) fail_input("no picture");
        if (index == 9) return {{"x", Tensor(DType::f32, {1, 3, 2, 2, 2})}};
        return samples_->at(index, cancel);
    }

private:
    SampleSourcePtr samples_;
};

TEST(SampleThreads, ChangeNothingInAccuracy) {
    Labels classes, vectors;
    for (std::int64_t i = 0; i < 23; ++i) {
        classes.values.push_back(Tensor::of<std::int64_t>({1}, {i % 7}));
        vectors.values.push_back(
            Tensor::of<float>({1, 5}, {1, 2, 0.5F, -1, static_cast<float>(i)}));
    }
    const Damaged samples(small_network());
    std::vector<AccuracyCounts> found, cosines;
    for (const int threads : {1, 2, 5}) {
        found.push_back(
            measure_accuracy(small_network(), samples, classes, {.k = 2, .threads = threads}));
        cosines.push_back(
            measure_accuracy(small_network(), samples, vectors, {.threads = threads}));
    }
    EXPECT_EQ(found[0].samples, 21u);
    EXPECT_EQ(found[0].left_out, 2u);
    EXPECT_GT(found[0].out_of_range, 0u);
    EXPECT_EQ(cosines[0].vectors, 21u);
    for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_EQ(found[i].samples, found[0].samples);
        EXPECT_EQ(found[i].top1, found[0].top1);
        EXPECT_EQ(found[i].topk, found[0].topk);
        EXPECT_EQ(found[i].classes, found[0].classes);
        EXPECT_EQ(found[i].out_of_range, found[0].out_of_range);
        EXPECT_EQ(found[i].warnings, found[0].warnings);
        EXPECT_EQ(cosines[i].cosine_sum, cosines[0].cosine_sum) << "to the last bit";
    }
}

void expect_equal(const QuantizedAccuracy& a, const QuantizedAccuracy& b) {
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.sample_db, b.sample_db);
    EXPECT_EQ(a.error_db, b.error_db);
    EXPECT_EQ(a.warnings, b.warnings);
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        EXPECT_EQ(a.outputs[i].name, b.outputs[i].name);
        EXPECT_EQ(a.outputs[i].sqnr_db, b.outputs[i].sqnr_db);
        EXPECT_EQ(a.outputs[i].cosine, b.outputs[i].cosine);
        EXPECT_EQ(a.outputs[i].max_abs, b.outputs[i].max_abs);
    }
}

TEST(SampleThreads, ChangeNothingInWhatQuantizingCosts) {
    const ModelPtr model = small_network();
    const auto learned = generated_samples(model, 8, 1);
    const auto made = std::make_shared<const Model>(
        quantize_model(*model, {.mode = QuantizeMode::static_qdq}, learned.get()).model);
    const Damaged samples(model);
    std::vector<QuantizedAccuracy> found;
    for (const int threads : {1, 2, 5})
        found.push_back(evaluate_quantized(model, made, samples, threads));
    EXPECT_EQ(found[0].samples, 21u);
    EXPECT_EQ(found[0].warnings.size(), 2u);
    EXPECT_TRUE(std::isfinite(found[0].sqnr_db()));
    expect_equal(found[0], found[1]);
    expect_equal(found[0], found[2]);
}

TEST(SampleThreads, ChangeNothingInASearch) {
    const auto samples = generated_samples(small_network(), 45, 3);  // of which 9 judge each recipe
    QuantizeOptions options{.mode = QuantizeMode::static_qdq};
    std::vector<SearchResult> found;
    for (const int threads : {1, 2, 5}) {
        options.calibration.threads = threads;
        found.push_back(search_recipes(*small_network(), options, samples, 0, {}));
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_EQ(found[i].best_trial, found[0].best_trial);
        ASSERT_EQ(found[i].trials.size(), found[0].trials.size());
        for (std::size_t t = 0; t < found[0].trials.size(); ++t) {
            EXPECT_EQ(found[i].trials[t].name, found[0].trials[t].name);
            EXPECT_EQ(found[i].trials[t].sqnr_db, found[0].trials[t].sqnr_db)
                << found[0].trials[t].name;
            EXPECT_EQ(found[i].trials[t].failure, found[0].trials[t].failure);
        }
    }
}

TEST(SampleThreads, ChangeNothingInWhatIsVisited) {
    const auto samples = generated_samples(small_network(), 30, 3);
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 5}) {
        std::vector<float>& sums = found.emplace_back();
        visit_values(
            *small_network(), *samples, {"a", "x"}, threads, {}, [&] { return sums.size() < 17; },
            [&](const SeenValues& seen) {
                ASSERT_TRUE(seen.find("a") && seen.find("x"));
                float sum = 0;
                for (const float value : seen.find("a")->data<float>()) sum += value;
                sums.push_back(sum);
            });
        EXPECT_EQ(sums.size(), 17u);
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

TEST(SampleThreads, ACancelEndsAccuracyAndEvaluation) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const auto model = model_of(
        "(x: f32[1,64,1280]) -> (y)\na = MatMul(x, w: f32[1280,1280])\nb = Relu(a)\n"
        "y = MatMul(b, v: f32[1280,1280])");
    const auto samples = generated_samples(model, 400, 1);
    Labels labels;
    for (std::size_t i = 0; i < samples->size(); ++i)
        labels.values.emplace_back(DType::f32, Shape{1, 64, 1280});
    for (const int threads : {1, 2}) {
        const std::string with = std::to_string(threads) + " threads";
        expect_prompt({"accuracy, " + with,
                       [&](const Progress& progress) {
                           measure_accuracy(model, *samples, labels, {.threads = threads},
                                            progress);
                       },
                       {0.05, 0.3}});
        expect_prompt({"evaluation, " + with,
                       [&](const Progress& progress) {
                           evaluate_quantized(model, model, *samples, threads, progress);
                       },
                       {0.05, 0.3}});
    }
}

double seconds_of(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The least of three measurements with one and with two threads, in turn.
double gain_of_two(const std::string& name, const std::function<void(int threads)>& body) {
    double one = 1e9, two = 1e9;
    for (int i = 0; i < 3; ++i) {
        one = std::min(one, seconds_of([&] { body(1); }));
        two = std::min(two, seconds_of([&] { body(2); }));
    }
    std::printf("%s: %.3f s with one thread, %.3f s with two: %.2f times\n", name.c_str(), one, two,
                one / two);
    return one / two;
}

TEST(SampleThreadsTime, TwoThreadsAreAtLeast1Point7TimesAsFast) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "there is one processor";
    const auto model = std::make_shared<const Model>(build_sample("squeezenet"));
    constexpr std::size_t count = 256;  // so many that compiling the model is a small part
    const auto samples = generated_samples(model, 16, 1);
    std::vector<NamedValues> read;
    for (std::size_t i = 0; i < count; ++i) read.push_back(i < 16 ? samples->at(i) : read[i % 16]);
    const auto ready = given_samples(read);
    const auto made = std::make_shared<const Model>(quantize_model(*model, {}, nullptr).model);
    Labels labels;
    for (std::size_t i = 0; i < count; ++i)
        labels.values.push_back(Tensor::of<std::int64_t>({1}, {1}));
    EXPECT_GE(gain_of_two("accuracy",
                          [&](int threads) {
                              measure_accuracy(model, *ready, labels, {.threads = threads});
                          }),
              1.7);
    EXPECT_GE(gain_of_two("evaluation",
                          [&](int threads) { evaluate_quantized(model, made, *ready, threads); }),
              1.7);
    const std::vector<WatchedValue> watched{{model->graph.value(model->graph.outputs()[0]).name}};
    EXPECT_GE(gain_of_two("calibration",
                          [&](int threads) {
                              calibrate(model, *ready, watched,
                                        {.settled_samples = 0, .threads = threads});
                          }),
              1.7);
}

}  // namespace
}  // namespace lapidary
